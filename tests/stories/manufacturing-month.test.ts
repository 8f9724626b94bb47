import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

const MINUTE = 60_000

/** Desks are made of frames, and frames of boards; all of it over HTTP. */
forEachDatabaseWhenDeep('a month of manufacturing', ({ test, fresh }) => {
  let story: Story
  let frameBom: Shown
  let deskBom: Shown
  let frames: Shown
  let desks: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    for (const item_code of ['BOARD', 'SCREW', 'PAINT', 'OFFCUT', 'FRAME', 'DESK'])
      await story.create('Item', { item_code, item_name: item_code, stock_uom: 'Nos' })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'BOARD', qty: 100, basic_rate: 12 },
        { item_code: 'SCREW', qty: 1000, basic_rate: 0.1 },
        { item_code: 'PAINT', qty: 20, basic_rate: 8 },
      ],
    })
    await story.create('Workstation Type', { workstation_type: 'Saws', hour_rate: 60 })
    await story.create('Workstation', { workstation_name: 'Saw 1', workstation_type: 'Saws' })
    await story.create('Workstation', { workstation_name: 'Bench 1', hour_rate: 45 })
    await story.create('Operation', { name: 'Cutting', workstation: 'Saw 1' })
    await story.create('Operation', { name: 'Assembly', workstation: 'Bench 1' })
  })
  test.after(() => story.close())

  const bin = async (item: string, warehouse: string): Promise<Shown> =>
    story.get('Bin', `${item}::${warehouse}`)

  test('a bill of materials costs what its parts, its operations and its scrap come to', async () => {
    frameBom = await story.make('BOM', {
      item: 'FRAME',
      quantity: 2,
      items: [
        { item_code: 'BOARD', qty: 3 },
        { item_code: 'SCREW', qty: 16 },
      ],
      operations: [{ operation: 'Cutting', time_in_mins: 30 }],
    })
    // 3 × 12 + 16 × 0.10 = 37.60; half an hour of 60
    assert.equal(
      [frameBom.raw_material_cost, frameBom.operating_cost, frameBom.total_cost],
      [37.6, 30, 67.6],
    )
    assert.is(frameBom.cost_per_unit, 33.8)
    assert.is((await story.get('Item', 'FRAME')).default_bom, frameBom.id)

    deskBom = await story.make('BOM', {
      item: 'DESK',
      items: [
        { item_code: 'FRAME', qty: 2 },
        { item_code: 'BOARD', qty: 1 },
        { item_code: 'PAINT', qty: 0.5 },
      ],
      operations: [{ operation: 'Assembly', time_in_mins: 20 }],
      scrap_items: [{ item_code: 'OFFCUT', stock_qty: 0.2, rate: 1.5 }],
    })
    assert.equal(
      deskBom.items.map((row: Shown) => [row.bom_no, row.rate, row.amount]),
      [
        [frameBom.id, 33.8, 67.6],
        [null, 12, 12],
        [null, 8, 4],
      ],
    )
    // 67.60 + 12 + 4 = 83.60; a third of an hour of 45 = 15; 0.2 × 1.50 = 0.30
    assert.equal(
      [deskBom.raw_material_cost, deskBom.operating_cost, deskBom.scrap_material_cost],
      [83.6, 15, 0.3],
    )
    assert.is(deskBom.total_cost, 98.3)
    // Two frames are one of their bill: 3 boards, and one more
    assert.equal(
      deskBom.exploded_items.map((row: Shown) => [row.item_code, row.stock_qty, row.amount]),
      [
        ['BOARD', 4, 48],
        ['SCREW', 16, 1.6],
        ['PAINT', 0.5, 4],
      ],
    )
    const round = { item: 'BOARD', items: [{ item_code: 'DESK', qty: 1 }] }
    await refusedFor('items', 'made of the product itself', story.create('BOM', round))
  })

  test('an order for ten frames reserves its materials and plans its operations', async () => {
    frames = await story.make('Work Order', {
      bom_no: frameBom.id,
      qty: 10,
      fg_warehouse: 'Stores',
    })
    assert.equal(
      [frames.status, frames.production_item, frames.wip_warehouse],
      ['Not Started', 'FRAME', 'Work In Progress'],
    )
    // 10 frames are five times the bill: 15 boards, 80 screws, 150 minutes of 60 an hour
    assert.equal(
      frames.required_items.map((row: Shown) => [row.item_code, row.required_qty, row.amount]),
      [
        ['BOARD', 15, 180],
        ['SCREW', 80, 8],
      ],
    )
    const [cutting] = frames.operations
    assert.equal([cutting.planned_operation_time, cutting.planned_operating_cost], [150, 150])
    assert.is((await bin('BOARD', 'Stores')).reserved_qty_for_production, 15)
  })

  test('the job is timed with pauses, and its cost is the time it took', async () => {
    const job = await story.draftOf('Work Order', frames.id, 'make_job_cards')
    assert.equal([job.status, job.for_quantity, job.workstation], ['Open', 10, 'Saw 1'])
    await refusedAsConflict(story.act('Work Order', frames.id, 'make_job_cards'))
    const at = async (minutes: number, action: string, input?: object): Promise<Shown> => {
      story.clock.time += minutes * MINUTE
      return story.act('Job Card', job.id, action, input)
    }
    assert.is((await at(0, 'start')).status, 'Work In Progress')
    assert.is((await story.get('Work Order', frames.id)).status, 'In Process')
    assert.is((await at(100, 'pause')).status, 'On Hold')
    await at(30, 'start')
    await refusedFor('time_logs', 'still goes on', story.submit('Job Card', job.id))
    await at(60, 'complete', { completed_qty: 10 })
    const done = await story.submit('Job Card', job.id)
    // 100 + 60 minutes of 60 an hour
    assert.equal(
      [done.status, done.total_time_in_mins, done.operating_cost, done.total_completed_qty],
      ['Completed', 160, 160, 10],
    )
    assert.equal(
      (await story.events(job.id)).filter((kind) => kind !== 'updated'),
      ['created', 'started', 'submitted', 'completed'],
    )
    const order = await story.get('Work Order', frames.id)
    assert.equal([order.actual_operating_cost, order.total_operating_cost], [160, 160])
    assert.is(order.operations[0].status, 'Completed')
  })

  test('frames are worth their boards, their screws and the time at the saw', async () => {
    const transfer = await story.draftOf('Work Order', frames.id, 'make_material_transfer')
    await story.submit('Stock Entry', transfer.id)
    assert.equal(await story.books(transfer.id), {})
    assert.is((await bin('BOARD', 'Stores')).reserved_qty_for_production, 0)
    assert.is((await bin('BOARD', 'Work In Progress')).stock_value, 180)

    const finish = await story.draftOf('Work Order', frames.id, 'make_manufacture_entry')
    await story.submit('Stock Entry', finish.id)
    // 180 + 8 + 160 = 348 for ten
    assert.equal(await story.books(finish.id), {
      'Stock In Hand': 160,
      'Production Costs Capitalized': -160,
    })
    const made = await bin('FRAME', 'Stores')
    assert.equal([made.actual_qty, made.stock_value, made.planned_qty], [10, 348, 0])
    assert.is((await bin('BOARD', 'Work In Progress')).actual_qty, 0)
    const order = await story.get('Work Order', frames.id)
    assert.equal([order.status, order.produced_qty, order.pending_qty], ['Completed', 10, 0])
    assert.equal(
      (await story.events(frames.id)).filter((kind) => kind !== 'updated'),
      ['created', 'submitted', 'started', 'completed'],
    )
  })

  test('desks are made in two parts, each with its share of time and scrap', async () => {
    desks = await story.make('Work Order', {
      bom_no: deskBom.id,
      qty: 4,
      use_multi_level_bom: false,
    })
    assert.equal(
      desks.required_items.map((row: Shown) => [row.item_code, row.required_qty]),
      [
        ['FRAME', 8],
        ['BOARD', 4],
        ['PAINT', 2],
      ],
    )
    const one = await story.draftOf('Work Order', desks.id, 'make_material_transfer', { qty: 1 })
    assert.equal(
      one.items.map((row: Shown) => row.qty),
      [2, 1, 0.5],
    )
    await story.submit('Stock Entry', one.id)
    const rest = await story.draftOf('Work Order', desks.id, 'make_material_transfer')
    assert.equal(
      rest.items.map((row: Shown) => row.qty),
      [6, 3, 1.5],
    )
    await story.submit('Stock Entry', rest.id)

    const first = await story.draftOf('Work Order', desks.id, 'make_manufacture_entry', { qty: 1 })
    await story.submit('Stock Entry', first.id)
    // 2 × 34.80 + 12 + 4 = 85.60; a quarter of 60 minutes… 4 × 20 min of 45 = 60, so 15; less 0.30 of scrap
    assert.is((await bin('DESK', 'Finished Goods')).stock_value, 100.3)
    assert.is((await bin('OFFCUT', 'Finished Goods')).stock_value, 0.3)
    const half = await story.get('Work Order', desks.id)
    assert.equal([half.status, half.booked_operating_cost, half.pending_qty], ['In Process', 15, 3])
    await refusedFor(
      'produced_qty',
      'more made than ordered',
      story.make('Stock Entry', {
        stock_entry_type: 'Manufacture',
        work_order: desks.id,
        from_warehouse: 'Work In Progress',
        to_warehouse: 'Finished Goods',
        items: [
          { item_code: 'FRAME', qty: 1 },
          { item_code: 'DESK', qty: 4, is_finished_item: true },
        ],
      }),
    )

    const last = await story.draftOf('Work Order', desks.id, 'make_manufacture_entry')
    await story.submit('Stock Entry', last.id)
    // 3 × 85.60 + 45 − 0.90 = 300.90, together 401.20
    const made = await bin('DESK', 'Finished Goods')
    assert.equal([made.actual_qty, made.stock_value], [4, 401.2])
    assert.equal(await story.books(first.id, last.id), {
      'Stock In Hand': 60,
      'Production Costs Capitalized': -60,
    })
    assert.is((await story.get('Work Order', desks.id)).status, 'Completed')

    await story.cancel('Stock Entry', last.id)
    const reopened = await story.get('Work Order', desks.id)
    assert.equal(
      [reopened.status, reopened.produced_qty, reopened.booked_operating_cost],
      ['In Process', 1, 15],
    )
    assert.equal(await story.differences(), [])
  })

  test('a stopped or closed order takes nothing more and reserves nothing', async () => {
    const order = await story.make('Work Order', {
      bom_no: frameBom.id,
      qty: 2,
      fg_warehouse: 'Stores',
    })
    assert.is((await bin('BOARD', 'Stores')).reserved_qty_for_production, 3)
    assert.is((await bin('FRAME', 'Stores')).planned_qty, 2)
    assert.is((await story.act('Work Order', order.id, 'stop')).status, 'Stopped')
    assert.is((await bin('BOARD', 'Stores')).reserved_qty_for_production, 0)
    await refusedAsConflict(story.act('Work Order', order.id, 'make_material_transfer'))
    assert.is((await story.act('Work Order', order.id, 'resume')).status, 'Not Started')
    assert.is((await story.act('Work Order', order.id, 'close')).status, 'Closed')
    assert.is((await bin('FRAME', 'Stores')).planned_qty, 0)
    await story.act('Work Order', order.id, 'reopen')
    await story.cancel('Work Order', order.id)
    assert.is((await bin('BOARD', 'Stores')).reserved_qty_for_production, 0)
    assert.equal(await story.differences(), [])
  })
})
