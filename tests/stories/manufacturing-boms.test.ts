import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

/** What bills of materials cost, which one counts, and what is lost or made too much by them. */
forEachDatabaseWhenDeep('bills of materials', ({ test, fresh }) => {
  let story: Story
  let lamp: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    for (const item_code of ['WIRE', 'BULB', 'LAMP', 'SET'])
      await story.create('Item', {
        item_code,
        item_name: item_code,
        stock_uom: 'Nos',
        standard_buying_rate: 2,
      })
    await story.create('Operation', { name: 'Soldering' })
    await story.create('Workstation', { workstation_name: 'Bench', hour_rate: 30 })
  })
  test.after(() => story.close())

  const receive = (item_code: string, qty: number, basic_rate: number): Promise<Shown> =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code, qty, basic_rate }],
    })
  const rates = ({ items }: Shown): unknown[] => items.map((row: Shown) => row.base_rate)
  const finish = async (order: string, input: object): Promise<Shown> =>
    story.submit(
      'Stock Entry',
      (await story.draftOf('Work Order', order, 'make_manufacture_entry', input)).id,
    )

  test('a part costs its buying price until it is in stock, and then what it is worth there', async () => {
    const body = { item: 'LAMP', items: [{ item_code: 'BULB', qty: 1 }] }
    assert.equal(rates(await story.create('BOM', body)), [2])
    await receive('BULB', 10, 3)
    await receive('WIRE', 100, 0.5)
    assert.equal(rates(await story.create('BOM', body)), [3])
    const fixed = { item: 'LAMP', items: [{ item_code: 'BULB', qty: 1, rate: 7 }] }
    assert.equal(rates(await story.create('BOM', fixed)), [7])
  })

  test('or what was last paid for it, or what a price list says', async () => {
    const supplier = (await story.create('Supplier', { supplier_name: 'Glass Co' })).id
    await story.make('Purchase Receipt', {
      supplier,
      items: [{ item_code: 'BULB', qty: 10, rate: 5 }],
    })
    const items = [{ item_code: 'BULB', qty: 2 }]
    const paid = { item: 'LAMP', rm_cost_as_per: 'Last Purchase Rate', items }
    assert.equal(rates(await story.create('BOM', paid)), [5])
    await story.create('Item Price', {
      item_code: 'BULB',
      price_list: 'Standard Buying',
      currency: 'USD',
      price_list_rate: 4.25,
    })
    const listed = { ...paid, rm_cost_as_per: 'Price List' }
    await refusedFor('buying_price_list', 'required', story.create('BOM', listed))
    const bom = await story.create('BOM', { ...listed, buying_price_list: 'Standard Buying' })
    assert.equal([rates(bom), bom.total_cost], [[4.25], 8.5])
  })

  test('a routing brings its operations, and a workstation its price', async () => {
    await story.create('Routing', {
      routing_name: 'Lamps',
      operations: [{ operation: 'Soldering', workstation: 'Bench', time_in_mins: 12 }],
    })
    lamp = await story.make('BOM', {
      item: 'LAMP',
      quantity: 10,
      routing: 'Lamps',
      process_loss_percentage: 20,
      items: [
        { item_code: 'BULB', qty: 10 },
        { item_code: 'WIRE', qty: 1, uom: 'Dozen', conversion_factor: 12 },
      ],
    })
    assert.is(lamp.operations[0].operating_cost, 6)
    // 10 × 4 (3 and 5 on average) + 12 × 0.50 + 6 for the eight that are left of ten
    assert.equal([lamp.raw_material_cost, lamp.total_cost, lamp.cost_per_unit], [46, 52, 6.5])
    assert.equal(
      lamp.exploded_items.map((row: Shown) => [row.stock_qty, row.rate, row.amount]),
      [
        [10, 4, 40],
        [12, 0.5, 6],
      ],
    )
  })

  test('of several that are submitted one is the default, and a cancel gives it back', async () => {
    const other = await story.make('BOM', { item: 'LAMP', items: [{ item_code: 'BULB', qty: 2 }] })
    const isDefault = async (id: string): Promise<boolean> =>
      (await story.get('BOM', id)).is_default
    const ofItem = async (): Promise<string> => (await story.get('Item', 'LAMP')).default_bom
    assert.equal(
      [await isDefault(lamp.id), await isDefault(other.id), await ofItem()],
      [false, true, other.id],
    )
    await story.act('BOM', lamp.id, 'set_as_default')
    assert.equal([await isDefault(other.id), await ofItem()], [false, lamp.id])
    await story.act('BOM', other.id, 'set_as_default')
    await story.cancel('BOM', other.id)
    assert.equal([await isDefault(lamp.id), await ofItem()], [true, lamp.id])
    await story.revise('BOM', lamp.id, { is_default: false, is_active: false })
    assert.is(await ofItem(), null)
    await refusedFor(
      'bom_no',
      'not active',
      story.create('Work Order', { bom_no: lamp.id, qty: 1 }),
    )
    await story.revise('BOM', lamp.id, { is_active: true })
    await story.act('BOM', lamp.id, 'set_as_default')
    assert.equal(await story.differences(), [])
  })

  test('the cost of a submitted one stays until it is found anew', async () => {
    const set = await story.make('BOM', { item: 'SET', items: [{ item_code: 'LAMP', qty: 2 }] })
    assert.equal([set.items[0].bom_no, set.total_cost], [lamp.id, 13])
    await receive('BULB', 20, 8)
    assert.is((await story.get('BOM', lamp.id)).total_cost, 52)
    // 40 bulbs of 240 now: 10 × 6 + 6 + 6, for eight
    const newer = await story.act('BOM', lamp.id, 'update_cost')
    assert.equal([newer.total_cost, newer.cost_per_unit], [72, 9])
    assert.equal(rates(newer), [6, 6])
    assert.is((await story.act('BOM', set.id, 'update_cost')).total_cost, 18)
    assert.ok((await story.events(lamp.id)).includes('cost_updated'))
    await refusedAsConflict(story.cancel('BOM', lamp.id))
    assert.equal(await story.differences(), [])
  })

  test('what is lost counts as done, and its cost is borne by what is left', async () => {
    const order = await story.make('Work Order', { bom_no: lamp.id, qty: 10, skip_transfer: true })
    const made = await finish(order.id, {})
    // A fifth of ten is lost: 10 bulbs of 6, 12 wires of 0.50, 12 minutes of 30 an hour
    assert.equal([made.finished_qty, made.process_loss_qty], [8, 2])
    const { status, produced_qty, process_loss_qty } = await story.get('Work Order', order.id)
    assert.equal([status, produced_qty, process_loss_qty], ['Completed', 8, 2])
    const bin = await story.get('Bin', 'LAMP::Finished Goods')
    assert.equal([bin.actual_qty, bin.stock_value], [8, 72])
  })

  test('more may be made where an order says so, and no more than that', async () => {
    const body = { bom_no: lamp.id, qty: 10, skip_transfer: true, overproduction_percentage: 10 }
    const order = await story.make('Work Order', body)
    const much = { qty: 11.5, process_loss_qty: 0 }
    await refusedFor('produced_qty', 'more made than ordered', finish(order.id, much))
    await finish(order.id, { qty: 11, process_loss_qty: 0 })
    const done = await story.get('Work Order', order.id)
    assert.equal([done.status, done.produced_qty], ['Completed', 11])
    // 10 × 11 / 10 of each part
    assert.is(done.required_items[0].consumed_qty, 11)
    assert.equal(await story.differences(), [])
  })

  test('an order can make the parts of its product as well', async () => {
    const [{ id: bom_no } = { id: '' }] = await story.all('BOM', { item: 'SET' })
    const draft = await story.create('Work Order', { bom_no, qty: 4 })
    // 8 lamps are ten of the bill less a fifth; parts are counted for ten of ten
    assert.equal(
      draft.required_items.map((row: Shown) => [row.item_code, row.required_qty]),
      [
        ['BULB', 8],
        ['WIRE', 9.6],
      ],
    )
    // The minutes at the bench are made within it too: 6 for ten lamps
    assert.equal([draft.parts_operating_cost, draft.total_operating_cost], [4.8, 4.8])
    const whole = { required_items: [], use_multi_level_bom: false }
    const single = await story.update('Work Order', draft.id, whole)
    assert.equal(
      single.required_items.map((row: Shown) => [row.item_code, row.required_qty]),
      [['LAMP', 8]],
    )
    assert.is(single.total_operating_cost, 0)
  })
})
