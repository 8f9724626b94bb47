import { sql } from 'kysely'
import type { DatabaseKind, Db } from '../database/database.ts'

/** Tables asked for in one statement: an answer of SQLite has at most 2,000 columns. */
const TABLES_PER_STATEMENT = 1000

/**
 * Tables that may have a row at this moment; what is left out has none. It costs little beside reading each of them,
 * of which a young workspace has hundreds without a row.
 */
export async function filledTables(
  db: Db,
  kind: DatabaseKind,
  tables: readonly string[],
): Promise<ReadonlySet<string>> {
  return kind === 'postgres' ? tablesWithPages(db) : tablesWithRows(db, tables)
}

/** Tables by the size of their files: planning a statement for each would take PostgreSQL ten times as long. */
async function tablesWithPages(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`.execute(
    db,
  )
  return new Set(rows.map(({ name }) => name))
}

async function tablesWithRows(db: Db, tables: readonly string[]): Promise<ReadonlySet<string>> {
  const filled: string[] = []
  for (let at = 0; at < tables.length; at += TABLES_PER_STATEMENT) {
    const asked = tables.slice(at, at + TABLES_PER_STATEMENT)
    const columns = asked.map((table) => sql`exists (select 1 from ${sql.table(table)})`)
    const named = columns.map((column, index) => sql`${column} as ${sql.ref(`t${index}`)}`)
    const { rows } = await sql<Readonly<Record<string, bigint>>>`select ${sql.join(named)}`.execute(
      db,
    )
    filled.push(...asked.filter((_, index) => rows[0]?.[`t${index}`] !== 0n))
  }
  return new Set(filled)
}
