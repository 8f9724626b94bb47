import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('items that may leave before they come', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    for (const item_code of ['MILK', 'BREAD', 'EGG', 'SALT', 'CREAM', 'FLOUR'])
      await story.create('Item', {
        item_code,
        item_name: item_code,
        standard_buying_rate: 10,
        allow_negative_stock: true,
      })
  })
  test.after(() => story.close())

  const deliver = (item_code: string, qty: number): Promise<Shown> =>
    story.make('Delivery Note', { customer, items: [{ item_code, qty }] })

  const receive = (item_code: string, rate: number, ...quantities: number[]): Promise<Shown> =>
    story.make('Purchase Receipt', {
      supplier,
      items: quantities.map((qty) => ({ item_code, qty, rate })),
    })

  const bin = async (item_code: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', `${item_code}::Stores`)
    return [actual_qty, stock_value]
  }

  test('what is missing is valued at the buying price, and made good by what comes', async () => {
    // 5 × 10 = 50 leave out of nothing.
    const delivery = await deliver('MILK', 5)
    assert.equal(await story.books(delivery.id), { 'Cost of Goods Sold': 50, 'Stock In Hand': -50 })
    assert.equal(await bin('MILK'), [-5, -50])
    // 8 come at 12 = 96. The first 5 make good the 50, the other 3 are worth 36; 10 was too little for the 5.
    const receipt = await receive('MILK', 12, 8)
    assert.equal(await story.books(receipt.id), {
      'Stock In Hand': 86,
      'Stock Received But Not Billed': -96,
      'Stock Adjustment': 10,
    })
    assert.equal(await bin('MILK'), [3, 36])
  })

  test('more than is there leaves at the average of what is there', async () => {
    await receive('BREAD', 3, 3)
    // 3 worth 9; 5 leave: 5 × 3 = 15
    const delivery = await deliver('BREAD', 5)
    assert.is((await story.books(delivery.id))['Cost of Goods Sold'], 15)
    assert.equal(await bin('BREAD'), [-2, -6])
    // Two rows of 1 and 4 at 4 = 20: 2 × 3 = 6 made good, 3 × 4 = 12 worth; 1 + 1 too little.
    const receipt = await receive('BREAD', 4, 1, 4)
    const posted = await story.all('Stock Ledger Entry', { voucher_no: receipt.id })
    assert.equal(
      posted.map(({ stock_value_difference }) => stock_value_difference),
      [3, 15],
    )
    assert.is((await story.books(receipt.id))['Stock Adjustment'], 2)
    assert.equal(await bin('BREAD'), [3, 12])
  })

  test('a transfer and a return come into what is missing in the same way', async () => {
    await deliver('EGG', 4)
    assert.equal(await bin('EGG'), [-4, -40])
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Finished Goods',
      items: [{ item_code: 'EGG', qty: 2, basic_rate: 7 }],
    })
    const moved = await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      from_warehouse: 'Finished Goods',
      to_warehouse: 'Stores',
      items: [{ item_code: 'EGG', qty: 2 }],
    })
    // 14 leave there, 20 are made good here: 10 was too much.
    assert.equal(await story.books(moved.id), { 'Stock In Hand': 6, 'Stock Adjustment': -6 })
    assert.equal(await bin('EGG'), [-2, -20])
    const back = await story.make('Delivery Note', {
      customer,
      is_return: true,
      items: [{ item_code: 'EGG', qty: -2 }],
    })
    assert.equal(await story.books(back.id), { 'Cost of Goods Sold': -20, 'Stock In Hand': 20 })
    assert.equal(await bin('EGG'), [0, 0])
  })

  test('a return keeps its own value, however dear what is missing was', async () => {
    const early = await deliver('CREAM', 5)
    await receive('CREAM', 10, 5)
    await story.update('Item', 'CREAM', { standard_buying_rate: 8 })
    await deliver('CREAM', 4)
    assert.equal(await bin('CREAM'), [-4, -32])
    // 5 × 10 = 50 come back: 4 make good the 32, the fifth is worth its 10; 40 were given for the 32.
    const { id } = await story.draftOf('Delivery Note', early.id, 'make_return')
    const back = await story.submit('Delivery Note', id)
    assert.equal(await story.books(back.id), {
      'Cost of Goods Sold': -50,
      'Stock In Hand': 42,
      'Stock Adjustment': 8,
    })
    assert.equal(await bin('CREAM'), [1, 10])
  })

  test('rows of one entry make good what is missing one after the other', async () => {
    await deliver('FLOUR', 4)
    // −4 worth −40. 3 at 7: all make good 30. 3 more: one makes good 10, two are worth 14.
    const entry = await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'FLOUR', qty: 3, basic_rate: 7 },
        { item_code: 'FLOUR', qty: 3, basic_rate: 7 },
      ],
    })
    assert.equal(
      entry.items.map(({ stock_value }: Shown) => stock_value),
      [30, 24],
    )
    assert.equal(await bin('FLOUR'), [2, 14])
    assert.equal(await story.books(entry.id), { 'Stock In Hand': 54, 'Stock Adjustment': -54 })
  })

  test('once an item may no longer, its stock can only recover', async () => {
    await deliver('SALT', 5)
    await story.update('Item', 'SALT', { allow_negative_stock: false })
    await refusedFor('items[0].item_code', 'not enough stock', deliver('SALT', 1))
    const receipt = await receive('SALT', 10, 3)
    assert.equal(await bin('SALT'), [-2, -20])
    await refusedFor('actual_qty', 'not enough stock', story.cancel('Purchase Receipt', receipt.id))
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
