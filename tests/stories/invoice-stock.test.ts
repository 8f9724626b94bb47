import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('invoices that move their goods themselves', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string
  let order: Shown
  let bill: Shown
  let invoice: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    await story.create('Item', {
      item_code: 'LAMP',
      item_name: 'Lamp',
      stock_uom: 'Nos',
      standard_rate: 50,
      uoms: [{ uom: 'Box', conversion_factor: 3 }],
    })
    await story.create('Item', { item_code: 'DRILL', item_name: 'Drill', has_serial_no: true })
    await story.create('Serial No', { serial_no: 'S1', item_code: 'DRILL' })
    for (const item_code of ['SETUP', 'LIGHTS'])
      await story.create('Item', { item_code, item_name: item_code, is_stock_item: false })
    await story.create('Product Bundle', {
      new_item_code: 'LIGHTS',
      items: [
        { item_code: 'LAMP', qty: 2 },
        { item_code: 'SETUP', qty: 1 },
      ],
    })
  })
  test.after(() => story.close())

  const bin = async (id = 'LAMP::Stores'): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }
  const buy = (items: readonly object[]): Promise<Shown> =>
    story.make('Purchase Invoice', { supplier, update_stock: true, items })
  const sell = (items: readonly object[], more: object = {}): Promise<Shown> =>
    story.make('Sales Invoice', { customer, update_stock: true, items, ...more })

  test('a bill brings in what was ordered', async () => {
    const bought = await story.make('Purchase Order', {
      supplier,
      set_warehouse: 'Stores',
      items: [{ item_code: 'LAMP', qty: 10, rate: 20 }],
    })
    const draft = await story.draftOf('Purchase Order', bought.id, 'make_invoice')
    await story.update('Purchase Invoice', draft.id, {
      update_stock: true,
      taxes: [{ description: 'VAT', rate: 20 }],
    })
    bill = await story.submit('Purchase Invoice', draft.id)
    // 10 × 20 = 200, plus 40 of tax; the goods are booked as stock at once
    assert.equal(await story.books(bill.id), {
      Creditors: -240,
      'Stock In Hand': 200,
      'Input Tax': 40,
    })
    assert.equal(await bin(), [10, 200])
    const { status, per_received, items } = await story.get('Purchase Order', bought.id)
    assert.equal([status, per_received, items[0].received_qty], ['Completed', 100, 10])
    assert.is((await story.get('Bin', 'LAMP::Stores')).ordered_qty, 0)
  })

  test('an invoice delivers what was ordered, at what it cost', async () => {
    order = await story.make('Sales Order', { customer, items: [{ item_code: 'LAMP', qty: 6 }] })
    const draft = await story.draftOf('Sales Order', order.id, 'make_invoice')
    await story.update('Sales Invoice', draft.id, { update_stock: true })
    invoice = await story.submit('Sales Invoice', draft.id)
    // 6 of 10 worth 200 leave: 120
    assert.equal(await story.books(invoice.id), {
      Debtors: 300,
      Sales: -300,
      'Cost of Goods Sold': 120,
      'Stock In Hand': -120,
    })
    assert.equal(await bin(), [4, 80])
    const [entry] = await story.all('Stock Ledger Entry', { voucher_no: invoice.id })
    assert.equal(
      [entry?.voucher_type, entry?.actual_qty, entry?.voucher_detail_no],
      ['Sales Invoice', -6, invoice.items[0].row_id],
    )
    const done = await story.get('Sales Order', order.id)
    assert.equal(
      [done.status, done.per_delivered, done.items[0].delivered_qty],
      ['Completed', 100, 6],
    )
  })

  test('units are counted in stock units, and a bundle is what it is made of', async () => {
    const sold = await sell([
      { item_code: 'LAMP', qty: 0.333333, uom: 'Box', rate: 150, conversion_factor: 3 },
      { item_code: 'LIGHTS', qty: 1, rate: 130 },
    ])
    const left = await story.all('Stock Ledger Entry', { voucher_no: sold.id })
    assert.equal(
      left.map(({ voucher_detail_no, item_code, actual_qty }) => [
        voucher_detail_no,
        item_code,
        actual_qty,
      ]),
      [
        [sold.items[0].row_id, 'LAMP', -0.999999],
        [sold.items[1].row_id, 'LAMP', -2],
      ],
    )
    await story.cancel('Sales Invoice', sold.id)
    assert.equal(await bin(), [4, 80])
    const boxes = await sell([{ item_code: 'LAMP', qty: 1, uom: 'Box', rate: 150 }])
    assert.equal(await bin(), [1, 20])
    await story.cancel('Sales Invoice', boxes.id)
    await refusedFor(
      'items[0].conversion_factor',
      'Kg is no unit of LAMP',
      sell([{ item_code: 'LAMP', qty: 1, uom: 'Kg' }]),
    )
  })

  test('goods come back with the credit note, at the value they went out with', async () => {
    // 4 worth 80, and 4 for 30 each: 8 worth 200
    await buy([{ item_code: 'LAMP', qty: 4, rate: 30 }])
    assert.equal(await bin(), [8, 200])
    const draft = await story.draftOf('Sales Invoice', invoice.id, 'make_return')
    await story.update('Sales Invoice', draft.id, {
      items: [{ row_id: draft.items[0].row_id, qty: -2 }],
    })
    const credit = await story.submit('Sales Invoice', draft.id)
    assert.equal(await story.books(credit.id), {
      Debtors: -100,
      Sales: 100,
      'Cost of Goods Sold': -40,
      'Stock In Hand': 40,
    })
    assert.equal(await bin(), [10, 240])
    assert.is((await story.get('Sales Order', order.id)).items[0].delivered_qty, 4)
    await refusedAsConflict(story.cancel('Sales Invoice', invoice.id))
    await story.cancel('Sales Invoice', credit.id)
    assert.equal(await bin(), [8, 200])
  })

  test('goods go back with the debit note, at what they came in for', async () => {
    const draft = await story.draftOf('Purchase Invoice', bill.id, 'make_return')
    await story.update('Purchase Invoice', draft.id, {
      items: [{ row_id: draft.items[0].row_id, qty: -2 }],
    })
    const debit = await story.submit('Purchase Invoice', draft.id)
    // 2 that came in for 20 each; the supplier gives 40 back, and 8 of tax
    assert.equal(await story.books(debit.id), {
      Creditors: 48,
      'Stock In Hand': -40,
      'Input Tax': -8,
    })
    assert.equal(await bin(), [6, 160])
    await story.cancel('Purchase Invoice', debit.id)
    assert.equal(await bin(), [8, 200])
  })

  test('a piece comes in and goes out by its number', async () => {
    await refusedFor('item_code', 'kept by batch or serial', buy([{ item_code: 'DRILL', qty: 1 }]))
    await buy([{ item_code: 'DRILL', qty: 1, rate: 70, serial_no: 'S1' }])
    const piece = async (): Promise<readonly unknown[]> => {
      const { status, warehouse, customer: holder } = await story.get('Serial No', 'S1')
      return [status, warehouse, holder]
    }
    assert.equal(await piece(), ['Active', 'Stores', null])
    const bundle = await story.make('Serial and Batch Bundle', {
      item_code: 'DRILL',
      type_of_transaction: 'Outward',
      entries: [{ serial_no: 'S1' }],
    })
    const sold = await sell([
      { item_code: 'DRILL', qty: 1, rate: 99, serial_and_batch_bundle: bundle.id },
    ])
    assert.equal(await piece(), ['Delivered', null, customer])
    assert.is((await story.get('Serial and Batch Bundle', bundle.id)).voucher_no, sold.id)
    await story.cancel('Sales Invoice', sold.id)
    assert.equal(await piece(), ['Active', 'Stores', null])
    const again = await sell([{ item_code: 'DRILL', qty: 1, rate: 99, serial_no: 'S1' }])
    assert.equal(await piece(), ['Delivered', null, customer])
    assert.equal(await bin('DRILL::Stores'), [0, 0])
    await story.cancel('Sales Invoice', again.id)
  })

  test('what is not there, has left already, or was not moved, is refused', async () => {
    const lamps = (qty: number): object[] => [{ item_code: 'LAMP', qty }]
    await refusedFor('items', 'not enough stock', sell([...lamps(5), ...lamps(4)]))
    const note = await story.make('Delivery Note', { customer, items: lamps(1) })
    const billing = await story.draftOf('Delivery Note', note.id, 'make_invoice')
    await refusedFor(
      'items',
      'moved already',
      story.update('Sales Invoice', billing.id, { update_stock: true }),
    )
    await story.submit('Sales Invoice', billing.id)
    const credit = await story.draftOf('Sales Invoice', billing.id, 'make_return')
    await refusedFor(
      'update_stock',
      'must be off',
      story.update('Sales Invoice', credit.id, { update_stock: true }),
    )
    await refusedFor(
      'account',
      'stock documents',
      sell(lamps(1), { income_account: 'Stock In Hand' }),
    )
    await refusedFor(
      'company',
      'another kind',
      sell([{ item_code: 'LAMP', qty: 1, expense_account: 'Stock In Hand' }]),
    )
  })

  test('cancelled, all is as it was', async () => {
    await story.cancel('Sales Invoice', invoice.id)
    assert.equal(await story.books(invoice.id), {})
    const { status, items } = await story.get('Sales Order', order.id)
    assert.equal([status, items[0].delivered_qty], ['Submitted', 0])
    // 8 worth 200 and 6 for 20 each: the one delivered leaves with a fourteenth, 22.86
    assert.equal(await bin(), [13, 297.14])
    assert.equal(await story.differences(), [])
  })
})
