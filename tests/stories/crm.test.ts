import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('a month of selling', ({ test, create }) => {
  let story: Story
  let campaign: string

  test.before(async () => {
    story = await openHttpStory(await create())
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
    assert.equal(
      [await statusOf('Opportunity', chance.id), await statusOf('Lead', id)],
      ['Quotation', 'Quotation'],
    )
    assert.equal([offer.lead, offer.grand_total], [id, 8_700])
    await story.submit('Quotation', offer.id)
    await refusedAsConflict(story.act('Quotation', offer.id, 'make_order'))

    const won = await story.act('Lead', id, 'convert', { create_opportunity: false })
    assert.equal([won.status, won.opportunity_id], ['Converted', chance.id])
    const order = await story.draftOf('Quotation', offer.id, 'make_order')
    assert.equal([order.customer, order.grand_total], [won.customer_id, 8_700])
    await story.submit('Sales Order', order.id)
    assert.is(await statusOf('Quotation', offer.id), 'Ordered')
    assert.is(await statusOf('Opportunity', chance.id), 'Quotation')
    await story.tick()
    assert.is(await statusOf('Opportunity', chance.id), 'Won')
    assert.equal(await happened(chance.id), ['stage_changed', 'won'])
    assert.equal(await happened(offer.id), ['submitted', 'ordered'])
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
    await refusedFor('status', 'still stands', lose())
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
    await story.update('Lead', id, { status: 'Lost', lost_reason: 'Price' })
    assert.equal(await happened(id), ['qualified', 'lost'])
  })

  test('counts what the campaign brought, and says when it begins and ends', async () => {
    await lead('Cid Fox')
    const counted = await story.get('Campaign', campaign)
    assert.equal(
      [counted.leads, counted.converted_leads, counted.opportunities, counted.won_amount],
      [3, 1, 2, 8_700],
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

  test('confirms an appointment, which stands in the calendar then', async () => {
    const asked = await story.create('Appointment', {
      customer_name: 'Dee Kim',
      customer_email: 'dee@kim.example',
      scheduled_time: '2026-03-24T09:00:00.000Z',
      ends_at: '2026-03-24T10:00:00.000Z',
    })
    assert.is(asked.status, 'Unverified')
    const person = await story.draftOf('Appointment', asked.id, 'make_lead')
    assert.equal([person.lead_name, person.email_id], ['Dee Kim', 'dee@kim.example'])
    const entry = await story.draftOf('Appointment', asked.id, 'confirm')
    assert.equal(
      [entry.starts_on, entry.ends_on, entry.reference_name],
      [asked.scheduled_time, asked.ends_at, person.id],
    )
    const open = await story.get('Appointment', asked.id)
    assert.equal([open.status, open.calendar_event, open.party], ['Open', entry.id, person.id])
    await refusedAsConflict(story.act('Appointment', asked.id, 'confirm'))
    await refusedFor(
      'ends_on',
      'before the start',
      story.update('Calendar Event', entry.id, { ends_on: '2026-03-24T08:00:00.000Z' }),
    )
    await story.update('Calendar Event', entry.id, {
      event_participants: [{ reference_doctype: 'Lead', reference_docname: person.id }],
      status: 'Completed',
    })
    assert.equal(await happened(entry.id), ['completed'])
    await story.act('Appointment', asked.id, 'close')
    assert.equal(await happened(asked.id), ['confirmed', 'closed'])
  })

  test('signs a contract, which is in force between its days', async () => {
    const [customer] = await story.all('Customer')
    await story.create('Contract Template', {
      title: 'Service',
      contract_terms: 'Two inspections a year.',
      requires_fulfilment: true,
      fulfilment_terms: [{ requirement: 'First inspection' }, { requirement: 'Second inspection' }],
    })
    const party = { party_type: 'Customer', party_name: customer!.id }
    await refusedFor('contract_terms', 'missing', story.create('Contract', party))
    const { id } = await story.make('Contract', {
      ...party,
      contract_template: 'Service',
      start_date: '2026-04-01',
      end_date: '2026-12-31',
      fulfilment_deadline: '2026-10-31',
    })
    const shown = async () => {
      const { status, fulfilment_status } = await story.get('Contract', id)
      return [status, fulfilment_status]
    }
    assert.equal(await shown(), ['Unsigned', 'Unfulfilled'])
    const signed = await story.act('Contract', id, 'sign', { signee: 'Ann Lee' })
    assert.equal(
      [signed.signed_on, signed.contract_terms],
      ['2026-03-21T12:00:00.000Z', 'Two inspections a year.'],
    )
    assert.equal(await shown(), ['Inactive', 'Unfulfilled'])
    await refusedAsConflict(story.act('Contract', id, 'sign', { signee: 'Ann Lee' }))
    await today('2026-04-01')
    assert.equal(await shown(), ['Active', 'Unfulfilled'])
    await story.act('Contract', id, 'fulfil', { requirement: 'First inspection' })
    assert.equal(await shown(), ['Active', 'Partially Fulfilled'])
    await today('2026-11-01')
    assert.equal(await shown(), ['Active', 'Lapsed'])
    await story.act('Contract', id, 'extend', { fulfilment_deadline: '2026-11-15' })
    assert.equal(await shown(), ['Active', 'Partially Fulfilled'])
    const done = await story.act('Contract', id, 'fulfil', { remarks: 'In the snow' })
    assert.equal(
      done.fulfilments.map((row: Shown) => [row.requirement, row.remarks]),
      [
        ['First inspection', null],
        ['Second inspection', 'In the snow'],
      ],
    )
    await refusedAsConflict(story.act('Contract', id, 'fulfil'))
    await story.act('Contract', id, 'end', { end_date: '2026-11-10' })
    await today('2026-11-11')
    assert.equal(await shown(), ['Inactive', 'Fulfilled'])
    assert.equal(await happened(id), [
      'submitted',
      'signed',
      'ended',
      'activated',
      'lapsed',
      'fulfilled',
      'ended',
    ])
    assert.is((await story.cancel('Contract', id)).status, 'Cancelled')
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})
