import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

const FREIGHT = 'Freight and Duty'

/** Lamps and cables come from overseas; the bill of the forwarder comes later. */
forEachDatabaseWhenDeep('landed costs', ({ test, fresh }) => {
  let story: Story
  let receipt: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    const supplier = (await story.create('Supplier', { supplier_name: 'Overseas Ltd' })).id
    await story.create('Customer', { customer_name: 'Blue Whale' })
    await story.create('Item', { item_code: 'LAMP', item_name: 'Lamp', valuation_method: 'FIFO' })
    await story.create('Item', { item_code: 'CABLE', item_name: 'Cable' })
    const costs = await story.get('Account', 'Stock Adjustment')
    await story.create('Account', {
      account_name: FREIGHT,
      parent_account: costs.parent_account,
      root_type: costs.root_type,
      account_type: 'Expenses Included In Valuation',
    })
    receipt = await story.make('Purchase Receipt', {
      supplier,
      set_warehouse: 'Stores',
      items: [
        { item_code: 'LAMP', qty: 10, rate: 30 },
        { item_code: 'CABLE', qty: 20, rate: 5 },
      ],
    })
  })
  test.after(() => story.close())

  const bin = async (item: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', `${item}::Stores`)
    return [actual_qty, stock_value]
  }
  const draft = (amount: number): Promise<Shown> =>
    story.draftOf('Purchase Receipt', receipt.id, 'make_landed_cost_voucher', {
      amount,
      expense_account: FREIGHT,
    })
  const deliver = async (item_code: string, qty: number): Promise<Shown> =>
    story.make('Delivery Note', {
      customer: (await story.all('Customer'))[0]!.id,
      items: [{ item_code, qty, warehouse: 'Stores' }],
    })

  test('add to the value of what is there, by what it cost', async () => {
    const { id } = await draft(80)
    const voucher = await story.submit('Landed Cost Voucher', id)
    // 300 and 100: 60 and 20 of 80
    assert.equal(
      voucher.items.map((row: Shown) => [row.applicable_charges, row.stock_value]),
      [
        [60, 60],
        [20, 20],
      ],
    )
    assert.equal(await story.books(id), { 'Stock In Hand': 80, [FREIGHT]: -80 })
    assert.equal(
      [await bin('LAMP'), await bin('CABLE')],
      [
        [10, 360],
        [20, 120],
      ],
    )
    await story.cancel('Landed Cost Voucher', id)
    assert.equal(
      [await bin('LAMP'), await bin('CABLE')],
      [
        [10, 300],
        [20, 100],
      ],
    )
    assert.equal(await story.books(id), {})
  })

  test('of what has left go to the account that takes the difference', async () => {
    await deliver('CABLE', 15)
    const { id } = await draft(60)
    await story.update('Landed Cost Voucher', id, { distribute_charges_based_on: 'Qty' })
    const voucher = await story.submit('Landed Cost Voucher', id)
    // 20 and 40 by pieces; 5 of 20 cables are there: 10 of 40
    assert.equal(
      voucher.items.map((row: Shown) => [row.applicable_charges, row.qty_left, row.stock_value]),
      [
        [20, 10, 20],
        [40, 5, 10],
      ],
    )
    assert.equal(await story.books(id), {
      'Stock In Hand': 30,
      'Stock Adjustment': 30,
      [FREIGHT]: -60,
    })
    assert.equal(
      [await bin('LAMP'), await bin('CABLE')],
      [
        [10, 320],
        [5, 35],
      ],
    )
    // First in, first out: 4 at 32
    const four = await deliver('LAMP', 4)
    assert.is(four.items[0].cost, 128)
    await deliver('LAMP', 6)
    // What was sold since was never worth it: 4 at 30.
    await story.cancel('Landed Cost Voucher', id)
    assert.is((await story.books(four.id))['Cost of Goods Sold'], 120)
    assert.equal(
      [await bin('LAMP'), await bin('CABLE')],
      [
        [0, 0],
        [5, 25],
      ],
    )
  })

  test('by hand have to add up', async () => {
    const { id, items } = await draft(10)
    const by = { distribute_charges_based_on: 'Distribute Manually' }
    const charges = (cable: number): object => ({
      ...by,
      items: [
        { row_id: items[0].row_id, manual_charges: 0 },
        { row_id: items[1].row_id, manual_charges: cable },
      ],
    })
    await story.update('Landed Cost Voucher', id, charges(9))
    await refusedFor('items', 'must add up', story.submit('Landed Cost Voucher', id))
    await story.update('Landed Cost Voucher', id, charges(10))
    await story.submit('Landed Cost Voucher', id)
    // 5 of 20 are there: 2.50 of 10
    assert.equal(await bin('CABLE'), [5, 27.5])
    assert.equal(await story.differences(), [])
  })
})
