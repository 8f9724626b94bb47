import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** What job cards hold an order to, and what they refuse. */
forEachDatabaseWhenDeep('job cards', ({ test, fresh }) => {
  let story: Story
  let bom_no: string

  test.before(async () => {
    story = await openStory(await fresh())
    for (const item_code of ['CLAY', 'VASE'])
      await story.create('Item', { item_code, item_name: item_code })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'CLAY', qty: 100, basic_rate: 2 }],
    })
    await story.create('Workstation', { workstation_name: 'Wheel', hour_rate: 24 })
    for (const name of ['Turning', 'Glazing', 'Packing'])
      await story.create('Operation', { name, workstation: 'Wheel' })
    const bom = await story.make('BOM', {
      item: 'VASE',
      items: [{ item_code: 'CLAY', qty: 1 }],
      operations: [
        { operation: 'Turning', time_in_mins: 10 },
        { operation: 'Glazing', time_in_mins: 5 },
      ],
    })
    bom_no = bom.id
  })
  test.after(() => story.close())

  const order = (qty: number): Promise<Shown> =>
    story.make('Work Order', { bom_no, qty, skip_transfer: true })
  const card = (work_order: string, operation: string, more: object): Promise<Shown> =>
    story.make('Job Card', { work_order, operation, ...more })
  const log = (from: string, to: string, completed_qty: number): object => ({
    time_logs: [
      {
        from_time: `2026-03-09T${from}:00.000Z`,
        to_time: `2026-03-09T${to}:00.000Z`,
        completed_qty,
      },
    ],
  })

  test('a card is of an operation of its order, and for no more than that', async () => {
    const { id } = await order(4)
    const half = { for_quantity: 2 }
    await refusedFor('operation', 'no such operation', card(id, 'Packing', half))
    const much = { ...half, ...log('08:00', '09:00', 3) }
    await refusedFor('total_completed_qty', 'more done', card(id, 'Turning', much))
    const back = { ...half, ...log('09:00', '08:00', 2) }
    await refusedFor(
      'time_logs[0].to_time',
      'must not be before the start',
      card(id, 'Turning', back),
    )
    await refusedFor('time_logs', 'nothing was completed', card(id, 'Turning', half))
    await card(id, 'Turning', { for_quantity: 4, ...log('08:00', '09:00', 4) })
    const again = { for_quantity: 1, ...log('10:00', '10:30', 1) }
    await refusedFor(
      'operations[0].completed_qty',
      'more done than ordered',
      card(id, 'Turning', again),
    )
  })

  test('nothing is finished before its cards have completed it', async () => {
    const { id } = await order(4)
    const { _created } = await story.act('Work Order', id, 'make_job_cards')
    assert.is(_created.length, 2)
    const finish = async (qty: number): Promise<Shown> => {
      const input = { qty }
      const draft = await story.draftOf('Work Order', id, 'make_manufacture_entry', input)
      return story.submit('Stock Entry', draft.id)
    }
    await refusedFor('produced_qty', 'than the job cards', finish(1))
    const done: Shown[] = []
    for (const [index, made] of _created.entries()) {
      await story.update('Job Card', made.id, {
        process_loss_qty: 1,
        ...log(`1${index}:00`, `1${index}:45`, 3),
      })
      done.push(await story.submit('Job Card', made.id))
    }
    // Three quarters of an hour of 24, twice
    assert.equal(
      done.map(({ status, operating_cost }) => [status, operating_cost]),
      [
        ['Completed', 18],
        ['Completed', 18],
      ],
    )
    await refusedFor('produced_qty', 'than the job cards', finish(4))
    // 3 of 4 parts of 8 for clay and of 36 for the work
    const entry = await finish(3)
    assert.equal(await story.books(entry.id), {
      'Stock In Hand': 27,
      'Production Costs Capitalized': -27,
    })
    assert.is((await story.get('Bin', 'VASE::Finished Goods')).stock_value, 33)
    assert.equal(await story.differences(), [])
  })

  test('a card that is cancelled takes its time and cost out of the order', async () => {
    const { id } = await order(2)
    const made = await card(id, 'Glazing', { ...log('08:00', '08:30', 2) })
    const shown = await story.get('Work Order', id)
    assert.equal([shown.actual_operating_cost, shown.operations[1].status], [12, 'Completed'])
    await story.cancel('Job Card', made.id)
    const after = await story.get('Work Order', id)
    assert.equal([after.actual_operating_cost, after.operations[1].status], [0, 'Pending'])
    // 15 minutes of 24 an hour, for two
    assert.equal([after.total_operating_cost, after.status], [12, 'Not Started'])
    assert.equal(await story.differences(), [])
  })
})
