import { identifierFor } from '../database/identifier.ts'

const PREFIX = '_dropped_'

/** Whether a column keeps the values of a field that was removed; no definition can name such a column. */
export function isTombstone(column: string): boolean {
  return column.startsWith(PREFIX)
}

/** Highest number that is looked for: each stands for a field that was removed and set aside. */
const HIGHEST = 99

/** A free name under which the values of a removed field stay, e.g. `_dropped_note_1`: newer ones have higher numbers. */
export function tombstoneFor(
  column: string,
  taken: { readonly has: (name: string) => boolean },
): string {
  for (let number = HIGHEST; number > 0; number -= 1)
    if (taken.has(nameOf(column, number))) return nameOf(column, number + 1)
  return nameOf(column, 1)
}

/** What was set aside last of a column; undefined where there is nothing. */
export function newestTombstone<Column>(
  column: string,
  columns: ReadonlyMap<string, Column>,
): Column | undefined {
  for (let number = HIGHEST; number > 0; number -= 1) {
    const found = columns.get(nameOf(column, number))
    if (found !== undefined) return found
  }
  return undefined
}

function nameOf(column: string, number: number): string {
  return identifierFor(`${PREFIX}${column}_${number}`)
}
