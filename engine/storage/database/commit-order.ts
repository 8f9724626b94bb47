import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { DatabaseKind, Db } from './database.ts'

/**
 * Numbers of PostgreSQL are given in one order and committed in another: who has read up to 12 may later find
 * an 11. So a transaction says before it takes numbers where it stands (an advisory lock that holds the last
 * number given so far and ends with it), and a reader looks no further than the lowest of those still
 * standing. Nobody waits for anybody, and other transactions of the server do not matter.
 *
 * The lock's key: the sequence itself, of which each schema has its own, and the lower 32 bits of the number. No
 * transaction stands while two thousand million others pass, so the distance to the last number says which it is.
 */

/** The sequence behind a `seq` that the database fills. */
function sequenceOf(table: string): RawBuilder<unknown> {
  return sql.ref(`${table}_seq_seq`)
}

/** Query that takes a place in the order of commits of a table of PostgreSQL, until the transaction ends. */
export function placeIn(table: string): RawBuilder<unknown> {
  return sql`select pg_advisory_xact_lock_shared(
    tableoid::bigint::bit(32)::int, last_value::bit(32)::int) from ${sequenceOf(table)}`
}

/**
 * Statement that adds rows to `table`, whose `seq` the database fills, and takes a place in the order of commits before; all these
 * columns are texts. SQLite has one writer: its numbers are in the order of commits.
 */
export function insertInPlace(
  kind: DatabaseKind,
  table: string,
  columns: readonly string[],
  rows: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const into = sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})`
  if (kind === 'sqlite') return sql`${into} values ${sql.join(rows)}`
  // The number of a row is given when the row is complete, and that is after `place` has given its own.
  return sql`${into} with place as materialized (${placeIn(table)})
    select line.* from place cross join (values ${sql.join(rows)}) as line`
}

/**
 * The highest number up to which nothing can be added any more; undefined where that is true of everything
 * one sees. Read it before the rows, in a statement of its own: the order of the three reads is what makes
 * it safe. A number given before the first is either committed by the third, or stood in the second.
 */
export async function settledUpTo(
  db: Db,
  kind: DatabaseKind,
  table: string,
): Promise<bigint | undefined> {
  if (kind === 'sqlite') return undefined
  const given = await sql<{
    last: bigint
  }>`select last_value as last from ${sequenceOf(table)}`.execute(db)
  const last = BigInt(given.rows[0]!.last)
  const standing = await sql<{ least: bigint | null }>`
    select ${last}::bigint + min((objid::bigint - ${last}::bigint)::bit(32)::int) as least
    from pg_locks
    where locktype = 'advisory' and objsubid = 2 and classid = (select tableoid from ${sequenceOf(table)})
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  const least = standing.rows[0]?.least
  return least === null || least === undefined ? last : minimum(BigInt(least), last)
}

/**
 * Waits until all transactions that stand at a place of now have ended, for at most `timeoutMs`; one that takes a place
 * meanwhile may be waited for too.
 */
export async function awaitStanding(
  db: Db,
  kind: DatabaseKind,
  table: string,
  timeoutMs = 30_000,
): Promise<void> {
  if (kind === 'sqlite') return
  const given = await sql<{
    last: bigint
  }>`select last_value as last from ${sequenceOf(table)}`.execute(db)
  const last = BigInt(given.rows[0]!.last)
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(20)) {
    const { rows } = await sql<{ standing: bigint }>`
      select count(*) as standing from pg_locks
      where locktype = 'advisory' and objsubid = 2 and (objid::bigint - ${last}::bigint)::bit(32)::int <= 0
        and classid = (select tableoid from ${sequenceOf(table)})
        and database = (select oid from pg_database where datname = current_database())`.execute(db)
    if (Number(rows[0]?.standing ?? 0) === 0) return
  }
}

function minimum(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
