import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { Chart } from '../chart/chart.tsx'
import type { ChartData, ChartKind } from '../chart/chart-data.ts'
import type { Formats } from '../data/format.ts'
import { useResource } from '../data/queries.ts'
import type { Groups } from '../data/types.ts'
import { useTitles } from '../record/use-titles.ts'
import { kindOf, useChart } from '../report/report-chart.tsx'
import { formatsOf, linkedRecords, valueText } from '../report/report-values.ts'
import { useReport } from '../report/use-report.ts'
import { IconButton } from '../ui/button.tsx'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { WorkspaceChart } from './workspace-types.ts'

interface ChartsProps {
  readonly charts: readonly WorkspaceChart[]
  /** Takes a chart away; undefined where that cannot be. */
  readonly onRemove?: (at: number) => void
}

/** Charts beside each other, each with the way to what it draws. */
export function WorkspaceCharts({ charts, onRemove }: ChartsProps): ReactElement | null {
  if (charts.length === 0) return null
  return (
    <div className="workspace-charts">
      {charts.map((chart, at) => {
        const Card = chart.report === undefined ? ListChart : ReportChart
        return (
          <Card
            key={`${chart.report ?? chart.resource} ${chart.query ?? chart.by}`}
            chart={chart}
            onRemove={onRemove && (() => onRemove(at))}
          />
        )
      })}
    </div>
  )
}

interface CardProps {
  readonly chart: WorkspaceChart
  readonly onRemove: (() => void) | undefined
}

const KINDS: readonly string[] = ['bar', 'line', 'area', 'donut']

function ReportChart({ chart, onRemove }: CardProps): ReactElement | null {
  const { slugOf, entryOf, formats: own } = useDesk()
  const { report = '', query = '', label, kind } = chart
  const { data: answer, error } = useReport(report, query === '' ? 'limit=300' : query)
  const titles = useTitles(answer ? linkedRecords(answer, slugOf, entryOf) : [])
  const drawn = useChart(answer, titles, formatsOf(answer, own))
  if (error) return null
  const chosen = KINDS.includes(kind ?? '') ? (kind as ChartKind) : answer && kindOf(answer)
  const numbers = answer && (!drawn || onRemove) ? answer.summary.slice(0, 3) : []
  return (
    <Frame
      title={sentenceCase(label)}
      href={`/r/${report}${query === '' ? '' : `?${query}`}`}
      isThere={answer !== undefined}
      isEmpty={!drawn && numbers.length === 0}
      onRemove={onRemove}
    >
      {numbers.length > 0 && answer ? (
        <dl className="pin-numbers">
          {numbers.map((number) => (
            <div key={number.name}>
              <dt>{sentenceCase(number.label)}</dt>
              <dd>
                {valueText(number, { [number.name]: number.value }, formatsOf(answer, own)) || '0'}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {drawn && chosen ? (
        <Chart title={label} kind={chosen} data={drawn.data} text={drawn.text} height={190} />
      ) : null}
    </Frame>
  )
}

function ListChart({ chart, onRemove }: CardProps): ReactElement | null {
  const { client, formats } = useDesk()
  const { resource = '', by = '', sum, filter = '', label, kind } = chart
  const info = useResource(resource)
  const query = new URLSearchParams(filter)
  query.set('_count_by', by)
  if (sum !== undefined) query.set('_sum', sum)
  const { data, error } = useQuery({
    queryKey: ['list', resource, 'groups', query.toString()],
    queryFn: async () => (await client.ask<Groups>(`/v1/${resource}?${query}`)).body,
    staleTime: 30_000,
  })
  if (error || info.error) return null
  const isOfDays = by.includes(':')
  const type =
    sum === undefined
      ? 'int'
      : (info.data?.fields.find(({ name }) => name === sum)?.type ?? 'float')
  const drawn = data && dataOf(data, sum, type, isOfDays, formats)
  const short = new Intl.NumberFormat(formats.locale, { notation: 'compact' })
  const text = (value: number, isShort = false): string =>
    isShort ? short.format(value) : valueText({ name: 'n', type }, { n: value }, formats)
  const usual = isOfDays ? 'area' : drawn && drawn.places.length <= 6 ? 'donut' : 'bar'
  const address = new URLSearchParams(filter).toString()
  return (
    <Frame
      title={sentenceCase(label)}
      href={`/${resource}${address === '' ? '' : `?${address}`}`}
      isThere={data !== undefined && info.data !== undefined}
      isEmpty={drawn?.places.length === 0}
      onRemove={onRemove}
    >
      {drawn && drawn.places.length > 0 ? (
        <Chart
          title={label}
          kind={KINDS.includes(kind ?? '') ? (kind as ChartKind) : usual}
          data={drawn}
          text={text}
          height={190}
        />
      ) : null}
    </Frame>
  )
}

/** Groups of a list as a chart: in the order of time, or the largest first. */
function dataOf(
  { groups }: Groups,
  sum: string | undefined,
  type: string,
  isOfDays: boolean,
  formats: Formats,
): ChartData {
  const sized = groups
    .map(({ value, label, count, sums }) => ({
      value: String(value ?? ''),
      label: isOfDays ? partText(String(value ?? ''), formats) : label || String(value ?? '–'),
      number: sum === undefined ? count : (sums[sum] ?? 0),
    }))
    .filter(({ number }) => number !== 0)
  const sorted = isOfDays
    ? sized.sort((one, other) => one.value.localeCompare(other.value)).slice(-12)
    : sized.sort((one, other) => other.number - one.number)
  const kept = !isOfDays && sorted.length > 7 ? sorted.slice(0, 6) : sorted
  const rest = sorted.slice(kept.length).reduce((all, { number }) => all + number, 0)
  const all = rest > 0 ? [...kept, { label: PAGES.others, number: rest }] : kept
  return {
    places: all.map(({ label }) => label),
    series: [{ label: '', values: all.map(({ number }) => number) }],
    type,
    isStacked: false,
  }
}

/** A part of a date as people write it: `2026-11` → `Nov 2026`. */
function partText(part: string, { locale }: Formats): string {
  const [year, month, day] = part.split('-').map(Number)
  if (!year || !month) return part
  const date = new Date(Date.UTC(year, month - 1, day ?? 1))
  return date.toLocaleDateString(locale, {
    month: 'short',
    ...(day ? { day: 'numeric' } : { year: 'numeric' }),
    timeZone: 'UTC',
  })
}

interface FrameProps {
  readonly title: string
  readonly href: string
  readonly isThere: boolean
  readonly isEmpty: boolean
  readonly onRemove: (() => void) | undefined
  readonly children: React.ReactNode
}

function Frame({ title, href, isThere, isEmpty, onRemove, children }: FrameProps): ReactElement {
  return (
    <section className="workspace-chart" data-busy={!isThere}>
      <header>
        <h3>
          <Link href={href}>{title}</Link>
        </h3>
        {onRemove ? <IconButton icon="x" label={PAGES.takeAway(title)} onClick={onRemove} /> : null}
      </header>
      {isThere && isEmpty ? <p className="quiet chart-empty">{PAGES.nothingYet}</p> : children}
    </section>
  )
}
