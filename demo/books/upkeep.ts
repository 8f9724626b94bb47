import { addDays } from '../../engine/expression/run/calendar.ts'
import { begin, type Flow, make, until } from '../play/flow.ts'
import type { World } from '../world/world.ts'

/** Events of assets beside buying and scrapping: they move, break and are mended. */
export function* upkeep(world: World): Flow {
  yield* begin(handOver(world))
  yield* begin(move(world))
  yield* begin(repair(world))
}

function* handOver(world: World): Flow {
  yield* until(addDays(world.first, 6))
  yield* make('accounts', 'Asset Movement', {
    purpose: 'Issue',
    company: world.name,
    assets: [{ asset: world.assets.get('Delivery van'), to_employee: world.workers[3]!.id }],
    remarks: 'Keys and log book handed over',
  })
}

function* move(world: World): Flow {
  yield* until(addDays(world.last, -40))
  yield* make('accounts', 'Asset Movement', {
    purpose: 'Transfer',
    company: world.name,
    assets: [
      {
        asset: world.assets.get('Design workstation'),
        target_location: 'Workshop Hall in Tirol',
      },
    ],
    remarks: 'The designer moves next to the prototypes',
  })
}

function* repair(world: World): Flow {
  yield* until(addDays(world.last, -75))
  const failed = world.today()
  yield* until(addDays(failed, 3))
  yield* make('accounts', 'Asset Repair', {
    asset: world.assets.get('Wheel truing robot'),
    failure_date: `${failed}T08:30:00.000Z`,
    completion_date: `${addDays(failed, 2)}T14:00:00.000Z`,
    repair_status: 'Completed',
    repair_cost: 385,
    description: 'Loses the zero point after each wheel',
    actions_performed: 'Sensor and belt replaced',
  })
}
