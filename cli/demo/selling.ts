import {
  addDays,
  addMonths,
  daysBetween,
  monthEnd,
  monthStart,
} from '../../engine/expression/calendar.ts'
import { basketOf, taxOf } from './basket.ts'
import type { Dice } from './dice.ts'
import { act, begin, cancel, draftOf, type Flow, make, submit, until, update } from './flow.ts'
import type { Shown } from './hands.ts'
import { receive } from './paying.ts'
import { type Buyer, count, money, type World } from './world.ts'

/** A row of an order, as its flow knows it. */
interface Row {
  readonly item: string
  readonly rowId: string
  /** Where it is taken from; undefined for a service. */
  readonly warehouse: string | undefined
  open: number
}

/**
 * What is out of the ordinary with some orders, by their number in the story, so that each of it is there
 * whatever the dice say.
 */
const TWISTS = {
  cancelled: [7, 48],
  held: [15],
  closed: [22],
  rebilled: [12],
  returned: [18, 50],
  neverPaid: [24],
  paidInParts: [14, 26, 52, 66, 72],
  discounted: [9, 35, 70],
} as const

type Twist = keyof typeof TWISTS

/** The orders of the whole story, more in spring than in winter and a few more each month than the year before. */
export function* orders(world: World): Flow {
  const dice = world.dice.fork('orders')
  let number = 0
  for (const { day, growth } of monthsOf(world)) {
    const month = Number(day.slice(5, 7))
    const orders = Math.round(world.company.season[month - 1]! * growth)
    for (let order = 0; order < orders; order += 1) {
      const on = addDays(
        monthStart(day),
        dice.between(0, daysBetween(monthEnd(day), monthStart(day))),
      )
      number += 1
      if (on > world.first && on <= world.last) yield* begin(oneOrder(world, number, on))
    }
  }
}

/** Any day of each month of the story, with how much larger the company has become. */
function monthsOf({ first, last }: World): { readonly day: string; readonly growth: number }[] {
  const months = []
  for (let month = 0; ; month += 1) {
    const day = addMonths(monthStart(first), month)
    if (day > last) return months
    months.push({ day, growth: 0.92 + month * 0.025 })
  }
}

function* oneOrder(world: World, number: number, day: string): Flow {
  const dice = world.dice.fork(`order ${number}`)
  yield* until(day)
  const buyer = dice.weighted(world.buyers, ({ buys }) => buys)
  const order = yield* make('sales', 'Sales Order', {
    customer: buyer.id,
    company: world.name,
    delivery_date: addDays(world.today(), dice.between(6, 16)),
    po_no: buyer.kindName === 'private' ? null : `${dice.between(4100, 9899)}`,
    taxes_and_charges: taxOf(buyer.country),
    items: basketOf(world, buyer, dice),
    ...(isTwist(number, 'discounted') ? { additional_discount_percentage: 3 } : {}),
  })
  yield* fulfil(world, buyer, order, number)
}

function isTwist(number: number, twist: Twist): boolean {
  return (TWISTS[twist] as readonly number[]).includes(number)
}

/** Delivers, bills and collects what was ordered; `number` says what is out of the ordinary. */
export function* fulfil(world: World, buyer: Buyer, order: Shown, number: number): Flow {
  const dice = world.dice.fork(`fulfil ${number}`)
  if (isTwist(number, 'cancelled')) {
    yield* until(addDays(world.today(), 1))
    yield* cancel('sales', 'Sales Order', order.id)
    return
  }
  const rows: Row[] = (order.items as readonly Shown[]).map((row) => ({
    item: row.item_code,
    rowId: row.row_id,
    warehouse: row.warehouse ?? undefined,
    open: row.qty,
  }))
  for (const { item, open } of rows) count(world.backlog, item, open)
  yield* until(addDays(world.today(), dice.between(2, 6)))
  if (isTwist(number, 'held')) {
    yield* act('sales', 'Sales Order', order.id, 'hold')
    yield* until(addDays(world.today(), 9))
    yield* act('sales', 'Sales Order', order.id, 'resume')
  }
  let patience = dice.between(1, 3)
  while (rows.some(({ open }) => open > 0)) {
    if (isTwist(number, 'closed')) {
      yield* closeHalfway(world, buyer, { order, rows, number, dice })
      return
    }
    const isWhole = rows.every((row) => availableOf(world, row) >= row.open)
    const isSome = rows.some((row) => row.open > 0 && availableOf(world, row) > 0)
    if (isWhole || (isSome && patience <= 0)) {
      yield* deliver(world, buyer, { order, rows, number, dice })
      patience = 2
    } else {
      patience -= 1
      yield* until(addDays(world.today(), 3))
    }
  }
}

function availableOf({ stock }: World, { item, warehouse, open }: Row): number {
  return warehouse === undefined ? open : stock.of(item, warehouse)
}

interface Delivery {
  readonly order: Shown
  readonly rows: readonly Row[]
  readonly number: number
  readonly dice: Dice
}

/** Of each row a part is delivered, as much as there is; then the customer does without the rest. */
function* closeHalfway(world: World, buyer: Buyer, delivery: Delivery): Flow {
  const { order, rows } = delivery
  const halves = rows.map((row) => ({ ...row, open: Math.ceil(row.open / 2) }))
  if (halves.some((row) => availableOf(world, row) > 0)) {
    yield* deliver(world, buyer, { ...delivery, rows: halves })
  }
  for (const [index, { item, open }] of rows.entries()) {
    count(world.backlog, item, Math.ceil(open / 2) - halves[index]!.open - open)
  }
  yield* act('sales', 'Sales Order', order.id, 'close')
}

/** Delivers what is there, and bills it. */
function* deliver(world: World, buyer: Buyer, { order, rows, number, dice }: Delivery): Flow {
  const taken = new Map<string, number>()
  for (const row of rows) {
    const { item, warehouse, rowId, open } = row
    const qty = warehouse === undefined ? open : world.stock.take(item, warehouse, open)
    row.open -= qty
    count(world.backlog, item, -qty)
    taken.set(rowId, qty)
  }
  const draft = yield* draftOf('stock', 'Sales Order', order.id, 'make_delivery_note')
  yield* update('stock', 'Delivery Note', draft.id, {
    transporter: dice.one(world.company.carriers),
    lr_no: `TT${dice.between(100_000, 999_999)}`,
    ...(buyer.address === null ? {} : { shipping_address: buyer.address }),
    items: (draft.items as readonly Shown[])
      .filter((row) => (taken.get(row.so_detail) ?? 0) > 0)
      .map((row) => ({ ...sameRow(row), qty: taken.get(row.so_detail) })),
  })
  const note = yield* submit('stock', 'Delivery Note', draft.id)
  yield* until(addDays(world.today(), dice.between(0, 2)))
  let invoice = yield* billOf(world, note)
  if (isTwist(number, 'rebilled')) {
    yield* until(addDays(world.today(), 2))
    yield* cancel('accounts', 'Sales Invoice', invoice.id)
    world.vat.collected -= invoice.base_total_taxes_and_charges
    invoice = yield* billOf(world, note)
  }
  if (isTwist(number, 'returned')) yield* begin(sendBack(world, note, invoice))
  else if (isTwist(number, 'neverPaid')) yield* begin(writeOff(world, buyer, invoice))
  else yield* begin(collect(world, buyer, { invoice, number, dice: dice.fork('pay') }))
}

/** What identifies a row of a draft, and what a changed table must say of it again. */
function sameRow(row: Shown): object {
  return { row_id: row.row_id, item_code: row.item_code }
}

function* billOf(world: World, note: Shown): Flow<Shown> {
  const draft = yield* draftOf('accounts', 'Delivery Note', note.id, 'make_invoice')
  const invoice = yield* submit('accounts', 'Sales Invoice', draft.id)
  world.vat.collected += invoice.base_total_taxes_and_charges
  return invoice
}

interface Claim {
  readonly invoice: Shown
  readonly number: number
  readonly dice: Dice
}

/** The customer pays, as late as this one does; in the shop at once, by card. */
function* collect(world: World, buyer: Buyer, { invoice, number, dice }: Claim): Flow {
  const all: number = invoice.outstanding_amount
  if (buyer.kindName === 'private') {
    yield* receive(world, buyer, invoice, { amount: all, mode: 'Card' })
    return
  }
  yield* until(addDays(invoice.due_date, buyer.late + dice.between(-4, 4)))
  if (!isTwist(number, 'paidInParts')) {
    yield* receive(world, buyer, invoice, { amount: all })
    return
  }
  const half = money(all / 2)
  yield* receive(world, buyer, invoice, { amount: half })
  yield* until(addDays(world.today(), 21))
  yield* receive(world, buyer, invoice, { amount: money(all - half) })
}

/** The goods come back and are credited in full. */
function* sendBack(world: World, note: Shown, invoice: Shown): Flow {
  yield* until(addDays(world.today(), 12))
  const back = yield* draftOf('stock', 'Delivery Note', note.id, 'make_return')
  const returned = yield* submit('stock', 'Delivery Note', back.id)
  for (const { item_code: item, warehouse, qty } of returned.items as readonly Shown[]) {
    if (warehouse) world.stock.put(item, warehouse, -qty)
  }
  const credit = yield* draftOf('accounts', 'Sales Invoice', invoice.id, 'make_return')
  const { base_total_taxes_and_charges: tax } = yield* submit(
    'accounts',
    'Sales Invoice',
    credit.id,
  )
  world.vat.collected += tax
}

/** Nobody pays, and after a season the claim is written off. */
function* writeOff(world: World, buyer: Buyer, invoice: Shown): Flow {
  // What is owed in another currency stays on the list of what is overdue.
  if (buyer.currency !== undefined) return
  yield* until(addDays(invoice.due_date, 95))
  const amount: number = invoice.outstanding_amount
  yield* make('accounts', 'Journal Entry', {
    title: `Written off: ${buyer.name}`,
    voucher_type: 'Write Off Entry',
    company: world.name,
    user_remark: `${invoice.id} is uncollectable`,
    accounts: [
      { account: 'Write Off', debit: amount },
      {
        account: 'Debtors',
        party_type: 'Customer',
        party: buyer.id,
        sales_invoice: invoice.id,
        credit: amount,
      },
    ],
  })
}
