import { addDays } from '../../engine/expression/run/calendar.ts'
import { bankLine, transfer } from '../books/paying.ts'
import { act, begin, create, type Flow, make, submit, until, update } from '../play/flow.ts'
import type { Shown } from '../world/hands.ts'
import { SHOWROOM, STORES } from '../world/places.ts'
import { money, type World } from '../world/world.ts'
import { taxOf } from './basket.ts'

const TILL = 'Showroom till'

/** Coins and notes that are in the till in the morning. */
const FLOAT = 150

/** Accessories that stand beside the till; the large ones are fetched from the stores. */
const BESIDE_TILL = ['AC-LOCK', 'AC-PUMP', 'AC-BOTT']

interface Sale {
  readonly code: string
  readonly qty: number
  readonly mode: string
}

/** Days before the last one on which the till is open, and what is sold then. */
const DAYS: readonly { readonly before: number; readonly sales: readonly Sale[] }[] = [
  {
    before: 31,
    sales: [
      { code: 'AC-LOCK', qty: 1, mode: 'Cash' },
      { code: 'AC-BOTT', qty: 2, mode: 'Cash' },
    ],
  },
  {
    before: 17,
    sales: [
      { code: 'AC-PUMP', qty: 1, mode: 'Cash' },
      { code: 'AC-LOCK', qty: 2, mode: 'Card' },
    ],
  },
  {
    before: 4,
    sales: [
      { code: 'AC-BOTT', qty: 1, mode: 'Cash' },
      { code: 'AC-PUMP', qty: 1, mode: 'Card' },
    ],
  },
]

/** The showroom gets a till: it is opened in the morning, sells, is counted in the evening, and its notes go to the bank. */
export function* till(world: World): Flow {
  yield* until(addDays(world.last, -34))
  const { id: customer } = yield* create('sales', 'Customer', {
    customer_name: 'Customers of the showroom',
    customer_group: 'Individual',
    customer_type: 'Individual',
    territory: 'Austria',
  })
  yield* create('sales', 'POS Profile', {
    name: TILL,
    company: world.name,
    customer,
    warehouse: SHOWROOM,
    payments: [{ mode_of_payment: 'Cash', default: true }, { mode_of_payment: 'Card' }],
  })
  yield* fillShelves(world)
  let notes = 0
  for (const { before, sales } of DAYS) {
    yield* until(addDays(world.last, -before))
    const member = world.buyers.find(({ kindName }) => kindName === 'private')
    const opened = yield* make('sales', 'POS Opening Entry', {
      pos_profile: TILL,
      balance_details: [{ mode_of_payment: 'Cash', opening_amount: FLOAT }],
    })
    for (const [index, one] of sales.entries()) {
      const buyer = index === 0 ? customer : (member?.id ?? customer)
      const paid = yield* sell(world, buyer, one)
      if (one.mode === 'Cash') notes += paid
    }
    yield* close(opened.id)
  }
  yield* until(addDays(world.today(), 1))
  const remarks = 'Cash of the showroom till'
  const amount = money(notes)
  if (amount === 0) return
  const brought = yield* transfer(world, 'Cash', 'Bank', { amount, remarks })
  yield* begin(bankLine(world, brought, { amount, party: remarks }))
}

/** Accessories are put where they are sold. */
function* fillShelves({ name, stock }: World): Flow {
  const items = BESIDE_TILL.map((code) => ({
    item_code: code,
    qty: stock.take(code, STORES, 6),
  })).filter(({ qty }) => qty > 0)
  if (items.length === 0) return
  yield* make('stock', 'Stock Entry', {
    stock_entry_type: 'Material Transfer',
    company: name,
    from_warehouse: STORES,
    to_warehouse: SHOWROOM,
    remarks: 'Accessories beside the till',
    items,
  })
  for (const { item_code: item, qty } of items) stock.put(item, SHOWROOM, qty)
}

/** Sells what there is of it; what was paid. */
function* sell(world: World, customer: string, { code, qty: wanted, mode }: Sale): Flow<number> {
  const qty = world.stock.take(code, SHOWROOM, wanted)
  if (qty === 0) return 0
  const body = {
    customer,
    company: world.name,
    pos_profile: TILL,
    set_warehouse: SHOWROOM,
    taxes_and_charges: taxOf(world.company.company.country),
    items: [{ item_code: code, qty }],
  }
  const draft = yield* create('sales', 'Sales Invoice', body)
  yield* update('sales', 'Sales Invoice', draft.id, {
    payments: [{ mode_of_payment: mode, amount: draft.grand_total }],
  })
  const invoice = yield* submit('sales', 'Sales Invoice', draft.id)
  world.vat.collected += invoice.base_total_taxes_and_charges
  return invoice.grand_total
}

/** The till is counted, and nothing is missing. */
function* close(opening: string): Flow {
  const { id } = yield* create('sales', 'POS Closing Entry', { pos_opening_entry: opening })
  const counted = yield* act('sales', 'POS Closing Entry', id, 'count_up')
  yield* update('sales', 'POS Closing Entry', id, {
    payment_reconciliation: (counted.payment_reconciliation as readonly Shown[]).map(
      ({ row_id, mode_of_payment, expected_amount }) => ({
        row_id,
        mode_of_payment,
        closing_amount: expected_amount,
      }),
    ),
  })
  yield* submit('sales', 'POS Closing Entry', id)
}
