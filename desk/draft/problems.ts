import type { Problem } from '../data/types.ts'

/** Problems of a body by where they are shown. */
export interface Problems {
  /** By field of the record. */
  readonly fields: Readonly<Record<string, string>>
  /** By table, row and column. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<number, Readonly<Record<string, string>>>>
  readonly all: readonly Problem[]
}

/** No problems. */
export const NO_PROBLEMS: Problems = { fields: {}, rows: new Map(), all: [] }

/** Sorts problems by where they are shown: `items[2].qty` is a cell of a grid. */
export function placeProblems(all: readonly Problem[]): Problems {
  const fields: Record<string, string> = {}
  const rows = new Map<string, Map<number, Record<string, string>>>()
  for (const { field, message } of all) {
    const [, table, at, column] = /^(\w+)(?:\.add)?\[(\d+)\](?:\.(\w+))?/.exec(field) ?? []
    if (table === undefined) {
      fields[field] = message
      continue
    }
    const ofTable = rows.get(table) ?? new Map<number, Record<string, string>>()
    rows.set(table, ofTable)
    ofTable.set(Number(at), { ...ofTable.get(Number(at)), [column ?? '']: message })
  }
  return { fields, rows, all }
}
