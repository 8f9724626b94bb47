import { rmSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'

/** Rows of one statement, as the engine has them. */
const TOGETHER = 50

type Row = Readonly<Record<string, string | bigint | null>>

/**
 * What it costs to insert as many rows as the last looking back of an item has, by hand: statements that are prepared once, into a
 * copy of the same tables with the same indexes, in one transaction; µs of processor time. Nothing is computed or checked.
 */
export async function insertByHand(original: string, item_code: string): Promise<number> {
  const file = `${original}-by-hand`
  const source = new BetterSqlite3(original, { readonly: true })
  await source.backup(file)
  source.close()
  const db = new BetterSqlite3(file)
  try {
    db.pragma('journal_mode = wal')
    db.pragma('synchronous = normal')
    const posted = db
      .prepare<[string], Row>(
        'select * from stock_ledger_entries where item_code = ? and adjusts is not null',
      )
      .safeIntegers()
      .all(item_code)
    const vouchers = new Set(posted.map(({ voucher_no }) => voucher_no))
    const booked = db
      .prepare<[], Row>(
        'select * from gl_entries order by rid desc limit 2 * (select count(*) from stock_ledger_entries)',
      )
      .safeIntegers()
      .all()
      .filter(({ voucher_no }) => vouchers.has(voucher_no!))
      // Two by which each document was posted, and two by which it was brought right.
      .slice(0, posted.length * 2)
    const start = process.cpuUsage()
    db.exec('begin immediate')
    insert(db, 'gl_entries', booked)
    insert(db, 'stock_ledger_entries', posted)
    db.exec('commit')
    const { user, system } = process.cpuUsage(start)
    return user + system
  } finally {
    db.close()
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
}

function insert(db: BetterSqlite3.Database, table: string, rows: readonly Row[]): void {
  const [first] = rows
  const columns = Object.keys(first!).filter(
    (name) => name !== 'rid' && rows.some((row) => row[name] !== null),
  )
  const row = `(${columns.map(() => '?').join(', ')})`
  const prepared = new Map<number, BetterSqlite3.Statement>()
  for (let at = 0; at < rows.length; at += TOGETHER) {
    const some = rows.slice(at, at + TOGETHER)
    let statement = prepared.get(some.length)
    if (!statement) {
      const text = Array<string>(some.length).fill(row).join(', ')
      statement = db.prepare(`insert into ${table} (${columns.join(', ')}) values ${text}`)
      prepared.set(some.length, statement)
    }
    const named = some.map(
      (one, index) => ({ ...one, name: `by-hand-${table}-${at + index}` }) as Row,
    )
    statement.run(named.flatMap((one) => columns.map((name) => one[name])))
  }
}
