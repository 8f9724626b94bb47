import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Db } from '../../storage/database/database.ts'
import { tooManyCells } from '../../storage/deep/over-budget.ts'
import { isLightMatching, isLightQuery } from '../../storage/query/light-query.ts'
import {
  countMatching,
  isGrouped,
  MAX_CELLS,
  type Matching,
  type Query,
  runQuery,
} from '../../storage/query/query.ts'
import { mostRecords } from '../../storage/records/table-size.ts'
import { knownParts } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { deepReads } from '../work/deep-reads.ts'
import type { WireRecord } from '../work/present.ts'

const NARROW = 'set filters or a limit, or ask for fewer fields'

/**
 * Runs a query whose columns are those of a scope (query-scope.ts), which has asked for the rights already, and hands
 * its rows to `take` as they come: the selected values in wire form. `take` may throw.
 */
export async function queryRecords(
  context: Context,
  query: Query,
  take: (rows: readonly (readonly unknown[])[]) => void,
): Promise<void> {
  const { database } = context.services
  const on = isLightQuery(database, query) ? database.read : deep(context)
  await runQuery(on, database.kind, query, NARROW, take)
}

/**
 * Whether it is known before they are read that an answer may have all values of a query (MAX_CELLS); of groups it is not,
 * nor of records beside their rows. Throws UNAVAILABLE where they are more.
 */
export async function fitsOneAnswer(context: Context, query: Query): Promise<boolean> {
  const columns = query.select.map(({ column }) => column)
  if (isGrouped(query) || columns.some((column) => column?.source.isRows)) return false
  const most = MAX_CELLS / query.select.length
  if (mostRecords(context.services.database, query.root.table) <= most) return true
  const found = (await countQueried(context, query)) - query.offset
  if (Math.min(found, query.limit || found) > most) throw tooManyCells(NARROW, MAX_CELLS)
  return true
}

/** Number of records, or rows, that match. */
export async function countQueried(context: Context, query: Matching): Promise<number> {
  const { database } = context.services
  const on = isLightMatching(database, query) ? database.read : deep(context)
  return countMatching(on, database.kind, query)
}

function deep(context: Context): Db {
  return deepReads(context, NARROW)
}

/** Tables of these records, with the standard fields, by the records' names. Ask for few at once: nobody waits then. */
export async function recordsWithTables(
  context: Context,
  definition: DocTypeDefinition,
  names: readonly string[],
  tables: readonly string[],
): Promise<ReadonlyMap<string, WireRecord>> {
  const { read } = context.services.database
  const parts = context.services.partsOf(definition)
  const { store } = parts
  const { presenter } = knownParts(context, parts)
  const { show } = presenter.listed([
    'id',
    'name',
    ...tables,
    'owner',
    'created',
    'modified',
    'modified_by',
    'docstatus',
  ])
  const docs = await store.findMany(read, names)
  await store.loadRows(read, [...docs.values()], tables)
  return new Map([...docs].map(([name, doc]) => [name, show(doc)]))
}
