import { addDays, addMonths } from '../../engine/expression/run/calendar.ts'
import { draftOf, type Flow, make, submit, until, update } from '../play/flow.ts'
import type { Shown } from '../world/hands.ts'
import type { World } from '../world/world.ts'

/** Months between two visits, and visits of a schedule. */
const MONTHS = 3
const VISITS = 4

/** Days before the last one on which the second visit was, so that the third is due in some weeks. */
const SECOND = 70

/** A customer who rents bicycles out has them looked after each quarter, where they are. */
export function* care(world: World): Flow {
  const buyer = world.buyers.find(({ kindName }) => kindName === 'rental')!
  const second = addDays(world.last, -SECOND)
  const begins = addMonths(second, -MONTHS)
  yield* until(addDays(begins, -6))
  const [bicycle] = world.company.bicycles
  const { id } = yield* make('support', 'Maintenance Schedule', {
    customer: buyer.id,
    company: world.name,
    contact_person: buyer.contact,
    items: [
      {
        item_code: bicycle!.code,
        start_date: begins,
        periodicity: 'Quarterly',
        no_of_visits: VISITS,
      },
    ],
  })
  for (const day of [begins, second]) {
    yield* until(day)
    const visit = yield* draftOf('support', 'Maintenance Schedule', id, 'plan_visits')
    yield* update('support', 'Maintenance Visit', visit.id, {
      completion_status: 'Fully Completed',
      purposes: (visit.purposes as readonly Shown[]).map(({ row_id }) => ({
        row_id,
        work_done: 'Brakes and lights set, two chains replaced',
      })),
      customer_feedback: 'Done before the first guests came',
    })
    yield* submit('support', 'Maintenance Visit', visit.id)
  }
}
