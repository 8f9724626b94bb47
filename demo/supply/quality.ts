import { addMonths, monthStart } from '../../engine/expression/run/calendar.ts'
import { create, draftOf, type Flow, make, until, update } from '../play/flow.ts'
import type { Shown } from '../world/hands.ts'
import type { World } from '../world/world.ts'

/** Months between two reviews of the goal. */
const MONTHS = 3

/** Quality is written down: how a bicycle is checked, what shall be reached, and each quarter whether it is. */
export function* quality(world: World): Flow {
  const { procedure, objectives } = world.company.quality
  yield* create('stock', 'Quality Procedure', {
    quality_procedure_name: procedure.name,
    process_owner: world.company.accounts.stock?.email,
    processes: procedure.steps.map((step) => ({ process_description: step })),
  })
  // The last review lies in the month before the last day, however long the story is.
  const last = addMonths(monthStart(world.last), -1)
  const before = Math.max(
    0,
    Math.floor(monthsBetween(monthStart(world.first), last) / MONTHS) * MONTHS,
  )
  const begins = addMonths(last, -before)
  const { id } = yield* create('stock', 'Quality Goal', {
    goal: world.company.quality.goal,
    procedure: procedure.name,
    frequency: 'Quarterly',
    start_date: begins,
    objectives: objectives.map(({ objective, target }) => ({ objective, target })),
  })
  for (let month = 0; month <= before; month += MONTHS) {
    yield* until(addMonths(begins, month))
    yield* review(id, month === MONTHS)
  }
}

/** Whole months from the first of one month to the first of another. */
function monthsBetween(from: string, to: string): number {
  const [year, month] = from.split('-').map(Number)
  const [toYear, toMonth] = to.split('-').map(Number)
  return (toYear! - year!) * 12 + toMonth! - month!
}

/** A review, of which one objective may fail; then something is done about it. */
function* review(goalId: string, fails: boolean): Flow {
  const { id, reviews } = yield* draftOf('stock', 'Quality Goal', goalId, 'review')
  yield* update('stock', 'Quality Review', id, {
    reviews: (reviews as readonly Shown[]).map(({ row_id, objective }, index) => ({
      row_id,
      objective,
      status: fails && index === 0 ? 'Failed' : 'Passed',
      review:
        fails && index === 0 ? 'Two batches came in with play in the hub' : 'Within the target',
    })),
  })
  if (!fails) return
  const action = yield* draftOf('stock', 'Quality Review', id, 'make_action')
  yield* update('stock', 'Quality Action', action.id, {
    resolutions: (action.resolutions as readonly Shown[]).map(({ row_id, problem }) => ({
      row_id,
      problem,
      status: 'Completed',
      resolution: 'Three wheelsets of each delivery are measured before they are taken in',
    })),
  })
}

/** The first bicycle of a lot is ridden and measured on the bench before the others are begun. */
export function* testRide(world: World, jobCard: Shown, item: string): Flow {
  yield* make('stock', 'Quality Inspection', {
    inspection_type: 'In Process',
    company: world.name,
    reference_type: 'Job Card',
    reference_name: jobCard.id,
    item_code: item,
    sample_size: 1,
    readings: [
      {
        specification: 'Play of the wheels in mm',
        min_value: 0,
        max_value: 0.4,
        reading_1: 0.1,
        reading_2: 0.2,
      },
      {
        specification: 'Brakes',
        numeric: false,
        value: 'stop silently',
        reading_value: 'stop silently',
      },
    ],
  })
}
