import { addDays, addMonths, monthStart } from '../../engine/expression/run/calendar.ts'
import { act, begin, create, draftOf, type Flow, make, until, untilDay } from '../play/flow.ts'
import type { Buyer, World } from '../world/world.ts'
import { collect } from './collecting.ts'

/** Orders of subscriptions are counted from here on, clear of those in twists.ts. */
const SUBSCRIBED = 3000

const PLAN = 'Fleet care'

/** Agreements that go on by themselves: fleets that are cared for each month, contracts, dates in the diary. */
export function* agreements(world: World): Flow {
  yield* create('accounts', 'Subscription Plan', {
    plan_name: PLAN,
    item: world.company.services[0]!.code,
    currency: world.company.company.default_currency,
    cost: 89,
  })
  const fleets = world.buyers.filter(({ kindName }) => kindName === 'fleet')
  for (const [index, buyer] of fleets.entries()) {
    yield* begin(subscription(world, buyer, index))
    yield* begin(contract(world, buyer, index))
  }
  yield* begin(visits(world))
}

/** From the first of a month on; the bills bear that day, working day or not. */
function* subscription(world: World, buyer: Buyer, index: number): Flow {
  const begins = addMonths(monthStart(world.first), 1 + index)
  yield* untilDay(begins)
  const { id } = yield* create('accounts', 'Subscription', {
    party_type: 'Customer',
    party: buyer.id,
    company: world.name,
    plans: [{ plan: PLAN, qty: 4 + index * 2 }],
    sales_tax_template: 'VAT 20 %',
  })
  for (let month = 0; ; month += 1) {
    yield* untilDay(addMonths(begins, month))
    const invoice = yield* draftOf('accounts', 'Subscription', id, 'process')
    world.vat.collected += invoice.base_total_taxes_and_charges
    const number = SUBSCRIBED + index * 100 + month
    const dice = world.dice.fork(`care ${number}`)
    yield* begin(collect(world, buyer, { invoice, number, dice }))
  }
}

function* contract(world: World, buyer: Buyer, index: number): Flow {
  yield* until(addDays(world.first, 10 + index * 30))
  const { id } = yield* make('sales', 'Contract', {
    party_type: 'Customer',
    party_name: buyer.id,
    start_date: world.today(),
    end_date: addDays(world.today(), 730),
    contract_terms:
      'All bicycles of the fleet are inspected once a year and mended within two working days.',
  })
  // The last one is still with the lawyers.
  if (index === 2) return
  yield* until(addDays(world.today(), 4))
  yield* act('sales', 'Contract', id, 'sign', { signee: buyer.name })
}

/** Test rides that were asked for on the web site: some were, some will be, one nobody has looked at. */
function* visits(world: World): Flow {
  const riders = world.buyers.filter(({ kindName }) => kindName === 'private')
  for (const [index, { id, name }] of riders.entries()) {
    yield* until(addDays(world.last, -18 + index * 4))
    const appointment = yield* create('sales', 'Appointment', {
      customer_name: name,
      customer_email: `ride${index}@visitors.example`,
      appointment_with: 'Customer',
      party: id,
      scheduled_time: `${addDays(world.today(), 6)}T13:00:00.000Z`,
      ends_at: `${addDays(world.today(), 6)}T14:00:00.000Z`,
      customer_details: 'Test ride',
    })
    if (index === riders.length - 1) return
    yield* act('sales', 'Appointment', appointment.id, 'confirm')
  }
}
