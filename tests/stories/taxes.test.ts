import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

const VAT = {
  description: 'VAT',
  account_head: 'Output Tax',
  rate: 20,
  included_in_print_rate: true,
}
const HANDLING = {
  charge_type: 'On Previous Row Total',
  reference_row: 1,
  description: 'Handling',
  account_head: 'Freight Charged',
  rate: 2,
}

const amounts = ({ taxes }: Shown): unknown[] => taxes.map((tax: Shown) => tax.tax_amount)
const totals = ({ taxes }: Shown): unknown[] => taxes.map((tax: Shown) => tax.total)
const nets = ({ items }: Shown): unknown[] => items.map((item: Shown) => item.net_amount)

forEachDatabaseWhenDeep('taxes on rows, in prices and of items', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Tax Category', { title: 'Abroad' })
    for (const [title, tax_rate] of [
      ['Books', 5],
      ['Export', 0],
    ])
      await story.create('Item Tax Template', {
        title,
        taxes: [{ tax_type: 'Output Tax', tax_rate }],
      })
    const service = { is_stock_item: false }
    await story.create('Item', { item_code: 'TOY', item_name: 'Toy', ...service })
    await story.create('Item', {
      item_code: 'BOOK',
      item_name: 'Book',
      ...service,
      taxes: [
        { item_tax_template: 'Export', tax_category: 'Abroad' },
        { item_tax_template: 'Books' },
      ],
    })
    await story.create('Item', { item_code: 'PINE', item_name: 'Pine board' })
    await story.create('Item', { item_code: 'PAPER', item_name: 'Paper', ...service })
    customer = (await story.create('Customer', { customer_name: 'Reader' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Mill' })).id
  })
  test.after(() => story.close())

  test('go from the quotation to the credit note, with a discount on the grand total', async () => {
    // Toy 120 with 20 % in it: 100 + 20. Books 2 × 52.50 with 5 % in it: 100 + 5. Handling 2 % of 225 = 4.50.
    const body = {
      customer,
      items: [
        { item_code: 'TOY', qty: 1, rate: 120 },
        { item_code: 'BOOK', qty: 2, rate: 52.5 },
      ],
      taxes: [VAT, HANDLING],
    }
    const plain = await story.create('Quotation', body)
    assert.equal([plain.total, plain.net_total, plain.grand_total], [225, 200, 229.5])
    assert.equal(
      [amounts(plain), totals(plain)],
      [
        [25, 4.5],
        [225, 229.5],
      ],
    )
    assert.equal(nets(plain), [100, 100])
    // 10 % of 229.50 = 22.95 off: nine tenths of all are left.
    const quotation = await story.make('Quotation', {
      ...body,
      apply_discount_on: 'Grand Total',
      additional_discount_percentage: 10,
    })
    const draft = await story.draftOf('Quotation', quotation.id, 'make_order')
    const order = await story.submit('Sales Order', draft.id)
    const invoice = await story.draftOf('Sales Order', order.id, 'make_invoice')
    const note = await story.draftOf('Sales Order', order.id, 'make_delivery_note')
    for (const document of [quotation, order, invoice, note]) {
      const { discount_amount, net_total, grand_total, items } = document
      assert.equal([discount_amount, net_total, grand_total], [22.95, 180, 206.55])
      assert.equal(
        [amounts(document), totals(document)],
        [
          [22.5, 4.05],
          [202.5, 206.55],
        ],
      )
      assert.equal(nets(document), [90, 90])
      assert.equal(
        items.map((item: Shown) => item.item_tax_template),
        [null, 'Books'],
      )
    }
    await story.submit('Sales Invoice', invoice.id)
    assert.equal(await story.books(invoice.id), {
      Debtors: 206.55,
      Sales: -180,
      'Output Tax': -22.5,
      'Freight Charged': -4.05,
    })
    const back = await story.draftOf('Sales Invoice', invoice.id, 'make_return')
    await story.submit('Sales Invoice', back.id)
    assert.equal(await story.books(invoice.id, back.id), {})
    await story.cancel('Sales Invoice', back.id)
    await story.cancel('Sales Invoice', invoice.id)
    assert.equal(await story.books(invoice.id), {})
  })

  test('an item’s template is that of the tax category, and may be chosen', async () => {
    const sale = { customer, tax_category: 'Abroad', taxes: [VAT] }
    const { items, grand_total, net_total } = await story.create('Sales Invoice', {
      ...sale,
      items: [
        { item_code: 'BOOK', qty: 1, rate: 105 },
        { item_code: 'BOOK', qty: 1, rate: 105, item_tax_template: 'Books' },
      ],
    })
    assert.equal(
      items.map((item: Shown) => [item.item_tax_template, item.net_amount]),
      [
        ['Export', 105],
        ['Books', 100],
      ],
    )
    assert.equal([net_total, grand_total], [205, 210])
  })

  test('a row that cannot be calculated is refused', async () => {
    const items = [{ item_code: 'TOY', qty: 1, rate: 10 }]
    const rows = (taxes: readonly object[]) =>
      story.create('Sales Order', { customer, items, taxes })
    await refusedFor('taxes', 'expected reference_row from 1 to 0, got 1', rows([HANDLING]))
    await refusedFor('taxes', 'included', rows([{ ...VAT, charge_type: 'Actual' }]))
    await refusedFor(
      'taxes[0].reference_row',
      'an earlier row',
      story.create('Sales Taxes and Charges Template', { title: 'Wrong', taxes: [HANDLING] }),
    )
    const title = 'Gross'
    await story.create('Sales Taxes and Charges Template', { title, taxes: [VAT, HANDLING] })
    const { grand_total } = await story.create('Sales Order', {
      customer,
      items: [{ item_code: 'TOY', qty: 1, rate: 120 }],
      taxes_and_charges: title,
    })
    assert.is(grand_total, 122.4)
  })

  test('what is bought is worth its freight and duty, and the bill clears what the receipt booked', async () => {
    // Boards 240 and paper 120 with 20 % in them: 200 + 100 net and 60. Freight 30 is owed and part of the value;
    // duty, 5 % of 300 = 15, is part of the value and owed to somebody else. All of it lies on the boards: 245.
    const taxes = [
      { ...VAT, account_head: 'Input Tax' },
      {
        charge_type: 'Actual',
        category: 'Valuation and Total',
        description: 'Freight',
        account_head: 'Freight Paid',
        charge_amount: 30,
      },
      { category: 'Valuation', description: 'Duty', account_head: 'Accrued Expenses', rate: 5 },
    ]
    const items = [
      { item_code: 'PINE', qty: 10, rate: 24 },
      { item_code: 'PAPER', qty: 1, rate: 120 },
    ]
    const offer = await story.make('Supplier Quotation', { supplier, items, taxes })
    const draft = await story.draftOf('Supplier Quotation', offer.id, 'make_purchase_order')
    const order = await story.submit('Purchase Order', draft.id)
    const arrival = await story.draftOf('Purchase Order', order.id, 'make_receipt')
    const receipt = await story.submit('Purchase Receipt', arrival.id)
    const draftBill = await story.draftOf('Purchase Receipt', receipt.id, 'make_invoice')
    const bill = await story.submit('Purchase Invoice', draftBill.id)
    for (const document of [offer, order, receipt, bill]) {
      assert.equal([document.total, document.net_total, document.grand_total], [360, 300, 390])
      assert.equal(
        [amounts(document), totals(document)],
        [
          [60, 30, 15],
          [360, 390, 390],
        ],
      )
    }
    assert.equal(
      receipt.items.map((item: Shown) => item.item_tax_amount),
      [45, 0],
    )
    const { actual_qty, stock_value } = await story.get('Bin', 'PINE::Stores')
    assert.equal([actual_qty, stock_value], [10, 245])
    assert.equal(await story.books(receipt.id), {
      'Stock In Hand': 245,
      'Stock Received But Not Billed': -200,
      'Freight Paid': -30,
      'Accrued Expenses': -15,
    })
    assert.equal(await story.books(receipt.id, bill.id), {
      'Stock In Hand': 245,
      Purchases: 100,
      'Input Tax': 60,
      'Accrued Expenses': -15,
      Creditors: -390,
    })
    assert.equal((await story.get('Purchase Order', order.id)).per_billed, 100)
    await story.cancel('Purchase Invoice', bill.id)
    const back = await story.draftOf('Purchase Receipt', receipt.id, 'make_return')
    await story.submit('Purchase Receipt', back.id)
    assert.equal(await story.books(receipt.id, bill.id, back.id), {})
    // A bill that brings the goods itself books the same at once.
    const direct = await story.make('Purchase Invoice', {
      supplier,
      update_stock: true,
      items,
      taxes,
    })
    assert.equal(await story.books(direct.id), {
      'Stock In Hand': 245,
      Purchases: 100,
      'Input Tax': 60,
      'Accrued Expenses': -15,
      Creditors: -390,
    })
    await story.cancel('Purchase Invoice', direct.id)
    assert.is((await story.get('Bin', 'PINE::Stores')).stock_value, 0)
  })

  test('offers and orders are rounded to the smallest coin too', async () => {
    await story.update('Currency', 'USD', { smallest_currency_fraction_value: 0.05 })
    const items = [{ item_code: 'TOY', qty: 1, rate: 10.02 }]
    const more = { items, disable_rounded_total: false }
    for (const [doctype, party] of [
      ['Quotation', { customer }],
      ['Sales Order', { customer }],
      ['Purchase Order', { supplier }],
    ] as const) {
      const made = await story.create(doctype, { ...party, ...more })
      assert.equal(
        [made.grand_total, made.rounded_total, made.rounding_adjustment],
        [10.02, 10, -0.02],
      )
    }
    assert.equal(await story.differences(), [])
  })
})
