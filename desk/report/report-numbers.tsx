import type { ReactElement } from 'react'
import { Link } from 'wouter'
import type { Formats } from '../data/format.ts'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { ReportAnswer, ReportColumn } from './report-types.ts'
import { isNumeric, totalAddress, valueText } from './report-values.ts'

/** Numbers above a report, at most. */
const MOST = 4

/** What a report comes to: the numbers it sums up itself, else the totals of its columns. */
export function ReportNumbers({
  answer,
  formats,
}: {
  answer: ReportAnswer
  formats: Formats
}): ReactElement | null {
  const numbers = numbersOf(answer, formats)
  if (numbers.length === 0) return null
  return (
    <dl className="report-numbers">
      {numbers.map(({ key, label, text, href, isNegative }) => (
        <div key={key} data-negative={isNegative}>
          <dt>{label}</dt>
          <dd>{href === undefined ? text : <Link href={href}>{text}</Link>}</dd>
        </div>
      ))}
    </dl>
  )
}

interface Shown {
  readonly key: string
  readonly label: string
  readonly text: string
  readonly href?: string | undefined
  readonly isNegative: boolean
}

function numbersOf(answer: ReportAnswer, formats: Formats): readonly Shown[] {
  const { summary, totals, columns, meta } = answer
  if (summary.length > 0)
    return summary.map(({ name, label, type, value }) => ({
      key: name,
      label: sentenceCase(label),
      text: valueText({ name, type }, { [name]: value }, formats) || '0',
      isNegative: (value ?? 0) < 0,
    }))
  if (!totals) return []
  // Of periods only what they come to says something about the whole.
  const isPeriod = (name: string): boolean => /_\d{4}(_\d\d){0,2}$/.test(name)
  const summed = columns.filter(
    (column) =>
      isNumeric(column) && typeof totals[column.name] === 'number' && !isPeriod(column.name),
  )
  const isThere = ({ name }: ReportColumn): boolean => totals[name] !== 0
  const money = summed.filter((column) => column.type === 'currency' && isThere(column))
  const chosen = [...money, ...summed.filter((column) => !money.includes(column))].slice(
    0,
    MOST - 1,
  )
  const shown = columns.filter((column) => chosen.includes(column))
  if (shown.length === 0) return []
  return [
    {
      key: ' rows',
      label: PAGES.rowsOfReport,
      text: meta.total.toLocaleString(formats.locale),
      isNegative: false,
    },
    ...shown.map((column) => ({
      key: column.name,
      label: sentenceCase(column.label),
      text: valueText(column, totals, formats),
      href: totalAddress(column),
      isNegative: Number(totals[column.name]) < 0,
    })),
  ]
}
