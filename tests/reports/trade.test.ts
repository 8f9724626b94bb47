import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from '../stories/story.ts'
import { type Asked, reportsOf, rowsOf } from './report-of.ts'

/** Ada buys in dollars, Eve in euros of 1.10; the mill delivers in euros. */
forEachDatabase('reports of trade', ({ test, fresh }) => {
  let story: Story
  let report: Asked
  let ada: string
  let eve: string
  let mill: string

  test.before(async () => {
    story = await openStory(await fresh())
    report = reportsOf(story)
    await story.create('Currency Exchange', {
      date: '2026-01-01',
      from_currency: 'EUR',
      to_currency: 'USD',
      exchange_rate: 1.1,
    })
    await story.create('Item Group', { item_group_name: 'Metal', is_group: true })
    await story.create('Item Group', { item_group_name: 'Nuts', parent_item_group: 'Metal' })
    await story.create('Item Group', { item_group_name: 'Work' })
    await story.create('Customer Group', { customer_group_name: 'Shops' })
    await story.create('Territory', { territory_name: 'North' })
    await story.create('Supplier Group', { supplier_group_name: 'Mills' })
    await story.create('Item', { item_code: 'NUT', item_name: 'Nut', item_group: 'Nuts' })
    const work = { item_name: 'Hour', item_group: 'Work', is_stock_item: false }
    await story.create('Item', { item_code: 'HOUR', ...work })
    const shop = { customer_group: 'Shops', territory: 'North' }
    ada = (await story.create('Customer', { customer_name: 'Ada', ...shop })).id
    eve = (await story.create('Customer', { customer_name: 'Eve', default_currency: 'EUR' })).id
    const euro = { default_currency: 'EUR', supplier_group: 'Mills' }
    mill = (await story.create('Supplier', { supplier_name: 'Mill', ...euro })).id

    await invoice(ada, '2026-01-10', { qty: 2, rate: 100 })
    const { id } = await invoice(ada, '2026-02-10', { qty: 3, rate: 100 })
    const credit = await story.draftOf('Sales Invoice', id, 'make_return')
    await story.update('Sales Invoice', credit.id, {
      posting_date: '2026-02-20',
      items: [{ row_id: credit.items[0].row_id, qty: -1 }],
    })
    await story.submit('Sales Invoice', credit.id)
    // 90 € are 99 $
    await invoice(eve, '2026-02-15', { qty: 1, rate: 90, uom: 'Dozen', conversion_factor: 12 })
    const wrong = await invoice(ada, '2026-03-01', { qty: 5, rate: 100 })
    await story.cancel('Sales Invoice', wrong.id)
  })
  test.after(() => story.close())

  const invoice = (customer: string, posting_date: string, row: object): Promise<Shown> =>
    story.make('Sales Invoice', {
      customer,
      posting_date,
      items: [{ item_code: 'HOUR', ...row }],
    })
  /** The draft that an action makes, of this many of its first row, submitted on a day. */
  const part = async (
    [doctype, id]: readonly [string, string],
    action: string,
    made: string,
    { qty, posting_date }: { qty: number; posting_date: string },
  ): Promise<Shown> => {
    const draft = await story.draftOf(doctype, id, action)
    const items = [{ row_id: draft.items[0].row_id, qty }]
    await story.update(made, draft.id, { posting_date, items })
    return story.submit(made, draft.id)
  }

  test('what was sold, less what came back, by month and heading', async () => {
    const quarter = { from_date: '2026-01-01', to_date: '2026-03-31' }
    const months = ['number_2026_01', 'number_2026_02', 'number_2026_03', 'total']
    const sold = async (more: Readonly<Record<string, string>>): Promise<unknown[][]> =>
      rowsOf(await report('sales-analytics', { ...quarter, ...more }), ['heading', ...months])
    const found = await report('sales-analytics', quarter)
    // Ada in February: 300 − 100
    assert.equal(rowsOf(found, ['heading', ...months]), [
      [ada, 200, 200, 0, 400],
      [eve, 0, 99, 0, 99],
    ])
    assert.equal(rowsOf(found, ['heading_name']).flat(), ['Ada', 'Eve'])
    assert.equal(found.totals, {
      number_2026_01: 200,
      number_2026_02: 299,
      number_2026_03: 0,
      total: 499,
    })
    assert.equal(
      found.columns.map(({ label }) => label),
      ['Customer', 'Name', 'Jan 2026', 'Feb 2026', 'Mar 2026', 'Total'],
    )
    // In units of stock: a dozen is 12
    assert.equal(await sold({ value_quantity: 'Quantity' }), [
      [eve, 0, 12, 0, 12],
      [ada, 2, 2, 0, 4],
    ])
    assert.equal(await sold({ tree_type: 'Territory' }), [
      ['North', 200, 200, 0, 400],
      [null, 0, 99, 0, 99],
    ])
    assert.equal(await sold({ tree_type: 'Item Group' }), [['Work', 200, 299, 0, 499]])
    const year = { from_date: '2026-02-11', to_date: '2026-12-31', periodicity: 'Yearly' }
    const rest = await report('sales-analytics', { ...year, tree_type: 'Item' })
    // 99 − 100
    assert.equal(rowsOf(rest, ['heading', 'total']), [['HOUR', -1]])
    const empty = await report('sales-analytics', { ...quarter, doc_type: 'Sales Order' })
    assert.equal([empty.data, empty.totals?.total], [[], 0])
  })

  test('an order shows what of it is delivered, billed and late', async () => {
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      posting_date: '2026-01-05',
      to_warehouse: 'Stores',
      items: [{ item_code: 'NUT', qty: 100, basic_rate: 1 }],
    })
    const order = (customer: string, transaction_date: string, qty: number): Promise<Shown> =>
      story.make('Sales Order', {
        customer,
        transaction_date,
        delivery_date: '2026-03-01',
        set_warehouse: 'Stores',
        items: [{ item_code: 'NUT', qty, rate: 10 }],
      })
    const { id } = await order(eve, '2026-02-01', 6)
    const from = ['Sales Order', id] as const
    const second = { qty: 2, posting_date: '2026-02-20' }
    await part(from, 'make_delivery_note', 'Delivery Note', second)
    await part(from, 'make_invoice', 'Sales Invoice', { ...second, qty: 1 })
    const closed = await order(ada, '2026-02-02', 3)
    await story.act('Sales Order', closed.id, 'close')
    const wrong = await order(ada, '2026-02-03', 9)
    await story.cancel('Sales Order', wrong.id)
    await order(ada, '2025-12-31', 9)

    const columns = ['sales_order', 'qty', 'delivered_qty', 'pending_qty', 'billed_qty']
    columns.push('unbilled_qty', 'amount', 'pending_amount', 'billed_amount', 'delay')
    const found = await report('sales-order-analysis')
    assert.equal(rowsOf(found, columns), [
      // 60 € are 66 $, 11 a piece; 8 days since 1 March
      [id, 6, 2, 4, 1, 5, 66, 44, 11, 8],
      [closed.id, 3, 0, 0, 0, 0, 30, 0, 0, 0],
    ])
    assert.equal(
      [found.totals?.amount, found.totals?.pending_amount, found.totals?.billed_amount],
      [96, 44, 11],
    )
    const ids = async (more: Readonly<Record<string, string>>): Promise<unknown[]> =>
      rowsOf(await report('sales-order-analysis', more), ['sales_order']).flat()
    assert.equal(await ids({ open_only: 'true' }), [id])
    assert.equal(await ids({ customer: ada }), [closed.id])
    assert.equal(await ids({ status: 'Closed', item_code: 'NUT' }), [closed.id])
    assert.equal(await ids({ to_date: '2026-02-01' }), [id])
    assert.equal(await ids({ sales_order: id, warehouse: 'Stores' }), [id])

    const notes = { doc_type: 'Delivery Note', from_date: '2026-02-01', to_date: '2026-02-28' }
    const delivered = await report('sales-analytics', { ...notes, tree_type: 'Customer Group' })
    // Eve belongs to no group: 2 of the 6
    assert.equal(rowsOf(delivered, ['heading', 'total']), [[null, 22]])
    const orders = { doc_type: 'Sales Order', tree_type: 'Customer Group' }
    const ordered = await report('sales-analytics', { ...orders, to_date: '2026-12-31' })
    assert.equal(rowsOf(ordered, ['heading', 'total']), [
      [null, 66],
      ['Shops', 30],
    ])
  })

  test('so does an order to a supplier', async () => {
    const { id } = await story.make('Purchase Order', {
      supplier: mill,
      transaction_date: '2026-02-25',
      schedule_date: '2026-03-04',
      set_warehouse: 'Stores',
      items: [{ item_code: 'NUT', qty: 10, rate: 4 }],
    })
    const from = ['Purchase Order', id] as const
    const third = { qty: 3, posting_date: '2026-03-02' }
    await part(from, 'make_receipt', 'Purchase Receipt', third)
    await part(from, 'make_invoice', 'Purchase Invoice', { ...third, qty: 2 })
    const columns = ['purchase_order', 'qty', 'received_qty', 'pending_qty', 'billed_qty']
    columns.push('unbilled_qty', 'amount', 'pending_amount', 'billed_amount', 'delay')
    const found = await report('purchase-order-analysis', { supplier: mill })
    // 40 € are 44 $, 4.40 a piece; 5 days since 4 March
    assert.equal(rowsOf(found, columns), [[id, 10, 3, 7, 2, 8, 44, 30.8, 8.8, 5]])
    assert.is((await report('purchase-order-analysis', { to_date: '2026-02-24' })).total, 0)

    const bought = async (more: Readonly<Record<string, string>>): Promise<unknown[][]> => {
      const march = { from_date: '2026-02-01', to_date: '2026-03-31' }
      const shown = await report('purchase-analytics', { ...march, ...more })
      return rowsOf(shown, ['heading', 'number_2026_02', 'number_2026_03', 'total'])
    }
    assert.equal(await bought({}), [[mill, 0, 8.8, 8.8]])
    const receipts = { doc_type: 'Purchase Receipt', tree_type: 'Supplier Group' }
    assert.equal(await bought(receipts), [['Mills', 0, 13.2, 13.2]])
    const pieces = { doc_type: 'Purchase Order', value_quantity: 'Quantity', tree_type: 'Item' }
    assert.equal(await bought(pieces), [['NUT', 10, 0, 10]])
    assert.equal(await story.differences(), [])
  })
})
