import type { Dice } from '../../engine/base/dice.ts'
import { addDays, weekdayOf } from '../../engine/expression/run/calendar.ts'
import { daysFrom, monthly } from '../play/days.ts'
import { act, begin, type Flow, make, until, untilDay } from '../play/flow.ts'
import type { Bicycle } from '../world/company.ts'
import type { Shown } from '../world/hands.ts'
import { FINISHED, IN_WORK, SHOWROOM, STORES } from '../world/places.ts'
import { count, type World } from '../world/world.ts'

/** Fewest bicycles of a lot: where there are parts for fewer nothing is started. */
const SMALLEST_LOT = 6
/** Lots that the workshop begins at once. */
const LOTS = 3

/** A bicycle is on the bench for so long, and nobody works longer than this on a day. */
const MINUTES = 85
const LONGEST_DAY = 600

/** Every other week the workshop starts on the bicycles that are asked for most. */
export function* production(world: World): Flow {
  const dice = world.dice.fork('production')
  for (let week = 0; ; week += 1) {
    yield* until(addDays(world.first, 1 + week * 14))
    const short = world.company.bicycles
      .map((bicycle) => ({ bicycle, missing: missingOf(world, bicycle) }))
      .filter(({ missing }) => missing > 0)
      .sort((a, b) => b.missing - a.missing)
    let started = 0
    for (const { bicycle, missing } of short) {
      const lot = Math.min(missing, partsFor(world, bicycle))
      if (lot < SMALLEST_LOT || started === LOTS) continue
      for (const [part, qty] of Object.entries(bicycle.parts)) {
        world.stock.take(part, STORES, qty * lot)
      }
      count(world.inWork, bicycle.code, lot)
      started += 1
      yield* begin(workOrder(world, bicycle, lot, dice.fork(`${bicycle.code} ${week}`)))
    }
  }
}

/** Pieces that the season asks for and that are neither there nor being made. */
function missingOf({ company, stock, backlog, inWork, today }: World, bicycle: Bicycle): number {
  const season = company.season[Number(today().slice(5, 7)) - 1]!
  const wanted = bicycle.share * (season > 7 ? 9 : 6) + (backlog.get(bicycle.code) ?? 0)
  return wanted - stock.of(bicycle.code, FINISHED) - (inWork.get(bicycle.code) ?? 0)
}

function partsFor({ stock }: World, { parts }: Bicycle): number {
  const sets = Object.entries(parts).map(([part, qty]) => Math.floor(stock.of(part, STORES) / qty))
  return Math.min(...sets)
}

/** Makes bicycles: parts go to the workshop, and bicycles come out of it. */
function* workOrder(world: World, bicycle: Bicycle, lot: number, dice: Dice): Flow {
  const order = yield* make('stock', 'Work Order', {
    bom_no: world.boms.get(bicycle.code),
    qty: lot,
    company: world.name,
    planned_start_date: `${world.today()}T07:00:00.000Z`,
    planned_end_date: `${addDays(world.today(), 7)}T16:00:00.000Z`,
    source_warehouse: STORES,
    wip_warehouse: IN_WORK,
    fg_warehouse: FINISHED,
    required_items: Object.entries(bicycle.parts).map(([item, qty]) => ({
      item_code: item,
      required_qty: qty * lot,
    })),
  })
  yield* until(addDays(world.today(), 1))
  yield* make('stock', 'Stock Entry', {
    stock_entry_type: 'Material Transfer for Manufacture',
    company: world.name,
    work_order: order.id,
    from_warehouse: STORES,
    to_warehouse: IN_WORK,
    items: Object.entries(bicycle.parts).map(([item, qty]) => ({
      item_code: item,
      qty: qty * lot,
    })),
  })
  const begun = world.today()
  const first = dice.chance(0.2) ? Math.ceil(lot / 2) : lot
  yield* until(addDays(begun, dice.between(3, 6)))
  yield* assembled(world, { order, lot, begun })
  yield* finish(world, bicycle, order, first)
  if (first === lot) return
  yield* until(addDays(world.today(), 4))
  yield* finish(world, bicycle, order, lot - first)
}

/** The mechanics' times, half of the lot on the first day and half on the day before the last. */
function* assembled(
  world: World,
  { order, lot, begun }: { readonly order: Shown; readonly lot: number; readonly begun: string },
): Flow {
  const half = Math.ceil(lot / 2)
  const minutes = Math.min(half * MINUTES, LONGEST_DAY)
  yield* make('stock', 'Job Card', {
    work_order: order.id,
    operation: 'Assembly',
    time_logs: [
      { day: begun, qty: half, by: 6 },
      { day: addDays(world.today(), -1), qty: lot - half, by: 7 },
    ].map(({ day, qty, by }) => {
      const from = Date.parse(`${day}T06:00:00.000Z`)
      return {
        employee: world.workers[by]!.id,
        from_time: new Date(from).toISOString(),
        to_time: new Date(from + minutes * 60_000).toISOString(),
        completed_qty: qty,
      }
    }),
  })
}

function* finish(world: World, bicycle: Bicycle, order: Shown, pieces: number): Flow {
  yield* make('stock', 'Stock Entry', {
    stock_entry_type: 'Manufacture',
    company: world.name,
    work_order: order.id,
    from_warehouse: IN_WORK,
    to_warehouse: FINISHED,
    items: [
      ...Object.entries(bicycle.parts).map(([item, qty]) => ({
        item_code: item,
        qty: qty * pieces,
      })),
      { item_code: bicycle.code, qty: pieces, is_finished_item: true },
    ],
  })
  world.stock.put(bicycle.code, FINISHED, pieces)
  count(world.inWork, bicycle.code, -pieces)
}

/** A work order that waits for parts that do not come: it is stopped. */
export function* stoppedOrder(world: World): Flow {
  const bicycle = world.company.bicycles.at(-1)!
  yield* until(addDays(world.first, 260))
  const order = yield* make('stock', 'Work Order', {
    bom_no: world.boms.get(bicycle.code),
    qty: 40,
    company: world.name,
    planned_start_date: `${addDays(world.today(), 14)}T07:00:00.000Z`,
  })
  yield* until(addDays(world.today(), 20))
  yield* act('stock', 'Work Order', order.id, 'stop')
}

/** Fills up the showroom from the finished goods each month. */
export function* showroom(world: World): Flow {
  const { first, last, stock, company } = world
  yield* until(addDays(first, 1))
  for (const day of [world.today(), ...monthly(world.today(), last, 4)]) {
    yield* until(day)
    const moved = company.bicycles.flatMap(({ code }) => {
      const free = stock.of(code, FINISHED) - (world.backlog.get(code) ?? 0)
      const missing = 3 - stock.of(code, SHOWROOM)
      const qty = Math.min(missing, Math.max(free - 2, 0))
      return qty > 0 ? [{ item_code: code, qty: stock.take(code, FINISHED, qty) }] : []
    })
    if (moved.length === 0) continue
    yield* make('stock', 'Stock Entry', {
      stock_entry_type: 'Material Transfer',
      company: world.name,
      from_warehouse: FINISHED,
      to_warehouse: SHOWROOM,
      remarks: 'New models for the showroom',
      items: moved,
    })
    for (const { item_code: item, qty } of moved) stock.put(item, SHOWROOM, qty)
  }
}

/** Counts accessories on a Saturday of each quarter, when nothing else moves; a piece is often missing. */
export function* stockCounts(world: World): Flow {
  const { first, last, stock, company } = world
  const dice = world.dice.fork('counts')
  const saturdays = daysFrom(first, last).filter((day) => weekdayOf(day) === 6)
  for (const day of saturdays.filter((_, week) => week % 13 === 5)) {
    yield* untilDay(day)
    const counted = company.accessories
      .filter(({ code }) => stock.of(code, STORES) > 0)
      .map(({ code }) => {
        const lost = stock.take(code, STORES, dice.chance(0.3) ? 1 : 0)
        return { item_code: code, qty: stock.of(code, STORES), lost }
      })
    yield* make('stock', 'Stock Reconciliation', {
      company: world.name,
      set_warehouse: STORES,
      remarks: `Count of the accessories: ${counted.filter(({ lost }) => lost > 0).length} differences`,
      items: counted.map(({ item_code, qty }) => ({ item_code, qty })),
    })
  }
}
