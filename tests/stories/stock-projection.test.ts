import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('what is reserved and on order', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    for (const item_code of ['CUP', 'JUG', 'FREIGHT'])
      await story.create('Item', {
        item_code,
        item_name: item_code,
        is_stock_item: item_code !== 'FREIGHT',
      })
  })
  test.after(() => story.close())

  const receive = (item_code: string, qty: number): Promise<Shown> =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code, qty, basic_rate: 2 }],
    })

  /** There, reserved, on order, projected. */
  const bin = async (item_code: string): Promise<readonly number[]> => {
    const shown = await story.get('Bin', `${item_code}::Stores`)
    return [shown.actual_qty, shown.reserved_qty, shown.ordered_qty, shown.projected_qty]
  }

  test('a balance that only a reorder level made goes with its item', async () => {
    const reorder_levels = [
      { warehouse: 'Stores', warehouse_reorder_level: 5, warehouse_reorder_qty: 9 },
    ]
    const item = { item_code: 'MISTAKE', item_name: 'Mistake', is_stock_item: true }
    const { id } = await story.create('Item', { ...item, reorder_levels })
    assert.equal((await story.all('Bin', { item_code: id })).length, 1)
    const { registry } = story.engine.services
    const context = story.engine.context(SYSTEM_ACTOR, 'business')
    await removeDocument(context, registry.byDoctype('Item')!, id)
    assert.equal(await story.all('Bin', { item_code: id }), [])
  })

  test('orders reserve and announce stock until they are delivered, received or closed', async () => {
    await receive('CUP', 20)
    const order = await story.make('Sales Order', {
      customer,
      set_warehouse: 'Stores',
      items: [
        { item_code: 'CUP', qty: 6 },
        { item_code: 'CUP', qty: 1, uom: 'Dozen', conversion_factor: 12 },
      ],
    })
    assert.equal(await bin('CUP'), [20, 18, 0, 2])
    const purchase = await story.make('Purchase Order', {
      supplier,
      set_warehouse: 'Stores',
      items: [{ item_code: 'CUP', qty: 10, rate: 2 }],
    })
    assert.equal(await bin('CUP'), [20, 18, 10, 12])

    const note = await story.draftOf('Sales Order', order.id, 'make_delivery_note')
    await story.update('Delivery Note', note.id, { items: [{ row_id: note.items[1].row_id }] })
    await story.submit('Delivery Note', note.id)
    assert.equal(await bin('CUP'), [8, 6, 10, 12])
    await story.act('Sales Order', order.id, 'close')
    assert.equal(await bin('CUP'), [8, 0, 10, 18])
    await story.act('Sales Order', order.id, 'reopen')

    const receipt = await story.draftOf('Purchase Order', purchase.id, 'make_receipt')
    await story.update('Purchase Receipt', receipt.id, {
      items: [{ row_id: receipt.items[0].row_id, qty: 4 }],
    })
    await story.submit('Purchase Receipt', receipt.id)
    assert.equal(await bin('CUP'), [12, 6, 6, 12])
    await story.cancel('Purchase Receipt', receipt.id)
    await story.cancel('Purchase Order', purchase.id)
    await story.cancel('Delivery Note', note.id)
    assert.equal(await bin('CUP'), [20, 18, 0, 2])
    const short = await story.all('Bin', { projected_qty__lt: '5' })
    assert.equal(
      short.map(({ id }) => id),
      ['CUP::Stores'],
    )
  })

  test('an order with nothing to deliver reserves nothing', async () => {
    const before = await bin('CUP')
    await story.make('Sales Order', {
      customer,
      set_warehouse: 'Stores',
      skip_delivery_note: true,
      items: [{ item_code: 'CUP', qty: 6 }],
    })
    assert.equal(await bin('CUP'), before)
  })

  test('what was never in stock is reserved, on order and asked for too', async () => {
    const order = await story.make('Sales Order', {
      customer,
      set_warehouse: 'Stores',
      items: [
        { item_code: 'JUG', qty: 3 },
        { item_code: 'FREIGHT', qty: 1 },
      ],
    })
    assert.equal(await bin('JUG'), [0, 3, 0, -3])
    assert.equal(await story.all('Bin', { item_code: 'FREIGHT' }), [])
    const { company, item_code, warehouse } = await story.get('Bin', 'JUG::Stores')
    assert.equal([company, item_code, warehouse], ['Acme Inc', 'JUG', 'Stores'])
    await story.cancel('Sales Order', order.id)
    assert.equal(await bin('JUG'), [0, 0, 0, 0])
    await receive('JUG', 5)
    assert.equal(await bin('JUG'), [5, 0, 0, 5])

    // Names that hold what stands between them in the bin's.
    await story.create('Item', {
      item_code: 'A::B',
      item_name: 'Bowl',
      reorder_levels: [
        { warehouse: 'Stores', warehouse_reorder_level: 4, warehouse_reorder_qty: 10 },
      ],
    })
    assert.equal(await bin('A::B'), [0, 0, 0, 0])
    await story.tick()
    const asked = await story.get('Bin', 'A::B::Stores')
    assert.equal([asked.item_code, asked.indented_qty], ['A::B', 10])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
