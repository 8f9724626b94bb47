import { sql } from 'kysely'
import type { DatabaseKind, Db } from '../database/database.ts'

/** Counter of the rows of tables, each counted once; a table that is not there has none. */
export function rowCounter(db: Db, kind: DatabaseKind): (table: string) => Promise<number> {
  const known = new Map<string, number>()
  return async (table) => {
    const counted = known.get(table) ?? (await countRows(db, kind, table))
    known.set(table, counted)
    return counted
  }
}

/** Rows of a table; 0 of one that is not there yet. */
async function countRows(db: Db, kind: DatabaseKind, table: string): Promise<number> {
  const there =
    kind === 'sqlite'
      ? sql`select 1 from sqlite_schema where type = 'table' and name = ${table}`
      : sql`select 1 from pg_class where relname = ${table} and relnamespace = current_schema()::regnamespace`
  if ((await there.execute(db)).rows.length === 0) return 0
  const { rows } = await sql<{ n: bigint }>`select count(*) as n from ${sql.table(table)}`.execute(
    db,
  )
  return Number(rows[0]?.n ?? 0)
}
