import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

const DAY = 86_400_000

forEachDatabaseWhenDeep('items: units, variants, reorder', ({ test, fresh }) => {
  let story: Story
  let supplier: string
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
  })
  test.after(() => story.close())

  test('a dozen is twelve wherever it is bought, moved or sold', async () => {
    await story.create('Item', {
      item_code: 'EGG',
      item_name: 'Egg',
      stock_uom: 'Nos',
      uoms: [{ uom: 'Dozen', conversion_factor: 12 }],
    })
    const receipt = await story.make('Purchase Receipt', {
      supplier,
      set_warehouse: 'Stores',
      items: [{ item_code: 'EGG', qty: 5, uom: 'Dozen', rate: 2.4 }],
    })
    assert.equal(
      [receipt.items[0].conversion_factor, receipt.items[0].stock_qty, receipt.net_total],
      [12, 60, 12],
    )
    // 5 × 2.40 for 60 eggs.
    const bin = await story.get('Bin', 'EGG::Stores')
    assert.equal([bin.actual_qty, bin.stock_value, bin.valuation_rate], [60, 12, 0.2])
    const order = await story.make('Sales Order', {
      customer,
      set_warehouse: 'Stores',
      items: [
        { item_code: 'EGG', qty: 1, uom: 'Dozen', rate: 6 },
        { item_code: 'EGG', qty: 3, rate: 0.6 },
      ],
    })
    assert.equal(
      order.items.map(({ conversion_factor }: Shown) => conversion_factor),
      [12, 1],
    )
    assert.is((await story.get('Bin', 'EGG::Stores')).reserved_qty, 15)
    // An item that says no unit of its own is counted by those it has all the same.
    await story.create('Item', {
      item_code: 'PEN',
      item_name: 'Pen',
      standard_rate: 2,
      uoms: [{ uom: 'Box', conversion_factor: 50 }],
    })
    const { items } = await story.create('Sales Order', {
      customer,
      items: [
        { item_code: 'PEN', qty: 1, uom: 'Box' },
        { item_code: 'PEN', qty: 1 },
      ],
    })
    assert.equal(
      items.map(({ conversion_factor, rate }: Shown) => [conversion_factor, rate]),
      [
        [50, 100],
        [1, 2],
      ],
    )
    const issue = { stock_entry_type: 'Material Issue', from_warehouse: 'Stores' }
    await refusedFor(
      'items[0].conversion_factor',
      'Box is no unit of EGG',
      story.create('Stock Entry', {
        ...issue,
        items: [{ item_code: 'EGG', qty: 1, uom: 'Box' }],
      }),
    )
    const box = await story.make('Stock Entry', {
      ...issue,
      items: [{ item_code: 'EGG', qty: 1, uom: 'Box', conversion_factor: 30 }],
    })
    assert.is(box.items[0].transfer_qty, 30)
  })

  test('variants are made of a template by the values of its attributes', async () => {
    await story.create('Item Attribute', {
      attribute_name: 'Colour',
      item_attribute_values: [
        { attribute_value: 'Red', abbr: 'R' },
        { attribute_value: 'Black', abbr: 'BLK' },
      ],
    })
    await story.create('Item Attribute', {
      attribute_name: 'Width',
      numeric_values: true,
      from_range: 50,
      to_range: 100,
      increment: 10,
    })
    await refusedFor(
      'item_attribute_values[1].abbr',
      'twice',
      story.create('Item Attribute', {
        attribute_name: 'Size',
        item_attribute_values: [
          { attribute_value: 'S', abbr: 'S' },
          { attribute_value: 'Small', abbr: 'S' },
        ],
      }),
    )
    await story.create('Item', {
      item_code: 'DESK',
      item_name: 'Desk',
      has_variants: true,
      standard_rate: 300,
      attributes: [{ attribute: 'Colour' }, { attribute: 'Width' }],
    })
    const variant = await story.draftOf('Item', 'DESK', 'make_variant', {
      value_1: 'Black',
      value_2: '80',
    })
    assert.equal(
      [variant.id, variant.item_name, variant.variant_of, variant.standard_rate],
      ['DESK-BLK-80', 'Desk Black 80', 'DESK', 300],
    )
    await refusedFor(
      'attributes',
      'one of the values',
      story.act('Item', 'DESK', 'make_variant', { value_1: 'Pink', value_2: '80', item_code: 'X' }),
    )
    await refusedAsConflict(
      story.act('Item', 'DESK', 'make_variant', { value_1: 'Black', value_2: '80' }),
    )
    await refusedAsConflict(story.act('Item', variant.id, 'make_variant', { value_1: 'Red' }))
    const own = await story.create('Item', {
      item_name: 'Small red desk',
      variant_of: 'DESK',
      attributes: [
        { attribute: 'Colour', attribute_value: 'Red' },
        { attribute: 'Width', attribute_value: '50' },
      ],
    })
    assert.is(own.id, 'DESK-R-50')
  })

  test('a template is neither bought, sold nor moved', async () => {
    const items = [{ item_code: 'DESK', qty: 1, rate: 1 }]
    for (const [doctype, party] of [
      ['Quotation', { customer }],
      ['Sales Order', { customer }],
      ['Delivery Note', { customer }],
      ['Sales Invoice', { customer }],
      ['Material Request', {}],
      ['Supplier Quotation', { supplier }],
      ['Purchase Order', { supplier }],
      ['Purchase Receipt', { supplier }],
      ['Purchase Invoice', { supplier }],
    ] as const)
      await refusedFor('items', 'template', story.create(doctype, { ...party, items }))
    await refusedFor(
      'item_code',
      'is a template',
      story.make('Stock Entry', {
        stock_entry_type: 'Material Receipt',
        to_warehouse: 'Stores',
        items: [{ item_code: 'DESK', qty: 1, basic_rate: 1 }],
      }),
    )
  })

  test('what falls below its level is asked for once, at night', async () => {
    await story.create('Item', {
      item_code: 'SCREW',
      item_name: 'Screw',
      stock_uom: 'Nos',
      standard_buying_rate: 0.1,
      reorder_levels: [
        { warehouse: 'Stores', warehouse_reorder_level: 100, warehouse_reorder_qty: 500 },
      ],
    })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'SCREW', qty: 150 }],
    })
    await story.tick()
    assert.equal(await story.all('Material Request'), [])
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Issue',
      from_warehouse: 'Stores',
      items: [{ item_code: 'SCREW', qty: 60 }],
    })
    story.clock.time += DAY
    await story.tick()
    const [request, ...others] = await story.all('Material Request')
    assert.equal(others, [])
    assert.equal(
      [request!.status, request!.total_qty, request!.total_amount, request!.requested_by],
      ['Pending', 500, 50, 'Reorder level'],
    )
    // 90 there and 500 on their way: nothing more is asked for.
    story.clock.time += DAY
    await story.tick()
    assert.is((await story.all('Material Request')).length, 1)
    const bin = await story.get('Bin', 'SCREW::Stores')
    assert.equal([bin.indented_qty, bin.projected_qty], [500, 590])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
