import { sql } from 'kysely'
import type { DatabaseKind, Db } from '../database/database.ts'
import { lockKey } from '../database/key-lock.ts'

/** Message of the database itself when somebody edits a ledger behind the engine's back. */
const REFUSAL = 'rows of a ledger are only ever added; cancel the document that posted them'

/**
 * Lets the database itself refuse to change or delete rows of these ledger tables (rules.md §4.2), also for
 * who comes with a SQL client. Part of every start, after the migration.
 */
export async function guardLedgers(
  tx: Db,
  kind: DatabaseKind,
  tables: readonly string[],
): Promise<void> {
  if (tables.length === 0) return
  if (kind === 'postgres') {
    // Two processes that start together would both make the function, and one would fail; the lock ends with `tx`.
    await lockKey(tx, kind, 'svc:ledger-guard')
    await sql
      .raw(`create or replace function svc_refuse_ledger_edit() returns trigger language plpgsql as
        $$ begin raise exception '${REFUSAL}'; end $$`)
      .execute(tx)
  }
  for (const table of tables) {
    if (await isGuarded(tx, kind, table)) continue
    for (const verb of ['update', 'delete']) {
      const name = `"tr_${table}_${verb}"`
      const statement =
        kind === 'sqlite'
          ? `create trigger if not exists ${name} before ${verb} on "${table}" begin select raise(abort, '${REFUSAL}'); end`
          : `create or replace trigger ${name} before ${verb} on "${table}" for each row execute function svc_refuse_ledger_edit()`
      await sql.raw(statement).execute(tx)
    }
  }
}

/** Takes the guards away so that a migration can move the rows; `guardLedgers` puts them back. */
export async function unguardLedgers(
  tx: Db,
  kind: DatabaseKind,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) {
    if (!(await isGuarded(tx, kind, table))) continue
    for (const verb of ['update', 'delete']) {
      const on = kind === 'sqlite' ? '' : ` on "${table}"`
      await sql.raw(`drop trigger if exists "tr_${table}_${verb}"${on}`).execute(tx)
    }
  }
}

async function isGuarded(tx: Db, kind: DatabaseKind, table: string): Promise<boolean> {
  const name = `tr_${table}_delete`
  const { rows } = await (kind === 'sqlite'
    ? sql`select 1 from sqlite_master where type = 'trigger' and name = ${name}`
    : sql`select 1 from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where t.tgname = ${name} and c.relname = ${table} and c.relnamespace = current_schema()::regnamespace`
  ).execute(tx)
  return rows.length > 0
}
