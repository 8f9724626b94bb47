import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('loans, taxes, hours and withheld pay', ({ test, fresh }) => {
  let story: Story
  let grace: string
  let otto: string
  let ida: string
  let tim: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Salary Component', {
      salary_component: 'Tax by Slabs',
      salary_component_abbr: 'TS',
      type: 'Deduction',
      variable_based_on_taxable_salary: true,
      accounts: [{ account: 'Withheld Tax' }],
    })
    await story.create('Salary Component', {
      salary_component: 'Hours',
      salary_component_abbr: 'HO',
      type: 'Earning',
      accounts: [{ account: 'Salaries' }],
    })
    const earnings = [{ salary_component: 'Basic' }]
    await story.make('Salary Structure', { name: 'Plain', earnings })
    const deductions = [{ salary_component: 'Tax by Slabs' }]
    await story.make('Salary Structure', { name: 'Taxed', earnings, deductions })
    const hourly = { salary_slip_based_on_timesheet: true, hour_rate: 25 }
    await story.make('Salary Structure', {
      name: 'Hourly',
      earnings,
      ...hourly,
      salary_component: 'Hours',
    })
    await story.create('Income Tax Slab', {
      name: 'Rates of 2026',
      effective_from: '2026-01-01',
      standard_tax_exemption_amount: 4000,
      slabs: [
        { from_amount: 0, to_amount: 10_000, percent_deduction: 10 },
        { from_amount: 10_000, to_amount: 30_000, percent_deduction: 20 },
        { from_amount: 30_000, percent_deduction: 40 },
      ],
    })
    grace = await hire('Grace', 'Taxed', 3000, { income_tax_slab: 'Rates of 2026' })
    otto = await hire('Otto', 'Plain', 300)
    ida = await hire('Ida', 'Plain', 500)
    tim = await hire('Tim', 'Hourly', 0)
  })
  test.after(() => story.close())

  async function hire(
    first_name: string,
    salary_structure: string,
    base: number,
    more: object = {},
  ): Promise<string> {
    const person = { first_name, date_of_joining: '2025-01-01', company: 'Acme Inc' }
    const { id } = await story.create('Employee', person)
    const from = { employee: id, from_date: '2025-01-01', base, salary_structure }
    await story.make('Salary Structure Assignment', { ...from, ...more })
    return id
  }
  const lend = (employee: string, loan_amount: number, monthly_repayment_amount: number) =>
    story.make('Loan', {
      employee,
      loan_amount,
      monthly_repayment_amount,
      repayment_start_date: '2026-03-01',
    })
  const slip = (employee: string, start_date: string, end_date: string, more: object = {}) =>
    story.create('Salary Slip', {
      employee,
      start_date: `2026-${start_date}`,
      end_date: `2026-${end_date}`,
      ...more,
    })
  const pay = ({ total_deduction, total_loan_repayment, net_pay }: Shown): unknown[] => [
    total_deduction,
    total_loan_repayment,
    net_pay,
  ]
  const left = async (id: string): Promise<unknown[]> => {
    const { status, total_amount_repaid, outstanding_amount } = await story.get('Loan', id)
    return [status, total_amount_repaid, outstanding_amount]
  }

  test('tax is that of the year so far: what was taken off too little before is made up for', async () => {
    const income_tax_slab = 'Rates of 2026'
    const eve = await hire('Eve', 'Taxed', 2000, { income_tax_slab })
    const more = { employee: eve, from_date: '2026-02-01', base: 6000, salary_structure: 'Taxed' }
    await story.make('Salary Structure Assignment', { ...more, income_tax_slab })
    const first = await slip(eve, '01-01', '01-31')
    // 12 × 2,000 − 4,000: 1,000 + 2,000 are 3,000 a year
    assert.is(first.total_deduction, 250)
    await story.submit('Salary Slip', first.id)
    // 2,000 + 11 × 6,000 − 4,000 = 64,000: 1,000 + 4,000 + 13,600, of which 250 are paid, in 11 parts
    assert.is((await slip(eve, '02-01', '02-28')).total_deduction, 1668.18)
    await story.cancel('Salary Slip', first.id)
  })

  test('tax is by the year; slips pay a loan back and add up over month and year', async () => {
    const { id: loan } = await lend(grace, 1000, 400)
    assert.equal(await story.books(loan), { 'Employee Advances': 1000, Bank: -1000 })
    await refusedAsConflict(lend(grace, 10, 5))
    const first = await slip(grace, '03-01', '03-15')
    // 36,000 − 4,000: 10 % of 10,000, 20 % of 20,000, 40 % of 2,000 are 5,800 a year, 483.33 a month
    assert.equal(pay(first), [483.33, 400, 2116.67])
    const rich = await story.update('Salary Slip', first.id, {
      additional_components: [{ salary_component: 'Bonus', amount: 1200 }],
    })
    // 40 % of a bonus, all of it at once: 480 more
    assert.equal(pay(rich), [963.33, 400, 2836.67])
    await story.update('Salary Slip', first.id, { additional_components: [], deduct_loan: false })
    assert.equal(pay(await story.get('Salary Slip', first.id)), [483.33, 0, 2516.67])
    await story.update('Salary Slip', first.id, { deduct_loan: true })
    await story.submit('Salary Slip', first.id)
    assert.equal(await story.books(first.id), {
      Salaries: 3000,
      'Withheld Tax': -483.33,
      'Employee Advances': -400,
      'Payroll Payable': -2116.67,
    })
    const second = await slip(grace, '03-16', '03-31')
    await story.submit('Salary Slip', second.id)
    assert.equal(await left(loan), ['Disbursed', 800, 200])
    const third = await story.submit('Salary Slip', (await slip(grace, '04-01', '04-30')).id)
    // What is left of the loan; 2 × 2,116.67 in March, 3,000 − 483.33 − 200 in April
    assert.equal(pay(third), [483.33, 200, 2316.67])
    assert.equal(
      [second, third].map(({ month_to_date, year_to_date }) => [month_to_date, year_to_date]),
      [
        [4233.34, 4233.34],
        [2316.67, 6550.01],
      ],
    )
    assert.is(third.gross_year_to_date, 9000)
    assert.equal(await left(loan), ['Closed', 1000, 0])
    assert.ok((await story.events(loan)).includes('repaid'))
    await refusedAsConflict(story.cancel('Loan', loan))

    await story.cancel('Salary Slip', third.id)
    assert.equal(await left(loan), ['Disbursed', 800, 200])
    const tooMuch = story.act('Loan', loan, 'repay', { amount: 201 })
    await refusedFor('outstanding_amount', 'more is paid back', tooMuch)
    await story.act('Loan', loan, 'repay', { amount: 200 })
    assert.equal(await left(loan), ['Closed', 1000, 0])
    await refusedAsConflict(story.act('Loan', loan, 'repay', { amount: 1 }))
    assert.equal(await story.books(loan), { 'Employee Advances': 800, Bank: -800 })
    assert.equal(await story.differences(), [])
    for (const { id } of [second, first]) await story.cancel('Salary Slip', id)
    await story.cancel('Loan', loan)
    assert.equal(await story.books(loan, first.id, second.id, third.id), {})
    assert.equal(await story.differences(), [])
  })

  test('a loan takes no more than the pay; who cannot be paid is named, and nobody is paid then', async () => {
    const { id } = await lend(otto, 350, 340)
    const all = await slip(otto, '03-01', '03-31')
    assert.equal(pay(await story.submit('Salary Slip', all.id)), [0, 300, 0])
    assert.equal(await left(id), ['Disbursed', 300, 50])
    const bare = await hire('Bare', 'Taxed', 100)
    await refusedFor('deductions', 'names no income tax slab', slip(bare, '03-01', '03-31'))
    const employees = [{ employee: ida }, { employee: bare }]
    const run = await story.create('Payroll Entry', { employees, start_date: '2026-03-01' })
    const named = 'Salary Slip of Bare: Tax by Slabs'
    await refusedFor('deductions', named, story.submit('Payroll Entry', run.id))
    assert.equal(
      [
        (await story.get('Payroll Entry', run.id)).status,
        await story.all('Salary Slip', { payroll_entry: run.id }),
      ],
      ['Draft', []],
    )
  })

  test('withheld pay is booked and owed, and paid when it is released', async () => {
    const run = await story.make('Payroll Entry', {
      start_date: '2026-04-01',
      end_date: '2026-04-30',
      employees: [{ employee: ida }, { employee: otto, is_salary_withheld: true }],
    })
    // 300 + 500; Otto pays the last 50 of his loan.
    assert.equal(await story.books(run.id), {
      Salaries: 800,
      'Employee Advances': -50,
      'Payroll Payable': -750,
    })
    const [held] = await story.all('Salary Slip', { payroll_entry: run.id, employee: otto })
    assert.equal([held!.status, held!.net_pay, run.withheld_amount], ['Withheld', 250, 250])
    const first = await story.draftOf('Payroll Entry', run.id, 'make_bank_entry')
    assert.equal(await story.books(first.id), { 'Payroll Payable': 500, Bank: -500 })
    assert.is((await story.get('Payroll Entry', run.id)).status, 'Submitted')
    await refusedAsConflict(story.act('Payroll Entry', run.id, 'make_bank_entry'))

    assert.is((await story.act('Salary Slip', held!.id, 'release')).status, 'Submitted')
    const second = await story.draftOf('Payroll Entry', run.id, 'make_bank_entry')
    assert.equal(await story.books(second.id), { 'Payroll Payable': 250, Bank: -250 })
    assert.is((await story.get('Payroll Entry', run.id)).status, 'Paid')
    assert.is((await story.get('Salary Slip', held!.id)).paid_amount, 250)
    await refusedAsConflict(story.cancel('Payroll Entry', run.id))
    const back = await story.draftOf('Journal Entry', first.id, 'reverse')
    await story.submit('Journal Entry', back.id)
    assert.is((await story.get('Payroll Entry', run.id)).paid_amount, 250)
    const third = await story.draftOf('Payroll Entry', run.id, 'make_bank_entry')
    assert.equal(await story.books(third.id), { 'Payroll Payable': 500, Bank: -500 })
    await story.cancel('Journal Entry', second.id)
    assert.is((await story.get('Salary Slip', held!.id)).paid_amount, 0)
    assert.is((await story.get('Payroll Entry', run.id)).status, 'Submitted')
    assert.equal(await story.differences(), [])
  })

  test('is paid by the hours of timesheets, once', async () => {
    const work = async (from: string, hours: number): Promise<string> => {
      const from_time = `2026-${from}T08:00:00.000Z`
      const to_time = new Date(Date.parse(from_time) + hours * 3_600_000).toISOString()
      const time_logs = [{ from_time, to_time }]
      return (await story.make('Timesheet', { employee: tim, time_logs })).id
    }
    const [early, late, next] = [
      await work('04-10', 3),
      await work('04-20', 2),
      await work('05-04', 1),
    ]
    const draft = await slip(tim, '04-01', '04-30')
    const found = await story.act('Salary Slip', draft.id, 'get_timesheets')
    // 5 h at 25
    assert.equal([found.total_working_hours, found.hours_pay, found.net_pay], [5, 125, 125])
    await story.submit('Salary Slip', draft.id)
    assert.equal(await story.books(draft.id), { Salaries: 125, 'Payroll Payable': -125 })
    const status = async (id: string): Promise<unknown> => (await story.get('Timesheet', id)).status
    assert.equal(
      [await status(early), await status(late), await status(next)],
      ['Payslip', 'Payslip', 'Submitted'],
    )
    const twice = await slip(tim, '06-01', '06-30', { timesheets: [{ time_sheet: late }] })
    await refusedFor(
      'salary_slips',
      '2 salary slips would pay',
      story.submit('Salary Slip', twice.id),
    )
    const other = slip(ida, '06-01', '06-30', { timesheets: [{ time_sheet: late }] })
    await refusedFor('timesheets', 'not by the hour', other)
    const run = await story.make('Payroll Entry', {
      start_date: '2026-05-01',
      end_date: '2026-05-31',
      employees: [{ employee: tim }, { employee: ida }],
    })
    assert.equal([run.total_gross_pay, await status(next)], [525, 'Payslip'])
    assert.equal(await story.books(run.id), { Salaries: 525, 'Payroll Payable': -525 })
    await refusedAsConflict(story.cancel('Timesheet', next))
    await story.cancel('Payroll Entry', run.id)
    assert.is(await status(next), 'Submitted')
    assert.equal(await story.differences(), [])
  })
})
