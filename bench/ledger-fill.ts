import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { createDocument } from '../engine/documents/operations/create.ts'
import { submitDocument } from '../engine/documents/operations/submit.ts'
import { type Engine, openEngine } from '../engine/index.ts'
import type { ReaderLimits } from '../engine/storage/database/sqlite.ts'
import { hooks } from '../hooks/index.ts'
import { CUSTOMERS, ITEMS } from './book-values.ts'
import { BOOKS, type Books } from './books.ts'
import { rowCopier } from './row-copier.ts'
import type { BenchWorkspace } from './workspace.ts'

const SHIPPED = join(import.meta.dirname, '../doctypes')

/** Opens the workspace of a bench in this process; with readers beside it, as a server has them, where they are given. */
export function openBenchEngine(
  { folder, databaseFile }: BenchWorkspace,
  readers?: ReaderLimits,
): Promise<Engine> {
  const secretKey = Buffer.from(readFileSync(join(folder, 'secret.key'), 'utf8').trim(), 'base64')
  return openEngine({
    hooks,
    database: { kind: 'sqlite', file: databaseFile, ...(readers ? { readers } : {}) },
    doctypes: [SHIPPED, join(folder, 'doctypes')],
    cacheFolder: join(folder, 'cache'),
    secretKey,
  })
}

/** Fills these books with so many rows of each ledger; the engine makes one document of each kind to copy. */
export async function fillBooks(
  workspace: BenchWorkspace,
  books: Books,
  rows: number,
): Promise<void> {
  const engine = await openBenchEngine(workspace)
  await makeTemplates(engine)
  await engine.close()
  const database = new BetterSqlite3(workspace.databaseFile)
  const copier = rowCopier(database, Math.max(rows / 2, CUSTOMERS))
  copier.copy('customers', 't.rid = 1', CUSTOMERS, { name: `printf('CUST-%05d', n.n + 1)` })
  copier.copy('suppliers', 't.rid = 1', CUSTOMERS, { name: `printf('SUP-%05d', n.n + 1)` })
  copier.copy('items', `t.name = 'BENCH-GOODS'`, ITEMS, {
    name: `printf('G-%03d', n.n)`,
    item_code: `printf('G-%03d', n.n)`,
  })
  BOOKS[books](copier, rows, database)
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
  const supplier = await create('Supplier', { supplier_name: 'Bench' })
  const work = [{ item_code: 'BENCH-WORK', qty: 1, rate: 1 }]
  const goods = [{ item_code: 'BENCH-GOODS', qty: 1, rate: 1, warehouse: 'Stores' }]
  await submit('Sales Invoice', { customer, items: work })
  await submit('Purchase Invoice', { supplier, items: work })
  await submit('Sales Order', { customer, delivery_date: '2027-01-31', items: work })
  await submit('Purchase Order', { supplier, schedule_date: '2027-01-31', items: work })
  await submit('Stock Entry', {
    stock_entry_type: 'Material Receipt',
    items: [{ item_code: 'BENCH-GOODS', qty: 10, basic_rate: 1, t_warehouse: 'Stores' }],
  })
  await submit('Delivery Note', { customer, items: goods })
}
