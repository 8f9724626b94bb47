import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** Kits of two nuts and a bolt; orders keep the materials that they need. */
forEachDatabase('materials kept for work orders', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let bom: string
  let first: Shown
  let second: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    for (const item_code of ['NUT', 'BOLT', 'KIT'])
      await story.create('Item', { item_code, item_name: item_code })
    await receive('NUT', 10)
    await receive('BOLT', 2)
    const items = [
      { item_code: 'NUT', qty: 2 },
      { item_code: 'BOLT', qty: 1 },
    ]
    bom = (await story.make('BOM', { item: 'KIT', items })).id
    const [company] = await story.all('Company')
    await story.update('Company', company!.id, { overproduction_percentage_for_work_order: 50 })
  })
  test.after(() => story.close())

  const receive = (item_code: string, qty: number): Promise<Shown> =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code, qty, basic_rate: 1 }],
    })
  const order = (qty: number): Promise<Shown> =>
    story.make('Work Order', { bom_no: bom, qty, reserve_stock: true })
  const deliver = (qty: number): Promise<Shown> =>
    story.make('Delivery Note', { customer, items: [{ item_code: 'NUT', qty }] })
  const kept = ({ required_items }: Shown): unknown =>
    required_items.map((row: Shown) => row.stock_reserved_qty)
  const reserved = async (item: string): Promise<number> =>
    (await story.get('Bin', `${item}::Stores`)).reserved_stock

  test('an order keeps what is there and not kept for another', async () => {
    first = await order(3)
    // 6 nuts of 10; 2 bolts instead of 3
    assert.equal([first.status, kept(first)], ['Stock Partially Reserved', [6, 2]])
    second = await order(2)
    assert.equal([second.status, kept(second)], ['Stock Partially Reserved', [4, 0]])
    assert.equal([await reserved('NUT'), await reserved('BOLT')], [10, 2])
    await refusedFor('items[0].item_code', 'kept for orders', deliver(1))
    const issue = { stock_entry_type: 'Material Issue', from_warehouse: 'Stores' }
    await refusedFor(
      'items[0].item_code',
      'kept for orders',
      story.make('Stock Entry', { ...issue, items: [{ item_code: 'NUT', qty: 1 }] }),
    )
    await receive('NUT', 1)
    await deliver(1)
  })

  test('takes it, and the rest of what is kept stays', async () => {
    await receive('BOLT', 4)
    const draft = await story.draftOf('Work Order', first.id, 'make_material_transfer')
    const transfer = await story.submit('Stock Entry', draft.id)
    assert.is((await story.get('Work Order', first.id)).status, 'In Process')
    assert.equal([await reserved('NUT'), await reserved('BOLT')], [4, 0])
    assert.is((await story.get('Bin', 'NUT::Stores')).actual_qty, 4)
    await story.cancel('Stock Entry', transfer.id)
    assert.equal([await reserved('NUT'), await reserved('BOLT')], [10, 2])
  })

  test('and gives it up when it is stopped, cancelled or told to', async () => {
    await story.act('Work Order', first.id, 'unreserve')
    assert.is((await story.get('Work Order', first.id)).status, 'Not Started')
    assert.is(await reserved('NUT'), 4)
    await story.act('Work Order', second.id, 'stop')
    assert.is(await reserved('NUT'), 0)
    await story.act('Work Order', second.id, 'resume')
    const third = await order(3)
    // 10 nuts less 4 kept, 6 bolts
    assert.equal([third.status, kept(third)], ['Stock Reserved', [6, 3]])
    await story.cancel('Work Order', third.id)
    assert.is(await reserved('NUT'), 4)
  })

  test('more may be made than ordered as far as the company allows', async () => {
    assert.is(second.overproduction_percentage, 50)
    await receive('NUT', 10)
    await receive('BOLT', 10)
    const make = async (qty: number): Promise<Shown> => {
      const work = await story.make('Work Order', { bom_no: bom, qty: 2, skip_transfer: true })
      const draft = await story.draftOf('Work Order', work.id, 'make_manufacture_entry', { qty })
      return story.submit('Stock Entry', draft.id)
    }
    // Half as much again is 3
    await make(3)
    await refusedFor('produced_qty', 'more made than ordered', make(4))
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
