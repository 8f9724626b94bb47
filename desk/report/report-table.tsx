import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { Formats } from '../data/format.ts'
import type { Titles } from '../record/use-titles.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { type Fold, ReportCell } from './report-cell.tsx'
import type { ReportAnswer, ReportColumn, ReportRow } from './report-types.ts'
import { headOf, isNumeric, shownColumns, totalAddress, valueText } from './report-values.ts'
import type { ReportState } from './use-parameters.ts'

interface TableProps {
  readonly answer: ReportAnswer
  readonly titles: Titles
  readonly formats: Formats
  /** What it is asked with; undefined while it is being made, and cannot be asked otherwise. */
  readonly state?: ReportState
  readonly label: string
}

/** The most rows of one answer. */
const MOST_ROWS = 5000

/** The rows of a report, with its totals beneath; rows of a tree fold. */
export function ReportTable({ answer, titles, formats, state, label }: TableProps): ReactElement {
  const { slugOf } = useDesk()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const { data, totals } = answer
  const columns = shownColumns(answer, titles, slugOf)
  const isTree = data.some(({ indent }) => indent !== undefined)
  const [first] = columns
  const keyOf = (row: ReportRow): string => String(row[first?.name ?? ''])
  const shown = isTree ? unfolded(data, folded, keyOf) : data.map((row, at) => ({ row, at }))
  const isAbove = (at: number): boolean => (data[at + 1]?.indent ?? 0) > (data[at]?.indent ?? 0)
  function toggle(key: string): void {
    const next = new Set(folded)
    if (!next.delete(key)) next.add(key)
    setFolded(next)
  }
  const foldOf = (at: number): Fold => ({
    indent: data[at]?.indent ?? 0,
    isOpen: isAbove(at) ? !folded.has(keyOf(data[at]!)) : undefined,
    toggle: () => toggle(keyOf(data[at]!)),
  })
  const tops = data.flatMap((row, at) => (isAbove(at) ? [keyOf(row)] : []))
  return (
    <div className="report-rows">
      {isTree && tops.length > 0 ? (
        <p className="fold-all no-print">
          <button
            type="button"
            className="link-button"
            onClick={() => setFolded(new Set(folded.size > 0 ? [] : tops))}
          >
            <Icon name="list-tree" size={14} />
            {folded.size > 0 ? PAGES.unfoldAll : PAGES.foldAll}
          </button>
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className="report-scroll" tabIndex={0} aria-label={PAGES.rowsOf(label)}>
        <table className="report-table" data-tree={isTree}>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.name} column={column} state={isTree ? undefined : state} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ at }) => (
              <Cells
                key={at}
                columns={columns}
                rows={data}
                at={at}
                titles={titles}
                formats={formats}
                fold={isTree ? foldOf(at) : undefined}
              />
            ))}
          </tbody>
          {totals ? (
            <tfoot>
              <tr>
                {columns.map((column, at) => (
                  <Total
                    key={column.name}
                    column={column}
                    answer={answer}
                    formats={formats}
                    isFirst={at === 0}
                  />
                ))}
              </tr>
            </tfoot>
          ) : null}
        </table>
      </section>
      {state ? <More answer={answer} formats={formats} state={state} /> : null}
    </div>
  )
}

interface CellsProps {
  readonly columns: readonly ReportColumn[]
  readonly rows: readonly ReportRow[]
  readonly at: number
  readonly titles: Titles
  readonly formats: Formats
  /** Of a row in a tree. */
  readonly fold: Fold | undefined
}

function Cells({ columns, fold, ...shared }: CellsProps): ReactElement {
  return (
    <tr data-above={fold !== undefined && fold.isOpen !== undefined}>
      {columns.map((column, index) => (
        <ReportCell
          key={column.name}
          column={column}
          {...shared}
          fold={index === 0 ? fold : undefined}
        />
      ))}
    </tr>
  )
}

type MoreProps = Required<Pick<TableProps, 'answer' | 'formats' | 'state'>>

/** Says that there are more rows, and brings them. */
function More({ answer, formats, state }: MoreProps): ReactElement | null {
  const { data, meta } = answer
  if (meta.total <= data.length) return null
  return (
    <p className="more-rows no-print">
      {PAGES.rowsShown(
        data.length.toLocaleString(formats.locale),
        meta.total.toLocaleString(formats.locale),
      )}
      <Button onClick={() => state.change({ limit: String(MOST_ROWS) })}>{PAGES.allRows}</Button>
    </p>
  )
}

/** The rows of a tree that no folded one hides. */
function unfolded(
  rows: readonly ReportRow[],
  folded: ReadonlySet<string>,
  keyOf: (row: ReportRow) => string,
): readonly { readonly row: ReportRow; readonly at: number }[] {
  const shown: { row: ReportRow; at: number }[] = []
  let hidden = Number.POSITIVE_INFINITY
  rows.forEach((row, at) => {
    const indent = row.indent ?? 0
    if (indent > hidden) return
    hidden = folded.has(keyOf(row)) ? indent : Number.POSITIVE_INFINITY
    shown.push({ row, at })
  })
  return shown
}

interface HeadProps {
  readonly column: ReportColumn
  /** Undefined where the rows stand in an order of their own. */
  readonly state: ReportState | undefined
}

/** Head of a column: pressing it sorts by it, once more turns the order round. */
function Head({ column, state }: HeadProps): ReactElement {
  const { name, description } = column
  const label = headOf(column)
  const isUp = state?.orderBy === name
  const isDown = state?.orderBy === `-${name}`
  const first = isNumeric(column) ? `-${name}` : name
  const next = isUp ? `-${name}` : isDown ? name : first
  return (
    <th
      scope="col"
      className={isNumeric(column) ? 'number' : undefined}
      title={description}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      {state === undefined ? (
        label
      ) : (
        <button type="button" onClick={() => state.change({ order_by: next })}>
          {label}
          {isUp || isDown ? <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={12} /> : null}
        </button>
      )}
    </th>
  )
}

interface TotalProps {
  readonly column: ReportColumn
  readonly answer: ReportAnswer
  readonly formats: Formats
  readonly isFirst: boolean
}

function Total({ column, answer, formats, isFirst }: TotalProps): ReactElement {
  const { totals, total_label } = answer
  if (typeof totals?.[column.name] !== 'number')
    return isFirst ? <th scope="row">{sentenceCase(total_label ?? '')}</th> : <td />
  const text = valueText(column, totals, formats)
  const href = totalAddress(column)
  return (
    <td className="number">
      {href === undefined ? (
        text
      ) : (
        <Link href={href} className="drill" title={PAGES.openList}>
          {text}
        </Link>
      )}
    </td>
  )
}
