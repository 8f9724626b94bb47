import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import type { Engine } from '../../engine/index.ts'
import type { ReportResult } from '../../engine/reports/run/result.ts'
import { runReport } from '../../engine/reports/run/run.ts'

const FIRST = '1900-01-01'
const LAST = '2999-12-31'

/**
 * The reports of every company say the same about its books: debit equals credit, the balance sheet leaves just
 * what the accounts of income and expenses have, receivables and payables are those of the parties' accounts, and
 * the stock is worth what its accounts say.
 */
export async function assertReportsAgree(engine: Engine): Promise<void> {
  for (const company of await namesOf(engine, 'Company')) await assertCompanyAgrees(engine, company)
}

async function assertCompanyAgrees(engine: Engine, company: string): Promise<void> {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const report = (slug: string, params: object): Promise<ReportResult> =>
    runReport(context, engine.reports().bySlug(slug)!, {
      given: new Map(Object.entries({ company, ...params })),
      limit: 5000,
      offset: 0,
    })

  const all = { from_date: FIRST, to_date: LAST }
  const trial = await report('trial-balance', all)
  assert.is(trial.totals?.debit, trial.totals?.credit, `trial balance of ${company}`)
  const balances = new Map(
    trial.data.map((row) => [row.account, Number(row.closing_debit) - Number(row.closing_credit)]),
  )
  const top = (kind: string): number =>
    sum(
      trial.data.filter((row) => row.indent === 0 && row.root_type === kind),
      (row) => balances.get(row.account)!,
    )

  const sheet = await report('balance-sheet', { from_date: LAST, to_date: LAST })
  const earned = -(top('Income') + top('Expense'))
  same(numberOf(sheet, 'profit'), earned, `profit of ${company} that is not closed`)

  for (const [kind, sign] of [
    ['Customer', 1],
    ['Supplier', -1],
  ] as const) {
    const parties = await report('trial-balance-for-party', { ...all, party_type: kind })
    const { closing_debit, closing_credit } = parties.totals!
    const side = kind === 'Customer' ? 'receivable' : 'payable'
    const open = await report(`accounts-${side}`, { report_date: LAST })
    const byParty = await report(`accounts-${side}-summary`, { report_date: LAST })
    const ledger = await report(`${kind.toLowerCase()}-ledger-summary`, all)
    const owed = sign * (Number(closing_debit) - Number(closing_credit))
    for (const total of [byParty.totals?.outstanding, ledger.totals?.closing])
      same(Number(total), Number(open.totals?.outstanding), `${side} of ${company} in summary`)
    same(Number(open.totals?.outstanding), owed, `what ${kind}s and ${company} owe each other`)
  }

  const stock = await report('stock-balance', all)
  const accounts = await namesOf(engine, 'Account', (row) => row.account_type === 'Stock')
  const booked = sum(accounts, (account) => balances.get(account) ?? 0)
  same(Number(stock.totals?.balance_value), booked, `stock of ${company}`)
}

function numberOf({ summary }: ReportResult, name: string): number {
  return Number(summary.find((one) => one.name === name)!.value)
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0)
}

/** Sums of JSON numbers carry the noise of binary fractions; money has four places. */
function same(actual: number, expected: number, what: string): void {
  assert.is(Math.round(actual * 10_000), Math.round(expected * 10_000), what)
}

type Row = Readonly<Record<string, unknown>>

async function namesOf(
  engine: Engine,
  doctype: string,
  isMeant: (row: Row) => boolean = () => true,
): Promise<string[]> {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const definition = engine.services.registry.byDoctype(doctype)!
  const rows: Row[] = []
  for (let offset = 0; ; offset += 100) {
    const { data } = await listDocuments(context, definition, {
      filters: [],
      sort: 'created',
      order: 'asc',
      titles: false,
      limit: 100,
      offset,
    })
    rows.push(...data)
    if (data.length < 100) break
  }
  return rows.filter(isMeant).map(({ name }) => String(name))
}
