import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('shifts, check-ins and attendance', ({ test, fresh }) => {
  let story: Story
  let grace: string
  let otto: string

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Shift Type', {
      name: 'Day',
      start_time: '08:00:00',
      end_time: '16:00:00',
      enable_auto_attendance: true,
      process_attendance_after: '2026-03-01',
      working_hours_threshold_for_half_day: 6,
      working_hours_threshold_for_absent: 2,
      late_entry_grace_period: 10,
      early_exit_grace_period: 15,
    })
    await story.create('Shift Type', {
      name: 'Night',
      start_time: '22:00:00',
      end_time: '06:00:00',
      enable_auto_attendance: true,
    })
    const hire = async (first_name: string): Promise<string> =>
      (await story.create('Employee', { first_name, default_shift: 'Day' })).id
    grace = await hire('Grace')
    otto = await hire('Otto')
  })
  test.after(() => story.close())

  const check = (employee: string, log_type: string, time: string): Promise<Shown> =>
    story.create('Employee Checkin', { employee, log_type, time: `${time}Z` })
  const dayOf = async (employee: string, attendance_date: string): Promise<Shown | undefined> =>
    (await story.all('Attendance', { employee, attendance_date })).at(-1)
  const told = ({ status, working_hours, late_entry, early_exit }: Shown): unknown[] => [
    status,
    working_hours,
    late_entry,
    early_exit,
  ]

  test('a shift is assigned for some time, to one shift at a time', async () => {
    const night = { employee: otto, shift_type: 'Night', start_date: '2026-03-05' }
    const { id } = await story.make('Shift Assignment', { ...night, end_date: '2026-03-08' })
    await refusedFor(
      'start_date',
      'another shift',
      story.create('Shift Assignment', { ...night, start_date: '2026-03-08' }),
    )
    const next = await story.make('Shift Assignment', { ...night, start_date: '2026-03-20' })
    assert.is(next.status, 'Active')
    await story.cancel('Shift Assignment', next.id)
    assert.is((await story.get('Shift Assignment', id)).status, 'Inactive')
    const early = await check(otto, 'IN', '2026-03-05T21:55:00')
    const late = await check(otto, 'OUT', '2026-03-06T06:05:00')
    assert.equal([early.shift, early.shift_day], ['Night', '2026-03-05'])
    assert.equal([late.shift, late.shift_day], ['Night', '2026-03-05'])
    const after = await check(otto, 'IN', '2026-03-09T08:00:00')
    assert.equal([after.shift, after.shift_day], ['Day', '2026-03-09'])
    await refusedAsConflict(check(otto, 'IN', '2026-03-09T08:00:00'))
  })

  test('the day after, check-ins become attendance by the rules of the shift', async () => {
    // On time and in full: 7:58 to 16:02 with a break that does not count
    await check(grace, 'IN', '2026-03-02T07:58:00')
    await check(grace, 'OUT', '2026-03-02T12:00:00')
    await check(grace, 'IN', '2026-03-02T12:30:00')
    await check(grace, 'OUT', '2026-03-02T16:02:00')
    // 11 minutes late, and gone 16 minutes early
    await check(grace, 'IN', '2026-03-03T08:11:00')
    await check(grace, 'OUT', '2026-03-03T15:44:00')
    // Five hours and a half, then one hour and a half, then nobody left
    await check(grace, 'IN', '2026-03-04T08:10:00')
    await check(grace, 'OUT', '2026-03-04T13:40:00')
    await check(grace, 'IN', '2026-03-05T08:00:00')
    await check(grace, 'OUT', '2026-03-05T09:30:00')
    await check(grace, 'IN', '2026-03-06T08:00:00')
    // Before attendance is made of check-ins, and today
    await check(grace, 'IN', '2026-02-27T08:00:00')
    const today = await check(grace, 'IN', '2026-03-09T08:00:00')
    await story.tick()

    const days = ['02', '03', '04', '05', '06'].map((day) => dayOf(grace, `2026-03-${day}`))
    assert.equal(
      (await Promise.all(days)).map((day) => told(day!)),
      [
        ['Present', 8.07, false, false],
        ['Present', 7.55, true, true],
        ['Half Day', 5.5, false, true],
        ['Absent', 1.5, false, true],
        ['Absent', 0, false, false],
      ],
    )
    assert.is(await dayOf(grace, '2026-02-27'), undefined)
    assert.is(await dayOf(grace, '2026-03-09'), undefined)
    assert.is((await story.get('Employee Checkin', today.id)).attendance, null)
    const full = (await dayOf(grace, '2026-03-02'))!
    const logs = await story.all('Employee Checkin', { attendance: full.id })
    assert.equal(
      [logs.length, full.in_time, full.out_time],
      [4, '2026-03-02T07:58:00.000Z', '2026-03-02T16:02:00.000Z'],
    )
    const late = (await dayOf(grace, '2026-03-03'))!
    assert.ok((await story.events(late.id)).includes('late'))
    // 21:55 to 6:05, over midnight
    assert.equal(told((await dayOf(otto, '2026-03-05'))!).slice(0, 2), ['Present', 8.17])

    const count = (await story.all('Attendance')).length
    await story.tick()
    assert.is((await story.all('Attendance')).length, count)
    assert.equal(await story.differences(), [])
  })

  test('a shift goes by the clocks of its place, else of the company', async () => {
    story.clock.time = Date.parse('2026-03-31T12:00:00.000Z')
    await story.update('Company', 'Acme Inc', { time_zone: 'America/Los_Angeles' })
    const far = (
      await story.create('Employee', {
        first_name: 'Lou',
        company: 'Acme Inc',
        default_shift: 'Day',
      })
    ).id
    // Since 8 March 8:00 there is 15:00 UTC and midnight is 7:00 UTC: 8:11 to 16:30 on Monday, 30 March.
    const came = await check(far, 'IN', '2026-03-30T15:11:00')
    const left = await check(far, 'OUT', '2026-03-30T23:30:00')
    assert.equal([came.shift_day, left.shift_day], ['2026-03-30', '2026-03-30'])
    story.clock.time = Date.parse('2026-03-31T06:59:00.000Z')
    await story.tick()
    assert.is(await dayOf(far, '2026-03-30'), undefined)
    story.clock.time = Date.parse('2026-03-31T07:00:00.000Z')
    await story.tick()
    assert.equal(told((await dayOf(far, '2026-03-30'))!), ['Present', 8.32, true, false])

    // 22:00 to 6:00 in Tokyo is 13:00 to 21:00 UTC. What is nearer to 22:00 than to 6:00 is of the next shift.
    await story.create('Shift Type', {
      name: 'Tokyo Night',
      start_time: '22:00:00',
      end_time: '06:00:00',
      time_zone: 'Asia/Tokyo',
      enable_auto_attendance: true,
    })
    await story.update('Employee', far, { default_shift: 'Tokyo Night' })
    const night = await check(far, 'IN', '2026-04-01T13:20:00')
    const over = await check(far, 'OUT', '2026-04-01T20:00:00')
    const early = await check(far, 'IN', '2026-04-02T05:30:00')
    assert.equal(
      [night.shift_day, over.shift_day, early.shift_day],
      ['2026-04-01', '2026-04-01', '2026-04-02'],
    )
    // Half way from 6:00 to 22:00 is 14:00, which is 5:00 UTC.
    story.clock.time = Date.parse('2026-04-02T04:59:00.000Z')
    await story.tick()
    assert.is(await dayOf(far, '2026-04-01'), undefined)
    story.clock.time = Date.parse('2026-04-02T05:00:00.000Z')
    await story.tick()
    assert.equal(told((await dayOf(far, '2026-04-01'))!), ['Present', 6.67, true, true])
    assert.equal(await story.differences(), [])
    story.clock.time = Date.parse('2026-03-09T12:00:00.000Z')
  })

  test('a cancelled day lets go of its check-ins, and is made again', async () => {
    const absent = (await dayOf(grace, '2026-03-05'))!
    await story.cancel('Attendance', absent.id)
    assert.is((await story.all('Employee Checkin', { attendance: absent.id })).length, 0)
    await check(grace, 'OUT', '2026-03-05T15:50:00')
    await story.tick()
    assert.equal(told((await dayOf(grace, '2026-03-05'))!), ['Present', 7.83, false, false])
  })

  test('an employee has one attendance a day, not in the future, and while employed', async () => {
    const mark = (attendance_date: string, more: object = {}): Promise<Shown> =>
      story.create('Attendance', { employee: grace, attendance_date, ...more })
    await refusedAsConflict(mark('2026-03-02'))
    await refusedFor('attendance_date', 'future', mark('2026-03-11'))
    await story.update('Employee', grace, { date_of_joining: '2026-02-01' })
    await refusedFor(
      'attendance_date',
      'first day of the employee is 2026-02-01',
      mark('2026-01-30'),
    )
    const home = await mark('2026-03-07', { status: 'Work From Home' })
    assert.equal([home.status, home.unpaid_days], ['Work From Home', 0])
    const half = await mark('2026-03-08', { status: 'Half Day' })
    assert.is(half.unpaid_days, 0.5)
  })
})
