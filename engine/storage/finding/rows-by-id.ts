import { sql } from 'kysely'
import type { DatabaseKind, Db } from '../database/database.ts'
import type { RecordState } from '../records/record-store.ts'

/** The table of records and the one of their rows. */
export interface RowTables {
  readonly table: string
  readonly child: string
}

/** Names of the records whose rows of a child table these are, by `row_id`; rows that do not exist are absent. */
export async function ownersOfRows(
  db: Db,
  { table, child }: RowTables,
  rowIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ row_id: string; name: string }>`
    select c.row_id as row_id, d.name as name from ${sql.table(child)} c
    join ${sql.table(table)} d on d.rid = c.parent where c.row_id in (${sql.join(rowIds)})`.execute(
    db,
  )
  return new Map(rows.map(({ row_id, name }) => [row_id, name]))
}

/**
 * States of the records that these rows belong to, by `row_id`; rows that do not exist are absent. `isHeld` keeps the
 * records from being deleted or cancelled by others until the transaction ends.
 */
export async function statesOfRows(
  tx: Db,
  kind: DatabaseKind,
  { table, child }: RowTables,
  rowIds: readonly string[],
  isHeld: boolean,
): Promise<ReadonlyMap<string, RecordState>> {
  const query = tx
    .selectFrom(`${child} as r`)
    .innerJoin(`${table} as d`, 'd.rid', 'r.parent')
    .select(['r.row_id', 'd.docstatus'])
    .where('r.row_id', 'in', rowIds)
    .orderBy('d.rid')
  // SQLite's writer is alone.
  const rows = await (isHeld && kind === 'postgres' ? query.forKeyShare(['d']) : query).execute()
  return new Map(
    rows.map((row) => [String(row.row_id), { docstatus: Number(row.docstatus), belongsTo: null }]),
  )
}
