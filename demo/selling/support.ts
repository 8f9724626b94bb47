import type { Dice } from '../../engine/base/dice.ts'
import { addDays, daysBetween } from '../../engine/expression/run/calendar.ts'
import { begin, create, type Flow, until, update } from '../play/flow.ts'
import type { DemoIssue } from '../world/company.ts'
import type { Shown } from '../world/hands.ts'
import type { World } from '../world/world.ts'

/** Days between two questions of customers, about. */
const RHYTHM = 6

/** Customers ask and complain; most of it is solved within days. */
export function* support(world: World): Flow {
  const { first, last, company } = world
  const dice = world.dice.fork('support')
  const issues = Math.floor(daysBetween(last, first) / RHYTHM)
  for (let index = 0; index < issues; index += 1) {
    const day = addDays(first, 3 + index * RHYTHM + dice.between(0, 5))
    const subject = company.issues[index % company.issues.length]!
    yield* begin(issue(world, subject, { index, day, dice: dice.fork(index) }))
  }
}

interface Asked {
  readonly index: number
  readonly day: string
  readonly dice: Dice
}

function* issue(world: World, about: DemoIssue, { index, day, dice }: Asked): Flow {
  const { subject, type, priority, solution } = about
  yield* until(day)
  const buyer = dice.one(world.buyers)
  const opened = yield* create('support', 'Issue', {
    subject,
    description: `${buyer.name} writes: ${subject}`,
    customer: buyer.id,
    contact: buyer.contact,
    company: world.name,
    issue_type: type,
    priority,
    assigned_to: world.company.accounts.support?.email,
  })
  const { id } = opened
  if (type === 'Problem' && index % 3 === 0) yield* begin(warranty(world, opened, solution))
  const change = (body: object): Flow => status(id, body)
  // Some are answered within the hour, others the next day.
  if (dice.chance(0.5)) yield* until(addDays(world.today(), 1))
  yield* change({ status: 'Replied' })
  yield* until(addDays(world.today(), dice.between(1, 5)))
  if (index % 9 === 4) {
    yield* change({ status: 'On Hold' })
    yield* until(addDays(world.today(), 25))
  }
  yield* change({ status: 'Resolved', resolution_details: solution })
  if (index % 12 === 7) {
    yield* until(addDays(world.today(), 2))
    yield* change({ status: 'Open' })
    yield* until(addDays(world.today(), 3))
    yield* change({ status: 'Resolved', resolution_details: `${solution} Twice.` })
  }
  yield* until(addDays(world.today(), 14))
  yield* change({ status: 'Closed' })
}

/** Warranty claim for what is broken, since it may be covered. */
function* warranty(world: World, issue: Shown, solution: string): Flow {
  const { id } = yield* create('support', 'Warranty Claim', {
    customer: issue.customer,
    company: world.name,
    issue: issue.id,
    item_code: world.company.bicycles[0]!.code,
    warranty_expiry_date: addDays(world.today(), 200),
    complaint: issue.subject,
  })
  yield* until(addDays(world.today(), 3))
  yield* update('support', 'Warranty Claim', id, { status: 'Work In Progress' })
  yield* until(addDays(world.today(), 9))
  yield* update('support', 'Warranty Claim', id, { status: 'Closed', resolution_details: solution })
}

function* status(id: string, body: object): Flow {
  yield* update('support', 'Issue', id, body)
}
