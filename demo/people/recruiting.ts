import { addDays } from '../../engine/expression/run/calendar.ts'
import { act, begin, create, type Flow, make, submit, until, update } from '../play/flow.ts'
import type { DemoOpening } from '../world/company.ts'
import { mailOf, phoneOf } from '../world/parties.ts'
import type { World } from '../world/world.ts'

const ROUND = 'Conversation on site'

/** Jobs that are offered, and the people who want them. */
export function* recruiting(world: World): Flow {
  yield* create('hr', 'Interview Round', { round_name: ROUND, expected_average_rating: 0.6 })
  for (const opening of world.company.openings) yield* begin(oneOpening(world, opening))
}

function* oneOpening(
  world: World,
  { title, designation, department, before, applicants }: DemoOpening,
): Flow {
  yield* until(addDays(world.last, -before))
  const { id } = yield* create('hr', 'Job Opening', {
    job_title: title,
    designation,
    department,
    company: world.name,
    employment_type: 'Full-time',
    closes_on: addDays(world.today(), 45),
    lower_range: 2100,
    upper_range: 2600,
  })
  for (const [index, name] of applicants.entries()) {
    yield* begin(applicant(world, { name, opening: id, designation, department, index }))
  }
}

interface Candidate {
  readonly name: string
  readonly opening: string
  readonly designation: string
  readonly department: string
  /** The first one gets the job. */
  readonly index: number
}

function* applicant(
  world: World,
  { name, opening, designation, department, index }: Candidate,
): Flow {
  yield* until(addDays(world.today(), 2 + index * 3))
  const { id } = yield* create('hr', 'Job Applicant', {
    applicant_name: name,
    email_id: mailOf(name.split(' ')[0]!, name),
    phone_number: phoneOf(name),
    country: world.company.company.country,
    job_title: opening,
    source: index % 2 === 0 ? 'Website' : 'Referral',
  })
  yield* until(addDays(world.today(), 4))
  if (index === 3) {
    yield* update('hr', 'Job Applicant', id, { status: 'Rejected' })
    return
  }
  yield* update('hr', 'Job Applicant', id, { status: 'Replied' })
  const interview = yield* create('hr', 'Interview', {
    job_applicant: id,
    interview_round: ROUND,
    scheduled_on: addDays(world.today(), 5),
    from_time: '09:00:00',
    to_time: '10:00:00',
    interview_details: [{ interviewer: world.company.accounts.hr!.email }],
  })
  yield* until(addDays(world.today(), 6))
  const isWanted = index === 0
  yield* update('hr', 'Interview', interview.id, {
    status: isWanted ? 'Cleared' : 'Rejected',
    interview_summary: isWanted
      ? 'Knows the trade and fits the team.'
      : 'Wants to work from home only.',
  })
  yield* submit('hr', 'Interview', interview.id)
  if (!isWanted) {
    yield* update('hr', 'Job Applicant', id, { status: 'Rejected' })
    return
  }
  const offer = yield* make('hr', 'Job Offer', {
    job_applicant: id,
    designation,
    department,
    company: world.name,
    valid_until: addDays(world.today(), 14),
    offer_terms: [{ offer_term: 'Gross pay of a month', value: 'EUR 2350' }],
  })
  yield* until(addDays(world.today(), 6))
  yield* act('hr', 'Job Offer', offer.id, 'accept')
}
