import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('a month of selling', ({ test, fresh }) => {
  let story: Story
  let campaign: string

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Item', {
      item_code: 'BIKE',
      item_name: 'Cargo Bike',
      standard_rate: 3_000,
      is_stock_item: false,
    })
    campaign = (
      await story.create('Campaign', {
        campaign_name: 'Spring Fair',
        start_date: '2026-03-09',
        end_date: '2026-03-20',
        budget: 2_500,
      })
    ).id
  })
  test.after(() => story.close())

  const today = async (day: string): Promise<void> => {
    story.clock.time = Date.parse(`${day}T12:00:00.000Z`)
    await story.tick()
  }
  const statusOf = async (doctype: string, id: string): Promise<string> =>
    (await story.get(doctype, id)).status
  /** Kinds of events beside those that every record has. */
  const happened = async (id: string): Promise<readonly string[]> =>
    (await story.events(id)).filter((kind) => !['created', 'updated'].includes(kind))

  const lead = (lead_name: string, more: object = {}): Promise<Shown> =>
    story.create('Lead', { lead_name, campaign, currency: 'USD', ...more })

  test('brings a lead from the first mail over the offer to the order', async () => {
    const { id } = await lead('Ann Lee', { company_name: 'Lee Couriers', expected_amount: 9_000 })
    const mail = await story.create('Communication', {
      subject: 'Your bikes',
      sent_or_received: 'Received',
      sender: 'ann@lee.example',
      content: 'What would three of them cost?',
      reference_doctype: 'Lead',
      reference_name: id,
    })
    assert.equal(await happened(mail.id), ['received'])
    const answer = await story.draftOf('Communication', mail.id, 'reply', {
      content: 'About 9,000.',
    })
    assert.equal(
      [answer.subject, answer.sent_or_received, answer.recipients, answer.reference_name],
      ['Re: Your bikes', 'Sent', 'ann@lee.example', id],
    )
    assert.equal(await happened(mail.id), ['received', 'replied'])
    assert.is((await story.get('Lead', id)).last_contact, '2026-03-09T12:00:00.000Z')

    assert.is(await statusOf('Lead', id), 'Replied')
    const chance = await story.draftOf('Lead', id, 'make_opportunity')
    assert.equal(
      [chance.lead, chance.campaign, chance.opportunity_amount, chance.sales_stage, chance.status],
      [id, campaign, 9_000, 'Prospecting', 'Open'],
    )
    assert.equal([await statusOf('Lead', id), await happened(id)], ['Opportunity', ['qualified']])
    // 3 × 2,900 = 8,700; 8,700 × 60 % = 5,220
    await story.update('Opportunity', chance.id, {
      sales_stage: 'Proposal',
      probability: 60,
      opportunity_amount: 8_700,
      items: [{ item_code: 'BIKE', qty: 3, rate: 2_900 }],
    })
    const weighed = await story.get('Opportunity', chance.id)
    assert.equal([weighed.total, weighed.weighted_amount], [8_700, 5_220])
    const offer = await story.draftOf('Opportunity', chance.id, 'make_quotation')
    const both = async () => [await statusOf('Opportunity', chance.id), await statusOf('Lead', id)]
    assert.equal(await both(), ['Open', 'Opportunity'])
    assert.equal([offer.lead, offer.grand_total], [id, 8_700])
    await story.submit('Quotation', offer.id)
    assert.equal(await both(), ['Quotation', 'Quotation'])
    await story.create('Communication', {
      subject: 'Your offer',
      sent_or_received: 'Received',
      reference_doctype: 'Quotation',
      reference_name: offer.id,
    })
    assert.is(await statusOf('Quotation', offer.id), 'Replied')

    // The order makes the customer, once.
    const { _created: made } = await story.act('Quotation', offer.id, 'make_order')
    assert.equal(
      made.map(({ doctype }: Shown) => doctype),
      ['Customer', 'Sales Order'],
    )
    const order = await story.get('Sales Order', made[1].id)
    const won = await story.get('Lead', id)
    assert.equal(
      [won.status, won.customer_id, won.opportunity_id],
      ['Converted', order.customer, chance.id],
    )
    const { customer_name, customer_type, lead: from } = await story.get('Customer', order.customer)
    assert.equal([customer_name, customer_type, from], ['Lee Couriers', 'Company', id])
    assert.is(order.grand_total, 8_700)
    await story.submit('Sales Order', order.id)
    assert.is(await statusOf('Quotation', offer.id), 'Ordered')
    assert.equal(await both(), ['Won', 'Converted'])
    await story.cancel('Sales Order', order.id)
    assert.equal(await both(), ['Quotation', 'Converted'])
    const again = await story.draftOf('Quotation', offer.id, 'make_order')
    assert.is(again.customer, order.customer)
    await story.submit('Sales Order', again.id)
    assert.equal(await both(), ['Won', 'Converted'])
    assert.is((await story.get('Opportunity', chance.id)).weighted_amount, 8_700)
    assert.equal(await happened(chance.id), ['stage_changed', 'won', 'won'])
    assert.equal(await happened(id), ['qualified', 'converted'])
    assert.equal(await happened(offer.id), ['submitted', 'ordered', 'ordered'])
  })

  test('takes a status back with the quotation it came from', async () => {
    const { id } = await lead('Dan Orr')
    const { id: customer } = await story.create('Customer', { customer_name: 'Orr' })
    const chance = await story.create('Opportunity', { customer, lead: id })
    const items = [{ item_code: 'BIKE', qty: 1 }]
    const both = async () => [await statusOf('Opportunity', chance.id), await statusOf('Lead', id)]
    assert.equal(await both(), ['Open', 'Opportunity'])
    const offer = await story.make('Quotation', { lead: id, opportunity: chance.id, items })
    assert.equal(await both(), ['Quotation', 'Quotation'])
    await story.cancel('Quotation', offer.id)
    assert.equal(await both(), ['Open', 'Opportunity'])
    await refusedFor(
      'status',
      'cannot go',
      story.update('Opportunity', chance.id, { status: 'Won' }),
    )
    await story.update('Opportunity', chance.id, { status: 'Closed' })
    assert.equal(await both(), ['Closed', 'Open'])
    await story.update('Lead', id, { status: 'Do Not Contact' })
    await refusedAsConflict(story.act('Lead', id, 'convert'))
    await story.create('Customer', { customer_name: 'Dan', lead: id })
    assert.is(await statusOf('Lead', id), 'Converted')
  })

  test('loses another one, for reasons that can be counted', async () => {
    const { id } = await lead('Bob Ray', { expected_amount: 6_000 })
    const chance = await story.draftOf('Lead', id, 'make_opportunity')
    await story.update('Opportunity', chance.id, { items: [{ item_code: 'BIKE', qty: 2 }] })
    const offer = await story.draftOf('Opportunity', chance.id, 'make_quotation')
    await story.submit('Quotation', offer.id)
    await refusedFor('lost_reason', 'required', story.act('Opportunity', chance.id, 'lose'))
    await refusedFor(
      'lost_reason',
      'required',
      story.update('Opportunity', chance.id, { status: 'Lost' }),
    )
    const lose = () =>
      story.act('Opportunity', chance.id, 'lose', { lost_reason: 'Bought used ones' })
    await refusedFor('status', 'still stand, 1 of them', lose())
    await story.act('Quotation', offer.id, 'lose', { lost_reason: 'Too dear' })
    await lose()
    const lost = await story.update('Opportunity', chance.id, {
      lost_reasons: [{ lost_reason: 'Price' }, { lost_reason: 'Competitor' }],
    })
    assert.equal([lost.status, lost.lost_reasons.length], ['Lost', 2])
    await refusedFor(
      'lost_reasons[0].lost_reason',
      'existing',
      story.update('Opportunity', chance.id, { lost_reasons: [{ lost_reason: 'Weather' }] }),
    )
    assert.equal(await happened(chance.id), ['lost'])
    assert.equal(await happened(offer.id), ['submitted', 'lost'])
    assert.is(await statusOf('Lead', id), 'Lost Quotation')
    await story.update('Lead', id, { status: 'Lost', lost_reason: 'Price' })
    assert.equal(await happened(id), ['qualified', 'lost'])
  })

  test('counts what the campaign brought, and says when it begins and ends', async () => {
    const { id } = await lead('', {
      company_name: 'Fox Mail',
      address_line1: '1 Den',
      city: 'Hill',
      country: 'United States',
    })
    await refusedFor('lead_name', 'required', lead(''))
    const fox = await story.act('Lead', id, 'convert', { create_opportunity: false })
    assert.equal([fox.lead_name, fox.opportunity_id], ['Fox Mail', null])
    const [{ id: place }] = (await story.all('Address', { city: 'Hill' })) as [Shown]
    const address = await story.get('Address', place)
    const [customer] = await story.all('Customer', { customer_name: 'Fox Mail' })
    assert.equal([address.address_title, address.links[0].link_name], ['Fox Mail', customer!.id])
    assert.is((await story.all('Contact', { company_name: 'Fox Mail' })).length, 0)
    const counted = await story.get('Campaign', campaign)
    assert.equal(
      [counted.leads, counted.converted_leads, counted.opportunities, counted.won_amount],
      [4, 3, 3, 8_700],
    )
    const autumn = await story.create('Campaign', {
      campaign_name: 'Autumn',
      start_date: '2026-03-21',
    })
    assert.is(autumn.status, 'Planned')
    await refusedFor(
      'end_date',
      'before the start',
      story.update('Campaign', autumn.id, { end_date: '2026-03-20' }),
    )
    assert.is(counted.status, 'Running')
    await today('2026-03-21')
    assert.equal(
      [await statusOf('Campaign', campaign), await statusOf('Campaign', autumn.id)],
      ['Completed', 'Running'],
    )
    assert.equal(
      [await happened(campaign), await happened(autumn.id)],
      [['started', 'completed'], ['started']],
    )
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})
