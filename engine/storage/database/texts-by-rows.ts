import type { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

/**
 * The text of a statement that differs by its number of rows alone. kysely takes longer to build one than
 * SQLite to run it, so `build` makes each but once, of rows with any values; those of more than `mostKept` rows
 * are made each time. Belongs to one kind of database; keep what it returns, and the number of rows small.
 */
export function textsByRows(
  build: (db: Db, rows: number) => CompiledQuery,
  mostKept = Number.POSITIVE_INFINITY,
): (db: Db, rows: number) => string {
  const texts = new Map<number, string>()
  return (db, rows) => {
    const known = texts.get(rows)
    if (known !== undefined) return known
    const text = build(db, rows).sql
    if (rows <= mostKept) texts.set(rows, text)
    return text
  }
}

/** Rows that have these columns, so many of them, each empty: for `build` of `textsByRows`. */
export function blankRows(columns: readonly string[], rows: number): Record<string, string>[] {
  const row = Object.fromEntries(columns.map((column) => [column, '']))
  return Array.from({ length: rows }, () => row)
}

/** Values of rows in the order in which `blankRows` made their columns. */
export function valuesOf<Row>(rows: readonly Row[], columns: readonly (keyof Row)[]): unknown[] {
  return rows.flatMap((row) => columns.map((column) => row[column]))
}

/** Rows in pieces of at most `size`. */
export function* chunks<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
