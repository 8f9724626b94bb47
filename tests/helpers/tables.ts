import { sql } from 'kysely'
import type { Database } from '../../engine/storage/database/database.ts'

/** Everything in a table: its rows as JSON texts, sorted. */
export type DumpedTables = Readonly<Record<string, readonly string[]>>

/** All tables of a database with all that is in them, by name; for tests that say what was not changed or kept. */
export async function dumpTables(
  { kind, read }: Database,
  isWanted: (name: string) => boolean = () => true,
): Promise<DumpedTables> {
  const { rows: tables } = await (kind === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
    : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  ).execute(read)
  const dumped: Record<string, readonly string[]> = {}
  for (const { name } of tables.filter((table) => isWanted(table.name))) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(read)
    dumped[name] = rows.map(rowText).sort()
  }
  return dumped
}

/** Names of the tables that are not the same in both; a difference of all rows would fill the screen. */
export function changedTables(before: DumpedTables, after: DumpedTables): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
}

function rowText(row: unknown): string {
  return JSON.stringify(row, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}
