import type { Dice } from '../../engine/base/dice.ts'
import { addDays, daysBetween } from '../../engine/expression/run/calendar.ts'
import { act, begin, create, draftOf, type Flow, submit, until, update } from '../play/flow.ts'
import type { DemoLead } from '../world/company.ts'
import type { Shown } from '../world/hands.ts'
import { mailOf, phoneOf, territoryOf } from '../world/parties.ts'
import { type Buyer, money, type World } from '../world/world.ts'
import { basketOf, taxOf } from './basket.ts'
import { fulfil } from './fulfilling.ts'

/** Orders that come of an offer are counted from here on, clear of those in twists.ts. */
const OFFERED = 1000

/** People who ask, spread over the story; and offers that customers of old ask for. */
export function* prospects(world: World): Flow {
  const { company, first, last } = world
  const dice = world.dice.fork('prospects')
  const days = daysBetween(last, first)
  const { id: campaign } = yield* create('sales', 'Campaign', {
    campaign_name: 'Test rides on the square',
    start_date: first,
    end_date: addDays(last, 60),
    budget: 4800,
  })
  for (const [index, lead] of company.leads.entries()) {
    const on = 2 + Math.floor((index * (days - 4)) / company.leads.length) + dice.between(0, 5)
    yield* begin(prospect(world, lead, { index, on, dice: dice.fork(index), campaign }))
  }
  const asks = Math.round(days / 16)
  for (let index = 0; index < asks; index += 1) {
    const on = 5 + Math.floor((index * days) / asks)
    yield* begin(
      inquiry(world, { index: index + company.leads.length, on, dice: dice.fork(`ask ${index}`) }),
    )
  }
}

interface Start {
  readonly index: number
  /** Days from the first one. */
  readonly on: number
  readonly dice: Dice
  readonly campaign?: string
}

function* prospect(world: World, lead: DemoLead, { index, on, dice, campaign }: Start): Flow {
  const { person, company: firm, kind } = lead
  yield* until(addDays(world.first, on))
  const amount = kind === 'private' ? 2500 : dice.between(6, 28) * 1000
  const record = yield* create('sales', 'Lead', {
    lead_name: person,
    ...(firm === undefined ? {} : { company_name: firm, job_title: 'Purchasing' }),
    ...(lead.industry === undefined ? {} : { industry: lead.industry }),
    ...(lead.currency === undefined ? {} : { currency: lead.currency }),
    type: 'Client',
    source: dice.one(world.company.lead_sources),
    ...(index % 3 === 0 ? { campaign } : {}),
    email_id: mailOf(person.split(' ')[0]!, firm ?? person),
    phone: phoneOf(person),
    city: lead.city,
    country: lead.country,
    territory: territoryOf(lead.country),
    expected_amount: amount,
    notes: kind === 'private' ? 'Saw the bicycle in the showroom' : `Asks for an offer: ${kind}`,
  })
  yield* until(addDays(world.today(), dice.between(1, 4)))
  // By turns, so that each status is there; what becomes of the rest is decided by how far the story gets.
  const turn = index % 10
  if (turn === 4) return
  if (turn === 6) {
    yield* change(record, { status: 'Do Not Contact', notes: 'Asked to be left alone' })
    return
  }
  yield* change(record, { status: 'Contacted' })
  yield* create('sales', 'Communication', {
    subject: `Call with ${person}`,
    communication_medium: 'Phone',
    sent_or_received: 'Sent',
    reference_doctype: 'Lead',
    reference_name: record.id,
    content: 'Told about the models, prices and delivery times.',
  })
  if (index % 20 === 10) return
  yield* until(addDays(world.today(), dice.between(2, 7)))
  if (turn === 8) {
    const { reason } = dice.one(world.company.lost_reasons)
    yield* change(record, { status: 'Lost', lost_reason: reason })
    return
  }
  yield* change(record, { status: turn === 2 ? 'Replied' : 'Interested' })
  if (turn === 2) return
  yield* until(addDays(world.today(), dice.between(3, 9)))
  yield* change(record, { status: 'Qualified', qualification_status: 'Qualified' })
  if (turn === 9) return
  yield* until(addDays(world.today(), dice.between(1, 4)))
  yield* converted(world, lead, record, { index, on, dice })
}

function* change(lead: Shown, body: object): Flow {
  yield* update('sales', 'Lead', lead.id, body)
}

/** A lead becomes a customer with an opportunity, and the opportunity an offer. */
function* converted(world: World, lead: DemoLead, record: Shown, { index, dice }: Start): Flow {
  const { customer_id: customer, opportunity_id: opportunity } = yield* act(
    'sales',
    'Lead',
    record.id,
    'convert',
  )
  const kind = world.company.kinds[lead.kind]!
  yield* update('sales', 'Customer', customer, {
    customer_group: kind.group,
    account_manager: world.company.accounts.sales?.email,
  })
  const name = lead.company ?? lead.person
  const buyer: Buyer = {
    id: customer,
    name,
    country: lead.country,
    currency: lead.currency,
    kind,
    kindName: lead.kind,
    buys: lead.kind === 'private' ? 0 : 1,
    late: dice.between(-5, 25),
    contact: null,
    address: null,
  }
  const isWon = yield* offer(world, buyer, opportunity, { index, dice })
  // Who bought once orders again.
  if (isWon) world.buyers.push(buyer)
}

/** A customer of old asks for an offer. */
function* inquiry(world: World, { index, on, dice }: Start): Flow {
  yield* until(addDays(world.first, on))
  const buyer = dice.weighted(world.buyers, ({ buys, kindName }) =>
    kindName === 'private' ? 0 : buys,
  )
  const { id } = yield* create('sales', 'Opportunity', {
    title: `${buyer.name}: season ${addDays(world.today(), 90).slice(0, 4)}`,
    customer: buyer.id,
    company: world.name,
  })
  yield* offer(world, buyer, id, { index, dice })
}

/** From an opportunity to the order, or not; true when the offer is taken. */
function* offer(
  world: World,
  buyer: Buyer,
  opportunity: string,
  { index, dice }: Omit<Start, 'on'>,
): Flow<boolean> {
  const items = basketOf(world, buyer, dice)
  const { total } = yield* update('sales', 'Opportunity', opportunity, {
    title: `${buyer.name}: ${buyer.kindName}`,
    // A lead's was opened for the default company, which may be another one.
    company: world.name,
    currency: buyer.currency ?? world.company.company.default_currency,
    sales_stage: 'Qualification',
    probability: 30,
    expected_closing: addDays(world.today(), 40),
    items: items.map(({ item_code: item, qty, rate }) => ({ item_code: item, qty, rate })),
  })
  yield* update('sales', 'Opportunity', opportunity, { opportunity_amount: money(total) })
  yield* until(addDays(world.today(), dice.between(2, 8)))
  if (index % 14 === 2) {
    yield* update('sales', 'Opportunity', opportunity, { status: 'Replied' })
    return false
  }
  if (index % 14 === 9) {
    yield* update('sales', 'Opportunity', opportunity, { status: 'Closed' })
    return false
  }
  const turn = index % 7
  if (turn === 3) return yield* lost(world, opportunity, dice)
  const draft = yield* draftOf('sales', 'Opportunity', opportunity, 'make_quotation')
  yield* update('sales', 'Quotation', draft.id, {
    taxes_and_charges: taxOf(buyer.country),
    terms: 'Delivery within six weeks; payable within 30 days.',
    items: (draft.items as readonly Shown[]).map(({ row_id, item_code }, at) => ({
      row_id,
      item_code,
      discount_percentage: items[at]?.discount_percentage,
    })),
  })
  yield* update('sales', 'Opportunity', opportunity, {
    sales_stage: 'Proposal',
    probability: 60,
  })
  if (turn === 6) return false
  const quotation = yield* submit('sales', 'Quotation', draft.id)
  yield* until(addDays(world.today(), dice.between(2, 10)))
  yield* update('sales', 'Opportunity', opportunity, {
    sales_stage: 'Negotiation',
    probability: 80,
  })
  yield* until(addDays(world.today(), dice.between(2, 10)))
  if (turn === 5) {
    // Nobody answers; the offer expires.
    return false
  }
  if (turn === 1) {
    const { reason } = dice.one(world.company.lost_reasons)
    yield* act('sales', 'Quotation', quotation.id, 'lose', { lost_reason: reason })
    return yield* lost(world, opportunity, dice)
  }
  const order = yield* draftOf('sales', 'Quotation', quotation.id, 'make_order')
  yield* update('sales', 'Sales Order', order.id, {
    delivery_date: addDays(world.today(), 21),
    items: (order.items as readonly Shown[]).map((row) => ({
      row_id: row.row_id,
      item_code: row.item_code,
      warehouse: items.find(({ item_code: item }) => item === row.item_code)?.warehouse ?? null,
    })),
  })
  const submitted = yield* submit('sales', 'Sales Order', order.id)
  yield* begin(fulfil(world, buyer, submitted, OFFERED + index))
  return true
}

function* lost(world: World, opportunity: string, dice: Dice): Flow<boolean> {
  const { reason, kind, competitors = null } = dice.one(world.company.lost_reasons)
  yield* act('sales', 'Opportunity', opportunity, 'lose', { lost_reason: reason, competitors })
  yield* update('sales', 'Opportunity', opportunity, { lost_reasons: [{ lost_reason: kind }] })
  return false
}
