import type { Dice } from '../../engine/base/dice.ts'
import { addDays } from '../../engine/expression/run/calendar.ts'
import { payBill } from '../books/paying.ts'
import { monthly } from '../play/days.ts'
import { act, begin, draftOf, type Flow, make, submit, until, update } from '../play/flow.ts'
import type { Bought, RunningCost } from '../world/company.ts'
import type { Shown } from '../world/hands.ts'
import { REJECTED, STORES } from '../world/places.ts'
import { count, priceIn, type Seller, type World } from '../world/world.ts'

/** Every other week the warehouse orders what runs low, one order for each supplier. */
export function* purchasing(world: World): Flow {
  const dice = world.dice.fork('purchasing')
  const goods: readonly Bought[] = [...world.company.parts, ...world.company.accessories]
  for (let week = 1; ; week += 1) {
    yield* until(addDays(world.first, week * 14))
    for (const [key, seller] of world.sellers) {
      const low = goods.filter((good) => good.supplier === key && isLow(world, good))
      if (low.length > 0) yield* begin(purchase(world, seller, low, dice.fork(`${key} ${week}`)))
    }
  }
}

/** True when little is left; of a part with a long way more must be. */
function isLow({ stock, onOrder, sellers }: World, { code, lot, supplier }: Bought): boolean {
  const left = stock.of(code, STORES) + (onOrder.get(code) ?? 0)
  return left < lot * (sellers.get(supplier)!.lead_days > 30 ? 1 : 0.6)
}

/** Local suppliers bill value added tax; for the others it is the customer who owes it. */
export function inputTaxOf(world: World, { country }: Seller): object {
  return country === world.company.company.country ? { taxes_and_charges: 'Input VAT 20 %' } : {}
}

function* purchase(world: World, seller: Seller, goods: readonly Bought[], dice: Dice): Flow {
  for (const { code, lot } of goods) count(world.onOrder, code, lot)
  const order = yield* make('stock', 'Purchase Order', {
    supplier: seller.id,
    company: world.name,
    schedule_date: addDays(world.today(), seller.lead_days),
    ...inputTaxOf(world, seller),
    items: goods.map(({ code, cost, lot }) => ({
      item_code: code,
      qty: lot,
      rate: priceIn(world, seller.currency, cost),
      warehouse: STORES,
    })),
  })
  yield* until(addDays(world.today(), seller.lead_days + dice.between(-2, 4)))
  const comesInParts = dice.chance(0.15) && goods.some(({ lot }) => lot >= 40)
  yield* receive(world, seller, { order, dice, part: comesInParts ? 0.6 : 1 })
  if (!comesInParts) return
  yield* until(addDays(world.today(), 7))
  yield* receive(world, seller, { order, dice, part: 1 })
}

interface Arrival {
  readonly order: Shown
  readonly dice: Dice
  /** Part of what is still open that arrives, from 0 to 1. */
  readonly part: number
}

/** Goods arrive; now and then a piece is rejected, and what is left of such an order is closed. */
function* receive(world: World, seller: Seller, { order, dice, part }: Arrival): Flow {
  const draft = yield* draftOf('stock', 'Purchase Order', order.id, 'make_receipt')
  const rejects = part === 1 && dice.chance(0.06) ? 1 : 0
  yield* update('stock', 'Purchase Receipt', draft.id, {
    supplier_delivery_note: `${seller.name.slice(0, 2).toUpperCase()}-${dice.between(10_000, 99_999)}`,
    rejected_warehouse: REJECTED,
    items: (draft.items as readonly Shown[]).map((row, index) => ({
      row_id: row.row_id,
      item_code: row.item_code,
      qty: Math.ceil(row.qty * part) - (index === 0 ? rejects : 0),
      rejected_qty: index === 0 ? rejects : 0,
    })),
  })
  if (rejects > 0 || dice.chance(0.12)) yield* inspect(world, draft, rejects > 0)
  const receipt = yield* submit('stock', 'Purchase Receipt', draft.id)
  for (const { item_code: item, qty } of receipt.items as readonly Shown[]) {
    world.stock.put(item, STORES, qty)
    count(world.onOrder, item, -qty)
  }
  const [first] = receipt.items as readonly Shown[]
  count(world.onOrder, first!.item_code, -rejects)
  const closes = rejects > 0 ? order.id : undefined
  yield* begin(billed(world, seller, receipt, { dice: dice.fork(`bill ${part}`), closes }))
}

/** The bill of a receipt comes some days later. An order that misses the rejected pieces ends with it (`closes`). */
function* billed(
  world: World,
  seller: Seller,
  receipt: Shown,
  { dice, closes }: { readonly dice: Dice; readonly closes: string | undefined },
): Flow {
  yield* until(addDays(world.today(), dice.between(1, 5)))
  const draft = yield* draftOf('accounts', 'Purchase Receipt', receipt.id, 'make_invoice')
  yield* update('accounts', 'Purchase Invoice', draft.id, {
    bill_no: `${dice.between(200_000, 899_999)}`,
    bill_date: world.today(),
  })
  const bill = yield* submit('accounts', 'Purchase Invoice', draft.id)
  world.vat.paid += bill.base_total_taxes_and_charges
  if (closes !== undefined) yield* act('stock', 'Purchase Order', closes, 'close')
  if (dice.chance(0.12)) yield* begin(giveBack(world, receipt, bill))
  yield* payBill(world, seller.name, bill, dice)
}

/** Samples are measured before the goods are taken in. */
function* inspect(world: World, receipt: Shown, isRejected: boolean): Flow {
  const [row] = receipt.items as readonly Shown[]
  yield* make('stock', 'Quality Inspection', {
    inspection_type: 'Incoming',
    company: world.name,
    reference_type: 'Purchase Receipt',
    reference_name: receipt.id,
    item_code: row!.item_code,
    sample_size: 3,
    readings: [
      {
        specification: 'Deviation from the drawing in mm',
        min_value: 0,
        max_value: 0.5,
        reading_1: 0.1,
        reading_2: isRejected ? 0.9 : 0.2,
        reading_3: 0.1,
      },
    ],
  })
}

/** Weeks later a piece turns out to be faulty: it goes back, and the supplier is debited. */
function* giveBack(world: World, receipt: Shown, bill: Shown): Flow {
  yield* until(addDays(bill.due_date, 10))
  const [row] = receipt.items as readonly Shown[]
  const item: string = row!.item_code
  if (world.stock.take(item, STORES, 1) === 0) return
  const faulty = (back: Shown): object => {
    const [first] = (back.items as readonly Shown[]).filter(({ item_code }) => item_code === item)
    return { items: [{ row_id: first!.row_id, item_code: item, qty: -1 }] }
  }
  const back = yield* draftOf('stock', 'Purchase Receipt', receipt.id, 'make_return')
  yield* update('stock', 'Purchase Receipt', back.id, faulty(back))
  yield* submit('stock', 'Purchase Receipt', back.id)
  const note = yield* draftOf('accounts', 'Purchase Invoice', bill.id, 'make_return')
  yield* update('accounts', 'Purchase Invoice', note.id, faulty(note))
  const debited = yield* submit('accounts', 'Purchase Invoice', note.id)
  world.vat.paid += debited.base_total_taxes_and_charges
}

/** Rent, energy and the like, month by month. */
export function* runningCosts(world: World): Flow {
  for (const cost of world.company.running_costs) yield* begin(runningCost(world, cost))
}

function* runningCost(world: World, cost: RunningCost): Flow {
  const { code, amount, supplier, every, day, varies = 0 } = cost
  const seller = world.sellers.get(supplier)!
  const dice = world.dice.fork(`cost ${code}`)
  for (const [index, date] of monthly(world.first, world.last, day).entries()) {
    if (index % every !== 0) continue
    yield* until(date)
    const bill = yield* make('accounts', 'Purchase Invoice', {
      supplier: seller.id,
      company: world.name,
      bill_no: `${code}-${world.today().slice(0, 7)}`,
      bill_date: world.today(),
      due_date: addDays(world.today(), 14),
      ...inputTaxOf(world, seller),
      items: [{ item_code: code, qty: 1, rate: amount + dice.between(-varies, varies) }],
    })
    world.vat.paid += bill.base_total_taxes_and_charges
    yield* begin(payBill(world, seller.name, bill, dice.fork(date)))
  }
}
