import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { countMatching, type Matching, type Query, runQuery } from '../../storage/query/query.ts'
import type { Context } from '../work/context.ts'
import type { WireRecord } from '../work/present.ts'

/** Records read together with their tables. */
const RECORDS_AT_ONCE = 500

/**
 * Runs a query whose columns are those of a scope (query-scope.ts), which has asked for the rights already;
 * `toRow` gets the selected values in wire form.
 */
export async function queryRecords<T>(
  { services: { database } }: Context,
  query: Query,
  toRow: (values: readonly unknown[]) => T,
): Promise<T[]> {
  return runQuery(database.read, database.kind, query, toRow)
}

/** Number of records, or rows, that match. */
export async function countQueried(
  { services: { database } }: Context,
  query: Matching,
): Promise<number> {
  return countMatching(database.read, database.kind, query)
}

/** Tables of these records, with the standard fields, by the records' names. */
export async function recordsWithTables(
  { services }: Context,
  definition: DocTypeDefinition,
  names: readonly string[],
  tables: readonly string[],
): Promise<ReadonlyMap<string, WireRecord>> {
  const { read } = services.database
  const { store, presenter } = services.partsOf(definition)
  const { show } = presenter.listed([
    ...tables,
    'owner',
    'created',
    'modified',
    'modified_by',
    'docstatus',
  ])
  const records = new Map<string, WireRecord>()
  for (let at = 0; at < names.length; at += RECORDS_AT_ONCE) {
    const docs = await store.findMany(read, names.slice(at, at + RECORDS_AT_ONCE))
    await store.loadRows(read, [...docs.values()], tables)
    for (const [name, doc] of docs) records.set(name, show(doc))
  }
  return records
}
