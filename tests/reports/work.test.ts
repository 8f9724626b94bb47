import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from '../stories/story.ts'
import { type Asked, reportsOf, rowsOf } from './report-of.ts'

forEachDatabase('reports of work and of what it is done with', ({ test, fresh }) => {
  let story: Story
  let report: Asked

  test.before(async () => {
    story = await openStory(await fresh())
    report = reportsOf(story)
  })
  test.after(() => story.close())

  const at = (moment: string): void => {
    story.clock.time = Date.parse(`2026-${moment}:00.000Z`)
  }

  test('hours by employee, project or activity, and what a project leaves', async () => {
    const hire = async (first_name: string): Promise<string> =>
      (await story.create('Employee', { first_name, company: 'Acme Inc' })).id
    const [ann, otto] = [await hire('Ann'), await hire('Otto')]
    const { id: whale } = await story.create('Customer', { customer_name: 'Blue Whale' })
    const work = { item_name: 'Consulting', is_stock_item: false }
    await story.create('Item', { item_code: 'CONSULTING', ...work })
    const rates = { costing_rate: 40, billing_rate: 90 }
    for (const activity_type of ['Design', 'Fitting'])
      await story.create('Activity Type', { activity_type, ...rates })
    const shop = { project_name: 'Shop', customer: whale, company: 'Acme Inc' }
    const { id: project } = await story.create('Project', shop)
    await story.create('Project', { project_name: 'Idle', company: 'Acme Inc' })
    const log = (activity_type: string, from: string, to: string, more: object = {}): object => ({
      activity_type,
      from_time: `2026-${from}:00.000Z`,
      to_time: `2026-${to}:00.000Z`,
      is_billable: true,
      ...more,
    })
    const sheet = (employee: string, ...time_logs: readonly object[]): Promise<Shown> =>
      story.make('Timesheet', { employee, parent_project: project, time_logs })
    const first = await sheet(
      ann,
      log('Fitting', '03-02T08:00', '03-02T11:00'),
      log('Design', '03-02T12:00', '03-02T14:00', { is_billable: false }),
    )
    await sheet(otto, log('Design', '03-03T08:00', '03-03T12:00', { billing_hours: 3 }))
    const wrong = await sheet(otto, log('Design', '03-04T08:00', '03-04T12:00'))
    await story.cancel('Timesheet', wrong.id)
    const billed = { item_code: 'CONSULTING' }
    const invoice = await story.draftOf('Timesheet', first.id, 'make_invoice', billed)
    await story.submit('Sales Invoice', invoice.id)
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Mill' })
    await story.make('Purchase Invoice', {
      supplier,
      project,
      items: [{ item_code: 'CONSULTING', qty: 1, rate: 50 }],
    })

    const columns = ['heading', 'heading_name', 'hours', 'billable_hours', 'billed_hours']
    columns.push('billing_amount', 'costing_amount', 'margin')
    const found = await report('timesheet-billing-summary')
    assert.equal(rowsOf(found, columns), [
      // 3 × 90 = 270, 5 × 40 = 200
      [ann, 'Ann', 5, 3, 3, 270, 200, 70],
      [otto, 'Otto', 4, 3, 0, 270, 160, 110],
    ])
    assert.equal([found.totals?.hours, found.totals?.margin], [9, 180])
    const hours = async (more: Readonly<Record<string, string>>): Promise<unknown[][]> =>
      rowsOf(await report('timesheet-billing-summary', more), ['heading', 'hours'])
    assert.equal(await hours({ group_by: 'Activity' }), [
      ['Design', 6],
      ['Fitting', 3],
    ])
    assert.equal(await hours({ group_by: 'Project', to_date: '2026-03-02' }), [[project, 5]])
    assert.equal(await hours({ employee: otto, project }), [[otto, 4]])

    const what = ['project_name', 'total_hours', 'total_billable_amount', 'total_billed_amount']
    what.push('total_costing_amount', 'total_purchase_cost', 'total_cost', 'gross_margin')
    const projects = await report('project-profitability')
    // 270 − 360 − 50
    assert.equal(rowsOf(projects, [...what, 'per_gross_margin']), [
      ['Shop', 9, 540, 270, 360, 50, 410, -140, -51.85],
      ['Idle', 0, 0, 0, 0, 0, 0, 0, 0],
    ])
    assert.is(projects.totals?.gross_margin, -140)
    assert.is((await report('project-profitability', { customer: whale })).total, 1)
    assert.is((await report('project-profitability', { status: 'Completed' })).total, 0)
  })

  test('tasks that were or are late', async () => {
    const task = (subject: string, exp_end_date: string, more: object = {}): Promise<Shown> =>
      story.create('Task', { subject, exp_end_date, ...more })
    const late = await task('Late', '2026-03-01', { priority: 'High' })
    const done = await task('Done late', '2026-03-05')
    await story.update('Task', done.id, { status: 'Completed' })
    const dropped = await task('Dropped', '2026-03-01')
    await story.update('Task', dropped.id, { status: 'Cancelled' })
    await task('Today', '2026-03-09')
    at('03-12T12:00')
    // Today is 12 March; the second one was done on the 9th.
    const found = await report('delayed-tasks')
    assert.equal(rowsOf(found, ['subject', 'delay']), [
      ['Late', 11],
      ['Done late', 4],
      ['Today', 3],
    ])
    assert.equal(rowsOf(await report('delayed-tasks', { priority: 'High' }), ['task']), [[late.id]])
    assert.is((await report('delayed-tasks', { to_date: '2026-03-04' })).total, 1)
    at('03-09T12:00')
  })

  test('what work orders were to make and made, and what a product needs', async () => {
    for (const item_code of ['BOARD', 'SCREW', 'TABLE'])
      await story.create('Item', { item_code, item_name: item_code })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'BOARD', qty: 30, basic_rate: 5 },
        { item_code: 'SCREW', qty: 100, basic_rate: 0.1 },
      ],
    })
    await story.create('Workstation', { workstation_name: 'Bench', hour_rate: 30 })
    await story.create('Operation', { name: 'Assembly', workstation: 'Bench' })
    const { id: bom } = await story.make('BOM', {
      item: 'TABLE',
      quantity: 2,
      items: [
        { item_code: 'BOARD', qty: 8 },
        { item_code: 'SCREW', qty: 16 },
      ],
      operations: [{ operation: 'Assembly', time_in_mins: 60 }],
    })
    const needs = ['item_code', 'required_qty', 'in_stock', 'shortage', 'enough_for']
    // 4 boards and 8 screws a table: 30 / 4 = 7.5, 100 / 8 = 12.5
    assert.equal(rowsOf(await report('bom-stock', { bom, qty_to_produce: '10' }), needs), [
      ['BOARD', 40, 30, 10, 7],
      ['SCREW', 80, 100, 0, 12],
    ])
    const elsewhere = await report('bom-stock', { bom, warehouse: 'Finished Goods' })
    assert.equal(rowsOf(elsewhere, needs), [
      ['BOARD', 4, 0, 4, 0],
      ['SCREW', 8, 0, 8, 0],
    ])

    at('02-20T08:00')
    const order = (qty: number): Promise<Shown> =>
      story.make('Work Order', { bom_no: bom, qty, skip_transfer: true })
    const waiting = await order(2)
    const wrong = await order(9)
    await story.cancel('Work Order', wrong.id)
    at('03-09T12:00')
    const made = await order(5)
    const job = await story.draftOf('Work Order', made.id, 'make_job_cards')
    await story.act('Job Card', job.id, 'start')
    at('03-09T14:00')
    await story.act('Job Card', job.id, 'complete', { completed_qty: 5 })
    await story.submit('Job Card', job.id)
    at('03-09T16:30')
    const entry = await story.draftOf('Work Order', made.id, 'make_manufacture_entry')
    await story.submit('Stock Entry', entry.id)

    const columns = ['work_order', 'status', 'qty', 'produced_qty', 'open_qty', 'lead_time']
    const found = await report('work-order-summary')
    // begun at 12:00, done at 16:30; two hours of 30, and an hour planned
    assert.equal(rowsOf(found, [...columns, 'total_operating_cost']), [
      [made.id, 'Completed', 5, 5, 0, 4.5, 60],
      [waiting.id, 'Not Started', 2, 0, 2, 0, 30],
    ])
    assert.equal([found.totals?.qty, found.totals?.open_qty], [7, 2])
    const orders = async (more: Readonly<Record<string, string>>): Promise<number> =>
      (await report('work-order-summary', more)).total
    assert.is(await orders({ status: 'Completed', production_item: 'TABLE' }), 1)
    assert.is(await orders({ to_date: '2026-02-28' }), 1)

    const months = { from_date: '2026-02-01', to_date: '2026-03-31' }
    const numbers = ['heading', 'number_2026_02', 'number_2026_03', 'total']
    const count = async (more: Readonly<Record<string, string>>): Promise<unknown[][]> =>
      rowsOf(await report('production-analytics', { ...months, ...more }), numbers)
    assert.equal(await count({}), [
      ['Completed', 0, 1, 1],
      ['Not Started', 1, 0, 1],
    ])
    assert.equal(await count({ group_by: 'Item', measure: 'To Make' }), [['TABLE', 2, 5, 7]])
    assert.equal(await count({ group_by: 'Item', measure: 'Made' }), [['TABLE', 0, 5, 5]])

    const inspect = (item_code: string, manual_status: string): Promise<Shown> =>
      story.make('Quality Inspection', {
        inspection_type: 'In Process',
        reference_type: 'Stock Entry',
        reference_name: entry.id,
        item_code,
        sample_size: 1,
        manual_inspection: true,
        manual_status,
      })
    await inspect('TABLE', 'Accepted')
    const bad = await inspect('BOARD', 'Rejected')
    const inspections = await report('quality-inspection-summary')
    assert.equal(
      inspections.summary.map(({ value }) => value),
      [1, 1],
    )
    const rejected = await report('quality-inspection-summary', { status: 'Rejected' })
    assert.equal(rowsOf(rejected, ['quality_inspection', 'item_code', 'reference_name']), [
      [bad.id, 'BOARD', entry.id],
    ])
  })

  test('assets with what was written off; those that are gone only when asked for', async () => {
    await story.create('Location', { location_name: 'Hall' })
    await story.create('Asset Category', {
      asset_category_name: 'Machines',
      finance_books: [{ total_number_of_depreciations: 12, frequency_of_depreciation: 1 }],
    })
    const asset = (asset_name: string, gross_purchase_amount: number): Promise<Shown> =>
      story.make('Asset', {
        asset_name,
        asset_category: 'Machines',
        location: 'Hall',
        purchase_date: '2026-02-01',
        calculate_depreciation: asset_name === 'Lathe',
        gross_purchase_amount,
      })
    await asset('Lathe', 2400)
    const saw = await asset('Saw', 500)
    await story.act('Asset', saw.id, 'scrap')
    await story.tick()
    const columns = ['asset_name', 'status', 'total_asset_cost', 'accumulated_depreciation']
    columns.push('value_after_depreciation')
    const found = await report('fixed-asset-register')
    // A twelfth of 2,400 at the end of February
    const lathe = ['Lathe', 'Partially Depreciated', 2400, 200, 2200]
    assert.equal(rowsOf(found, columns), [lathe])
    assert.is(found.totals?.value_after_depreciation, 2200)
    const all = await report('fixed-asset-register', { include_disposed: 'true' })
    assert.equal(rowsOf(all, columns), [lathe, ['Saw', 'Scrapped', 500, 0, 0]])
    assert.is((await report('fixed-asset-register', { status: 'Scrapped' })).total, 1)
    const none = { asset_category: 'Machines', location: 'Hall', status: 'Sold' }
    assert.equal((await report('fixed-asset-register', none)).data, [])
    assert.equal(await story.differences(), [])
  })
})
