import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from '../stories/story.ts'
import { type Asked, reportsOf, rowsOf } from './report-of.ts'

forEachDatabase('reports of people', ({ test, fresh }) => {
  let story: Story
  let report: Asked
  let ann: string
  let otto: string

  test.before(async () => {
    story = await openStory(await fresh())
    report = reportsOf(story)
    const { id: department } = await story.create('Department', {
      department_name: 'Workshop',
      company: 'Acme Inc',
    })
    const hire = async (first_name: string, more: object = {}): Promise<string> => {
      const person = { first_name, date_of_joining: '2025-01-01', company: 'Acme Inc' }
      return (await story.create('Employee', { ...person, ...more })).id
    }
    ann = await hire('Ann')
    otto = await hire('Otto', { department })
  })
  test.after(() => story.close())

  const day = async (date: string): Promise<void> => {
    story.clock.time = Date.parse(`${date}T12:00:00.000Z`)
    await story.tick()
  }
  const take = (
    employee: string,
    leave_type: string,
    from_date: string,
    to_date: string,
    more: object = {},
  ): Promise<Shown> => {
    const leave = { employee, leave_type, from_date, to_date, status: 'Approved' }
    return story.make('Leave Application', { ...leave, ...more })
  }

  test('leave is given, taken and lost on the days from which it counts', async () => {
    await story.create('Leave Type', {
      leave_type_name: 'Rest',
      is_carry_forward: true,
      expire_carry_forwarded_leaves_after_days: 31,
    })
    await story.create('Leave Type', { leave_type_name: 'Earned', is_earned_leave: true })
    const allocate = (leave_type: string, from_date: string, to_date: string, more: object = {}) =>
      story.make('Leave Allocation', { employee: ann, leave_type, from_date, to_date, ...more })
    const given = { new_leaves_allocated: 10 }
    await allocate('Rest', '2026-03-01', '2026-04-30', given)
    await allocate('Earned', '2026-03-01', '2026-12-31', { yearly_leaves: 24 })
    await take(ann, 'Rest', '2026-03-10', '2026-03-12')
    // What is cancelled is neither given nor taken.
    const again = await take(ann, 'Rest', '2026-03-16', '2026-03-17')
    await story.cancel('Leave Application', again.id)
    const other = { employee: otto, ...given }
    await allocate('Rest', '2026-03-01', '2026-12-31', other)
    // 7 are taken over until the end of May, and 2 of them are used by then.
    await allocate('Rest', '2026-05-01', '2026-12-31', { ...given, carry_forward: true })
    await take(ann, 'Rest', '2026-05-05', '2026-05-06')
    // Half of the 29th, 30 and 31 May, 1 and 2 June.
    await take(otto, 'Rest', '2026-05-29', '2026-06-02', { half_day: true })
    // Two days of the earned leave on the first of each month, those of April and May as well, whenever that is.
    await day('2026-05-20')
    await day('2026-06-03')

    const columns = ['employee_name', 'leave_type', 'opening', 'allocated', 'taken', 'expired']
    columns.push('closing')
    const between = (from_date: string, to_date: string, more: object = {}) =>
      report('employee-leave-balance', { from_date, to_date, ...more })
    const may = await between('2026-05-01', '2026-05-31')
    assert.equal(rowsOf(may, columns), [
      ['Ann', 'Earned', 4, 2, 0, 0, 6],
      // 10 − 3 = 7; what is taken over is there already
      ['Ann', 'Rest', 7, 10, 2, 0, 15],
      ['Otto', 'Rest', 10, 0, 2.5, 0, 7.5],
    ])
    assert.equal(may.totals, { opening: 21, allocated: 12, taken: 4.5, expired: 0, closing: 28.5 })
    // 7 − 2 = 5 of the days taken over expire on 1 June; and 2 more are earned.
    assert.equal(rowsOf(await between('2026-06-01', '2026-06-30', { employee: ann }), columns), [
      ['Ann', 'Earned', 6, 2, 0, 0, 8],
      ['Ann', 'Rest', 15, 0, 0, 5, 10],
    ])
    const june = await between('2026-06-01', '2026-06-30', { employee: otto })
    assert.equal(rowsOf(june, columns), [['Otto', 'Rest', 7.5, 0, 2, 0, 5.5]])
    const rest = { leave_type: 'Rest' }
    const whole = await between('2026-01-01', '2026-12-31', { ...rest, employee: ann })
    assert.equal(rowsOf(whole, columns), [['Ann', 'Rest', 0, 20, 5, 5, 10]])
    await day('2027-01-02')
    assert.equal(
      rowsOf(await between('2026-01-01', '2026-12-31', { ...rest, employee: ann }), columns),
      rowsOf(whole, columns),
      'leave of the last day has not expired on it',
    )
    const next = await between('2027-01-01', '2027-01-31', { ...rest, employee: ann })
    assert.equal(rowsOf(next, columns), [['Ann', 'Rest', 10, 0, 0, 10, 0]])
    const workshop = { department: (await story.get('Employee', otto)).department }
    const some = await between('2026-05-01', '2026-05-31', workshop)
    assert.equal(rowsOf(some, ['employee_name']), [['Otto']])
    assert.is((await between('2025-01-01', '2025-12-31')).total, 0)
    assert.equal(await story.differences(), [])
  })

  test('the attendance sheet has a code for each day', async () => {
    story.clock.time = Date.parse('2026-03-31T12:00:00.000Z')
    const attend = (employee: string, attendance_date: string, status: string, more: object = {}) =>
      story.make('Attendance', { employee, attendance_date, status, ...more })
    await attend(otto, '2026-03-09', 'Present', { late_entry: true })
    await attend(otto, '2026-03-10', 'Absent')
    await attend(otto, '2026-03-11', 'Half Day')
    await attend(otto, '2026-03-12', 'Half Day', { leave_type: 'Rest' })
    await attend(otto, '2026-03-13', 'Work From Home')
    const wrong = await attend(otto, '2026-03-16', 'Present')
    await story.cancel('Attendance', wrong.id)
    const span = { from_date: '2026-03-09', to_date: '2026-03-16' }
    const found = await report('monthly-attendance-sheet', span)
    const days = [9, 10, 11, 12, 13, 14, 16].map((d) => `day_2026_03_${String(d).padStart(2, '0')}`)
    const columns = ['employee_name', ...days, 'present', 'absent', 'on_leave', 'late']
    assert.equal(rowsOf(found, columns), [
      // on leave from 10 to 12 March
      ['Ann', null, 'L', 'L', 'L', null, null, null, 0, 0, 3, 0],
      // half of the 11th is an absence, half of the 12th leave
      ['Otto', 'P', 'A', 'H', 'H', 'W', null, null, 3, 1.5, 0.5, 1],
    ])
    assert.equal(found.totals?.present, 3)
    const { department } = await story.get('Employee', otto)
    const ids = rowsOf(await report('monthly-attendance-sheet', { ...span, department }), [
      'employee',
    ])
    assert.equal(ids, [[otto]])
    assert.is((await report('monthly-attendance-sheet', { ...span, employee: ann })).total, 1)
  })

  test('pay is registered by slip, and by what it is made of', async () => {
    await story.make('Salary Structure', {
      name: 'Staff',
      company: 'Acme Inc',
      earnings: [{ salary_component: 'Basic' }],
      deductions: [
        {
          salary_component: 'Income Tax',
          amount_based_on_formula: true,
          formula: 'gross_pay * 0.2',
        },
      ],
    })
    for (const [employee, base] of [
      [ann, 3000],
      [otto, 2000],
    ] as const)
      await story.make('Salary Structure Assignment', {
        employee,
        base,
        from_date: '2026-01-01',
        salary_structure: 'Staff',
      })
    const slip = (employee: string, month: string, more: object = {}): Promise<Shown> =>
      story.make('Salary Slip', {
        employee,
        start_date: `2026-${month}-01`,
        posting_date: `2026-${month}-28`,
        ...more,
      })
    await slip(ann, '01')
    const bonus = { additional_components: [{ salary_component: 'Bonus', amount: 500 }] }
    await slip(ann, '02', bonus)
    await slip(otto, '02')
    const wrong = await slip(otto, '01')
    await story.cancel('Salary Slip', wrong.id)

    const columns = ['employee_name', 'start_date', 'gross_pay', 'total_deduction', 'net_pay']
    const found = await report('salary-register', {
      from_date: '2026-01-01',
      to_date: '2026-02-28',
    })
    // a fifth of the gross is tax: 600; 3,500 → 700; 400
    assert.equal(rowsOf(found, columns), [
      ['Ann', '2026-01-01', 3000, 600, 2400],
      ['Ann', '2026-02-01', 3500, 700, 2800],
      ['Otto', '2026-02-01', 2000, 400, 1600],
    ])
    assert.equal(found.totals, {
      gross_pay: 8500,
      total_loan_repayment: 0,
      total_deduction: 1700,
      net_pay: 6800,
    })
    const january = { from_date: '2026-01-01', to_date: '2026-01-31' }
    assert.is((await report('salary-register', january)).total, 1)
    const { department } = await story.get('Employee', otto)
    const both = { from_date: '2026-01-01', to_date: '2026-02-28' }
    assert.is((await report('salary-register', { ...both, department })).total, 1)

    const parts = await report('salary-components', both)
    const months = ['amount_2026_01', 'amount_2026_02', 'total']
    assert.equal(rowsOf(parts, ['kind', 'salary_component', ...months]), [
      ['Earning', 'Basic', 3000, 5000, 8000],
      ['Earning', 'Bonus', 0, 500, 500],
      ['Deduction', 'Income Tax', -600, -1100, -1700],
    ])
    // What is paid out is the net pay of the register.
    assert.equal(parts.totals, { amount_2026_01: 2400, amount_2026_02: 4400, total: 6800 })
    for (const filter of [{ department }, { employee: otto }]) {
      const own = await report('salary-components', { ...both, ...filter })
      assert.equal(own.totals, { amount_2026_01: 0, amount_2026_02: 1600, total: 1600 })
    }
  })
})
