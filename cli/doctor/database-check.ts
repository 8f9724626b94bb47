import { statSync } from 'node:fs'
import { systemClock } from '../../engine/base/clock.ts'
import type { DatabaseOptions } from '../../engine/index.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import {
  newestEvent,
  postgresClock,
  postgresHealth,
  sqliteHealth,
} from '../../engine/storage/database/health.ts'
import { ageOf, type Check, failed, inBytes, inWords, verdict } from './check.ts'

/** A log of this many bytes is not brought into the file: something reads all the time. */
const LARGE_LOG = 256 * 1024 * 1024
/** Age of a transaction, in s, from which on it keeps the database from cleaning up after changes. */
const LONG_TRANSACTION = 10 * 60
/** Clocks of two machines that agree differ by less, in ms. */
const CLOCK_TOLERANCE = 5_000

/** The database: whether it answers, is whole, and keeps what was answered. A pool opens without a connection. */
export async function databaseCheck(database: Database, options: DatabaseOptions): Promise<Check> {
  try {
    return options.kind === 'sqlite'
      ? await sqliteCheck(database, options.file, options.durability ?? 'full')
      : await postgresCheck(database)
  } catch (error) {
    return failed('database', 'it does not answer', error)
  }
}

async function sqliteCheck({ read }: Database, file: string, durability: string): Promise<Check> {
  const { damage, journalMode, bytes } = await sqliteHealth(read)
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const failures = damage.map((found) => `it is damaged (${found}): restore the last backup`)
  const remarks: string[] = []
  if (log > LARGE_LOG)
    remarks.push(`its log has ${inBytes(log)}: something has been reading for long, end it`)
  const facts = { kind: 'sqlite', bytes, wal_bytes: log, journal_mode: journalMode, durability }
  return verdict(
    'database',
    { failures: failures.slice(0, 1), remarks },
    `sqlite, ${inBytes(bytes)}, whole, durability ${durability}`,
    facts,
  )
}

async function postgresCheck({ read }: Database): Promise<Check> {
  const { version, isReadOnly, synchronousCommit, bytes, oldestTransaction } =
    await postgresHealth(read)
  const failures = isReadOnly ? ['it takes no changes: it is a standby, or set to read only'] : []
  const remarks: string[] = []
  if (synchronousCommit === 'off')
    remarks.push('synchronous_commit is off: a crash of the server loses what was answered last')
  if (oldestTransaction && oldestTransaction.seconds > LONG_TRANSACTION) {
    const { application, seconds } = oldestTransaction
    remarks.push(
      `a transaction of ${JSON.stringify(application)} is open for ${inWords(seconds * 1000)}: end it`,
    )
  }
  const facts = {
    kind: 'postgres',
    version,
    bytes,
    synchronous_commit: synchronousCommit,
    oldest_transaction_seconds: oldestTransaction && Math.round(oldestTransaction.seconds),
  }
  return verdict(
    'database',
    { failures, remarks },
    `postgres ${version}, ${inBytes(bytes)}, it answers`,
    facts,
  )
}

/** The clock beside what is known of the time: the newest event, and on PostgreSQL the server's own. */
export async function clockCheck({ read, kind }: Database): Promise<Check> {
  const newest = (await newestEvent(read)) ?? null
  const ahead = newest === null ? 0 : Date.parse(newest) - systemClock.now()
  const offset = kind === 'postgres' ? (await postgresClock(read)) - systemClock.now() : 0
  const remarks: string[] = []
  if (ahead > CLOCK_TOLERANCE)
    remarks.push(
      `the newest event is ${inWords(ahead)} ahead of the clock: the clock was set back, or that of another server is wrong`,
    )
  if (Math.abs(offset) > CLOCK_TOLERANCE)
    remarks.push(`the clock of the database server differs by ${inWords(Math.abs(offset))}`)
  const facts = {
    newest_event_seconds: newest === null ? null : Math.round(ageOf(newest) / 1000),
    database_offset_ms: Math.round(offset),
  }
  return verdict('clock', { remarks }, 'it agrees with the newest event', facts)
}
