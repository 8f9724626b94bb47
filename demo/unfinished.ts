import { addDays } from '../engine/expression/run/calendar.ts'
import { act, create, draftOf, type Flow, make, submit, until } from './play/flow.ts'
import { basketOf, taxOf } from './selling/basket.ts'
import type { Shown } from './world/hands.ts'
import { STORES } from './world/places.ts'
import { type Buyer, priceIn, type World } from './world/world.ts'

/** Days before the last one on which the desk fills with what is still to be done. */
const DAYS_BEFORE = 3

/** Work on the desk when the story ends: drafts, an order that waits, one that is paid before it is delivered. */
export function* unfinished(world: World): Flow {
  const dice = world.dice.fork('unfinished')
  yield* until(addDays(world.last, -DAYS_BEFORE))
  const shops = world.buyers.filter(({ kindName }) => kindName === 'shop')

  function orderOf(buyer: Buyer): object {
    return {
      customer: buyer.id,
      company: world.name,
      taxes_and_charges: taxOf(buyer.country),
      items: basketOf(world, buyer, dice),
    }
  }

  yield* create('sales', 'Sales Order', orderOf(shops[0]!))
  const waits = yield* make('sales', 'Sales Order', orderOf(shops[1]!))
  yield* act('sales', 'Sales Order', waits.id, 'hold')
  const ahead = yield* make('sales', 'Sales Order', orderOf(shops[2]!))
  const picked = (ahead.items as readonly Shown[]).filter(
    ({ item_code: item, warehouse }) => warehouse && world.stock.take(item, warehouse, 1) > 0,
  )
  if (picked.length > 0) {
    yield* make('stock', 'Pick List', {
      company: world.name,
      customer: ahead.customer,
      sales_order: ahead.id,
      locations: picked.map(({ row_id, item_code, warehouse }) => ({
        item_code,
        qty: 1,
        warehouse,
        sales_order: ahead.id,
        sales_order_item: row_id,
      })),
    })
  }
  const bill = yield* draftOf('accounts', 'Sales Order', ahead.id, 'make_invoice')
  yield* submit('accounts', 'Sales Invoice', bill.id)
  yield* kept(world, shops[4]!)
  yield* create('accounts', 'Payment Entry', {
    payment_type: 'Receive',
    party_type: 'Customer',
    party: shops[3]!.id,
    company: world.name,
    paid_amount: 2000,
    remarks: 'Deposit for the spring delivery, not on the account yet',
  })
  yield* create('accounts', 'Journal Entry', {
    title: 'Accrual of the energy bill',
    company: world.name,
    accounts: [
      { account: 'Utilities', debit: 640 },
      { account: 'Accrued Expenses', credit: 640 },
    ],
  })
  const [part] = world.company.parts
  const seller = world.sellers.get(part!.supplier)!
  yield* create('stock', 'Purchase Order', {
    supplier: seller.id,
    company: world.name,
    items: [
      {
        item_code: part!.code,
        qty: part!.lot,
        rate: priceIn(world, seller.currency, part!.cost),
        warehouse: STORES,
      },
    ],
  })
  yield* asked(world)
}

/** Stock that is kept for a customer who fetches it next week. */
function* kept(world: World, buyer: Buyer): Flow {
  const [most] = [...world.company.accessories].sort(
    (a, b) => world.stock.of(b.code, STORES) - world.stock.of(a.code, STORES),
  )
  const qty = world.stock.take(most!.code, STORES, 5)
  if (qty === 0) return
  const order = yield* make('sales', 'Sales Order', {
    customer: buyer.id,
    company: world.name,
    delivery_date: addDays(world.today(), 10),
    taxes_and_charges: taxOf(buyer.country),
    items: [{ item_code: most!.code, qty, warehouse: STORES }],
  })
  yield* act('stock', 'Sales Order', order.id, 'reserve_stock')
}

/** What people have asked for and nobody has decided: days off, and money that somebody has laid out. */
function* asked(world: World): Flow {
  const dice = world.dice.fork('asked')
  // Those who decide do not decide on what is their own.
  const deciders = Object.values(world.company.accounts).map(({ full_name }) => full_name)
  const here = world.workers.filter(
    ({ from, to, first, last }) =>
      from < world.first && to === world.last && !deciders.includes(`${first} ${last}`),
  )
  const [away, traveller] = [dice.one(here), dice.one(here)]
  const [meal] = world.company.expenses
  yield* create('hr', 'Leave Application', {
    employee: away.id,
    leave_type: 'Annual Leave',
    from_date: addDays(world.last, 20),
    to_date: addDays(world.last, 22),
    description: 'A long weekend',
  })
  yield* create('hr', 'Expense Claim', {
    employee: traveller.id,
    company: world.name,
    remark: meal!.remark,
    expenses: [
      {
        expense_date: addDays(world.today(), -1),
        expense_type: meal!.kind,
        description: meal!.remark,
        amount: meal!.amount,
      },
    ],
  })
}
