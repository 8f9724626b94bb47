import type { Database } from '../database/database.ts'
import { runSqlNow } from '../database/statements.ts'

/**
 * Characters of all texts in the search index that are gone through on the thread that answers: the worst word, which is in
 * each of them, takes some five milliseconds, a usual one half of one.
 */
const FEW_CHARACTERS = 1_000_000

/** Milliseconds for which searches go on with what they know of the size. */
const KNOWN_FOR = 1_000

/** Row of the index in which it keeps its sums: the number of its texts, then that of their trigrams. */
const SUMS = 1

/** Tells, asked again and again, whether SQLite's search index is small, so that any search of it is soon answered. */
export function smallSearch(): (database: Database) => boolean {
  let isSmall = false
  let until = 0
  return (database) => {
    const now = performance.now()
    if (now >= until) {
      isSmall = charactersOf(database) <= FEW_CHARACTERS
      until = now + KNOWN_FOR
    }
    return isSmall
  }
}

/** Characters of all texts, give or take two a text. A database in another process does not hold this thread up: Infinity. */
function charactersOf({ read }: Database): number {
  const text = `select block from svc_search_data where id = ${SUMS}`
  const rows = runSqlNow<{ readonly block: Uint8Array }>(read, text, [])
  if (rows === undefined) return Number.POSITIVE_INFINITY
  return numbersIn(rows[0]?.block ?? new Uint8Array())[1] ?? 0
}

/** Numbers that stand one behind the other as SQLite writes them: seven bits a byte, the highest first; only the last has no eighth bit. */
function numbersIn(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let number = 0
  for (const byte of bytes) {
    number = number * 128 + (byte & 127)
    if (byte < 128) {
      numbers.push(number)
      number = 0
    }
  }
  return numbers
}
