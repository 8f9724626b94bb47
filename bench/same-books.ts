import { deepStrictEqual } from 'node:assert/strict'
import BetterSqlite3 from 'better-sqlite3'
import { MOVES } from '../engine/storage/records/search-waiting.ts'

/** Values that name the moment, the chance or who came first. */
const OWN = new Set(
  'id rid row_id parent name created modified voucher_no against_voucher against_voucher_no'.split(
    ' ',
  ),
)

/** Queries of what the invoices have written; `of` says which. */
const WRITTEN = [
  'select po_no as of, * from sales_invoices order by po_no',
  `select i.po_no as of, r.* from sales_invoices__items r
   join sales_invoices i on i.rid = r.parent order by i.po_no, r.idx`,
  `select i.po_no as of, r.* from sales_invoices__taxes r
   join sales_invoices i on i.rid = r.parent order by i.po_no, r.idx`,
  `select i.po_no as of, a.po_no as against, g.* from gl_entries g
   join sales_invoices i on i.name = g.voucher_no
   left join sales_invoices a on a.name = g.against_voucher order by i.po_no, g.account`,
  `select i.po_no as of, a.po_no as against, l.* from payment_ledger_entries l
   join sales_invoices i on i.name = l.voucher_no
   left join sales_invoices a on a.name = l.against_voucher_no order by i.po_no`,
  'select name as of, * from customers order by name',
  'select prefix as of, current from svc_series order by prefix',
  'select event as of, count(*) as n from svc_events group by event order by event',
  'select sum(length(body)) as n from svc_search',
  // Records as their events tell of them: of some invoices, and of customers when all was done.
  `select i.po_no as of, e.event, e.actor, e.data from svc_events e
   join sales_invoices i on i.name = e.record_id
   where e.resource = 'sales-invoices' and i.po_no like 'PO-%00' order by i.po_no, e.seq`,
  `select record_id as of, event, actor, data from svc_events where seq in
   (select max(seq) from svc_events where resource = 'customers' group by record_id)
   order by record_id`,
]

type Row = Record<string, unknown>

/** Checks that both sides' invoices wrote the same but for ids and times. Throws AssertionError where they did not. */
export function assertSameBooks(one: string, other: string): void {
  assertSameRows(one, other, WRITTEN, OWN)
}

/**
 * Two writers are only comparable when they have written the same: as many rows in every table, and what
 * `queries` find equal value for value, but for columns and keys of records named in `own`. Throws
 * AssertionError where it is not.
 */
export function assertSameRows(
  one: string,
  other: string,
  queries: readonly string[],
  own: ReadonlySet<string>,
): void {
  for (const file of [one, other]) indexWaiting(file)
  const [mine, theirs] = [one, other].map(
    (file) => new BetterSqlite3(file, { readonly: true }),
  ) as [BetterSqlite3.Database, BetterSqlite3.Database]
  try {
    const counts = tablesOf(mine).map((table) => `select count(*) as "${table}" from "${table}"`)
    for (const query of [...counts, ...queries]) {
      const expected = theirs.prepare<[], Row>(query).iterate()
      try {
        for (const row of mine.prepare<[], Row>(query).iterate()) {
          const { value } = expected.next()
          deepStrictEqual(comparable(row, own), value && comparable(value, own), query)
        }
        deepStrictEqual(expected.next().value, undefined, query)
      } finally {
        // A database that is being read cannot be closed, and that would hide what differs.
        expected.return?.()
      }
    }
  } finally {
    mine.close()
    theirs.close()
  }
}

/** Brings into the search index what waits for it: only one side lets texts wait. */
function indexWaiting(file: string): void {
  const database = new BetterSqlite3(file)
  for (const text of MOVES) database.exec(text)
  database.close()
}

function tablesOf(database: BetterSqlite3.Database): string[] {
  return database
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
       and name not like 'svc_search_%'`,
    )
    .pluck()
    .all() as string[]
}

function comparable(row: Row, own: ReadonlySet<string>): Row {
  const kept = Object.entries(row).filter(([name]) => !own.has(name))
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'data' ? recordIn(String(value), own) : value]),
  )
}

function recordIn(data: string, own: ReadonlySet<string>): unknown {
  return JSON.parse(data, (key, value: unknown) => (own.has(key) ? typeof value : value))
}
