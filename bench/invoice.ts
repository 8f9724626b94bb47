import { cpSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import type { Context } from '../engine/documents/context.ts'
import { createDocument } from '../engine/documents/create.ts'
import { submitDocument } from '../engine/documents/submit.ts'
import { type DatabaseOptions, type Engine, openEngine } from '../engine/index.ts'
import { type InvoiceWriter, type Line, openInvoiceWriter } from './hand-written/invoice.ts'
import type { Options } from './options.ts'
import { printTable, type Verdict } from './verdict.ts'
import { type BenchWorkspace, createWorkspace, inFolder } from './workspace.ts'

const DOCTYPES = join(import.meta.dirname, '..', 'doctypes')
/** Documents under way at once: what came in meanwhile shares a commit, on both sides. */
const TOGETHER = 8
const LEAST_RATIO = 0.4
const LINES: readonly Line[] = [1, 2, 3, 4, 5].map((n) => ({
  item_code: `BENCH-${n}`,
  qty: n + 0.5,
  rate: 8.13 + n,
}))
const TAXES = [
  { charge_type: 'On Net Total', description: 'VAT 19 %', account_head: 'Output Tax', rate: 19 },
]

/** What a side did in a round. */
interface Round {
  readonly documents: number
  readonly milliseconds: number
  readonly cpu: number
}

/**
 * Create + submit of a sales invoice of five lines with tax: rows, ledger, the customer's totals, events. Our
 * engine beside the same work written by hand in SQL, in turns, both in this process, on copies of one database.
 */
export function measureInvoice({ rounds, seconds }: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const workspace = createWorkspace(parent)
    const customer = await furnish(workspace)
    const verdicts: Verdict[] = []
    const table: string[][] = []
    for (const durability of ['normal', 'full'] as const) {
      const ours = copyOf(workspace, parent, `ours-${durability}`)
      const hand = copyOf(workspace, parent, `hand-${durability}`)
      const engine = await openOn({ kind: 'sqlite', file: ours, durability })
      const writer = openInvoiceWriter(hand, durability)
      const measured: { ours: Round; hand: Round }[] = []
      for (let round = 0; round < rounds; round += 1) {
        process.stderr.write(`invoices, ${durability}, round ${round + 1} of ${rounds} …\n`)
        const byHand = writeRound(writer, customer, seconds)
        // As many documents: both tables grow alike.
        measured.push({ hand: byHand, ours: await engineRound(engine, customer, byHand.documents) })
      }
      writer.close()
      await engine.close()
      assertSame(ours, hand)
      const ratio = median(measured.map((each) => perSecond(each.ours) / perSecond(each.hand)))
      const cpu = median(measured.map((each) => perCpu(each.ours) / perCpu(each.hand)))
      table.push([
        durability,
        rate(measured.map((each) => perSecond(each.ours))),
        rate(measured.map((each) => perSecond(each.hand))),
        ratio.toFixed(2),
        rate(measured.map((each) => perCpu(each.ours))),
        rate(measured.map((each) => perCpu(each.hand))),
        cpu.toFixed(2),
      ])
      verdicts.push({
        part: 'invoice',
        what: `create + submit, ${durability}, of hand-written`,
        measured: ratio.toFixed(2),
        wanted: `>= ${LEAST_RATIO}`,
        passed: ratio >= LEAST_RATIO,
      })
    }
    console.log('\nSales invoices of 5 lines, created and submitted, a second')
    printTable(['durability', 'ours', 'by hand', 'ratio', 'ours/cpu', 'hand/cpu', 'ratio'], table)
    await measurePostgres(seconds)
    return verdicts
  })
}

async function openOn(database: DatabaseOptions): Promise<Engine> {
  return openEngine({ database, doctypes: [DOCTYPES], secretKey: Buffer.alloc(32, 7) })
}

async function furnish({ databaseFile }: BenchWorkspace): Promise<string> {
  const engine = await openOn({ kind: 'sqlite', file: databaseFile, durability: 'normal' })
  const customer = await furnishEngine(engine)
  await engine.close()
  return customer
}

async function furnishEngine(engine: Engine): Promise<string> {
  const context = contextOf(engine)
  for (const { item_code } of LINES) {
    await createDocument(context, definition(engine, 'Item'), {
      item_code,
      item_name: `Item ${item_code}`,
      stock_uom: 'Nos',
      standard_rate: 8.13,
      is_stock_item: false,
    })
  }
  const body = { customer_name: 'Bench Customer' }
  return (await createDocument(context, definition(engine, 'Customer'), body)).id
}

function contextOf(engine: Engine): Context {
  return engine.context(SYSTEM_ACTOR, 'business')
}

function definition(engine: Engine, doctype: string) {
  return engine.services.registry.byDoctype(doctype)!
}

function copyOf({ databaseFile }: BenchWorkspace, parent: string, name: string): string {
  const file = join(parent, `${name}.db`)
  cpSync(databaseFile, file)
  return file
}

/** Eight creates in one transaction, then eight submits in one: what group commit makes of eight callers. */
function writeRound(writer: InvoiceWriter, customer: string, seconds: number): Round {
  const [started, before] = [performance.now(), process.cpuUsage()]
  let documents = 0
  while (performance.now() - started < seconds * 1000) {
    writer.begin()
    const names = Array.from({ length: TOGETHER }, () => writer.create(customer, LINES))
    writer.commit()
    writer.begin()
    for (const name of names) writer.submit(name)
    writer.commit()
    documents += TOGETHER
  }
  return roundOf(documents, started, before)
}

async function engineRound(engine: Engine, customer: string, documents: number): Promise<Round> {
  const context = contextOf(engine)
  const invoices = definition(engine, 'Sales Invoice')
  const items = LINES.map(({ item_code, qty, rate: price }) => ({ item_code, qty, rate: price }))
  const [started, before] = [performance.now(), process.cpuUsage()]
  const worker = async (): Promise<void> => {
    for (let done = 0; done < documents / TOGETHER; done += 1) {
      const { id } = await createDocument(context, invoices, { customer, items, taxes: TAXES })
      await submitDocument(context, invoices, id)
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, worker))
  return roundOf(documents, started, before)
}

function roundOf(documents: number, started: number, before: NodeJS.CpuUsage): Round {
  const { user, system } = process.cpuUsage(before)
  return { documents, milliseconds: performance.now() - started, cpu: (user + system) / 1e6 }
}

const perSecond = ({ documents, milliseconds }: Round): number => (documents / milliseconds) * 1000
const perCpu = ({ documents, cpu }: Round): number => documents / cpu
const rate = (values: readonly number[]): string => median(values).toFixed(0)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

const SAME = [
  'select count(*) as n, sum(grand_total) as s, sum(outstanding_amount) as o, sum(docstatus) as d from sales_invoices',
  'select count(*) as n, sum(amount) as s, sum(base_net_amount) as o from sales_invoices__items',
  'select count(*) as n, sum(tax_amount) as s from sales_invoices__taxes',
  'select account, count(*) as n, sum(debit) as d, sum(credit) as c, sum(debit_in_account_currency) as e, sum(credit_in_account_currency) as f from gl_entries group by account order by account',
  'select name, outstanding_total, billed_total, version from customers order by name',
  'select event, count(*) as n from svc_events group by event order by event',
  'select count(*) as n from svc_search',
  'select prefix, current from svc_series order by prefix',
] as const

/** Both databases must say the same at the end, or one side has done less. */
function assertSame(ours: string, hand: string): void {
  const [a, b] = [ours, hand].map((file) => {
    const db = new Sqlite(file, { readonly: true })
    db.defaultSafeIntegers(true)
    const answers = SAME.map((query) => db.prepare(query).all())
    db.close()
    return answers.map((rows) =>
      JSON.stringify(rows, (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    )
  })
  for (const [index, query] of SAME.entries()) {
    if (a![index] === b![index]) continue
    throw new Error(
      `the two sides differ in ${query}:\n  ours    ${a![index]}\n  by hand ${b![index]}`,
    )
  }
}

/** Ours on PostgreSQL, for the record: there is no verdict on it. */
async function measurePostgres(seconds: number): Promise<void> {
  const { startPostgres } = await import('../tests/helpers/postgres.ts')
  const { createMasters } = await import('../cli/setup/masters.ts')
  process.env.SVC_TEST_DATABASE_URL ??= (await startPostgres()).url
  const { createTestDatabase } = await import('../tests/helpers/databases.ts')
  const { database, remove } = await createTestDatabase('postgres')
  const engine = await openOn(database as DatabaseOptions)
  const context = contextOf(engine)
  await createMasters(context, [DOCTYPES])
  await createDocument(context, definition(engine, 'Company'), {
    company_name: 'Bench',
    default_currency: 'USD',
  })
  const customer = await furnishEngine(engine)
  const documents = Math.max(TOGETHER, Math.round(seconds * 10) * TOGETHER)
  await engineRound(engine, customer, TOGETHER * 4)
  const round = await engineRound(engine, customer, documents)
  console.log(`  PostgreSQL: ${perSecond(round).toFixed(0)} a second, ${TOGETHER} at once`)
  await engine.close()
  await remove()
}
