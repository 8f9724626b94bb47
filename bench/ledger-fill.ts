import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { createDocument } from '../engine/documents/create.ts'
import { submitDocument } from '../engine/documents/submit.ts'
import { type Engine, openEngine } from '../engine/index.ts'
import type { BenchWorkspace } from './workspace.ts'

const SHIPPED = join(import.meta.dirname, '../doctypes')
const CUSTOMERS = 500
const ITEMS = 200

/** Opens the workspace of a bench in this process. */
export function openBenchEngine({ folder, databaseFile }: BenchWorkspace): Promise<Engine> {
  const secretKey = Buffer.from(readFileSync(join(folder, 'secret.key'), 'utf8').trim(), 'base64')
  return openEngine({
    database: { kind: 'sqlite', file: databaseFile },
    doctypes: [SHIPPED, join(folder, 'doctypes')],
    cacheFolder: join(folder, 'cache'),
    secretKey,
  })
}

/**
 * Fills the ledgers with so many rows each: invoices of 500 customers on all accounts, most of them paid, and
 * movements of 200 items, over two years. One of each is made by the engine; the others are its copies.
 */
export async function fillLedgers(workspace: BenchWorkspace, rows: number): Promise<void> {
  const engine = await openBenchEngine(workspace)
  await makeTemplates(engine)
  await engine.close()
  const database = new BetterSqlite3(workspace.databaseFile)
  database.pragma('synchronous = off')
  database.pragma('cache_size = -262144')
  const copy = copier(database)
  database.exec(
    `create temp table n as with recursive n(n) as (select 1 union all select n + 1 from n where n < ${Math.ceil(rows / 2)}) select n from n`,
  )
  database.exec(
    `create temp table leaf as select row_number() over (order by name) - 1 as i, name, root_type, coalesce(account_type, '') as account_type
     from accounts where is_group = 0 and coalesce(account_type, '') not in ('Stock', 'Receivable', 'Payable')`,
  )
  const { leaves } = database.prepare('select count(*) as leaves from leaf').get() as {
    leaves: number
  }
  copy('customers', `t.rid = (select min(rid) from customers) and n.n <= ${CUSTOMERS}`, {
    name: `printf('CUST-%05d', n.n + 1)`,
  })
  copy('items', `t.name = 'BENCH-GOODS' and n.n <= ${ITEMS}`, {
    name: `printf('G-%03d', n.n)`,
    item_code: `printf('G-%03d', n.n)`,
  })
  const day = `date('2026-12-31', '-' || (n.n * 37 % 730) || ' days')`
  const amount = '(n.n % 997 + 1) * 10000'
  const party = `printf('CUST-%05d', n.n % ${CUSTOMERS} + 1)`
  copy('gl_entries', `t.party is not null and t.voucher_type = 'Sales Invoice'`, {
    name: `'d' || n.n`,
    posting_date: day,
    voucher_no: `'B-' || n.n`,
    against_voucher: `'B-' || n.n`,
    party,
    debit: amount,
  })
  copy(
    'gl_entries',
    `t.party is null and t.voucher_type = 'Sales Invoice'`,
    {
      name: `'c' || n.n`,
      posting_date: day,
      voucher_no: `'B-' || n.n`,
      account: 'leaf.name',
      root_type: 'leaf.root_type',
      account_type: 'leaf.account_type',
      credit: amount,
    },
    `join leaf on leaf.i = n.n % ${leaves}`,
  )
  const ofLedger = 't.rid = (select min(rid) from payment_ledger_entries)'
  copy('payment_ledger_entries', ofLedger, {
    name: `'p' || n.n`,
    posting_date: day,
    due_date: `date(${day}, '30 days')`,
    party,
    amount,
    voucher_no: `'B-' || n.n`,
    against_voucher_no: `'B-' || n.n`,
  })
  copy('payment_ledger_entries', `${ofLedger} and n.n % 10 > 0`, {
    name: `'q' || n.n`,
    posting_date: `date(${day}, '20 days')`,
    due_date: 'null',
    party,
    amount: `-${amount}`,
    voucher_type: `'Payment Entry'`,
    voucher_no: `'P-' || n.n`,
    against_voucher_no: `'B-' || n.n`,
  })
  for (const [prefix, sign] of [
    ['i', ''],
    ['o', '-'],
  ] as const) {
    copy('stock_ledger_entries', `t.rid = (select min(rid) from stock_ledger_entries)`, {
      name: `'${prefix}' || n.n`,
      posting_date: day,
      item_code: `printf('G-%03d', n.n % ${ITEMS} + 1)`,
      actual_qty: `${sign}(n.n % 7 + ${sign === '' ? 3 : 1}) * 1000000`,
      stock_value_difference: `${sign}(n.n % 7 + ${sign === '' ? 3 : 1}) * 50000`,
      voucher_no: `'${prefix}-' || n.n`,
    })
  }
  database.exec('analyze')
  database.pragma('wal_checkpoint(truncate)')
  database.close()
}

async function makeTemplates(engine: Engine): Promise<void> {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const create = async (doctype: string, body: object): Promise<string> =>
    (await createDocument(context, engine.services.registry.byDoctype(doctype)!, body)).id
  const submit = async (doctype: string, body: object): Promise<void> => {
    const id = await create(doctype, body)
    await submitDocument(context, engine.services.registry.byDoctype(doctype)!, id)
  }
  await create('Item', { item_code: 'BENCH-WORK', item_name: 'Work', is_stock_item: false })
  await create('Item', { item_code: 'BENCH-GOODS', item_name: 'Goods' })
  const customer = await create('Customer', { customer_name: 'Bench' })
  await submit('Sales Invoice', { customer, items: [{ item_code: 'BENCH-WORK', qty: 1, rate: 1 }] })
  await submit('Stock Entry', {
    stock_entry_type: 'Material Receipt',
    items: [{ item_code: 'BENCH-GOODS', qty: 1, basic_rate: 1, t_warehouse: 'Stores' }],
  })
}

type Copy = (
  table: string,
  where: string,
  changed: Readonly<Record<string, string>>,
  join?: string,
) => void

/** Copies rows once for each number, with some columns changed. */
function copier(database: BetterSqlite3.Database): Copy {
  return (table, where, changed, join = '') => {
    const columns = (database.pragma(`table_info(${table})`) as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== 'rid')
    const values = columns.map((name) => changed[name] ?? `t."${name}"`)
    database.exec(
      `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')})
       select ${values.join(', ')} from (select * from ${table} t where ${where.replace(/ and n\.n.*/, '')} limit 1) t
       join n ${join} where 1 = 1${/ and n\.n.*/.exec(where)?.[0] ?? ''}`,
    )
  }
}
