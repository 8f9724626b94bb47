import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('how leave is granted', ({ test, create }) => {
  let story: Story

  test.before(async () => {
    story = await openHttpStory(await create())
  })
  test.after(() => story.close())

  const allocate = (body: object): Promise<Shown> =>
    story.make('Leave Allocation', { leave_type: 'Annual Leave', ...body })
  const state = async ({ id }: Shown): Promise<unknown[]> => {
    const of = await story.get('Leave Allocation', id)
    return [of.total_leaves_allocated, of.leaves_taken, of.expired_leaves, of.balance]
  }

  test('a policy grants the leave of each kind', async () => {
    await refusedFor(
      'leave_policy_details',
      'more days than',
      story.create('Leave Policy', {
        title: 'Too much',
        leave_policy_details: [{ leave_type: 'Annual Leave', annual_allocation: 26 }],
      }),
    )
    const { id: policy } = await story.make('Leave Policy', {
      title: 'Staff',
      leave_policy_details: [
        { leave_type: 'Annual Leave', annual_allocation: 24 },
        { leave_type: 'Sick Leave', annual_allocation: 10 },
      ],
    })
    const { id: period } = await story.create('Leave Period', {
      from_date: '2026-01-01',
      to_date: '2026-12-31',
    })
    const otto = (await story.create('Employee', { first_name: 'Otto', company: 'Acme Inc' })).id
    const assigned = await story.make('Leave Policy Assignment', {
      employee: otto,
      leave_policy: policy,
      leave_period: period,
    })
    const made = await story.all('Leave Allocation', { leave_policy_assignment: assigned.id })
    assert.equal(
      made.map(({ leave_type, balance, to_date }) => [leave_type, balance, to_date]).sort(),
      [
        ['Annual Leave', 24, '2026-12-31'],
        ['Sick Leave', 10, '2026-12-31'],
      ],
    )
    await story.cancel('Leave Policy Assignment', assigned.id)
    for (const { id } of made) {
      const { docstatus, balance } = await story.get('Leave Allocation', id)
      assert.equal([docstatus, balance], [2, 0])
    }
    assert.equal(await story.differences(), [])
  })

  test('what is left expires the day after; the next allocation may still take it over', async () => {
    const ivy = (await story.create('Employee', { first_name: 'Ivy' })).id
    const old = await allocate({
      employee: ivy,
      from_date: '2026-01-01',
      to_date: '2026-03-31',
      new_leaves_allocated: 5,
    })
    await story.make('Leave Application', {
      employee: ivy,
      leave_type: 'Annual Leave',
      from_date: '2026-03-12',
      to_date: '2026-03-13',
      status: 'Approved',
    })
    story.clock.time = Date.parse('2026-03-31T12:00:00.000Z')
    await story.tick()
    assert.equal(await state(old), [5, 2, 0, 3])
    story.clock.time = Date.parse('2026-04-01T12:00:00.000Z')
    await story.tick()
    assert.equal(await state(old), [5, 2, 3, 0])
    assert.is((await story.get('Leave Allocation', old.id)).status, 'Expired')
    assert.ok((await story.events(old.id)).includes('expired'))
    const next = await allocate({
      employee: ivy,
      from_date: '2026-04-01',
      to_date: '2026-12-31',
      new_leaves_allocated: 10,
      carry_forward: true,
    })
    assert.equal([next.unused_leaves, await state(next)], [3, [13, 0, 0, 13]])
    assert.equal(await state(old), [5, 2, 3, 0])
    assert.equal(await story.differences(), [])
  })

  test('is granted once, however many grant it at the same time', async () => {
    const employee = (await story.create('Employee', { first_name: 'Ida', company: 'Acme Inc' })).id
    const drafts = await Promise.all(
      [1, 2, 3, 4].map((day) =>
        story.create('Leave Allocation', {
          employee,
          leave_type: 'Annual Leave',
          from_date: `2026-01-0${day}`,
          to_date: '2026-12-31',
          new_leaves_allocated: 10,
        }),
      ),
    )
    const outcomes = await Promise.allSettled(
      drafts.map(({ id }) => story.submit('Leave Allocation', id)),
    )
    assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('what is earned comes month by month, those missed as well', async () => {
    await story.create('Leave Type', { leave_type_name: 'Earned Leave', is_earned_leave: true })
    const ken = (await story.create('Employee', { first_name: 'Ken' })).id
    const earned = await allocate({
      employee: ken,
      leave_type: 'Earned Leave',
      from_date: '2026-04-01',
      to_date: '2026-06-30',
      yearly_leaves: 25,
    })
    assert.equal(await state(earned), [0, 0, 0, 0])
    await story.tick()
    // 25 / 12, to two places
    assert.equal(await state(earned), [2.08, 0, 0, 2.08])
    story.clock.time = Date.parse('2026-06-15T12:00:00.000Z')
    await story.tick()
    assert.equal(await state(earned), [6.24, 0, 0, 6.24])
    story.clock.time = Date.parse('2026-08-01T12:00:00.000Z')
    await story.tick()
    assert.equal(await state(earned), [6.24, 0, 6.24, 0])
    await story.cancel('Leave Allocation', earned.id)
    assert.equal(await state(earned), [0, 0, 0, 0])
    assert.equal(await story.differences(), [])
  })
})
