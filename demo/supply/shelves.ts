import { addDays } from '../../engine/expression/run/calendar.ts'
import { create, type Flow, until } from '../play/flow.ts'
import { STORES } from '../world/places.ts'
import type { World } from '../world/world.ts'

/** Lots that the shelf of an item takes. */
const LOTS = 3

/** What is bulky has a shelf of its own, which takes so much and no more. */
export function* shelves(world: World): Flow {
  yield* until(addDays(world.first, 3))
  const frames = world.company.parts.filter(({ group }) => group === 'Frames and Forks')
  for (const { code, lot } of frames.slice(0, 4)) {
    yield* create('stock', 'Putaway Rule', {
      item_code: code,
      warehouse: STORES,
      capacity: lot * LOTS,
    })
  }
}
