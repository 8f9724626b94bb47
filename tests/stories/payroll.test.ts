import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('a month of pay', ({ test, fresh }) => {
  let story: Story
  let grace: string
  let otto: string
  let run: Shown
  let entry: string

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Holiday List', {
      holiday_list_name: 'Weekends',
      from_date: '2026-01-01',
      to_date: '2026-12-31',
      weekly_off: 'Sunday',
    })
    await story.act('Holiday List', 'Weekends', 'add_weekly_offs')
    await story.update('Holiday List', 'Weekends', { weekly_off: 'Saturday' })
    await story.act('Holiday List', 'Weekends', 'add_weekly_offs')
    await story.update('Company', 'Acme Inc', { default_holiday_list: 'Weekends' })
    grace = await hire('Grace', '2025-07-01')
    otto = await hire('Otto', '2026-03-16')
    await hire('Nobody', '2026-01-01')
    await story.create('Salary Component', {
      salary_component: 'Rent Allowance',
      salary_component_abbr: 'RA',
      type: 'Earning',
      amount_based_on_formula: true,
      formula: 'B * 0.25',
      accounts: [{ account: 'Salaries' }],
    })
    await story.make('Salary Structure', {
      name: 'Staff',
      company: 'Acme Inc',
      earnings: [{ salary_component: 'Basic' }, { salary_component: 'Rent Allowance' }],
      deductions: [
        {
          salary_component: 'Income Tax',
          amount_based_on_formula: true,
          formula: 'gross_pay * 0.2',
        },
      ],
    })
    await assign(grace, '2025-07-01', 4000)
    await assign(grace, '2026-01-01', 4400)
    await assign(otto, '2026-03-16', 2200)
  })
  test.after(() => story.close())

  const hire = async (first_name: string, date_of_joining: string): Promise<string> =>
    (await story.create('Employee', { first_name, date_of_joining, company: 'Acme Inc' })).id
  const assign = (employee: string, from_date: string, base: number): Promise<Shown> =>
    story.make('Salary Structure Assignment', {
      employee,
      from_date,
      base,
      salary_structure: 'Staff',
    })
  const slipOf = async (employee: string): Promise<Shown> => {
    const slips = await story.all('Salary Slip', { employee, start_date: '2026-03-01' })
    return story.get('Salary Slip', slips.at(-1)!.id)
  }
  const amounts = (rows: readonly Record<string, unknown>[]): unknown[][] =>
    rows.map(({ abbr, default_amount, amount }) => [abbr, default_amount, amount])

  test('a slip pays for the days worked, by the assignment that holds', async () => {
    story.clock.time = Date.parse('2026-03-31T12:00:00.000Z')
    await story.make('Attendance', {
      employee: grace,
      attendance_date: '2026-03-10',
      status: 'Absent',
    })
    const leave = await story.create('Leave Application', {
      employee: grace,
      leave_type: 'Leave Without Pay',
      from_date: '2026-03-16',
      to_date: '2026-03-17',
      status: 'Approved',
    })
    await story.submit('Leave Application', leave.id)
    const slip = await story.create('Salary Slip', { employee: grace })
    // March 2026 has 31 days, 5 Sundays and 4 Saturdays; 22 − 2 of unpaid leave − 1 absent
    assert.equal(
      [slip.start_date, slip.end_date, slip.total_working_days],
      ['2026-03-01', '2026-03-31', 22],
    )
    assert.equal([slip.leave_without_pay, slip.absent_days, slip.payment_days], [2, 1, 19])
    // 4,400 × 19/22; a quarter of 4,400 × 19/22; a fifth of 3,800 + 950
    assert.equal(amounts(slip.earnings), [
      ['B', 4400, 3800],
      ['RA', 1100, 950],
    ])
    assert.equal(amounts(slip.deductions), [['IT', 1100, 950]])
    assert.equal([slip.gross_pay, slip.total_deduction, slip.net_pay], [4750, 950, 3800])
    await refusedFor(
      'start_date',
      'salary slip',
      story.create('Salary Slip', { employee: grace, start_date: '2026-03-31' }),
    )
    await story.submit('Salary Slip', slip.id)
    await story.cancel('Salary Slip', slip.id)
  })

  test('a payroll finds the employees and makes their slips', async () => {
    const draft = await story.create('Payroll Entry', {})
    assert.equal([draft.start_date, draft.end_date], ['2026-03-01', '2026-03-31'])
    await refusedFor('employees', 'nobody is to be paid', story.submit('Payroll Entry', draft.id))
    const employees = [{ employee: grace }, { employee: otto }, { employee: grace }]
    await refusedFor(
      'employees[2].employee',
      'listed twice',
      story.update('Payroll Entry', draft.id, { employees }),
    )
    const found = await story.act('Payroll Entry', draft.id, 'get_employees')
    assert.equal(
      found.employees.map(({ employee, pay_frequency }: Shown) => [employee, pay_frequency]),
      [
        [grace, 'Monthly'],
        [otto, 'Monthly'],
      ],
    )
    await story.act('Payroll Entry', draft.id, 'create_salary_slips')
    await refusedAsConflict(story.act('Payroll Entry', draft.id, 'create_salary_slips'))

    const slip = await slipOf(otto)
    // 16 to 31 March are 16 days with 4 of weekends; 2,200 × 12/22 and 550 × 12/22
    assert.equal([slip.payment_days, slip.gross_pay, slip.net_pay], [12, 1500, 1200])
    const bonus = await story.update('Salary Slip', slip.id, {
      additional_components: [{ salary_component: 'Bonus', amount: 100 }],
    })
    // 1,600 less a fifth
    assert.equal([bonus.gross_pay, bonus.total_deduction, bonus.net_pay], [1600, 320, 1280])
    run = await story.get('Payroll Entry', draft.id)
    assert.equal(
      [run.salary_slips, run.total_gross_pay, run.total_deduction, run.total_net_pay, run.status],
      [2, 6350, 1270, 5080, 'Draft'],
    )
  })

  test('its submit submits and books the slips, and the pay goes out', async () => {
    const submitted = await story.submit('Payroll Entry', run.id)
    assert.equal([submitted.status, submitted.salary_slips_submitted], ['Submitted', true])
    assert.equal(await story.books(run.id), {
      Salaries: 6350,
      'Withheld Tax': -1270,
      'Payroll Payable': -5080,
    })
    const slip = await slipOf(grace)
    assert.equal(
      [slip.status, slip.gross_year_to_date, slip.year_to_date],
      ['Submitted', 4750, 3800],
    )
    assert.equal(await story.books(slip.id), {})
    assert.ok((await story.events(slip.id)).includes('submitted'))
    const owed = await story.all('GL Entry', { voucher_no: run.id, account: 'Payroll Payable' })
    assert.equal(
      owed.map(({ party, credit }) => [party, credit]).sort(),
      [
        [grace, 3800],
        [otto, 1280],
      ].sort(),
    )
    const paid = await story.act('Payroll Entry', run.id, 'make_bank_entry')
    assert.is(paid.status, 'Paid')
    entry = paid._created[0].id
    assert.equal(await story.books(entry), { 'Payroll Payable': 5080, Bank: -5080 })
    await refusedAsConflict(story.act('Payroll Entry', run.id, 'make_bank_entry'))
    const kinds = (await story.events(run.id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'submitted', 'paid'])
    assert.equal(await story.differences(), [])
  })

  test('a slip of its own books itself; pay adds up over the year', async () => {
    story.clock.time = Date.parse('2026-04-30T12:00:00.000Z')
    const slip = await story.make('Salary Slip', { employee: otto })
    // 22 working days in April 2026: 30 days, 4 Saturdays, 4 Sundays; 2,200 + 550 less a fifth
    assert.equal(
      [slip.total_working_days, slip.payment_days, slip.gross_pay, slip.net_pay],
      [22, 22, 2750, 2200],
    )
    // with 1,600 and 1,280 of March
    assert.equal([slip.gross_year_to_date, slip.year_to_date], [4350, 3480])
    assert.equal(await story.books(slip.id), {
      Salaries: 2750,
      'Withheld Tax': -550,
      'Payroll Payable': -2200,
    })
    await story.cancel('Salary Slip', slip.id)
    assert.equal(await story.books(slip.id), {})
    assert.equal(await story.differences(), [])
  })

  test('a cancelled payroll cancels its slips and what it booked', async () => {
    await refusedAsConflict(story.cancel('Payroll Entry', run.id))
    await story.cancel('Journal Entry', entry)
    assert.is((await story.get('Payroll Entry', run.id)).status, 'Submitted')
    await story.cancel('Payroll Entry', run.id)
    assert.equal(await story.books(run.id), {})
    assert.equal([(await slipOf(grace)).docstatus, (await slipOf(otto)).docstatus], [2, 2])
    assert.equal(await story.differences(), [])
  })

  test('refused: no assignment, deductions above the pay, a formula that is none', async () => {
    const idle = await hire('Idle', '2026-01-01')
    await refusedFor(
      'employee',
      'no salary structure',
      story.create('Salary Slip', { employee: idle }),
    )
    const fee = (formula: string, name: string): Promise<Shown> =>
      story.make('Salary Structure', {
        name,
        earnings: [{ salary_component: 'Basic' }],
        deductions: [{ salary_component: 'Income Tax', amount_based_on_formula: true, formula }],
      })
    await fee('gross_pay * 1.01', 'Too much')
    await fee('gros_pay * 0.1', 'Misspelt')
    const slip = async (salary_structure: string): Promise<Shown> => {
      const employee = await hire(salary_structure, '2026-01-01')
      await story.make('Salary Structure Assignment', {
        employee,
        from_date: '2026-01-01',
        base: 100,
        salary_structure,
      })
      return story.create('Salary Slip', { employee })
    }
    await refusedFor('net_pay', 'exceed', slip('Too much'))
    await refusedFor('deductions', 'Income Tax', slip('Misspelt'))
  })
})
