import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** Those of these tables that have a row, found by one statement. */
export async function usedTables(db: Db, tables: readonly string[]): Promise<ReadonlySet<string>> {
  if (tables.length === 0) return new Set()
  const parts = tables.map(
    (table) => sql`select ${table} as name where exists (select 1 from ${sql.table(table)})`,
  )
  const { rows } = await sql<{ name: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
