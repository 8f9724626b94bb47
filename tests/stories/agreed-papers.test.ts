import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { previewOperation } from '../../engine/documents/operations/rehearse.ts'
import type { Preview } from '../../engine/documents/work/present.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** What documents agree on: prices, words instead of items, discounts, taxes by default and by rate, addresses. */
forEachDatabaseWhenDeep('what papers agree on', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
    await story.create('Item', { item_code: 'PINE', item_name: 'Pine', stock_uom: 'Nos' })
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
  })
  test.after(() => story.close())

  const hours = (qty: number, rate: number): object[] => [{ item_code: 'HOUR', qty, rate }]

  async function tried(doctype: string, body: object): Promise<Preview> {
    const { engine } = story
    const definition = engine.services.registry.byDoctype(doctype)!
    return previewOperation(engine.context(SYSTEM_ACTOR, 'business'), {
      definition,
      body,
      run: (context) => createDocument(context, definition, body),
    })
  }

  test('agreed prices are kept where the company says so, save by who may change them', async () => {
    await story.update('Company', 'Acme Inc', { maintain_same_rate: true })
    const order = await story.make('Sales Order', { customer, items: hours(10, 100) })
    const row = { so_detail: order.items[0].row_id, item_code: 'HOUR', qty: 4 }
    await refusedFor(
      'items[0].rate',
      'HOUR: 100 was agreed, not 90; the company keeps to agreed prices',
      story.create('Sales Invoice', { customer, items: [{ ...row, rate: 90 }] }),
    )
    const invoice = await story.create('Sales Invoice', { customer, items: [row] })
    assert.is(invoice.grand_total, 400)
    await story.update('Company', 'Acme Inc', { maintain_same_rate: false })
    const cheaper = await story.create('Sales Invoice', { customer, items: [{ ...row, rate: 90 }] })
    assert.is(cheaper.grand_total, 360)
  })

  test('a row needs no item, but says what it is for, from the quotation to the ledger', async () => {
    await refusedFor(
      'items[0].item_code',
      'is required',
      story.create('Quotation', { customer, items: [{ qty: 1, rate: 50 }] }),
    )
    const quotation = await story.make('Quotation', {
      customer,
      items: [...hours(1, 100), { description: 'Driving there', qty: 2, rate: 30 }],
    })
    assert.is(quotation.grand_total, 160)
    const { id } = await story.draftOf('Quotation', quotation.id, 'make_order')
    const order = await story.submit('Sales Order', id)
    const note = await story.draftOf('Sales Order', id, 'make_delivery_note')
    assert.equal(
      note.items.map((item: Shown) => item.item_code),
      ['HOUR'],
    )
    await story.submit('Delivery Note', note.id)
    assert.is((await story.get('Sales Order', order.id)).per_delivered, 100)
    const invoice = await story.draftOf('Sales Order', id, 'make_invoice')
    await story.submit('Sales Invoice', invoice.id)
    assert.equal(await story.books(invoice.id), { Debtors: 160, Sales: -160 })
    assert.is((await story.get('Sales Order', order.id)).status, 'Completed')
    // A bill for electricity, on the account that it names
    const bill = await story.make('Purchase Invoice', {
      supplier,
      items: [{ description: 'Electricity', expense_account: 'Utilities', qty: 1, rate: 80 }],
    })
    assert.equal(await story.books(bill.id), { Creditors: -80, Utilities: 80 })
    const bought = await story.make('Purchase Order', {
      supplier,
      items: [{ description: 'Cleaning', qty: 1, rate: 40 }],
    })
    assert.is(bought.status, 'To Bill')
  })

  test('a return that names the rows it takes back is what the action makes', async () => {
    const invoice = await story.make('Sales Invoice', {
      customer,
      items: hours(4, 50),
      additional_discount_amount: 20,
      taxes: [
        { charge_type: 'On Net Total', account_head: 'Output Tax', description: 'VAT', rate: 10 },
      ],
    })
    // 200 - 20 = 180, and 18 of tax; one of four is a quarter of it: 45 + 4.50
    const [{ row_id }] = invoice.items
    const made = await story.draftOf('Sales Invoice', invoice.id, 'make_return', {
      rows: [{ row_id, qty: 1 }],
    })
    const items = [{ sales_invoice_item: row_id, qty: -1 }]
    const named = await story.create('Sales Invoice', { customer, items })
    for (const note of [made, named])
      assert.equal(
        [note.is_return, note.return_against, note.net_total, note.grand_total],
        [true, invoice.id, -45, -49.5],
      )
  })

  test('what is bought has discounts on the whole, which goods and bills share', async () => {
    // 10 × 10 less 20: 80, the goods are worth 8 a piece
    const body = {
      supplier,
      schedule_date: '2026-03-20',
      additional_discount_amount: 20,
      items: [{ item_code: 'PINE', qty: 10, rate: 10, warehouse: 'Stores' }],
    }
    const order = await story.make('Purchase Order', body)
    assert.equal([order.total, order.discount_amount, order.grand_total], [100, 20, 80])
    const [{ row_id }] = order.items
    const receipt = await story.draftOf('Purchase Order', order.id, 'make_receipt', {
      rows: [{ row_id, qty: 4 }],
    })
    await story.submit('Purchase Receipt', receipt.id)
    const goods = await story.all('Stock Ledger Entry', { voucher_no: receipt.id })
    assert.equal([goods[0]?.actual_qty, goods[0]?.stock_value_difference], [4, 32])
    const bill = await story.draftOf('Purchase Receipt', receipt.id, 'make_invoice')
    assert.equal([bill.discount_amount, bill.grand_total], [8, 32])
    await story.submit('Purchase Invoice', bill.id)
    assert.equal(await story.books(receipt.id, bill.id), {
      'Stock In Hand': 32,
      Creditors: -32,
    })
    const tenth = await story.create('Purchase Invoice', {
      supplier,
      items: hours(1, 100),
      additional_discount_percentage: 10,
    })
    assert.is(tenth.grand_total, 90)
  })

  test('what was rejected is expected again, or not, as the company says', async () => {
    const items = [{ item_code: 'PINE', qty: 10, rate: 10, warehouse: 'Stores' }]
    for (const [counts, received] of [
      [false, 5],
      [true, 10],
    ] as const) {
      await story.update('Company', 'Acme Inc', { rejected_counts_as_received: counts })
      const body = { supplier, schedule_date: '2026-03-20', items }
      const order = await story.make('Purchase Order', body)
      const receipt = await story.draftOf('Purchase Order', order.id, 'make_receipt')
      const [{ row_id }] = receipt.items
      await story.update('Purchase Receipt', receipt.id, {
        rejected_warehouse: 'Finished Goods',
        items: [{ row_id, qty: 5, rejected_qty: 5 }],
      })
      await story.submit('Purchase Receipt', receipt.id)
      const after = await story.get('Purchase Order', order.id)
      assert.equal(after.items[0].received_qty, received)
    }
    await story.update('Company', 'Acme Inc', { rejected_counts_as_received: false })
  })

  test('a company has the taxes of its country; null means none, which a preview tells', async () => {
    // 100 in each country at what is usual there
    for (const [abbr, country, total] of [
      ['DE', 'Germany', 119],
      ['AT', 'Austria', 120],
      ['FR', 'France', 120],
      ['GB', 'United Kingdom', 120],
      ['CH', 'Switzerland', 108.1],
      ['US', 'United States', 100],
    ] as const) {
      await story.create('Company', {
        company_name: `In ${country}`,
        abbr,
        default_currency: 'USD',
        country,
        tax_id: `${abbr}1`,
        chart_of_accounts: abbr === 'DE' ? 'Germany SKR04' : 'General',
      })
      const sale = { company: `In ${country}`, customer, items: hours(1, 100) }
      const quotation = await story.create('Quotation', sale)
      assert.is(quotation.grand_total, total, country)
      assert.ok(quotation.taxes.length > 0)
      const bill = { company: `In ${country}`, supplier, items: hours(1, 100) }
      if (abbr !== 'US')
        assert.is(
          (await story.create('Purchase Order', { ...bill, schedule_date: '2026-03-20' }))
            .grand_total,
          total,
        )
    }
    const free = { company: 'In Germany', customer, taxes_and_charges: null, items: hours(1, 100) }
    const { warnings, problems, record } = await tried('Sales Order', free)
    assert.equal([problems, record?.grand_total], [[], 100])
    assert.equal(
      warnings.map(({ field, message }) => `${field}: ${message}`),
      ['taxes: bears no tax, though In Germany is registered for it as DE1'],
    )
    // What an order bears none of, its invoice bears none of, by the action and by its row
    const order = await story.make('Sales Order', free)
    const made = await story.draftOf('Sales Order', order.id, 'make_invoice')
    const row = { so_detail: order.items[0].row_id, qty: 1 }
    const named = await story.create('Sales Invoice', {
      company: 'In Germany',
      customer,
      items: [row],
    })
    for (const invoice of [made, named])
      assert.equal([invoice.taxes_and_charges, invoice.grand_total], [null, 100])
    assert.equal((await tried('Sales Order', { ...free, company: 'Acme Inc' })).warnings, [])
  })

  test('items of other rates are taxed by theirs, and each row says what it is taken of', async () => {
    await story.create('Item', {
      item_code: 'BOOK',
      item_name: 'Book',
      is_stock_item: false,
      taxes: [{ item_tax_template: 'Item VAT 7 % - DE' }],
    })
    const company = 'In Germany'
    // 10 × 99.99 and 3 × 33.33, less 5 %: 949.91 (949.905) and 94.99 (94.9905)
    const body = {
      company,
      customer,
      additional_discount_percentage: 5,
      items: [...hours(10, 99.99), { item_code: 'BOOK', qty: 3, rate: 33.33 }],
    }
    const invoice = await story.make('Sales Invoice', body)
    const rows = (document: Shown): unknown[] =>
      document.taxes.map((tax: Shown) => [tax.taxable_amount, tax.tax_rate, tax.tax_amount])
    assert.equal(rows(invoice), [
      [949.91, 19, 180.48],
      [94.99, 7, 6.65],
    ])
    const bill = await story.make('Purchase Invoice', {
      company,
      supplier,
      items: [...hours(1, 100), { item_code: 'BOOK', qty: 1, rate: 50 }],
    })
    // 100 at 19 % and 50 at 7 %
    assert.equal(rows(bill), [
      [100, 19, 19],
      [50, 7, 3.5],
    ])
    const report = await reportsOf(story)('tax-summary', {
      company,
      from_date: '2026-01-01',
      to_date: '2026-12-31',
    })
    assert.equal(rowsOf(report, ['side', 'account', 'rate', 'taxable', 'tax']), [
      ['Purchases', 'Abziehbare Vorsteuer 19 % - DE', 19, 100, 19],
      ['Purchases', 'Abziehbare Vorsteuer 7 % - DE', 7, 50, 3.5],
      ['Sales', 'Umsatzsteuer 19 % - DE', 19, 949.91, 180.48],
      ['Sales', 'Umsatzsteuer 7 % - DE', 7, 94.99, 6.65],
    ])
  })

  test('addresses, contact and day of supply stay as they were, from the quotation to the invoice', async () => {
    const link = (link_doctype: string, link_name: string) => ({
      links: [{ link_doctype, link_name }],
    })
    const own = await story.create('Address', {
      address_line1: '1 Main Street',
      city: 'Austin',
      state: 'TX',
      pincode: '73301',
      country: 'United States',
      ...link('Company', 'Acme Inc'),
    })
    const { id } = await story.create('Customer', { customer_name: 'Rot AG', tax_id: 'DE77' })
    const billing = await story.create('Address', {
      address_line1: 'Hauptstr. 1',
      pincode: '10115',
      city: 'Berlin',
      country: 'Germany',
      is_primary_address: true,
      ...link('Customer', id),
    })
    const shipping = await story.create('Address', {
      address_line1: 'Hafen 2',
      address_line2: 'Tor 3',
      pincode: '20457',
      city: 'Hamburg',
      country: 'Germany',
      is_shipping_address: true,
      ...link('Customer', id),
    })
    const contact = await story.create('Contact', { first_name: 'Ann', ...link('Customer', id) })
    const quotation = await story.make('Quotation', { customer: id, items: hours(1, 100) })
    const told = ({
      customer_address,
      shipping_address_name,
      contact_person,
      company_address,
      ...it
    }: Shown) => [
      [customer_address, shipping_address_name, contact_person, company_address],
      [it.address_display, it.shipping_address].map((text) => text.split('\n').filter(Boolean)),
    ]
    const expected = [
      [billing.id, shipping.id, contact.id, own.id],
      [
        ['Hauptstr. 1', '10115 Berlin', 'DE'],
        ['Hafen 2', 'Tor 3', '20457 Hamburg', 'DE'],
      ],
    ]
    assert.equal(told(quotation), expected)
    await story.update('Address', billing.id, { address_line1: 'Nebenstr. 9' })
    const order = await story.draftOf('Quotation', quotation.id, 'make_order')
    await story.submit('Sales Order', order.id)
    const note = await story.draftOf('Sales Order', order.id, 'make_delivery_note', {
      posting_date: '2026-03-05',
    })
    await story.submit('Delivery Note', note.id)
    const invoice = await story.draftOf('Delivery Note', note.id, 'make_invoice')
    for (const document of [order, note, invoice]) assert.equal(told(document), expected)
    assert.equal([invoice.posting_date, invoice.service_date], ['2026-03-09', '2026-03-05'])
    const other = await story.create('Sales Invoice', { customer: id, items: hours(1, 1) })
    assert.match(other.address_display, 'Nebenstr. 9')
    const bill = await story.create('Purchase Invoice', { supplier, items: hours(1, 1) })
    assert.equal([bill.supplier_address, bill.company_address], [null, own.id])
  })

  test('all of it is proven', async () => {
    assert.equal(await story.differences(), [])
  })
})
