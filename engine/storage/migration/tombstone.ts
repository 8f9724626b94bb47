import { identifierFor } from '../database/identifier.ts'

const PREFIX = '_dropped_'

/** Whether a column keeps the values of a field that was removed; no definition can name such a column. */
export function isTombstone(column: string): boolean {
  return column.startsWith(PREFIX)
}

/** A free name under which the values of a removed field stay, e.g. `_dropped_note_1`. */
export function tombstoneFor(column: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = identifierFor(`${PREFIX}${column}_${number}`)
    if (!taken.has(name)) return name
  }
}
