import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

const MINUTE = 60_000

forEachDatabaseWhenDeep('an issue of a customer', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
  })
  test.after(() => story.close())

  const open = (): Promise<Shown> => story.create('Issue', { subject: 'Chair wobbles', customer })

  const move = (id: string, status: string, minutes = 0): Promise<Shown> => {
    story.clock.time += minutes * MINUTE
    return story.update('Issue', id, { status })
  }

  const times = (issue: Shown): readonly unknown[] => [
    issue.first_response_time,
    issue.resolution_time_seconds,
  ]

  test('is answered, resolved and reopened, and its times are kept', async () => {
    const { id, status, priority } = await open()
    assert.equal([status, priority], ['Open', 'Medium'])
    // On hold is no answer.
    assert.equal(times(await move(id, 'On Hold', 5)), [null, null])
    const replied = await move(id, 'Replied', 10)
    assert.equal(times(replied), [15 * 60, null])
    assert.is(replied.first_responded_on, new Date(story.clock.time).toISOString())
    await move(id, 'Open', 5)
    assert.equal(times(await move(id, 'Replied', 5)), [15 * 60, null])

    const resolved = await move(id, 'Resolved', 35)
    assert.equal(times(resolved), [15 * 60, 60 * 60])
    // Without the 15 minutes from On Hold to Open and the 35 since the last reply.
    assert.equal([resolved.resolution_time, resolved.user_resolution_time], [60 * 60, 10 * 60])
    assert.equal([resolved.opening_date, resolved.opening_time], ['2026-03-09', '12:00:00'])
    assert.is(resolved.sla_resolution_date, new Date(story.clock.time).toISOString())
    // Resolved, then closed: it was resolved once.
    assert.equal(times(await move(id, 'Closed', 60)), [15 * 60, 60 * 60])

    const reopened = await move(id, 'Open', 60)
    assert.equal([...times(reopened), reopened.sla_resolution_date], [15 * 60, null, null])
    assert.is(reopened.reopened_at, new Date(story.clock.time).toISOString())
    assert.equal(times(await move(id, 'Closed', 60)), [15 * 60, 4 * 60 * 60])
    const kinds = (await story.events(id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, [
      'created',
      'responded',
      'resolved',
      'closed',
      'reopened',
      'resolved',
      'closed',
    ])
  })

  test('an issue that is resolved at once was answered then', async () => {
    const { id } = await open()
    assert.equal(times(await move(id, 'Resolved', 20)), [20 * 60, 20 * 60])
  })

  test('moves along its states alone', async () => {
    const { id } = await open()
    await move(id, 'Resolved')
    await refusedFor('status', 'cannot go from Resolved to Replied', move(id, 'Replied'))
    await refusedFor('status', 'cannot go from Resolved to On Hold', move(id, 'On Hold'))
    await move(id, 'Closed')
    await refusedFor('status', 'cannot go from Closed to Resolved', move(id, 'Resolved'))
  })

  test('is made of a message of the contact form', async () => {
    const message = await story.create('Contact Message', {
      full_name: 'Kim Lee',
      email: 'kim@example.com',
      message: 'Do you repair chairs?',
    })
    const issue = await story.draftOf('Contact Message', message.id, 'make_issue')
    assert.equal(
      [issue.subject, issue.raised_by, issue.description],
      ['Message of Kim Lee', 'kim@example.com', 'Do you repair chairs?'],
    )
    const after = await story.get('Contact Message', message.id)
    assert.equal([after.issue, after.status], [issue.id, 'Replied'])
    await refusedAsConflict(story.act('Contact Message', message.id, 'make_issue'))
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
