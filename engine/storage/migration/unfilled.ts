import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { rowTable } from './computed-columns.ts'

/** Columns that wait for their values, as an open workspace knows them: fewer than the database's never, more perhaps. */
export interface Unfilled {
  /** Whether any column of a DocType or of its rows waits. */
  waits(definition: DocTypeDefinition): boolean
  /** Whether this column waits: a field of the DocType, or of the rows of its `table`. */
  has(definition: DocTypeDefinition, table: string | undefined, field: string): boolean
  /** All of them, as `table.column`. */
  readonly columns: ReadonlySet<string>
  /** Sets them anew: with what follows from them when they are found, to none when all have their values. */
  set(columns: Iterable<string>): void
}

/** The columns that wait, before it is known what follows from them. */
export function createUnfilled(first: readonly string[]): Unfilled {
  let columns: ReadonlySet<string> = new Set(first)
  let tables = tablesOf(columns)
  return {
    get columns() {
      return columns
    },
    waits: ({ table, fields }) =>
      tables.size > 0 &&
      (tables.has(table) ||
        fields.some(({ name, child }) => child && tables.has(rowTable(table, name)))),
    has: ({ table }, rows, field) =>
      columns.size > 0 && columns.has(`${rowTable(table, rows)}.${field}`),
    set(now) {
      columns = new Set(now)
      tables = tablesOf(columns)
    },
  }
}

function tablesOf(columns: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...columns].map((column) => column.split('.')[0] ?? ''))
}
