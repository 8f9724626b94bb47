import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { Formats } from '../data/format.ts'
import type { Titles } from '../record/use-titles.ts'
import { Icon } from '../ui/icon.tsx'
import { Pill } from '../ui/pill.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { ReportColumn, ReportRow } from './report-types.ts'
import { drillAddress, isNumeric, nameIn, targetOf, valueText } from './report-values.ts'

/** How a row of a tree is folded. */
export interface Fold {
  readonly indent: number
  /** Whether the rows below it are shown; undefined where there are none. */
  readonly isOpen: boolean | undefined
  readonly toggle: () => void
}

interface CellProps {
  readonly column: ReportColumn
  readonly rows: readonly ReportRow[]
  readonly at: number
  readonly titles: Titles
  readonly formats: Formats
  /** Of the first cell of a row in a tree. */
  readonly fold: Fold | undefined
}

/** A cell of a report: a number opens the list it adds up, a link its record. */
export function ReportCell({ column, rows, at, titles, formats, fold }: CellProps): ReactElement {
  const row = rows[at]!
  if (isNumeric(column)) return <NumberCell {...{ column, rows, at, formats }} />
  const content = <Content column={column} row={row} titles={titles} formats={formats} />
  if (!fold) return <td>{content}</td>
  return (
    <th scope="row">
      <span className="fold" style={{ paddingInlineStart: fold.indent * 20 }}>
        {fold.isOpen === undefined ? (
          <span className="no-fold" />
        ) : (
          <button
            type="button"
            className="fold-button"
            aria-expanded={fold.isOpen}
            aria-label={PAGES.below(nameText(row, column))}
            onClick={fold.toggle}
          >
            <Icon name="chevron-right" size={14} />
          </button>
        )}
        {content}
      </span>
    </th>
  )
}

function nameText(row: ReportRow, { name }: ReportColumn): string {
  return String(row[`${name}_name`] ?? row[name] ?? '')
}

function NumberCell({
  column,
  rows,
  at,
  formats,
}: Pick<CellProps, 'column' | 'rows' | 'at' | 'formats'>): ReactElement {
  const row = rows[at]!
  const value = row[column.name]
  const href = drillAddress(column, rows, at)
  const text = valueText(column, row, formats)
  // A row of zeros says more by what is not there.
  const shown = value === 0 ? <span className="zero">–</span> : text
  const sign = typeof value === 'number' && value < 0 ? ' negative' : ''
  return (
    <td className={`number${sign}`}>
      {href === undefined ? (
        shown
      ) : (
        <Link href={href} className="drill" title={PAGES.openList}>
          {shown}
        </Link>
      )}
    </td>
  )
}

function Content({
  column,
  row,
  titles,
  formats,
}: Pick<CellProps, 'column' | 'titles' | 'formats'> & { row: ReportRow }): ReactElement | string {
  const { boot, slugOf, entryOf } = useDesk()
  const text = nameIn(column, row, titles, formats, slugOf)
  const value = row[column.name]
  const target = targetOf(column, row, slugOf)
  const id = typeof value === 'string' ? value : ''
  if (target !== '' && id !== '' && entryOf(target)?.locked === false)
    return <Link href={`/${target}/${encodeURIComponent(id)}`}>{text}</Link>
  if (column.type === 'check') return value === true ? WORDS.yes : ''
  const color = column.type === 'select' ? boot.colors[id] : undefined
  if (color !== undefined) return <Pill text={text} color={color} />
  return text
}
