import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { rowTable } from './computed-columns.ts'

/** Columns that wait for their values, as they were known at one moment; those that have them since may be among them. */
export interface Waiting {
  /** Whether any column of a DocType or of its rows waits. */
  waits(definition: DocTypeDefinition): boolean
  /** Whether this column waits: a field of the DocType, or of the rows of its `table`. */
  has(definition: DocTypeDefinition, table: string | undefined, field: string): boolean
  /** All of them, as `table.column`. */
  readonly columns: ReadonlySet<string>
}

/**
 * Columns that wait for their values, as an open workspace knows them: never fewer than the database's. A transaction
 * goes by what was known when it began: what it has added up anew it must not add to.
 */
export interface Unfilled {
  readonly now: Waiting
  /** Sets them anew: with what follows from them when that is found, to none when all have their values. */
  set(columns: Iterable<string>): void
}

/** The columns that wait, before it is known what follows from them. */
export function createUnfilled(first: Iterable<string>): Unfilled {
  let now = waitingOf(first)
  return {
    get now() {
      return now
    },
    set(columns) {
      now = waitingOf(columns)
    },
  }
}

function waitingOf(names: Iterable<string>): Waiting {
  const columns = new Set(names)
  const tables = new Set([...columns].map((column) => column.split('.')[0] ?? ''))
  return {
    columns,
    waits: ({ table, fields }) =>
      tables.size > 0 &&
      (tables.has(table) ||
        fields.some(({ name, child }) => child && tables.has(rowTable(table, name)))),
    has: ({ table }, rows, field) =>
      columns.size > 0 && columns.has(`${rowTable(table, rows)}.${field}`),
  }
}
