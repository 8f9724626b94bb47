import type { Dice } from '../../engine/base/dice.ts'
import { addDays } from '../../engine/expression/run/calendar.ts'
import { receive } from '../books/paying.ts'
import { begin, draftOf, type Flow, make, submit, until } from '../play/flow.ts'
import { isTwist } from '../play/twists.ts'
import type { Shown } from '../world/hands.ts'
import { type Buyer, money, type World } from '../world/world.ts'

/** Days after the due date that a customer is reminded. */
const PATIENCE = 30

/** Claim on a customer. */
export interface Claim {
  readonly invoice: Shown
  readonly number: number
  readonly dice: Dice
}

/** The customer pays, as late as this one does; in the shop at once, by card. */
export function* collect(world: World, buyer: Buyer, { invoice, number, dice }: Claim): Flow {
  const all: number = invoice.outstanding_amount
  if (buyer.kindName === 'private') {
    yield* receive(world, buyer, invoice, { amount: all, mode: 'Card' })
    return
  }
  if (buyer.late > PATIENCE) yield* begin(remind(world, buyer, invoice))
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

/** A letter about what is long overdue. */
function* remind(world: World, buyer: Buyer, invoice: Shown): Flow {
  yield* until(addDays(invoice.due_date, PATIENCE))
  yield* make('accounts', 'Dunning', {
    customer: buyer.id,
    company: world.name,
    overdue_payments: [{ sales_invoice: invoice.id }],
  })
}

/** The goods come back and are credited in full. */
export function* sendBack(world: World, note: Shown, invoice: Shown): Flow {
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

/** Writes a claim off that nobody has paid after a season. */
export function* writeOff(world: World, buyer: Buyer, invoice: Shown): Flow {
  // What is owed in another currency stays on the list of what is overdue.
  if (buyer.currency !== undefined) return
  yield* begin(remind(world, buyer, invoice))
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
