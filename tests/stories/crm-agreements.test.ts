import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('appointments and contracts', ({ test, fresh }) => {
  let story: Story
  test.before(async () => {
    story = await openStory(await fresh())
  })
  test.after(() => story.close())

  const today = async (day: string): Promise<void> => {
    story.clock.time = Date.parse(`${day}T12:00:00.000Z`)
    await story.tick()
  }
  /** Kinds of events beside those that every record has. */
  const happened = async (id: string): Promise<readonly string[]> =>
    (await story.events(id)).filter((kind) => !['created', 'updated'].includes(kind))

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
    const customer = await story.create('Customer', { customer_name: 'Lee Couriers' })
    await story.create('Contract Template', {
      title: 'Service',
      contract_terms: 'Two inspections a year.',
      requires_fulfilment: true,
      fulfilment_terms: [{ requirement: 'First inspection' }, { requirement: 'Second inspection' }],
    })
    const party = { party_type: 'Customer', party_name: customer.id }
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
      ['2026-03-09T12:00:00.000Z', 'Two inspections a year.'],
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
