import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import type { ReportResult } from '../../engine/reports/run/result.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { openStory, type Shown, type Story } from '../stories/story.ts'
import { type Asked, reportsOf } from './report-of.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

/** What is random is the same on both; PostgreSQL takes several times as long for it. */
const STEPS = { sqlite: rounds(25), postgres: rounds(8) }
const DAY = 86_400_000
const FIRST = '2026-01-01'

for (const seed of SEEDS)
  forEachDatabase(`the reports of random trade (seed ${seed})`, ({ kind, test, fresh }) => {
    let story: Story
    let report: Asked
    let supplier: string
    const customers: string[] = []
    const invoices: string[] = []
    /** Everything that can be cancelled. */
    const made: (readonly [doctype: string, id: string])[] = []

    test.before(async () => {
      story = await openStory(await fresh())
      report = reportsOf(story)
      story.clock.time = Date.parse(`${FIRST}T12:00:00.000Z`)
      for (const customer_name of ['Ada', 'Bob'])
        customers.push((await story.create('Customer', { customer_name })).id)
      supplier = (await story.create('Supplier', { supplier_name: 'Timber' })).id
      await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
      await story.create('Item', { item_code: 'KIT', item_name: 'Kit', is_stock_item: false })
      await story.create('Item', { item_code: 'LAMP', item_name: 'Lamp' })
      await story.create('Item', { item_code: 'NUT', item_name: 'Nut', valuation_method: 'FIFO' })
      const items = ['LAMP', 'NUT', 'HOUR'].map((item_code, at) => ({ item_code, qty: at + 1 }))
      await story.create('Product Bundle', { new_item_code: 'KIT', items })
      await buy(randomOf(seed), 500)
    })
    test.after(() => story.close())

    const cents = (random: Random): number => (1 + random.below(9999)) / 100

    async function make(doctype: string, body: object): Promise<Shown> {
      const one = await story.make(doctype, body)
      made.push([doctype, one.id])
      return one
    }

    function buy(random: Random, qty = 1 + random.below(9)): Promise<Shown> {
      const items = ['LAMP', 'NUT'].map((item_code) => ({ item_code, qty, rate: cents(random) }))
      const taxes = [{ description: 'VAT', rate: 20 }]
      return make('Purchase Invoice', { supplier, update_stock: true, items, taxes })
    }

    const rowsOf = (random: Random, codes: readonly string[]): object[] =>
      codes
        .filter(() => random.chance(0.7))
        .concat(codes[0]!)
        .map((item_code) => ({ item_code, qty: 1 + random.below(3), rate: cents(random) }))

    /** What every document of selling has. */
    const sold = (random: Random, codes: readonly string[]): object => ({
      customer: random.one(customers),
      items: rowsOf(random, codes),
      taxes: random.chance(0.5) ? [{ description: 'VAT', rate: 19 }] : [],
      additional_discount_percentage: random.chance(0.3) ? random.below(50) : 0,
      ...(random.chance(0.3) ? { currency: 'EUR', conversion_rate: 1.0937 } : {}),
    })

    async function sell(random: Random): Promise<void> {
      const isPaid = random.chance(0.3)
      const { id } = await make('Sales Invoice', {
        ...sold(random, ['LAMP', 'NUT', 'HOUR', 'KIT']),
        update_stock: true,
        is_pos: isPaid,
        payments: isPaid ? [{ mode_of_payment: 'Cash', amount: cents(random) }] : [],
      })
      invoices.push(id)
    }

    async function deliver(random: Random): Promise<void> {
      const note = await make('Delivery Note', sold(random, ['KIT', 'LAMP', 'NUT']))
      if (random.chance(0.3)) return
      const { id } = await story.draftOf('Delivery Note', note.id, 'make_invoice')
      await story.submit('Sales Invoice', id)
      made.push(['Sales Invoice', id])
      invoices.push(id)
    }

    async function giveBack(random: Random): Promise<void> {
      if (invoices.length === 0) return sell(random)
      const { id } = await story.draftOf('Sales Invoice', random.one(invoices), 'make_return')
      await story.submit('Sales Invoice', id)
      made.push(['Sales Invoice', id])
    }

    async function pay(random: Random): Promise<void> {
      const party = random.one(customers)
      if (random.chance(0.4))
        return void (await make('Payment Entry', { party, paid_amount: cents(random) }))
      if (invoices.length === 0) return sell(random)
      const { id } = await story.draftOf('Sales Invoice', random.one(invoices), 'make_payment')
      await story.submit('Payment Entry', id)
      made.push(['Payment Entry', id])
    }

    async function cancel(random: Random): Promise<void> {
      if (made.length < 2) return sell(random)
      // The first brought in what is sold.
      const place = 1 + random.below(made.length - 1)
      const [doctype, id] = made[place]!
      await story.cancel(doctype, id)
      made.splice(place, 1)
      const sale = invoices.indexOf(id)
      if (sale >= 0) invoices.splice(sale, 1)
    }

    const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
    const numberIn = ({ summary }: ReportResult, name: string): number =>
      Number(summary.find((one) => one.name === name)!.value)

    function same(actual: unknown, expected: number, what: string): void {
      assert.is(Math.round(Number(actual) * 10_000), Math.round(expected * 10_000), what)
    }

    /** What the accounts say on a day: account → debit less credit. */
    async function balancesOn(to_date: string): Promise<(account: string) => number> {
      const { data } = await report('trial-balance', { from_date: '2025-01-01', to_date })
      return (account) => {
        const row = data.find((one) => one.account === account)
        return row ? Number(row.closing_debit) - Number(row.closing_credit) : 0
      }
    }

    /** What was sold, to the end: no cancelled document is left in either side. */
    async function assertSold(to_date: string, label: string): Promise<void> {
      const span = { from_date: FIRST, to_date }
      const of = await balancesOn(to_date)
      const register = (await report('sales-register', span)).totals!
      same(register.net_total, -of('Income'), `${label}: sales register and income`)
      same(register.taxes, -of('Output Tax'), `${label}: sales register and tax`)
      same(register.grand_total, -of('Income') - of('Output Tax'), `${label}: what was billed`)
      const rows = (await report('item-wise-sales-register', span)).totals!
      same(rows.amount, -of('Income'), `${label}: item-wise sales register and income`)
      for (const group_by of ['Item', 'Item Group', 'Customer']) {
        const profit = (await report('gross-profit', { ...span, group_by })).totals!
        same(profit.buying_amount, of('Cost of Goods Sold'), `${label}: cost by ${group_by}`)
        const gross = -of('Income') - of('Cost of Goods Sold')
        same(profit.gross_profit, gross, `${label}: gross profit by ${group_by}`)
      }
      const bought = (await report('purchase-register', span)).totals!
      same(bought.taxes, of('Input Tax'), `${label}: purchase register and tax`)
    }

    /** What is owed on any day, and how money moved until then from another. */
    async function assertOwed(from_date: string, to_date: string, label: string): Promise<void> {
      const of = await balancesOn(to_date)
      const before = await balancesOn(dateOf(Date.parse(from_date) - DAY))
      for (const [side, party, account, sign, noted] of [
        ['receivable', 'customer', 'Debtors', 1, 'credited'],
        ['payable', 'supplier', 'Creditors', -1, 'debited'],
      ] as const) {
        const owed = await report(`accounts-${side}`, { report_date: to_date })
        same(owed.totals?.outstanding, sign * of(account), `${label}: ${side}`)
        for (const row of owed.data) {
          const { invoiced, paid, credit_note, outstanding } = row
          same(
            outstanding,
            Number(invoiced) - Number(paid) - Number(credit_note),
            `${label}: a row`,
          )
          const ages = [1, 2, 3, 4, 5].reduce((sum, at) => sum + Number(row[`bucket${at}`]), 0)
          same(outstanding, ages, `${label}: ages of a row`)
        }
        const byParty = await report(`accounts-${side}-summary`, { report_date: to_date })
        same(byParty.totals?.outstanding, sign * of(account), `${label}: ${side} by party`)
        const ledger = (await report(`${party}-ledger-summary`, { from_date, to_date })).totals!
        same(ledger.opening, sign * before(account), `${label}: ${party}s before`)
        same(ledger.closing, sign * of(account), `${label}: ${party}s after`)
        const moved = Number(ledger.invoiced) - Number(ledger[noted]) - Number(ledger.paid)
        same(Number(ledger.closing) - Number(ledger.opening), moved, `${label}: ${party}s between`)
      }
      const flow = await report('cash-flow', { from_date, to_date, periodicity: 'Monthly' })
      const money = (at: (account: string) => number): number => at('Bank') + at('Cash')
      same(numberIn(flow, 'net'), money(of) - money(before), `${label}: cash flow`)
      const sheet = await report('balance-sheet', { from_date, to_date })
      same(numberIn(sheet, 'profit'), -of('Income') - of('Expenses'), `${label}: profit not closed`)
      const months = { from_date, to_date, periodicity: 'Monthly' }
      const profit = await report('profit-and-loss-statement', months)
      const earned = before('Income') + before('Expenses') - of('Income') - of('Expenses')
      same(numberIn(profit, 'profit'), earned, `${label}: profit of the span`)
      const statement = await report('bank-reconciliation-statement', { report_date: to_date })
      assert.is(numberIn(statement, 'books'), of('Bank'), `${label}: bank`)
      assert.is(numberIn(statement, 'statement'), 0, `${label}: nothing is matched`)
    }

    test('agree with the books, whatever is cancelled', async () => {
      const random = randomOf(seed)
      let refused = 0
      for (let step = 1; step <= STEPS[kind]; step += 1) {
        story.clock.time += random.below(4) * DAY
        const deed = random.one([buy, sell, sell, deliver, giveBack, pay, pay, cancel])
        // What others hold cannot be cancelled, what is paid not be paid again.
        await deed(random).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
          refused += 1
        })
      }
      const label = `seed ${seed}`
      assert.ok(refused < STEPS[kind] / 2, `${refused} refusals, ${label}`)
      const last = dateOf(story.clock.time)
      await assertSold(last, label)
      const days = [0, 1, 2].map(() =>
        dateOf(Date.parse(FIRST) + random.below(STEPS[kind] * 2) * DAY),
      )
      for (const day of days) {
        const [from, to] = day < last ? [day, last] : [FIRST, day]
        await assertOwed(from, to, `${from} to ${to}, ${label}`)
        await assertOwed(FIRST, from, `to ${from}, ${label}`)
      }
      assert.equal(await story.differences(), [], label)
    })
  })
