import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { openStory, refusedAsConflict, type Shown, type Story } from './story.ts'

const SEEDS = seedsOf(import.meta.filename, [1])
/** What is random is the same on both; PostgreSQL takes several times as long for it. */
const STEPS = { sqlite: rounds(40), postgres: rounds(20) }

/** An invoice on paper, in cents. */
interface Bill {
  readonly id: string
  readonly total: number
  /** Cents taken of each payment, by its place. */
  readonly taken: Map<number, number>
  outstanding: number
  isLive: boolean
  /** Payments and credit notes that have to be cancelled before it. */
  holders: number
}

/** What can be cancelled, and what a cancel does on paper. */
interface Deed {
  readonly doctype: string
  readonly id: string
  may(): boolean
  undo(): void
}

const money = (cents: number): number => cents / 100
const cents = (amount: number): number => Math.round(amount * 100)

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(`what invoices leave unpaid (seed ${seed})`, ({ kind, test, fresh }) => {
    let story: Story
    let customer: string
    const bills: Bill[] = []
    const payments: {
      readonly id: string
      left: number
      readonly amount: number
      isLive: boolean
    }[] = []
    const deeds: Deed[] = []

    test.before(async () => {
      story = await openStory(await fresh())
      customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
      await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
    })
    test.after(() => story.close())

    async function pay(random: Random): Promise<void> {
      const amount = 1 + random.below(9999)
      const { id } = await story.make('Payment Entry', {
        party: customer,
        paid_amount: money(amount),
      })
      const payment = { id, amount, left: amount, isLive: true }
      payments.push(payment)
      deeds.push({
        doctype: 'Payment Entry',
        id,
        may: () => payment.left === payment.amount,
        undo() {
          payment.isLive = false
        },
      })
    }

    /** Takes what the invoice still needs of the open payments, as far as `wanted` says. */
    function take(taken: Bill['taken'], needed: number, wanted: (most: number) => number): number {
      let rest = needed
      for (const [place, payment] of payments.entries()) {
        const amount = payment.isLive ? wanted(Math.min(payment.left, rest)) : 0
        if (amount <= 0) continue
        taken.set(place, amount)
        rest -= amount
      }
      return needed - rest
    }

    async function bill(random: Random): Promise<void> {
      const total = 1 + random.below(9999)
      const writeOff = random.chance(0.3) ? random.below(Math.min(total, 100)) : 0
      const taken: Bill['taken'] = new Map()
      const some = (most: number): number => (random.chance(0.4) ? random.below(most + 1) : 0)
      const advance = random.chance(0.4) ? take(taken, total - writeOff, some) : 0
      const tendered = random.chance(0.4) ? 1 + random.below(Math.ceil(total * 1.3)) : 0
      const cash = Math.min(tendered, total - writeOff - advance)
      const isAutomatic = random.chance(0.3)
      const body = {
        customer,
        items: [{ item_code: 'HOUR', qty: 1, rate: money(total) }],
        write_off_amount: money(writeOff),
        advances: [...taken].map(([place, amount]) => ({
          reference_name: payments[place]!.id,
          allocated_amount: money(amount),
        })),
        is_pos: tendered > 0,
        payments: tendered > 0 ? [{ mode_of_payment: 'Cash', amount: money(tendered) }] : [],
        allocate_advances_automatically: isAutomatic,
      }
      const { id } = await story.make('Sales Invoice', body)
      for (const [place, amount] of taken) payments[place]!.left -= amount
      let outstanding = total - writeOff - advance - cash
      if (isAutomatic) {
        const more: Bill['taken'] = new Map()
        outstanding -= take(more, outstanding, (most) => most)
        for (const [place, amount] of more) {
          payments[place]!.left -= amount
          taken.set(place, (taken.get(place) ?? 0) + amount)
        }
      }
      const made: Bill = { id, total, taken, outstanding, isLive: true, holders: 0 }
      bills.push(made)
      deeds.push({
        doctype: 'Sales Invoice',
        id,
        may: () => made.holders === 0,
        undo() {
          for (const [place, amount] of taken) payments[place]!.left += amount
          made.isLive = false
          made.outstanding = 0
        },
      })
    }

    /** Notes what a document does to an invoice, which it holds. */
    function hold(one: Bill, doctype: string, id: string, change: number): void {
      one.outstanding += change
      one.holders += 1
      deeds.push({
        doctype,
        id,
        may: () => true,
        undo() {
          one.outstanding -= change
          one.holders -= 1
        },
      })
    }

    async function settle(random: Random): Promise<void> {
      const open = bills.filter(({ isLive, outstanding }) => isLive && outstanding > 0)
      if (open.length === 0) return bill(random)
      const one = random.one(open)
      const amount = random.chance(0.5) ? one.outstanding : 1 + random.below(one.outstanding)
      const { id } = await story.make('Payment Entry', {
        party: customer,
        paid_amount: money(amount),
        references: [{ sales_invoice: one.id, allocated_amount: money(amount) }],
      })
      hold(one, 'Payment Entry', id, -amount)
    }

    async function credit(random: Random): Promise<void> {
      const whole = bills.filter(({ isLive, holders }) => isLive && holders === 0)
      if (whole.length === 0) return bill(random)
      const one = random.one(whole)
      const { id } = await story.draftOf('Sales Invoice', one.id, 'make_return')
      const refund = random.chance(0.5) ? 1 + random.below(one.total) : 0
      if (refund > 0) {
        const row = { mode_of_payment: 'Cash', amount: money(-refund) }
        await story.update('Sales Invoice', id, { is_pos: true, payments: [row] })
      }
      await story.submit('Sales Invoice', id)
      hold(one, 'Sales Invoice', id, refund - one.total)
    }

    async function cancel(random: Random): Promise<void> {
      if (deeds.length === 0) return bill(random)
      const place = random.below(deeds.length)
      const deed = deeds[place]!
      const cancelled = story.cancel(deed.doctype, deed.id)
      if (!deed.may()) return void (await refusedAsConflict(cancelled))
      await cancelled
      deed.undo()
      deeds.splice(place, 1)
    }

    async function assertAsOnPaper(label: string): Promise<void> {
      const shown = new Map((await story.all('Sales Invoice')).map((one) => [one.id, one]))
      const ledger = new Map<string, number>()
      for (const { against_voucher_no, amount } of await allEntries())
        ledger.set(against_voucher_no, (ledger.get(against_voucher_no) ?? 0) + cents(amount))
      for (const { id, outstanding } of bills) {
        assert.is(cents(shown.get(id)!.outstanding_amount), outstanding, `${label}: ${id}`)
        assert.is(ledger.get(id), outstanding, `${label}: ${id} in the payment ledger`)
      }
      for (const { id, left, isLive } of payments)
        assert.is(ledger.get(id), isLive ? -left : 0, `${label}: ${id} in the payment ledger`)
    }

    async function allEntries(): Promise<readonly Shown[]> {
      const { registry, database } = story.engine.services
      const rows = await database.read
        .selectFrom(registry.byDoctype('Payment Ledger Entry')!.table)
        .select(['against_voucher_no', 'amount'])
        .execute()
      return rows.map((row) => ({ ...row, id: '', amount: Number(row.amount) / 10_000 }))
    }

    test(`is what payments, advances, cash, write-offs and credit notes leave`, async () => {
      const random = randomOf(seed)
      for (let step = 1; step <= STEPS[kind]; step += 1) {
        const deed = random.one([pay, bill, bill, settle, credit, cancel])
        await deed(random)
        const label = `step ${step} (${deed.name}), seed ${seed}`
        if (step % 10 === 0) await assertAsOnPaper(label)
      }
      assert.equal(await story.differences(), [], `seed ${seed}`)
    })
  })
