import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

const HOUR = 3_600
const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

forEachDatabase('a month of issues under service level agreements', ({ test, fresh }) => {
  let story: Story
  let whale: string

  test.before(async () => {
    story = await openHttpStory(await fresh())
    whale = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    await story.create('Holiday List', {
      holiday_list_name: 'Acme 2026',
      from_date: '2026-01-01',
      to_date: '2026-12-31',
      holidays: [{ holiday_date: '2026-03-11', description: 'Founders' }],
    })
    const hours = { start_time: '09:00:00', end_time: '17:00:00' }
    await story.create('Service Level Agreement', {
      service_level: 'Standard',
      default_service_level_agreement: true,
      priorities: [{ priority: 'Medium', response_time: 24 * HOUR }],
    })
    await story.create('Service Level Agreement', {
      service_level: 'Gold',
      entity_type: 'Customer',
      entity: whale,
      holiday_list: 'Acme 2026',
      support_and_resolution: WEEK.map((workday) => ({ workday, ...hours })),
      priorities: [
        { priority: 'High', response_time: 2 * HOUR, resolution_time: 8 * HOUR },
        {
          priority: 'Medium',
          response_time: 4 * HOUR,
          resolution_time: 16 * HOUR,
          default_priority: true,
        },
      ],
    })
  })
  test.after(() => story.close())

  /** Moves the clock; 9 March 2026 is a Monday. */
  const at = (moment: string): void => {
    story.clock.time = Date.parse(`2026-${moment}:00.000Z`)
  }
  const open = (more: object = {}): Promise<Shown> =>
    story.create('Issue', { subject: 'Chair wobbles', customer: whale, ...more })
  const move = (id: string, status: string): Promise<Shown> => story.update('Issue', id, { status })
  const due = (issue: Shown): readonly unknown[] => [
    issue.response_by?.slice(5, 16),
    issue.sla_resolution_by?.slice(5, 16),
    issue.agreement_status,
  ]

  test("has the customer's own times, else the default ones", async () => {
    at('03-09T12:00')
    const own = await open()
    assert.equal([own.service_level_agreement, own.priority], ['Gold', 'Medium'])
    // 4 h: Monday till 16:00. 16 h: 5 on Monday, 8 on Tuesday, none on the holiday, 3 on Thursday.
    assert.equal(due(own), ['03-09T16:00', '03-12T12:00', 'First Response Due'])
    const other = await open({ customer: null })
    assert.equal([other.service_level_agreement, other.priority], ['Standard', 'Medium'])
    assert.equal(due(other), ['03-10T12:00', undefined, 'First Response Due'])
    // Nothing is promised for what is low.
    assert.equal(due(await open({ priority: 'Low' })), [undefined, undefined, null])
    // More urgent, sooner due: 2 h and 8 h.
    const urgent = await story.update('Issue', own.id, { priority: 'High' })
    assert.equal(due(urgent), ['03-09T14:00', '03-10T12:00', 'First Response Due'])
  })

  test('is kept by an answer and a solution in time', async () => {
    at('03-09T12:00')
    const { id } = await open()
    at('03-09T15:30')
    assert.equal(due(await move(id, 'Replied'))[2], 'Resolution Due')
    at('03-12T11:00')
    const solved = await move(id, 'Resolved')
    assert.is(solved.agreement_status, 'Fulfilled')
    // From noon on the 9th to 11:00 on the 12th are 71 hours.
    assert.is(solved.resolution_time_seconds, 71 * HOUR)
    at('03-12T13:00')
    // Open again, after what was promised: that is late within the hour.
    assert.is((await move(id, 'Open')).agreement_status, 'Resolution Due')
    await story.tick()
    assert.is((await story.get('Issue', id)).agreement_status, 'Failed')
    const kinds = (await story.events(id)).filter((kind) => kind !== 'updated')
    const expected = ['created', 'responded', 'resolved', 'reopened', 'agreement_failed']
    assert.equal(kinds, expected)
  })

  test('fails when nobody answers, once', async () => {
    at('03-16T09:00')
    const { id } = await open()
    at('03-16T13:00')
    await story.tick()
    assert.is((await story.get('Issue', id)).agreement_status, 'First Response Due')
    at('03-16T13:01')
    await story.tick()
    await story.tick()
    assert.is((await story.get('Issue', id)).agreement_status, 'Failed')
    at('03-16T15:00')
    assert.is((await move(id, 'Resolved')).agreement_status, 'Failed')
    await story.tick()
    const kinds = (await story.events(id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'agreement_failed', 'responded', 'resolved'])
  })

  test('is late at once where the answer itself was', async () => {
    at('03-16T09:00')
    const { id } = await open()
    at('03-16T13:30')
    assert.is((await move(id, 'Replied')).agreement_status, 'Failed')
    assert.not.ok((await story.events(id)).includes('agreement_failed'))
    await story.tick()
    assert.ok((await story.events(id)).includes('agreement_failed'))
  })

  test('waits while the issue is on hold, in working time', async () => {
    at('03-16T09:00')
    const { id } = await open({ priority: 'High' })
    assert.equal(due(await move(id, 'Replied'))[1], '03-16T17:00')
    at('03-16T15:00')
    await move(id, 'On Hold')
    at('03-18T10:00')
    await story.tick()
    assert.is((await story.get('Issue', id)).agreement_status, 'Resolution Due')
    // On hold for 2 h on Monday, 8 h on Tuesday, 1 h on Wednesday: 8 + 11 h from Monday 9:00.
    const resumed = await move(id, 'Open')
    assert.is(resumed.total_hold_time, 11 * HOUR)
    assert.equal(due(resumed), ['03-16T11:00', '03-18T12:00', 'Resolution Due'])
    at('03-18T10:30')
    await move(id, 'On Hold')
    at('03-18T11:00')
    const again = await move(id, 'Open')
    assert.is(again.total_hold_time, 11.5 * HOUR)
    assert.equal(due(again)[1], '03-18T12:30')
    at('03-18T12:20')
    assert.is((await move(id, 'Resolved')).agreement_status, 'Fulfilled')
  })

  test('closes an answered issue when the customer has been silent for a week', async () => {
    at('03-19T09:00')
    const { id } = await open({ customer: null })
    const replied = await move(id, 'Replied')
    assert.is(replied.close_on, '2026-03-26')
    at('03-20T09:00')
    // A note is no answer of the customer.
    await story.update('Issue', id, { resolution_details: 'Tighten the screws' })
    at('03-25T09:00')
    await story.tick()
    assert.is((await story.get('Issue', id)).status, 'Replied')
    at('03-26T00:10')
    await story.tick()
    const closed = await story.get('Issue', id)
    assert.equal([closed.status, closed.close_on], ['Closed', null])
    const asked = await open({ customer: null })
    await move(asked.id, 'Replied')
    assert.is((await move(asked.id, 'Open')).close_on, null)
  })

  test('is refused where it contradicts itself', async () => {
    const row = { priority: 'High', response_time: 2 * HOUR }
    const agree = (body: object): Promise<unknown> =>
      story.create('Service Level Agreement', { service_level: 'X', priorities: [row], ...body })
    await refusedFor('priorities[1].priority', 'listed twice', agree({ priorities: [row, row] }))
    const early = { ...row, resolution_time: HOUR }
    await refusedFor(
      'priorities[0].resolution_time',
      'first response, 7200 seconds',
      agree({ priorities: [early] }),
    )
    await refusedFor('entity', 'is required when', agree({ entity_type: 'Customer' }))
    const day = { workday: 'Monday', start_time: '12:00:00', end_time: '09:00:00' }
    const back = agree({ support_and_resolution: [day] })
    await refusedFor(
      'support_and_resolution[0].end_time',
      'must be after the start, 12:00:00',
      back,
    )
    const second = agree({ default_service_level_agreement: true })
    await refusedAsConflict(second)
  })

  test('counts the working hours of a place by its clocks', async () => {
    const berlin = (await story.create('Customer', { customer_name: 'Spree' })).id
    await story.create('Service Level Agreement', {
      service_level: 'Berlin',
      entity_type: 'Customer',
      entity: berlin,
      time_zone: 'Europe/Berlin',
      priorities: [{ priority: 'Medium', response_time: 2 * HOUR, default_priority: true }],
      support_and_resolution: WEEK.map((workday) => ({
        workday,
        start_time: '09:00:00',
        end_time: '17:00:00',
      })),
    })
    // Friday 16:00 in Berlin; on Monday it is summer there: 10:00 is 8:00 UTC.
    at('03-27T15:00')
    assert.is((await open({ customer: berlin })).response_by, '2026-03-30T08:00:00.000Z')
    // An agreement that names no place goes by the company's clocks: New York is 4 h behind since 8 March.
    at('03-27T12:00')
    await story.update('Company', 'Acme Inc', { time_zone: 'America/New_York' })
    const there = await open()
    assert.is(there.response_by, '2026-03-27T17:00:00.000Z')
    await story.update('Company', 'Acme Inc', { time_zone: null })
    const nowhere = story.update('Company', 'Acme Inc', { time_zone: 'Middle Earth' })
    await refusedFor('time_zone', 'expected a time zone such as', nowhere)
  })

  test('a warranty claim becomes an issue, and ends with a solution', async () => {
    at('03-30T10:00')
    await story.create('Item', { item_code: 'CHAIR', item_name: 'Chair', has_serial_no: true })
    await story.create('Serial No', {
      serial_no: 'CH-1',
      item_code: 'CHAIR',
      warranty_expiry_date: '2026-03-30',
    })
    const claim = await story.create('Warranty Claim', {
      customer: whale,
      complaint: 'The back came off',
      serial_no: 'CH-1',
    })
    assert.equal([claim.item_code, claim.warranty_amc_status], ['CHAIR', 'Under Warranty'])
    const issue = await story.draftOf('Warranty Claim', claim.id, 'make_issue')
    assert.equal(
      [issue.customer, issue.description, issue.service_level_agreement],
      [whale, 'The back came off', 'Gold'],
    )
    const close = { status: 'Closed' }
    const silent = story.update('Warranty Claim', claim.id, close)
    await refusedFor('resolution_details', 'say how it was solved', silent)
    const closed = await story.update('Warranty Claim', claim.id, {
      ...close,
      resolution_details: 'New back',
    })
    assert.equal([closed.issue, closed.resolution_date], [issue.id, '2026-03-30T10:00:00.000Z'])
    const kinds = (await story.events(claim.id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'closed'])
    const late = { warranty_expiry_date: '2026-03-29' }
    const out = await story.update('Warranty Claim', claim.id, late)
    assert.is(out.warranty_amc_status, 'Out of Warranty')
    const contract = { amc_expiry_date: '2026-12-31' }
    const under = await story.update('Warranty Claim', claim.id, contract)
    assert.is(under.warranty_amc_status, 'Under AMC')
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
