import type { Db } from './database.ts'

/**
 * What the one writer has read, by table and key: nobody but itself can change it while its transaction lasts. Who
 * writes such a row says so here; what a transaction that is taken back has read is forgotten, and most of what one
 * that was committed has (`keepRecords`).
 */
export type SeenRows = Map<string, Map<string, unknown>>

/**
 * What this transaction has read of a table, by key: to be asked before the database is, added to by who reads,
 * and kept right by who writes. Jobs that came together on PostgreSQL have it too: each of them was there before the first read.
 * Undefined for who only reads, and for a job that has its transaction alone there.
 */
export function seenOf<Value>(tx: Db, table: string): Map<string, Value> | undefined {
  const seen = seenRowsOf(tx)
  if (!seen) return undefined
  let known = seen.get(table)
  if (!known) {
    known = new Map()
    seen.set(table, known)
  }
  return known as Map<string, Value>
}

/**
 * Values of a table by key: those that this transaction has seen, and from `read` the others, which it has seen then.
 * Keys that `read` does not give are absent.
 */
export async function seenOrRead<Value>(
  tx: Db,
  table: string,
  keys: readonly string[],
  read: (unseen: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): Promise<ReadonlyMap<string, Value>> {
  const seen = seenOf<Value>(tx, table)
  const values = new Map<string, Value>()
  const unseen: string[] = []
  for (const key of keys) {
    const value = seen?.get(key)
    if (value !== undefined) values.set(key, value)
    else unseen.push(key)
  }
  if (unseen.length === 0) return values
  for (const [key, value] of await read(unseen)) {
    values.set(key, value)
    seen?.set(key, value)
  }
  return values
}

/** Before the tables of which `SeenRows` has what queries gave, and whole records as they are in the database. */
const READ = 'read '
const RECORDS = 'records '
/** Before those that nobody may take away or cancel before the commit, and those that nobody may change. */
const HELD = 'held '
const LOCKED = 'locked '
const FORGOTTEN = [READ, RECORDS, HELD, LOCKED]
/** Who has made the records of each table. */
const MAKERS = 'makers'

/** So many records are kept from one transaction to the next; a large one takes some 5 kB. */
const MOST_KEPT = 2000

/** Rows of a table belong to the table of their record. */
const WRITE =
  /^\s*(?:insert\s+(?:or\s+\w+\s+)?into|update(?:\s+or\s+\w+)?|delete\s+from)\s+"?(\w+?)(?:__\w+)?"?(?=[\s(]|$)/i

/**
 * What `read` gives of a table, asked for once a transaction of the one writer (all jobs of a batch): the small
 * masters that every document looks up. It ends when the table is written. Where others may write meanwhile it is read
 * each time. What is given is shared: do not change it.
 */
export function readOnce<Value>(
  tx: Db,
  table: string,
  key: string,
  read: () => Value | undefined,
): Value | undefined {
  const seen = seenOf<Value>(tx, READ + table)
  const known = seen?.get(key)
  if (known !== undefined) return known
  const value = read()
  if (value !== undefined) seen?.set(key, value)
  return value
}

/** Keeps for `runSqlOnce` what was read of a database that is not in this process. */
export function keepRead(tx: Db, table: string, key: string, rows: readonly unknown[]): void {
  seenOf(tx, READ + table)?.set(key, rows)
}

/**
 * Records of a table by name, null for one that is not there: those that the one writer has read are the same until
 * their table is written, also for the transactions after this one. They are forgotten when another `maker` asks, who knows other
 * columns of the table since a reload. Undefined where others may write meanwhile, and for
 * who only reads. What it holds is shared: do not change it.
 */
export function seenRecords<Value>(
  tx: Db,
  table: string,
  maker: object,
): Map<string, Value | null> | undefined {
  const makers = seenOf<object>(tx, MAKERS)
  if (makers && makers.get(table) !== maker) {
    seenRowsOf(tx)?.delete(RECORDS + table)
    makers.set(table, maker)
  }
  return seenOf(tx, RECORDS + table)
}

/** Records of a table that this transaction has read and holds until its commit, in the same way. */
export function seenHeld<Value>(tx: Db, table: string): Map<string, Value | null> | undefined {
  return seenOf(tx, HELD + table)
}

/** Those that it has locked, so that nobody changes them. */
export function seenLocked<Value>(tx: Db, table: string): Map<string, Value | null> | undefined {
  return seenOf(tx, LOCKED + table)
}

/**
 * Forgets what must not outlive a transaction, and of records those that have become too many. What a query gave may come
 * from more tables than the one it is known by; a record comes from its own.
 */
export function keepRecords(seen: SeenRows): void {
  let kept = 0
  for (const [table, rows] of seen) {
    if (table.startsWith(RECORDS)) kept += rows.size
    else if (table !== MAKERS) seen.delete(table)
  }
  if (kept > MOST_KEPT) seen.clear()
}

/** The table a statement writes to; undefined when its text does not say so plainly. */
export function writtenTable(text: string): string | undefined {
  return WRITE.exec(text)?.[1]
}

/** Forgets what was read of a table that is written now, of every table when it is not known which. */
export function forgetReads(seen: SeenRows, table: string | undefined): void {
  if (table !== undefined) for (const kind of FORGOTTEN) seen.delete(kind + table)
  else
    for (const key of seen.keys())
      if (FORGOTTEN.some((kind) => key.startsWith(kind))) seen.delete(key)
}

/**
 * Forgets what was read and may be another by now: who waits for a lock so that nobody changes what it reads then asks for all of it
 * anew, though jobs before it in the transaction have read it.
 */
export function forgetUnlocked(tx: Db): void {
  forgetKinds(tx, [READ, RECORDS, HELD])
}

/** The same of what queries gave alone: for who waits for a lock on a record that it reads behind it. */
export function forgetQueries(tx: Db): void {
  forgetKinds(tx, [READ])
}

function forgetKinds(tx: Db, kinds: readonly string[]): void {
  const seen = seenRowsOf(tx)
  for (const key of seen?.keys() ?? [])
    if (kinds.some((kind) => key.startsWith(kind))) seen!.delete(key)
}

function seenRowsOf(tx: Db): SeenRows | undefined {
  return 'seen' in tx ? (tx as Db & { readonly seen: SeenRows | undefined }).seen : undefined
}
