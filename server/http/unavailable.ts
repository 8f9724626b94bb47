import { troubleOf } from '../../engine/storage/database/write-trouble.ts'

/** Result codes of SQLite that pass: another process holds the lock. */
const SQLITE = ['SQLITE_BUSY', 'SQLITE_LOCKED']

/**
 * Classes of PostgreSQL's SQLSTATE that pass: 08 connection, 40 rolled back, 53 out of resources,
 * 57 stopped by an operator or after its time; 55P03 is a lock that was not free in time, 25P03 a transaction that asked
 * nothing for too long.
 */
const SQLSTATE = /^(08|40|53|57)[0-9A-Z]{3}$|^(55P03|25P03)$/

/** Codes of a connection that could not be made or was lost. */
const CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** pg reports these without a code. */
const WORDS = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
]

/** True for an error of the database or its connection that a later try may not meet: answered as 503. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (troubleOf(error) !== undefined) return true
  if ('code' in error && typeof error.code === 'string') {
    const { code } = error
    if (CONNECTION.has(code) || SQLSTATE.test(code)) return true
    if (SQLITE.some((name) => code === name || code.startsWith(`${name}_`))) return true
  }
  return WORDS.some((words) => error.message.startsWith(words))
}
