import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('a year of leave', ({ test, fresh }) => {
  let story: Story
  let grace: string

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Holiday List', {
      holiday_list_name: 'Days off 2026',
      from_date: '2026-01-01',
      to_date: '2026-12-31',
      weekly_off: 'Sunday',
      holidays: [{ holiday_date: '2026-04-03', description: 'Good Friday' }],
    })
    await story.act('Holiday List', 'Days off 2026', 'add_weekly_offs')
    await story.update('Holiday List', 'Days off 2026', { weekly_off: 'Saturday' })
    await story.act('Holiday List', 'Days off 2026', 'add_weekly_offs')
    await story.update('Company', 'Acme Inc', { default_holiday_list: 'Days off 2026' })
    grace = (
      await story.create('Employee', {
        first_name: 'Grace',
        last_name: 'Krill',
        company: 'Acme Inc',
        date_of_joining: '2025-07-01',
      })
    ).id
  })
  test.after(() => story.close())

  const allocate = (body: object): Promise<Shown> =>
    story.make('Leave Allocation', { employee: grace, leave_type: 'Annual Leave', ...body })
  const ask = (from_date: string, to_date: string, more: object = {}): Promise<Shown> =>
    story.create('Leave Application', {
      employee: grace,
      leave_type: 'Annual Leave',
      from_date,
      to_date,
      ...more,
    })
  async function grant({ id }: Shown): Promise<Shown> {
    await story.update('Leave Application', id, { status: 'Approved' })
    return story.submit('Leave Application', id)
  }
  const state = async ({ id }: Shown): Promise<unknown[]> => {
    const of = await story.get('Leave Allocation', id)
    return [of.total_leaves_allocated, of.leaves_taken, of.expired_leaves, of.balance]
  }

  let last: Shown
  let year: Shown

  test('a list of holidays holds the weekly days off beside the public ones', async () => {
    const list = await story.get('Holiday List', 'Days off 2026')
    // 52 Sundays and 52 Saturdays in 2026, and Good Friday
    assert.is(list.total_holidays, 105)
    await refusedFor(
      'holidays[105].holiday_date',
      'listed twice',
      story.update('Holiday List', list.id, {
        holidays: [...list.holidays, { holiday_date: '2026-04-03' }],
      }),
    )
    const again = await story.act('Holiday List', list.id, 'add_weekly_offs')
    assert.is(again.total_holidays, 105)
  })

  test('what is left of a year is taken over to the next', async () => {
    last = await allocate({
      from_date: '2025-07-01',
      to_date: '2025-12-31',
      new_leaves_allocated: 12,
    })
    year = await allocate({
      from_date: '2026-01-01',
      to_date: '2026-12-31',
      new_leaves_allocated: 20,
      carry_forward: true,
    })
    assert.equal([year.unused_leaves, year.status], [12, 'Active'])
    assert.equal(await state(last), [12, 0, 0, 0])
    assert.equal(await state(year), [32, 0, 0, 32])
    const ledger = await story.all('Leave Ledger Entry', { employee: grace })
    assert.equal(
      ledger.map(({ leave_allocation, leaves, is_carry_forward }) => [
        leave_allocation,
        leaves,
        is_carry_forward,
      ]),
      [
        [last.id, 12, false],
        [year.id, 20, false],
        [year.id, 12, true],
        [last.id, -12, true],
      ],
    )
    await refusedFor(
      'from_date',
      'already',
      allocate({ from_date: '2026-12-31', to_date: '2027-06-30' }),
    )
  })

  test('days off count without holidays, half a day counts half, and each day is on the list', async () => {
    // Thursday 2 April to Tuesday 7 April: Good Friday, Saturday and Sunday are off; half of Tuesday.
    const asked = await ask('2026-04-02', '2026-04-07', {
      half_day: true,
      half_day_date: '2026-04-07',
    })
    assert.equal(
      [asked.total_leave_days, asked.leave_balance, asked.leave_allocation, asked.status],
      [2.5, 32, year.id, 'Open'],
    )
    await refusedFor('status', 'Approved or Rejected', story.submit('Leave Application', asked.id))
    await refusedFor('from_date', 'another leave', ask('2026-04-06', '2026-04-06'))
    const granted = await grant(asked)
    assert.equal(await state(year), [32, 2.5, 0, 29.5])
    const kinds = (await story.events(granted.id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'submitted', 'approved'])
    assert.equal(await away(granted), [
      ['2026-04-02', 'On Leave', 1],
      ['2026-04-06', 'On Leave', 1],
      ['2026-04-07', 'Half Day', 1],
    ])
    const again = {
      employee: grace,
      attendance_date: '2026-04-02',
      leave_application: granted.id,
    }
    await refusedAsConflict(story.create('Attendance', again))
    await story.cancel('Leave Application', granted.id)
    assert.is((await story.get('Leave Application', granted.id)).status, 'Cancelled')
    assert.equal(await state(year), [32, 0, 0, 32])
    assert.equal(
      (await away(granted)).map(([, , docstatus]) => docstatus),
      [2, 2, 2],
    )
    assert.equal(await story.differences(), [])
  })

  const away = async ({ id }: Shown): Promise<unknown[][]> => {
    const days = await story.all('Attendance', { leave_application: id })
    const shown = await Promise.all(days.map((day) => story.get('Attendance', day.id)))
    return shown.map((day) => [day.attendance_date, day.status, day.docstatus])
  }

  test('nobody takes more than is left, unless the kind of leave is unpaid or lets them', async () => {
    // 29 June to 7 August: six weeks of five days
    await grant(await ask('2026-06-29', '2026-08-07'))
    assert.equal(await state(year), [32, 30, 0, 2])
    await refusedFor('leave_balance', 'not enough', ask('2026-09-07', '2026-09-09'))
    const one = await ask('2026-09-07', '2026-09-08')
    const two = await ask('2026-09-14', '2026-09-15')
    await grant(one)
    await refusedFor('leave_balance', 'not enough', grant(two))
    await story.update('Leave Application', two.id, { status: 'Rejected' })
    await story.submit('Leave Application', two.id)
    assert.equal(await away(two), [])

    const unpaid = await grant(
      await ask('2026-09-14', '2026-09-16', { leave_type: 'Leave Without Pay' }),
    )
    assert.equal([unpaid.is_lwp, unpaid.leave_allocation, unpaid.total_leave_days], [true, null, 3])
    assert.equal(
      (await story.all('Attendance', { leave_application: unpaid.id })).map(
        ({ unpaid_days }) => unpaid_days,
      ),
      [1, 1, 1],
    )
    await refusedFor(
      'leave_type',
      'no allocation',
      ask('2026-10-05', '2026-10-05', { leave_type: 'Sick Leave' }),
    )
    await refusedFor('leave_type', 'no allocation', ask('2026-12-31', '2027-01-01'))
    await refusedFor('days', '', ask('2026-01-01', '2028-06-30'))
    await refusedFor('from_date', 'are holidays', ask('2026-10-03', '2026-10-04'))
    await refusedFor('to_date', 'before the first', ask('2026-10-06', '2026-10-05'))
    await refusedAsConflict(story.cancel('Leave Allocation', year.id))
    assert.equal(await story.differences(), [])
  })
})
