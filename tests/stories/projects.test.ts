import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('a month of a project', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let employee: string
  let project: string
  let tasks: readonly Shown[]

  test.before(async () => {
    story = await openHttpStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    const person = { first_name: 'Ann', last_name: 'Lee', date_of_joining: '2025-01-01' }
    employee = (
      await story.create('Employee', { ...person, gender: 'Female', date_of_birth: '1990-01-01' })
    ).id
    await story.create('Item', {
      item_code: 'CONSULTING',
      item_name: 'Consulting',
      is_stock_item: false,
    })
    const rates = { costing_rate: 40, billing_rate: 90 }
    await story.create('Activity Type', { activity_type: 'Design', ...rates })
    const own = { employee, activity_type: 'Planning', costing_rate: 50, billing_rate: 120 }
    await story.create('Activity Cost', own)
    await refusedAsConflict(story.create('Activity Cost', own))
    await story.create('Project Template', {
      name: 'Shop Fitting',
      tasks: [
        { subject: 'Measure', start: 0, duration: 2 },
        { subject: 'Draw', start: 2, duration: 5, depends_on: 1, task_weight: 3 },
        { subject: 'Build', start: 7, duration: 10, depends_on: 2, task_weight: 6 },
      ],
    })
  })
  test.after(() => story.close())

  const at = (moment: string): void => {
    story.clock.time = Date.parse(`2026-${moment}:00.000Z`)
  }
  const shown = (): Promise<Shown> => story.get('Project', project)
  const move = (task: Shown, body: object): Promise<Shown> => story.update('Task', task.id, body)

  test('has the tasks of its template, counted from its start', async () => {
    const made = await story.create('Project', {
      project_name: 'Shop of the Whale',
      customer,
      project_template: 'Shop Fitting',
      expected_start_date: '2026-03-09',
      percent_complete_method: 'Task Weight',
    })
    project = made.id
    await story.act('Project', project, 'make_tasks')
    tasks = await story.all('Task', { project })
    assert.equal(
      tasks.map(({ subject, exp_start_date, exp_end_date }) => [
        subject,
        exp_start_date,
        exp_end_date,
      ]),
      [
        ['Measure', '2026-03-09', '2026-03-10'],
        ['Draw', '2026-03-11', '2026-03-15'],
        ['Build', '2026-03-16', '2026-03-25'],
      ],
    )
    const [measure, draw, build] = tasks
    const after = async (task: Shown): Promise<unknown> =>
      (await story.get('Task', task.id)).depends_on.map((row: Shown) => row.task)
    assert.equal(await after(draw!), [measure!.id])
    assert.equal(await after(build!), [draw!.id])
    await refusedAsConflict(story.act('Project', project, 'make_tasks'))
  })

  test('goes on task by task, in their order', async () => {
    const [measure, draw] = tasks
    const early = move(draw!, { status: 'Completed' })
    await refusedFor('status', 'tasks it depends on are not completed', early)
    await move(measure!, { status: 'Completed' })
    await move(draw!, { status: 'Working', progress: 50 })
    // Weights 1, 3, 6: 100 × 1 + 50 × 3 of 10.
    assert.is((await shown()).percent_complete, 25)
    const by = async (method: string): Promise<unknown> =>
      (await story.update('Project', project, { percent_complete_method: method })).percent_complete
    assert.is(await by('Task Progress'), 50)
    assert.is(await by('Task Completion'), 33.333333)
    assert.is(await by('Manual'), 0)
    await by('Task Weight')
  })

  test('a task that is late is marked, and pushes those after it', async () => {
    const [, draw, build] = tasks
    at('03-16T08:00')
    await story.tick()
    assert.is((await story.get('Task', draw!.id)).status, 'Overdue')
    assert.is((await shown()).overdue_task_count, 1)
    await move(draw!, { status: 'Working', exp_end_date: '2026-03-19' })
    // What comes after what comes after it: 26 to 27 March, then a day on 25 March, and one that has room.
    const after = async (subject: string, on: string, until: string, ...before: Shown[]) =>
      story.create('Task', {
        subject,
        exp_start_date: on,
        exp_end_date: until,
        depends_on: before.map(({ id }) => ({ task: id })),
      })
    const paint = await after('Paint', '2026-03-26', '2026-03-27', build!)
    const clean = await after('Clean', '2026-03-25', '2026-03-25', draw!, paint)
    const party = await after('Party', '2026-05-01', '2026-05-01', clean)
    await story.act('Task', draw!.id, 'push_dependants')
    const days = async ({ id }: Shown): Promise<unknown[]> => {
      const { exp_start_date, exp_end_date } = await story.get('Task', id)
      return [exp_start_date, exp_end_date]
    }
    assert.equal(await days(build!), ['2026-03-20', '2026-03-29'])
    assert.equal(await days(paint), ['2026-03-30', '2026-03-31'])
    assert.equal(await days(clean), ['2026-04-01', '2026-04-01'])
    assert.equal(await days(party), ['2026-05-01', '2026-05-01'])
    // Two that wait for each other would never come to rest.
    const circle = move(paint, { depends_on: [{ task: build!.id }, { task: clean.id }] })
    await refusedFor('depends_on[1].task', 'leads back', circle)
    const kinds = (await story.events(draw!.id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'overdue'])
    await move(draw!, { status: 'Completed' })
    assert.is((await story.get('Task', draw!.id)).completed_on, '2026-03-16T08:00:00.000Z')
  })

  test('a group is over when its parts are', async () => {
    const group = await story.create('Task', { subject: 'Opening', is_group: true })
    const lone = await story.create('Task', { subject: 'Lone' })
    const part = { subject: 'Music', parent_task: group.id }
    const music = await story.create('Task', part)
    const wrong = story.create('Task', { ...part, parent_task: lone.id })
    await refusedFor('parent_task', 'must be a group', wrong)
    const inner = await story.create('Task', { ...part, subject: 'Band', is_group: true })
    const circle = move(group, { parent_task: inner.id })
    await refusedFor('parent_task', 'leads back', circle)
    await move(inner, { status: 'Completed' })
    const early = move(group, { status: 'Completed' })
    await refusedFor('status', 'parts of it are not completed', early)
    // One of the two is done.
    assert.is((await story.get('Task', group.id)).parts_progress, 50)
    await move(music, { status: 'Cancelled' })
    assert.is((await move(group, { status: 'Completed' })).status, 'Completed')
    await refusedFor('parent_task', 'the record itself', move(group, { parent_task: group.id }))
  })

  test('a template is taken over by the rows that name it', async () => {
    await story.create('Task Type', { name: 'Survey', weight: 4 })
    const like = { subject: 'Visit', expected_time: 3, priority: 'High', type: 'Survey' }
    const visit = await story.create('Task', { ...like, status: 'Template' })
    assert.equal([visit.status, visit.task_weight], ['Template', 4])
    const mine = story.create('Task', { ...like, status: 'Template', project })
    await refusedFor('status', 'belongs to no project', mine)
    const template = (task: string) => ({ name: `Visit like ${task}`, tasks: [{ task }] })
    const wrong = story.create('Project Template', template(tasks[0]!.id))
    await refusedFor('tasks', 'only a task with the status Template', wrong)
    await story.create('Project Template', template(visit.id))
    const { id } = await story.create('Project', {
      project_name: 'Visits',
      project_template: `Visit like ${visit.id}`,
      expected_start_date: '2026-03-20',
    })
    await story.act('Project', id, 'make_tasks')
    const [made] = await story.all('Task', { project: id })
    assert.equal(
      [made!.subject, made!.expected_time, made!.priority, made!.type, made!.task_weight],
      ['Visit', 3, 'High', 'Survey', 4],
    )
    assert.equal([made!.status, made!.exp_end_date], ['Open', '2026-03-20'])
  })

  const log = (activity_type: string, from: string, to: string, more: object = {}): object => ({
    activity_type,
    from_time: `2026-${from}:00.000Z`,
    to_time: `2026-${to}:00.000Z`,
    task: tasks[2]!.id,
    is_billable: true,
    ...more,
  })
  let sheet: Shown

  test('costs and earns by the hours worked on it', async () => {
    sheet = await story.create('Timesheet', {
      employee,
      parent_project: project,
      time_logs: [
        // 3 h at the employee's own rates, 50 and 120.
        log('Planning', '03-16T08:00', '03-16T11:00'),
        // 1.5 h at the activity's, 40 and 90; 1 h of it is billed.
        log('Design', '03-16T11:00', '03-16T12:30', { billing_hours: 1 }),
        // 2 h of which nothing is billed.
        log('Design', '03-17T08:00', '03-17T10:00', { is_billable: false }),
      ],
    })
    assert.equal([sheet.customer, sheet.status], [customer, 'Draft'])
    assert.equal([sheet.start_date, sheet.end_date], ['2026-03-16', '2026-03-17'])
    assert.equal(
      sheet.time_logs.map((row: Shown) => [row.hours, row.costing_amount, row.billing_amount]),
      [
        [3, 150, 360],
        [1.5, 60, 90],
        [2, 80, 0],
      ],
    )
    assert.is((await shown()).total_costing_amount, 0)
    await story.submit('Timesheet', sheet.id)
    const { total_hours, total_costing_amount, total_billable_amount, gross_margin } = await shown()
    assert.equal(
      [total_hours, total_costing_amount, total_billable_amount, gross_margin],
      [6.5, 290, 450, -290],
    )
    const task = await story.get('Task', tasks[2]!.id)
    assert.equal(
      [task.actual_time, task.total_billing_amount, task.actual_end_date],
      [6.5, 450, '2026-03-17T10:00:00.000Z'],
    )
  })

  test('nobody works twice at one time', async () => {
    const work = (...time_logs: readonly object[]): Promise<unknown> =>
      story.create('Timesheet', { employee, parent_project: project, time_logs })
    const again = work(log('Design', '03-16T10:59', '03-16T11:30'))
    await refusedFor('time_logs[0].from_time', 'works then by another timesheet, TS-', again)
    const twice = work(
      log('Design', '03-18T10:00', '03-18T12:00'),
      log('Design', '03-18T11:00', '03-18T13:00'),
    )
    await refusedFor('time_logs', 'rows overlap each other', twice)
    const back = work(log('Design', '03-18T10:00', '03-18T10:00'))
    await refusedFor('time_logs[0].to_time', 'must be after the start', back)
    // What follows at once is no overlap.
    await work(log('Design', '03-16T12:30', '03-16T13:00'))
  })

  test('is billed for the hours that are to be billed, once', async () => {
    const draft = await story.draftOf('Timesheet', sheet.id, 'make_invoice', {
      item_code: 'CONSULTING',
    })
    assert.equal(
      draft.items.map(({ qty, rate, amount }: Shown) => [qty, rate, amount]),
      [
        [3, 120, 360],
        [1, 90, 90],
      ],
    )
    const second = await story.draftOf('Timesheet', sheet.id, 'make_invoice', {
      item_code: 'CONSULTING',
    })
    await story.submit('Sales Invoice', draft.id)
    const billed = await story.get('Timesheet', sheet.id)
    assert.equal(
      [billed.status, billed.per_billed, billed.total_billed_amount],
      ['Billed', 100, 450],
    )
    assert.ok((await story.events(sheet.id)).includes('billed'))
    await refusedFor(
      'time_logs[0].billing_hours',
      'billed more hours',
      story.submit('Sales Invoice', second.id),
    )
    await refusedAsConflict(
      story.act('Timesheet', sheet.id, 'make_invoice', { item_code: 'CONSULTING' }),
    )

    const { total_billed_amount, gross_margin, per_gross_margin } = await shown()
    // 450 − 290 = 160, which is 35.56 % of 450.
    assert.equal([total_billed_amount, gross_margin, per_gross_margin], [450, 160, 35.56])

    await story.cancel('Sales Invoice', draft.id)
    const open = await story.get('Timesheet', sheet.id)
    assert.equal([open.status, open.per_billed], ['Submitted', 0])
    await story.submit('Sales Invoice', second.id)
    assert.is((await story.get('Timesheet', sheet.id)).status, 'Billed')
  })

  test('carries what was bought and spent for it', async () => {
    const supplier = (await story.create('Supplier', { supplier_name: 'Timber' })).id
    const bill = await story.make('Purchase Invoice', {
      supplier,
      project,
      items: [{ item_code: 'CONSULTING', qty: 2, rate: 35 }],
    })
    assert.equal([(await shown()).total_purchase_cost, (await shown()).gross_margin], [70, 90])
    await story.cancel('Purchase Invoice', bill.id)
    assert.is((await shown()).gross_margin, 160)
  })

  test('is completed', async () => {
    await move(tasks[2]!, { status: 'Completed' })
    const all = await shown()
    assert.equal([all.percent_complete, all.completed_task_count], [100, 3])
    await story.update('Project', project, { status: 'Completed' })
    const kinds = (await story.events(project)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'tasks_finished', 'completed'])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
