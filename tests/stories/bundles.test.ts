import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('bundles', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    for (const [item_code, standard_rate, is_stock_item] of [
      ['DESK', 120, true],
      ['CHAIR', 50, true],
      ['SETUP', 30, false],
      ['OFFICE', 300, false],
    ])
      await story.create('Item', { item_code, item_name: item_code, standard_rate, is_stock_item })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      items: [
        { item_code: 'DESK', qty: 10, basic_rate: 60, t_warehouse: 'Stores' },
        { item_code: 'CHAIR', qty: 20, basic_rate: 25, t_warehouse: 'Stores' },
      ],
    })
    await story.create('Product Bundle', {
      new_item_code: 'OFFICE',
      items: [
        { item_code: 'DESK', qty: 1 },
        { item_code: 'CHAIR', qty: 2 },
        { item_code: 'SETUP', qty: 1 },
      ],
    })
  })
  test.after(() => story.close())

  const bins = async (): Promise<readonly number[]> => {
    const desks = await story.get('Bin', 'DESK::Stores')
    const chairs = await story.get('Bin', 'CHAIR::Stores')
    return [desks.actual_qty, desks.stock_value, chairs.actual_qty, chairs.stock_value]
  }
  const deliver = (items: readonly object[]): Promise<Shown> =>
    story.create('Delivery Note', { customer, items })

  test('are of items that are not in stock themselves, one for each', async () => {
    const items = [{ item_code: 'CHAIR', qty: 2 }]
    await refusedFor(
      'new_item_code',
      'not kept in stock',
      story.create('Product Bundle', { new_item_code: 'DESK', items }),
    )
    await refusedAsConflict(story.create('Product Bundle', { new_item_code: 'OFFICE', items }))
    await refusedFor(
      'items',
      'itself',
      story.create('Product Bundle', {
        new_item_code: 'SETUP',
        items: [{ item_code: 'SETUP', qty: 1 }],
      }),
    )
  })

  test('leave the stock as what they are made of, after the rows of the same goods', async () => {
    const { id } = await deliver([
      { item_code: 'CHAIR', qty: 3 },
      { item_code: 'OFFICE', qty: 2 },
    ])
    const draft = await story.get('Delivery Note', id)
    assert.equal(
      draft.packed_items.map((row: Shown) => [
        row.parent_row,
        row.item_code,
        row.qty,
        row.warehouse,
      ]),
      [
        [2, 'DESK', 2, 'Stores'],
        [2, 'CHAIR', 4, 'Stores'],
        [2, 'SETUP', 2, 'Stores'],
      ],
    )
    await story.update('Delivery Note', id, {
      items: [draft.items[0], { ...draft.items[1], qty: 3 }].map(({ row_id, qty }) => ({
        row_id,
        qty,
      })),
    })
    const sent = await story.submit('Delivery Note', id)
    // 3 desks of 60 = 180; 3 + 6 chairs of 25 = 225. The bundle is sold at 3 × 300 + 3 × 50 = 1,050.
    assert.equal(
      sent.packed_items.map((row: Shown) => row.qty),
      [3, 6, 3],
    )
    assert.is(sent.net_total, 1_050)
    assert.equal(await story.books(id), { 'Cost of Goods Sold': 405, 'Stock In Hand': -405 })
    assert.equal(await bins(), [7, 420, 11, 275])

    const back = await story.draftOf('Delivery Note', id, 'make_return')
    assert.equal(
      back.packed_items.map((row: Shown) => row.qty),
      [-3, -6, -3],
    )
    await story.submit('Delivery Note', back.id)
    assert.equal(await bins(), [10, 600, 20, 500])
    assert.equal(await story.books(id, back.id), {})
    assert.ok((await story.events(id)).includes('returned'))
    await story.cancel('Delivery Note', back.id)
    await story.cancel('Delivery Note', id)
    assert.equal(await bins(), [10, 600, 20, 500])
  })

  test('go as far as the stock of each part does', async () => {
    const many = await deliver([{ item_code: 'OFFICE', qty: 11 }])
    await refusedFor(
      'packed_items[1].item_code',
      'not enough',
      story.submit('Delivery Note', many.id),
    )
    // 20 chairs: 9 offices take 18, so 3 more are one too many.
    const both = await deliver([
      { item_code: 'CHAIR', qty: 3 },
      { item_code: 'OFFICE', qty: 9 },
    ])
    await refusedFor(
      'packed_items[1].item_code',
      'not enough',
      story.submit('Delivery Note', both.id),
    )
    assert.equal(await bins(), [10, 600, 20, 500])
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})
