import type { Dice } from '../../engine/base/dice.ts'
import { addDays } from '../../engine/expression/run/calendar.ts'
import {
  act,
  begin,
  cancel,
  draftOf,
  type Flow,
  make,
  submit,
  until,
  update,
} from '../play/flow.ts'
import { isTwist } from '../play/twists.ts'
import type { Shown } from '../world/hands.ts'
import { type Buyer, count, type World } from '../world/world.ts'
import { collect, sendBack, writeOff } from './collecting.ts'

/** A row of an order, as its flow knows it. */
interface Row {
  readonly item: string
  readonly rowId: string
  /** Warehouse it is taken from; undefined for a service. */
  readonly warehouse: string | undefined
  open: number
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

/** Delivers a part of each row, as much as there is; then the customer does without the rest. */
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
    ...(buyer.address === null ? {} : { shipping_address_name: buyer.address }),
    items: (draft.items as readonly Shown[])
      .filter((row) => (taken.get(row.so_detail) ?? 0) > 0)
      .map((row) => ({ ...sameRow(row), qty: taken.get(row.so_detail) })),
  })
  const note = yield* submit('stock', 'Delivery Note', draft.id)
  if (buyer.country !== world.company.company.country && number % 4 === 0) {
    yield* begin(ship(world, note, dice.fork('ship')))
  }
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

/** Follows what goes abroad until it is there. */
function* ship(world: World, note: Shown, dice: Dice): Flow {
  const pieces = (note.items as readonly Shown[]).reduce((sum, { qty }) => sum + qty, 0)
  const { id } = yield* make('stock', 'Shipment', {
    delivery_note: note.id,
    company: world.name,
    shipment_parcel: [{ count: pieces, weight: 21 }],
    description_of_content: 'Bicycles',
    carrier: note.transporter,
  })
  yield* act('stock', 'Shipment', id, 'book', {
    awb_number: note.lr_no,
    shipment_amount: 18 * pieces,
  })
  yield* until(addDays(world.today(), dice.between(2, 6)))
  yield* act('stock', 'Shipment', id, 'track', { tracking_status: 'Delivered' })
}

/** Fields that identify a row of a draft, and that a changed table must say of it again. */
function sameRow(row: Shown): object {
  return { row_id: row.row_id, item_code: row.item_code }
}

function* billOf(world: World, note: Shown): Flow<Shown> {
  const draft = yield* draftOf('accounts', 'Delivery Note', note.id, 'make_invoice')
  const invoice = yield* submit('accounts', 'Sales Invoice', draft.id)
  world.vat.collected += invoice.base_total_taxes_and_charges
  return invoice
}
