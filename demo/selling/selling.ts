import {
  addDays,
  addMonths,
  daysBetween,
  monthEnd,
  monthStart,
} from '../../engine/expression/run/calendar.ts'
import { begin, type Flow, make, until } from '../play/flow.ts'
import { isTwist } from '../play/twists.ts'
import type { World } from '../world/world.ts'
import { basketOf, taxOf } from './basket.ts'
import { fulfil } from './fulfilling.ts'

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
