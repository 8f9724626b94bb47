import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('how leave is granted', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openHttpStory(await fresh())
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
      'leave_policy_details[0].annual_allocation',
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
    // 244 of the 365 days are left to who joins on 2 May: 24 × 244/365 = 16.04, 10 × 244/365 = 6.68.
    const late = { first_name: 'Late', company: 'Acme Inc', date_of_joining: '2026-05-02' }
    const second = await story.make('Leave Policy Assignment', {
      employee: (await story.create('Employee', late)).id,
      leave_policy: policy,
      leave_period: period,
    })
    const part = await story.all('Leave Allocation', { leave_policy_assignment: second.id })
    assert.equal(
      part.map(({ leave_type, balance, from_date }) => [leave_type, balance, from_date]).sort(),
      [
        ['Annual Leave', 16, '2026-05-02'],
        ['Sick Leave', 7, '2026-05-02'],
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

  test('days taken over expire before the others, those that are left of them, and do not come back', async () => {
    const kind = { leave_type: 'Short Memory' }
    await story.create('Leave Type', {
      leave_type_name: 'Short Memory',
      is_carry_forward: true,
      expire_carry_forwarded_leaves_after_days: 31,
    })
    const take = (employee: string, from_date: string, to_date: string): Promise<Shown> =>
      story.make('Leave Application', { employee, ...kind, from_date, to_date, status: 'Approved' })
    const years = async (first_name: string): Promise<readonly [string, Shown]> => {
      const employee = (await story.create('Employee', { first_name })).id
      const days = { employee, ...kind, new_leaves_allocated: 10 }
      await allocate({ ...days, from_date: '2026-01-01', to_date: '2026-04-30' })
      const next = { from_date: '2026-05-01', to_date: '2026-12-31', carry_forward: true }
      return [employee, await allocate({ ...days, ...next })]
    }
    const [una, used] = await years('Una')
    const [, unused] = await years('Ned')
    assert.equal([used.unused_leaves, used.carried_until], [10, '2026-05-31'])
    // 4 days in May and 3 in June: 6 of the 10 days taken over expire, and 10 − 3 are left.
    await take(una, '2026-05-05', '2026-05-08')
    await take(una, '2026-06-02', '2026-06-04')
    story.clock.time = Date.parse('2026-05-31T12:00:00.000Z')
    await story.tick()
    assert.equal(await state(used), [20, 7, 0, 13])
    story.clock.time = Date.parse('2026-06-01T12:00:00.000Z')
    await story.tick()
    await story.tick()
    assert.equal(await state(used), [20, 7, 6, 7])
    assert.equal(await state(unused), [20, 0, 10, 10])
    story.clock.time = Date.parse('2027-01-01T12:00:00.000Z')
    await story.tick()
    assert.equal(await state(used), [20, 7, 13, 0])
    const year = { from_date: '2027-01-01', to_date: '2027-12-31', carry_forward: true }
    const again = await allocate({ employee: una, ...kind, new_leaves_allocated: 5, ...year })
    assert.equal([again.unused_leaves, again.balance], [7, 12])
    assert.equal(await story.differences(), [])
    story.clock.time = Date.parse('2026-04-01T12:00:00.000Z')
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
