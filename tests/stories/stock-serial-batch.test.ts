import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('serial numbers and bundles', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string
  let receipt: Shown
  let sold: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Dairy & Tools' })).id
    await story.create('Warehouse', { warehouse_name: 'Shop', warehouse_type: 'Store' })
    await story.create('Item', { item_code: 'MILK', item_name: 'Milk', has_batch_no: true })
    await story.create('Item', { item_code: 'DRILL', item_name: 'Drill', has_serial_no: true })
    await story.create('Batch', { batch_id: 'B1', item: 'MILK' })
    for (const serial_no of ['S1', 'S2', 'S3', 'S4'])
      await story.create('Serial No', { serial_no, item_code: 'DRILL' })
    await receive([{ item_code: 'MILK', batch_no: 'B1', qty: 10, rate: 1 }])
  })
  test.after(() => story.close())

  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }
  /** How much of a batch, or of a piece, is in each warehouse. */
  const held = async (where: Readonly<Record<string, string>>): Promise<object> =>
    Object.fromEntries(
      (await story.all('Serial and Batch Balance', where))
        .filter(({ qty }) => qty !== 0)
        .map(({ warehouse, qty }) => [warehouse, qty]),
    )
  const piece = async (id: string): Promise<readonly unknown[]> => {
    const { status, warehouse, customer: holder } = await story.get('Serial No', id)
    return holder === null ? [status, warehouse] : [status, warehouse, holder]
  }
  const receive = (items: readonly object[]): Promise<Shown> =>
    story.make('Purchase Receipt', { supplier, set_warehouse: 'Stores', items })
  const deliver = (items: readonly object[], warehouse = 'Stores'): Promise<Shown> =>
    story.make('Delivery Note', { customer, set_warehouse: warehouse, items })
  const bundle = (type_of_transaction: string, ...numbers: readonly string[]): Promise<Shown> =>
    story.make('Serial and Batch Bundle', {
      item_code: 'DRILL',
      type_of_transaction,
      entries: numbers.map((serial_no) => ({ serial_no })),
    })

  test('pieces come in one by one or as a bundle of their numbers', async () => {
    const three = await bundle('Inward', 'S1', 'S2', 'S3')
    assert.equal([three.total_qty, three.status], [3, 'Submitted'])
    const row = { item_code: 'DRILL', rate: 50, serial_and_batch_bundle: three.id }
    await refusedFor(
      'serial_and_batch_bundle',
      'same item, quantity',
      receive([{ ...row, qty: 2 }]),
    )
    receipt = await receive([
      { ...row, qty: 3 },
      { item_code: 'DRILL', qty: 1, rate: 58, serial_no: 'S4' },
    ])
    // 3 × 50 + 58.
    assert.equal(await bin('DRILL::Stores'), [4, 208])
    assert.equal(await piece('S2'), ['Active', 'Stores'])
    const used = await story.get('Serial and Batch Bundle', three.id)
    assert.equal([used.status, used.voucher_no], ['Posted', receipt.id])
    await refusedFor('voucher_no', 'another row', receive([{ ...row, qty: 3 }]))
    await refusedFor(
      'in_stock',
      'is in stock already',
      receive([{ item_code: 'DRILL', qty: 1, rate: 1, serial_no: 'S4' }]),
    )
    await refusedFor('serial_no', 'is needed', receiveBatchOfDrills())
  })

  /** A batch in a row of an item that has serial numbers. */
  const receiveBatchOfDrills = (): Promise<Shown> =>
    receive([{ item_code: 'DRILL', qty: 1, rate: 1, batch_no: 'B1' }])

  test('a transfer takes them along', async () => {
    const two = await bundle('Outward', 'S1', 'S2')
    const entry = await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      from_warehouse: 'Stores',
      to_warehouse: 'Shop',
      items: [
        { item_code: 'DRILL', qty: 2, serial_and_batch_bundle: two.id },
        { item_code: 'MILK', qty: 4, batch_no: 'B1' },
      ],
    })
    assert.equal(
      [await piece('S1'), await held({ batch_no: 'B1' })],
      [['Active', 'Shop'], { Stores: 6, Shop: 4 }],
    )
    // Two drills at 50, whatever S4 cost.
    assert.equal(await bin('DRILL::Shop'), [2, 100])
    await story.cancel('Stock Entry', entry.id)
    assert.equal(
      [await piece('S1'), await held({ batch_no: 'B1' })],
      [['Active', 'Stores'], { Stores: 10 }],
    )
    assert.is((await story.get('Serial and Batch Bundle', two.id)).status, 'Submitted')
    const again = await story.amend('Stock Entry', entry.id)
    await story.update('Stock Entry', again.id, {
      items: [
        { row_id: again.items[0].row_id, serial_and_batch_bundle: two.id },
        { row_id: again.items[1].row_id },
      ],
    })
    await story.submit('Stock Entry', again.id)
    assert.equal(await piece('S2'), ['Active', 'Shop'])
  })

  test('a piece is delivered once, and from where it is', async () => {
    const row = { item_code: 'DRILL', qty: 1, rate: 90 }
    await refusedFor(
      'items[0].item_code',
      'not enough',
      deliver([{ ...row, serial_no: 'S3' }], 'Shop'),
    )
    sold = await deliver([{ ...row, serial_no: 'S1' }], 'Shop')
    assert.equal(await story.books(sold.id), { 'Cost of Goods Sold': 50, 'Stock In Hand': -50 })
    assert.equal(await piece('S1'), ['Delivered', null, customer])
    assert.ok((await story.events('S1')).includes('delivered'))
    await refusedFor(
      'items[0].item_code',
      'not enough stock: 1 of DRILL wanted from Shop on 2026-03-09, 0 there',
      deliver([{ ...row, serial_no: 'S1' }], 'Shop'),
    )
    await refusedFor('serial_no', 'one piece', receive([{ ...row, qty: 2, serial_no: 'S4' }]))
    await refusedAsConflict(
      story.cancel('Serial and Batch Bundle', (await story.all('Serial and Batch Bundle'))[0]!.id),
    )
    // What was received has gone since.
    await refusedFor(
      '',
      '1 of DRILL in Stores (S1) would be missing',
      story.cancel('Purchase Receipt', receipt.id),
    )
  })

  test('a returned piece is there again', async () => {
    const draft = await story.draftOf('Delivery Note', sold.id, 'make_return')
    assert.is(draft.items[0].serial_no, 'S1')
    await story.submit('Delivery Note', draft.id)
    assert.equal(await piece('S1'), ['Active', 'Shop'])
    assert.equal(await bin('DRILL::Shop'), [2, 100])
  })

  test('a bundle goes to a customer, and is free again once that is cancelled', async () => {
    const both = await bundle('Outward', 'S1', 'S2')
    const note = await deliver(
      [{ item_code: 'DRILL', qty: 2, rate: 90, serial_and_batch_bundle: both.id }],
      'Shop',
    )
    assert.equal(await piece('S2'), ['Delivered', null, customer])
    await story.cancel('Delivery Note', note.id)
    assert.equal(await piece('S2'), ['Active', 'Shop'])
    await story.cancel('Serial and Batch Bundle', both.id)
  })

  test('numbers are taken from a list, and made where they are new', async () => {
    const list = { item_code: 'DRILL', serial_numbers: 'S1, D-09..D-11\nS4' }
    const draft = await story.create('Serial and Batch Bundle', {
      ...list,
      type_of_transaction: 'Inward',
    })
    const taken = await story.act('Serial and Batch Bundle', draft.id, 'take_numbers')
    assert.equal(
      taken.entries.map(({ serial_no, qty }: Shown) => [serial_no, qty]),
      [
        ['S1', 1],
        ['D-09', 1],
        ['D-10', 1],
        ['D-11', 1],
        ['S4', 1],
      ],
    )
    assert.equal(await piece('D-10'), ['Inactive', null])
    const out = await story.create('Serial and Batch Bundle', {
      item_code: 'DRILL',
      serial_numbers: 'D-12',
      type_of_transaction: 'Outward',
    })
    await refusedFor(
      'entries[0].serial_no',
      'D-12',
      story.act('Serial and Batch Bundle', out.id, 'take_numbers'),
    )
    await refusedFor(
      '',
      'expected a range',
      story.update('Serial and Batch Bundle', out.id, { serial_numbers: 'D-9..D-11' }),
    )
    await refusedFor(
      'entries',
      'needs the batches',
      story.submit('Serial and Batch Bundle', out.id),
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
