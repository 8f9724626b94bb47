import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('what is asked for, planned and reviewed', ({ test, fresh }) => {
  let story: Story
  let grace: string

  test.before(async () => {
    story = await openStory(await fresh())
    grace = (
      await story.create('Employee', {
        first_name: 'Grace',
        company: 'Acme Inc',
        date_of_joining: '2025-07-01',
      })
    ).id
  })
  test.after(() => story.close())

  test('days at home count as worked, one of them by half', async () => {
    const request = await story.make('Attendance Request', {
      employee: grace,
      from_date: '2026-03-02',
      to_date: '2026-03-04',
      half_day: true,
      half_day_date: '2026-03-04',
    })
    const days = async () =>
      (await story.all('Attendance', { employee: grace })).map(({ attendance_date, status }) => [
        attendance_date,
        status,
      ])
    assert.equal(await days(), [
      ['2026-03-02', 'Work From Home'],
      ['2026-03-03', 'Work From Home'],
      ['2026-03-04', 'Half Day'],
    ])
    await story.cancel('Attendance Request', request.id)
    assert.equal(
      (await story.all('Attendance', { employee: grace })).map(({ docstatus }) => docstatus),
      [2, 2, 2],
    )
  })

  test('an approved request assigns the shift', async () => {
    await story.create('Shift Type', { name: 'Late', start_time: '14:00:00', end_time: '22:00:00' })
    const asked = await story.create('Shift Request', {
      employee: grace,
      shift_type: 'Late',
      from_date: '2026-03-16',
      to_date: '2026-03-20',
    })
    await refusedFor(
      'status',
      'must be Approved or Rejected',
      story.submit('Shift Request', asked.id),
    )
    await story.update('Shift Request', asked.id, { status: 'Approved' })
    await story.submit('Shift Request', asked.id)
    const [assigned] = await story.all('Shift Assignment', { employee: grace })
    assert.equal(
      [assigned?.shift_type, assigned?.start_date, assigned?.end_date, assigned?.docstatus],
      ['Late', '2026-03-16', '2026-03-20', 1],
    )
  })

  test('leave that is paid for leaves the balance and comes with the next pay', async () => {
    for (const [salary_component, type] of [
      ['Leave Pay', 'Earning'],
      ['Fine', 'Deduction'],
    ])
      await story.create('Salary Component', {
        salary_component,
        salary_component_abbr: String(salary_component).slice(0, 2).toUpperCase(),
        type,
        accounts: [{ account: 'Salaries' }],
      })
    await story.make('Salary Structure', {
      name: 'Staff',
      company: 'Acme Inc',
      leave_encashment_amount_per_day: 120,
      earnings: [{ salary_component: 'Basic' }],
    })
    await story.make('Salary Structure Assignment', {
      employee: grace,
      from_date: '2026-01-01',
      base: 3000,
      salary_structure: 'Staff',
    })
    const { id } = await story.make('Leave Allocation', {
      employee: grace,
      leave_type: 'Annual Leave',
      from_date: '2026-01-01',
      to_date: '2026-12-31',
      new_leaves_allocated: 20,
    })
    const paid = { employee: grace, leave_type: 'Annual Leave', day_rate: 120 }
    const body = { ...paid, salary_component: 'Leave Pay', encashment_date: '2026-03-09' }
    await refusedFor(
      'encashment_days',
      'at most what is left, 20',
      story.create('Leave Encashment', { ...body, encashment_days: 21 }),
    )
    await story.update('Leave Type', 'Annual Leave', { allow_encashment: false })
    await refusedFor(
      'leave_type',
      'Annual Leave is not paid out',
      story.create('Leave Encashment', { ...body, encashment_days: 5 }),
    )
    // What the leave type and the structure say is taken.
    await story.update('Leave Type', 'Annual Leave', {
      allow_encashment: true,
      earning_component: 'Leave Pay',
    })
    const days = { employee: grace, leave_type: 'Annual Leave', encashment_days: 5 }
    const paidOut = await story.make('Leave Encashment', days)
    assert.equal(
      [paidOut.salary_component, paidOut.day_rate, paidOut.encashment_amount],
      ['Leave Pay', 120, 600],
    )
    assert.is((await story.get('Leave Allocation', id)).balance, 15)
    await story.make('Additional Salary', {
      employee: grace,
      salary_component: 'Fine',
      amount: 25,
      is_recurring: true,
      from_date: '2026-02-01',
    })
    const draft = await story.create('Salary Slip', { employee: grace, start_date: '2026-03-01' })
    const slip = await story.act('Salary Slip', draft.id, 'get_additions')
    // 3,000 of pay and 5 × 120, less the fine of each month.
    assert.equal([slip.gross_pay, slip.total_deduction, slip.net_pay], [3600, 25, 3575])
    await story.submit('Salary Slip', draft.id)
    const next = await story.create('Salary Slip', { employee: grace, start_date: '2026-04-01' })
    const april = await story.act('Salary Slip', next.id, 'get_additions')
    assert.equal(
      april.additional_components.map(({ salary_component }: Shown) => salary_component),
      ['Fine'],
    )
  })

  test('visits to a customer are planned a week ahead and told of when they are done', async () => {
    const { id: customer } = await story.create('Customer', { customer_name: 'Mill' })
    await story.create('Item', { item_code: 'PUMP', item_name: 'Pump', is_stock_item: false })
    const schedule = await story.make('Maintenance Schedule', {
      customer,
      items: [
        { item_code: 'PUMP', start_date: '2026-03-12', periodicity: 'Monthly', no_of_visits: 2 },
        { item_code: 'PUMP', start_date: '2026-06-01', periodicity: 'Yearly', no_of_visits: 1 },
      ],
    })
    assert.equal([schedule.visits_planned, schedule.next_visit], [3, '2026-03-12'])
    await story.tick()
    const [visit, ...more] = await story.all('Maintenance Visit', { customer })
    assert.equal(
      [visit?.mntc_date, visit?.maintenance_type, more.length],
      ['2026-03-12', 'Scheduled', 0],
    )
    assert.is((await story.get('Maintenance Schedule', schedule.id)).next_visit, '2026-04-12')
    await refusedFor(
      'completion_status',
      'how far the work is done',
      story.submit('Maintenance Visit', visit!.id),
    )
    const { purposes } = await story.get('Maintenance Visit', visit!.id)
    await story.update('Maintenance Visit', visit!.id, {
      completion_status: 'Fully Completed',
      purposes: [{ row_id: purposes[0].row_id, work_done: 'oiled' }],
    })
    await story.submit('Maintenance Visit', visit!.id)
    const due = await reportsOf(story)('maintenance-schedules', { until: '2026-06-30' })
    assert.equal(rowsOf(due, ['next_visit', 'item_code', 'no_of_visits', 'visits_made']), [
      ['2026-04-12', 'PUMP', 2, 1],
      ['2026-06-01', 'PUMP', 1, 0],
    ])
    assert.is((await story.get('Maintenance Schedule', schedule.id)).visits_done, 1)
  })

  test('a goal is reviewed on its days, and what was not met has to be mended', async () => {
    await story.create('Quality Procedure', {
      quality_procedure_name: 'Packing',
      processes: [{ process_description: 'Wrap it.' }],
    })
    const { id: goal } = await story.create('Quality Goal', {
      goal: 'Nothing breaks',
      procedure: 'Packing',
      frequency: 'Monthly',
      start_date: '2026-02-09',
      objectives: [{ objective: 'Broken pieces', target: 'under 1 %' }, { objective: 'Returns' }],
    })
    await story.tick()
    // On 9 February and 9 March; the next one comes in April.
    const reviews = await story.all('Quality Review', { goal })
    assert.equal(
      reviews.map(({ date, status }) => [date, status]),
      [
        ['2026-02-09', 'Open'],
        ['2026-03-09', 'Open'],
      ],
    )
    assert.is((await story.get('Quality Goal', goal)).next_review, '2026-04-09')
    const { id, reviews: rows } = await story.get('Quality Review', reviews[0]!.id)
    const found = await story.update('Quality Review', id, {
      reviews: rows.map(({ row_id }: Shown, at: number) => ({
        row_id,
        status: at === 0 ? 'Failed' : 'Passed',
      })),
    })
    assert.is(found.status, 'Failed')
    const seen = await reportsOf(story)('quality-review-summary', { goal })
    assert.equal(rowsOf(seen, ['objective', 'last_review', 'passed', 'failed', 'open']), [
      ['Broken pieces', '2026-03-09', 0, 1, 1],
      ['Returns', '2026-03-09', 1, 0, 1],
    ])
    const action = await story.draftOf('Quality Review', id, 'make_action')
    const [{ row_id, problem }] = action.resolutions
    assert.equal([action.status, problem], ['Open', 'Broken pieces'])
    const done = { row_id, status: 'Completed', resolution: 'Thicker paper.' }
    await story.update('Quality Action', action.id, { resolutions: [done] })
    assert.is((await story.get('Quality Action', action.id)).status, 'Completed')
    const feedback = await story.create('Quality Feedback', {
      subject: 'Delivery',
      parameters: [
        { parameter: 'Speed', rating: 0.8 },
        { parameter: 'Box', rating: 0.4, feedback: 'torn' },
      ],
    })
    assert.is(feedback.average, 0.6)
    const mended = await story.draftOf('Quality Feedback', feedback.id, 'make_action')
    assert.equal(
      mended.resolutions.map((row: Shown) => row.problem),
      ['Box, torn'],
    )
    assert.is((await story.get('Quality Feedback', feedback.id)).actions_open, 1)
    await story.create('Quality Meeting', {
      agenda: [{ agenda: 'Boxes' }],
      minutes: [{ action: action.id, minute: 'Thicker paper works.' }],
    })
    assert.equal(await story.differences(), [])
  })
})
