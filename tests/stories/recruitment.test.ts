import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('from the vacancy to the first day', ({ test, fresh }) => {
  let story: Story
  let opening: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Designation', { designation_name: 'Carpenter' })
    await story.create('Interview Round', {
      round_name: 'Workshop',
      expected_average_rating: 0.6,
    })
    opening = await story.create('Job Opening', {
      job_title: 'Carpenter for shelves',
      designation: 'Carpenter',
      vacancies: 1,
      closes_on: '2026-03-31',
    })
  })
  test.after(() => story.close())

  const applies = (applicant_name: string): Promise<Shown> =>
    story.create('Job Applicant', {
      applicant_name,
      email_id: `${applicant_name.toLowerCase()}@example.com`,
      job_title: opening.id,
    })
  const meets = ({ id }: Shown, ...ratings: number[]): Promise<Shown> =>
    story.create('Interview', {
      job_applicant: id,
      interview_round: 'Workshop',
      scheduled_on: '2026-03-10',
      from_time: '09:00:00',
      to_time: '10:00:00',
      interview_details: ratings.map((rating, at) => ({
        interviewer: `boss${at}@example.com`,
        rating,
      })),
    })
  const openingNow = async (): Promise<unknown[]> => {
    const { status, applicants, hired } = await story.get('Job Opening', opening.id)
    return [status, applicants, hired]
  }

  let ada: Shown
  let bert: Shown

  test('people apply and are interviewed; those who were rated count', async () => {
    ada = await applies('Ada')
    bert = await applies('Bert')
    assert.equal([ada.status, ada.designation], ['Open', 'Carpenter'])
    assert.equal(await openingNow(), ['Open', 2, 0])
    // (1 + 0.8) / 2; the third has not said anything yet
    const good = await meets(ada, 1, 0.8, 0)
    assert.equal(
      [good.average_rating, good.expected_average_rating, good.job_opening, good.status],
      [0.9, 0.6, opening.id, 'Pending'],
    )
    await refusedFor('status', 'Cleared or Rejected', story.submit('Interview', good.id))
    await story.update('Interview', good.id, { status: 'Cleared' })
    await story.submit('Interview', good.id)
    assert.ok((await story.events(good.id)).includes('cleared'))
    const bad = await meets(bert, 0.2)
    await story.update('Interview', bad.id, { status: 'Rejected' })
    await story.submit('Interview', bad.id)
    await story.update('Job Applicant', bert.id, { status: 'Rejected' })
    assert.ok((await story.events(bert.id)).includes('rejected'))
  })

  test('an offer is accepted: the opening is filled, the applicant becomes an employee', async () => {
    const offer = await story.make('Job Offer', {
      job_applicant: ada.id,
      designation: 'Carpenter',
      offer_terms: [{ offer_term: 'Monthly pay', value: '3,000 USD' }],
    })
    assert.equal([offer.status, offer.applicant_email], ['Awaiting Response', 'ada@example.com'])
    const start = { date_of_joining: '2026-04-01' }
    await refusedAsConflict(story.act('Job Offer', offer.id, 'make_employee', start))
    const accepted = await story.act('Job Offer', offer.id, 'accept')
    assert.is(accepted.status, 'Accepted')
    assert.is((await story.get('Job Applicant', ada.id)).status, 'Accepted')
    assert.equal(await openingNow(), ['Closed', 2, 1])
    assert.ok((await story.events(opening.id)).includes('closed'))
    const employee = await story.draftOf('Job Offer', offer.id, 'make_employee', start)
    assert.equal(
      [employee.employee_name, employee.designation, employee.date_of_joining, employee.company],
      ['Ada', 'Carpenter', '2026-04-01', 'Acme Inc'],
    )
    assert.is((await story.get('Job Offer', offer.id)).employee, employee.id)
    await refusedAsConflict(story.act('Job Offer', offer.id, 'make_employee', start))
    const kinds = (await story.events(offer.id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'submitted', 'accepted', 'hired'])
  })

  test('an opening closes by hand, and when its last day has passed', async () => {
    const { id } = await story.create('Job Opening', {
      job_title: 'Painter',
      designation: 'Carpenter',
      closes_on: '2026-03-31',
    })
    assert.is((await story.act('Job Opening', id, 'close')).status, 'Closed')
    assert.is((await story.act('Job Opening', id, 'reopen')).status, 'Open')
    story.clock.time = Date.parse('2026-04-01T06:00:00.000Z')
    await story.tick()
    assert.is((await story.get('Job Opening', id)).status, 'Closed')
    assert.equal(await story.differences(), [])
  })

  test('an employee leaves, with a last day, and reports to nobody who reports to them', async () => {
    const boss = (await story.create('Employee', { first_name: 'Boss' })).id
    const { id } = await story.create('Employee', { first_name: 'Carl', reports_to: boss })
    await refusedFor('reports_to', 'leads back', story.update('Employee', boss, { reports_to: id }))
    await refusedFor('relieving_date', '', story.update('Employee', id, { status: 'Left' }))
    const gone = { status: 'Left', relieving_date: '2026-03-31' }
    assert.is((await story.update('Employee', id, gone)).status, 'Left')
    assert.ok((await story.events(id)).includes('left'))
  })
})
