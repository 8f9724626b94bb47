import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** Tables asked for in one statement: each costs PostgreSQL a plan. */
const TABLES_PER_STATEMENT = 100

/** Those of these tables of records in which one was written at a moment (ISO) or later. */
export async function tablesWithChanges(
  db: Db,
  tables: Iterable<string>,
  from: string,
): Promise<ReadonlySet<string>> {
  const all = [...tables]
  const changed: string[] = []
  for (let at = 0; at < all.length; at += TABLES_PER_STATEMENT) {
    const asked = all.slice(at, at + TABLES_PER_STATEMENT)
    const parts = asked.map(
      (table) => sql`select ${sql.lit(table)} as name
        where exists (select 1 from ${sql.table(table)} where modified >= ${from})`,
    )
    const { rows } = await sql<{
      readonly name: string
    }>`${sql.join(parts, sql` union all `)}`.execute(db)
    changed.push(...rows.map(({ name }) => name))
  }
  return new Set(changed)
}

/** Number of records of a table: of all, or of those written at a moment (ISO) or later. */
export async function countWritten(
  db: Db,
  table: string,
  from: string | undefined,
): Promise<number> {
  const since = from === undefined ? sql`` : sql`where modified >= ${from}`
  const { rows } = await sql<{ readonly n: bigint }>`
    select count(*) as n from ${sql.table(table)} ${since}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
