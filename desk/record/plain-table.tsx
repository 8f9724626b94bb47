import type { ReactElement } from 'react'
import { isNumber } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'

interface PlainTableProps {
  readonly label: string
  /** Whether the label is shown above it, beside being said. */
  readonly isTitled?: boolean
  readonly columns: readonly FieldInfo[]
  readonly rows: readonly Row[]
  /** Rows that are shown, at most. */
  readonly most: number
  readonly textOf: (field: FieldInfo, row: Row) => string
}

/** Rows only to read, where there is little room. */
export function PlainTable(props: PlainTableProps): ReactElement {
  const { label, isTitled, columns, rows, most, textOf } = props
  const kind = (field: FieldInfo): string | undefined => (isNumber(field) ? 'number' : undefined)
  return (
    <table className="peek-table" aria-label={label}>
      {isTitled ? <caption>{label}</caption> : null}
      <thead>
        <tr>
          {columns.map((field) => (
            <th key={field.name} className={kind(field)}>
              {sentenceCase(field.label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, most).map((row, at) => (
          <tr key={String(row.row_id ?? row.id ?? at)}>
            {columns.map((field) => (
              <td key={field.name} className={kind(field)}>
                {textOf(field, row)}
              </td>
            ))}
          </tr>
        ))}
        {rows.length > most ? (
          <tr>
            <td colSpan={columns.length}>{WORDS.moreOfDay(rows.length - most)}</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  )
}
