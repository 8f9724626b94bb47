import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

const on = (day: number): string => `2026-03-0${day}`

forEachDatabaseWhenDeep('batches and pieces are valued as themselves', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Dairy & Tools' })).id
    await story.create('Item', {
      item_code: 'MILK',
      item_name: 'Milk',
      has_batch_no: true,
      valuation_method: 'FIFO',
    })
    await story.create('Item', { item_code: 'DRILL', item_name: 'Drill', has_serial_no: true })
    for (const batch_id of ['B1', 'B2']) await story.create('Batch', { batch_id, item: 'MILK' })
    for (const serial_no of ['S1', 'S2', 'S3'])
      await story.create('Serial No', { serial_no, item_code: 'DRILL' })
  })
  test.after(() => story.close())

  const row = (item_code: string, qty: number, rate: number, piece: object): object => ({
    item_code,
    qty,
    rate,
    warehouse: 'Stores',
    ...piece,
  })
  const receive = (day: number, ...items: readonly object[]): Promise<Shown> =>
    story.make('Purchase Receipt', { supplier, posting_date: on(day), items })
  const deliver = (day: number, ...items: readonly object[]): Promise<Shown> =>
    story.make('Delivery Note', { customer, posting_date: on(day), items })
  const bundle = async (direction: string, ...numbers: readonly string[]): Promise<object> => ({
    serial_and_batch_bundle: (
      await story.make('Serial and Batch Bundle', {
        item_code: 'DRILL',
        type_of_transaction: direction,
        entries: numbers.map((serial_no) => ({ serial_no })),
      })
    ).id,
  })
  const value = async (piece: string, warehouse = 'Stores'): Promise<readonly number[]> => {
    const { qty, stock_value } = await story.get(
      'Serial and Batch Balance',
      `${piece}::${warehouse}`,
    )
    return [qty, stock_value]
  }
  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }
  const cost = async ({ id }: Shown): Promise<number> =>
    (await story.books(id))['Cost of Goods Sold'] ?? 0

  test('what leaves of a batch costs what that batch did, also when it is told of late', async () => {
    await receive(2, row('MILK', 10, 5, { batch_no: 'B1' }), row('MILK', 10, 9, { batch_no: 'B2' }))
    const sold = await deliver(5, row('MILK', 2, 20, { batch_no: 'B2' }))
    // Neither the average, 14, nor what came first, 10.
    assert.equal([sold.items[0].cost, await cost(sold)], [18, 18])
    assert.equal(
      [await value('B2::'), await bin('MILK::Stores')],
      [
        [8, 72],
        [18, 122],
      ],
    )
    // 10 more of B2 at 3 on the 3rd: 20 worth 120 on the 5th; B1 stays as it is.
    const late = await receive(3, row('MILK', 10, 3, { batch_no: 'B2' }))
    assert.is(await cost(sold), 12)
    assert.equal(
      [await value('B1::'), await value('B2::')],
      [
        [10, 50],
        [18, 108],
      ],
    )
    // 3 of the late ones go back at what they came in for.
    const { id, items } = await story.draftOf('Purchase Receipt', late.id, 'make_return')
    await story.update('Purchase Receipt', id, { items: [{ row_id: items[0].row_id, qty: -3 }] })
    await story.submit('Purchase Receipt', id)
    assert.equal(
      [await value('B2::'), await value('B1::')],
      [
        [15, 99],
        [10, 50],
      ],
    )
    await refusedFor(
      'items[0].item_code',
      'not enough',
      deliver(2, row('MILK', 21, 20, { batch_no: 'B1' })),
    )
    await refusedFor(
      'items[0].item_code',
      '11 of MILK wanted from Stores on 2026-03-04, 10 there',
      deliver(4, row('MILK', 11, 20, { batch_no: 'B1' })),
    )
    // 20 of B1 are there on the 6th, but 10 on the 4th.
    const more = await receive(6, row('MILK', 10, 5, { batch_no: 'B1' }))
    await deliver(7, row('MILK', 15, 20, { batch_no: 'B1' }))
    await refusedFor(
      '',
      '5 of MILK in Stores (B1) would be missing',
      story.cancel('Purchase Receipt', more.id),
    )
  })

  test('a count and costs of a batch are its own', async () => {
    // 5 of B1 worth 25, 18 of B2 worth 108; on the 9th 3 of those go back at 3.
    const count = await story.make('Stock Reconciliation', {
      posting_date: on(8),
      items: [{ item_code: 'MILK', batch_no: 'B2', warehouse: 'Stores', qty: 10 }],
    })
    assert.equal(count.items[0].amount_difference, -48)
    await story.make('Landed Cost Voucher', {
      posting_date: on(8),
      items: [{ item_code: 'MILK', warehouse: 'Stores', batch_no: 'B1', qty: 5, rate: 5 }],
      taxes: [{ description: 'Freight', expense_account: 'Stock Adjustment', amount: 10 }],
    })
    assert.equal(
      [await value('B1::'), await value('B2::')],
      [
        [5, 35],
        [7, 51],
      ],
    )
    assert.equal(await bin('MILK::Stores'), [12, 86])
  })

  test('a piece costs what it cost, alone or in a bundle, and takes that along', async () => {
    await receive(2, row('DRILL', 1, 100, { serial_no: 'S1' }))
    await receive(2, row('DRILL', 2, 200, await bundle('Inward', 'S2', 'S3')))
    assert.equal(
      [await value('::S1'), await value('::S3')],
      [
        [1, 100],
        [1, 200],
      ],
    )
    const sold = await deliver(4, row('DRILL', 1, 300, { serial_no: 'S2' }))
    assert.equal([sold.items[0].cost, await cost(sold)], [200, 200])
    const moved = await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      posting_date: on(5),
      from_warehouse: 'Stores',
      to_warehouse: 'Finished Goods',
      items: [{ item_code: 'DRILL', qty: 2, ...(await bundle('Outward', 'S1', 'S3')) }],
    })
    assert.equal(
      [await value('::S1', 'Finished Goods'), await value('::S3', 'Finished Goods')],
      [
        [1, 100],
        [1, 200],
      ],
    )
    assert.equal(await story.books(moved.id), {})
    const both = await deliver(
      6,
      row('DRILL', 2, 300, {
        warehouse: 'Finished Goods',
        ...(await bundle('Outward', 'S1', 'S3')),
      }),
    )
    assert.is(await cost(both), 300)
    // What comes back of them is worth what it left with.
    const { id, items } = await story.draftOf('Delivery Note', both.id, 'make_return')
    const [back] = [await bundle('Inward', 'S1')]
    await story.update('Delivery Note', id, {
      items: [{ row_id: items[0].row_id, qty: -1, ...back }],
    })
    await story.submit('Delivery Note', id)
    assert.equal([await cost({ id }), await value('::S1', 'Finished Goods')], [-100, [1, 100]])
    await story.cancel('Delivery Note', id)
    await story.cancel('Delivery Note', both.id)
    await story.cancel('Stock Entry', moved.id)
    assert.equal(
      [await value('::S1'), await bin('DRILL::Stores')],
      [
        [1, 100],
        [2, 300],
      ],
    )
    assert.equal(await story.differences(), [])
  })
})
