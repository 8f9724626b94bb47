import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** Names of the records whose rows of a child table these are, by `row_id`; rows that do not exist are absent. */
export async function ownersOfRows(
  db: Db,
  { table, child }: { readonly table: string; readonly child: string },
  rowIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ row_id: string; name: string }>`
    select c.row_id as row_id, d.name as name from ${sql.table(child)} c
    join ${sql.table(table)} d on d.rid = c.parent where c.row_id in (${sql.join(rowIds)})`.execute(
    db,
  )
  return new Map(rows.map(({ row_id, name }) => [row_id, name]))
}
