import type { FieldInfo, Row } from '../data/types.ts'
import { cellValue } from './cell-value.ts'
import { cellsOf, type Place } from './grid-keys.ts'

/** What is needed to read pasted cells. */
export interface PasteScene {
  readonly rows: readonly Row[]
  readonly columns: readonly FieldInfo[]
  readonly locale: string
  readonly maxRows: number
}

/** The rows with other values in one; a title of a link that changes goes, or is the given one. */
export function changedRows(
  rows: readonly Row[],
  { row }: Place,
  values: Row,
  title?: string,
): readonly Row[] {
  const before = rows[row] ?? {}
  const titles: Record<string, string> = { ...before._titles }
  for (const name of Object.keys(values)) {
    delete titles[name]
    if (title !== undefined) titles[name] = title
  }
  return rows.with(row, { ...before, ...values, _titles: titles })
}

/** The rows with cells that were copied from a spreadsheet, from a cell on; new ones come where they end. */
export function pastedRows(
  { rows, columns, locale, maxRows }: PasteScene,
  from: Place,
  text: string,
): readonly Row[] {
  const next = [...rows]
  for (const [down, cells] of cellsOf(text).entries()) {
    const at = from.row + down
    if (at >= maxRows) break
    const row: Record<string, unknown> = { ...next[at] }
    const titles: Record<string, string> = { ...next[at]?._titles }
    for (const [right, cell] of cells.entries()) {
      const field = columns[from.column + right]
      if (!field || field.readOnly) continue
      row[field.name] = cellValue(field, cell, locale)
      delete titles[field.name]
    }
    next[at] = { ...row, _titles: titles }
  }
  return next
}

/** The rows with one of them at another place. */
export function movedRows(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const row = rows[from]
  if (!row || from === to || to < 0 || to >= rows.length) return rows
  return rows.toSpliced(from, 1).toSpliced(to, 0, row)
}

/** The rows with the value of the cell above in a cell, its title too. */
export function filledRows(
  rows: readonly Row[],
  place: Place,
  { name }: FieldInfo,
): readonly Row[] {
  const above = rows[place.row - 1]
  if (!above || above[name] === undefined) return rows
  return changedRows(rows, place, { [name]: above[name] }, above._titles?.[name])
}
