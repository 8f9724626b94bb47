import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('requests of each kind', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    await story.create('Warehouse', { warehouse_name: 'Shop', warehouse_type: 'Store' })
    for (const item_code of ['WOOD', 'STOOL', 'CLOTH'])
      await story.create('Item', { item_code, item_name: item_code, standard_buying_rate: 5 })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'WOOD', qty: 50, basic_rate: 5 }],
    })
  })
  test.after(() => story.close())

  /** There, requested, planned, reserved for production, projected. */
  const outlook = async (id: string): Promise<readonly number[]> => {
    const bin = await story.get('Bin', id)
    const { actual_qty, indented_qty, planned_qty, reserved_qty_for_production } = bin
    return [actual_qty, indented_qty, planned_qty, reserved_qty_for_production, bin.projected_qty]
  }
  const request = (body: object): Promise<Shown> => story.make('Material Request', body)

  test('an issue takes from the warehouse; until then it counts below 0', async () => {
    const wanted = await request({
      material_request_type: 'Material Issue',
      set_warehouse: 'Stores',
      items: [{ item_code: 'WOOD', qty: 8 }],
    })
    assert.equal(await outlook('WOOD::Stores'), [50, -8, 0, 0, 42])
    await refusedAsConflict(
      story.act('Material Request', wanted.id, 'make_purchase_order', { supplier: 'X' }),
    )
    const draft = await story.draftOf('Material Request', wanted.id, 'make_stock_entry')
    assert.equal([draft.purpose, draft.items[0].s_warehouse], ['Material Issue', 'Stores'])
    await story.submit('Stock Entry', draft.id)
    assert.is((await story.get('Material Request', wanted.id)).status, 'Issued')
    assert.equal(await outlook('WOOD::Stores'), [42, 0, 0, 0, 42])
    await story.cancel('Stock Entry', draft.id)
    assert.equal(await outlook('WOOD::Stores'), [50, -8, 0, 0, 42])
    await story.act('Material Request', wanted.id, 'stop')
    assert.equal(await outlook('WOOD::Stores'), [50, 0, 0, 0, 50])
    await refusedAsConflict(story.act('Material Request', wanted.id, 'make_stock_entry'))
    const late = await story.create('Stock Entry', {
      stock_entry_type: 'Material Issue',
      from_warehouse: 'Stores',
      items: [{ item_code: 'WOOD', qty: 1, material_request_item: wanted.items[0].row_id }],
    })
    await refusedFor('status', 'is stopped', story.submit('Stock Entry', late.id))
  })

  test('what is bought is ordered from the usual supplier of each item', async () => {
    const [joiner, weaver] = await Promise.all(
      ['Joiner', 'Weaver'].map(
        async (supplier_name) => (await story.create('Supplier', { supplier_name })).id,
      ),
    )
    const usual = { WOOD: joiner, STOOL: joiner, CLOTH: weaver }
    for (const [item, default_supplier] of Object.entries(usual))
      await story.update('Item', item, {
        item_defaults: [{ company: 'Acme Inc', default_supplier }],
      })
    await story.create('Item', { item_code: 'GLUE', item_name: 'Glue' })
    const wanted = await request({
      material_request_type: 'Purchase',
      set_warehouse: 'Stores',
      items: ['WOOD', 'CLOTH', 'STOOL', 'GLUE'].map((item_code, at) => ({
        item_code,
        qty: at + 1,
      })),
    })
    await story.act('Material Request', wanted.id, 'make_purchase_orders')
    const orders = await Promise.all(
      (await story.all('Purchase Order', {})).map(({ id }) => story.get('Purchase Order', id)),
    )
    orders.sort((one, other) => other.items.length - one.items.length)
    assert.equal(
      orders.map(({ supplier, items }) => [
        supplier,
        items.map(({ item_code, qty }: Shown) => [item_code, qty]),
      ]),
      [
        [
          joiner,
          [
            ['WOOD', 1],
            ['STOOL', 3],
          ],
        ],
        [weaver, [['CLOTH', 2]]],
      ],
    )
    for (const { id } of orders) await story.submit('Purchase Order', id)
    const { per_ordered } = await story.get('Material Request', wanted.id)
    assert.is(per_ordered, 60)
    await refusedAsConflict(story.act('Material Request', wanted.id, 'make_purchase_orders'))
    for (const { id } of orders) await story.cancel('Purchase Order', id)
    await story.cancel('Material Request', wanted.id)
    for (const item of Object.keys(usual)) await story.update('Item', item, { item_defaults: [] })
  })

  test('a transfer is picked first', async () => {
    const wanted = await request({
      material_request_type: 'Material Transfer',
      set_from_warehouse: 'Stores',
      set_warehouse: 'Shop',
      items: [{ item_code: 'WOOD', qty: 10 }],
    })
    await refusedFor(
      'items',
      'a transfer needs',
      story.create('Material Request', {
        material_request_type: 'Material Transfer',
        set_from_warehouse: 'Shop',
        set_warehouse: 'Shop',
        items: [{ item_code: 'WOOD', qty: 1 }],
      }),
    )
    const list = await story.draftOf('Material Request', wanted.id, 'make_pick_list')
    await story.submit('Pick List', list.id)
    const entry = await story.draftOf('Pick List', list.id, 'make_stock_entry')
    await story.submit('Stock Entry', entry.id)
    assert.is((await story.get('Pick List', list.id)).status, 'Completed')
    assert.is((await story.get('Material Request', wanted.id)).status, 'Transferred')
    assert.equal(await outlook('WOOD::Shop'), [10, 0, 0, 0, 10])
  })

  test('what a customer provides comes in by a receipt', async () => {
    const body = {
      material_request_type: 'Customer Provided',
      set_warehouse: 'Stores',
      items: [{ item_code: 'CLOTH', qty: 3 }],
    }
    await refusedFor('customer', 'required', story.create('Material Request', body))
    const wanted = await request({ ...body, customer })
    const draft = await story.draftOf('Material Request', wanted.id, 'make_stock_entry')
    await story.update('Stock Entry', draft.id, {
      items: [{ row_id: draft.items[0].row_id, basic_rate: 0 }],
    })
    await story.submit('Stock Entry', draft.id)
    assert.is((await story.get('Material Request', wanted.id)).status, 'Received')
    assert.is((await story.get('Bin', 'CLOTH::Stores')).stock_value, 0)
  })

  test('what is made is planned by its work order and received when it is done', async () => {
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Finished Goods',
      items: [{ item_code: 'STOOL', qty: 1, basic_rate: 12 }],
    })
    const bom = await story.make('BOM', {
      item: 'STOOL',
      items: [{ item_code: 'WOOD', qty: 2 }],
    })
    const wanted = await request({
      material_request_type: 'Manufacture',
      set_warehouse: 'Finished Goods',
      items: [{ item_code: 'STOOL', qty: 4, bom_no: bom.id }],
    })
    assert.equal(await outlook('STOOL::Finished Goods'), [1, 4, 0, 0, 5])
    const draft = await story.draftOf('Material Request', wanted.id, 'make_work_orders')
    assert.equal([draft.production_item, draft.qty], ['STOOL', 4])
    await story.update('Work Order', draft.id, { skip_transfer: true })
    await story.submit('Work Order', draft.id)
    assert.is((await story.get('Material Request', wanted.id)).status, 'Ordered')
    assert.equal(await outlook('STOOL::Finished Goods'), [1, 0, 4, 0, 5])
    // 4 stools need 8 of the 40 pieces of wood.
    assert.equal(await outlook('WOOD::Stores'), [40, 0, 0, 8, 32])
    const finish = await story.draftOf('Work Order', draft.id, 'make_manufacture_entry')
    const entry = await story.submit('Stock Entry', finish.id)
    // 8 × 5 of wood became 4 stools.
    assert.equal([entry.total_outgoing_value, entry.total_incoming_value], [40, 40])
    assert.is((await story.get('Material Request', wanted.id)).status, 'Received')
    assert.equal(await outlook('STOOL::Finished Goods'), [5, 0, 0, 0, 5])
    assert.equal(await outlook('WOOD::Stores'), [32, 0, 0, 0, 32])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
