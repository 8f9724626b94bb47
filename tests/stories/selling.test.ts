import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('a month of orders', ({ test, fresh }) => {
  let story: Story
  let couriers: string
  let order: Shown
  let invoice: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    for (const [item_code, standard_rate, is_stock_item] of [
      ['BIKE', 3_000, true],
      ['HELMET', 90, true],
      ['STARTER', 3_200, false],
    ])
      await story.create('Item', { item_code, item_name: item_code, standard_rate, is_stock_item })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      items: [
        { item_code: 'BIKE', qty: 20, basic_rate: 1_500, t_warehouse: 'Stores' },
        { item_code: 'HELMET', qty: 30, basic_rate: 40, t_warehouse: 'Stores' },
      ],
    })
    await story.create('Product Bundle', {
      new_item_code: 'STARTER',
      items: [
        { item_code: 'BIKE', qty: 1 },
        { item_code: 'HELMET', qty: 1 },
      ],
    })
    for (const [currency, price_list_rate] of [
      ['USD', 2_800],
      ['EUR', 2_300],
    ])
      await story.create('Item Price', {
        item_code: 'BIKE',
        price_list: 'Standard Selling',
        currency,
        price_list_rate,
        valid_from: '2026-01-01',
      })
    await story.create('Pricing Rule', {
      title: 'Five bikes',
      item_code: 'BIKE',
      min_qty: 5,
      discount_percentage: 10,
      valid_from: '2026-01-01',
    })
    await story.create('Sales Person', { sales_person_name: 'Team', is_group: true })
    for (const [sales_person_name, commission_rate] of [
      ['Eve', 2],
      ['Gus', 1],
    ])
      await story.create('Sales Person', {
        sales_person_name,
        commission_rate,
        parent_sales_person: 'Team',
      })
    await story.create('Sales Partner', { partner_name: 'City Bikes', commission_rate: 5 })
    couriers = (
      await story.create('Customer', {
        customer_name: 'Fast Couriers',
        default_price_list: 'Standard Selling',
        default_sales_partner: 'City Bikes',
      })
    ).id
  })
  test.after(() => story.close())

  const statusOf = async (doctype: string, id: string): Promise<string> =>
    (await story.get(doctype, id)).status

  test('begins with an offer at the list price less the rule, and an order of it', async () => {
    await story.create('Terms and Conditions', { title: 'Usual', terms: 'Pay within 30 days.' })
    const offer = await story.make('Quotation', {
      customer: couriers,
      items: [
        { item_code: 'BIKE', qty: 5 },
        { item_code: 'STARTER', qty: 2 },
      ],
      taxes_and_charges: 'VAT 20 %',
      tc_name: 'Usual',
    })
    // 5 × (2,800 − 10 %) = 12,600; 2 × 3,200 = 6,400; together 19,000, with 20 % 22,800
    assert.equal(
      offer.items.map((row: Shown) => [
        row.price_list_rate,
        row.discount_percentage,
        row.rate,
        row.amount,
      ]),
      [
        [2_800, 10, 2_520, 12_600],
        [3_200, null, 3_200, 6_400],
      ],
    )
    assert.equal(
      [offer.net_total, offer.grand_total, offer.terms],
      [19_000, 22_800, 'Pay within 30 days.'],
    )

    const draft = await story.draftOf('Quotation', offer.id, 'make_order')
    const team = (eve: number, gus: number) => [
      { sales_person: 'Eve', allocated_percentage: eve },
      { sales_person: 'Gus', allocated_percentage: gus },
    ]
    await refusedFor(
      'sales_team',
      '100 %',
      story.update('Sales Order', draft.id, { sales_team: team(60, 30) }),
    )
    await story.update('Sales Order', draft.id, { sales_team: team(60, 40) })
    order = await story.submit('Sales Order', draft.id)
    // 60 % of 19,000 = 11,400, of which 2 % = 228; 40 % = 7,600, of which 1 % = 76
    assert.equal(
      order.sales_team.map((row: Shown) => [row.allocated_amount, row.incentives]),
      [
        [11_400, 228],
        [7_600, 76],
      ],
    )
    assert.equal(
      [order.sales_partner, order.total_commission, order.terms],
      ['City Bikes', 950, 'Pay within 30 days.'],
    )
    assert.is((await story.get('Sales Person', 'Eve')).ordered_total, 11_400)
    assert.is((await story.get('Customer', couriers)).unbilled_total, 22_800)
  })

  test('delivers it in two parts, bundles as what they are made of', async () => {
    const first = await story.draftOf('Sales Order', order.id, 'make_delivery_note')
    const [bikes, starters] = first.items
    await story.update('Delivery Note', first.id, {
      items: [
        { row_id: bikes.row_id, qty: 3 },
        { row_id: starters.row_id, qty: 1 },
      ],
    })
    await story.submit('Delivery Note', first.id)
    // 3 bikes, and 1 bike and 1 helmet in the bundle: 4 × 1,500 + 40
    assert.equal(await story.books(first.id), {
      'Cost of Goods Sold': 6_040,
      'Stock In Hand': -6_040,
    })
    // 4 of 7
    assert.is((await story.get('Sales Order', order.id)).per_delivered, 57.142857)
    const second = await story.draftOf('Sales Order', order.id, 'make_delivery_note')
    assert.equal(
      second.items.map(({ qty }: Shown) => qty),
      [2, 1],
    )
    await story.submit('Delivery Note', second.id)
    assert.equal(await story.books(second.id), {
      'Cost of Goods Sold': 4_540,
      'Stock In Hand': -4_540,
    })
    assert.is(await statusOf('Sales Order', order.id), 'To Bill')
    assert.equal((await story.get('Bin', 'BIKE::Stores')).actual_qty, 13)
  })

  test('bills it: the shares of the team and the partner go along', async () => {
    const draft = await story.draftOf('Sales Order', order.id, 'make_invoice')
    invoice = await story.submit('Sales Invoice', draft.id)
    assert.equal(await story.books(invoice.id), {
      Debtors: 22_800,
      Sales: -19_000,
      'Output Tax': -3_800,
    })
    assert.is(await statusOf('Sales Order', order.id), 'Completed')
    const happened = await story.events(order.id)
    for (const kind of ['delivered', 'billed', 'completed'])
      assert.ok(happened.includes(kind), kind)
    const customer = await story.get('Customer', couriers)
    assert.equal([customer.unbilled_total, customer.outstanding_total], [0, 22_800])
    const gus = await story.get('Sales Person', 'Gus')
    assert.equal([gus.billed_total, gus.incentives_total], [7_600, 76])
    const partner = await story.get('Sales Partner', 'City Bikes')
    assert.equal([partner.sales_total, partner.commission_total], [19_000, 950])
  })

  test('answers short records: what only the rules need stays inside', () => {
    const keysOf = (record: Shown): string[] => Object.keys(record)
    assert.ok(keysOf(order.items[0]).length <= 28, keysOf(order.items[0]).join(' '))
    // 75; the coupon and the till that it may name; two of points that pay; seven that say where it goes, whom it is about and when it was
    // supplied; and three of its number series, its number and its bill in another company.
    assert.ok(keysOf(invoice).length <= 89, keysOf(invoice).join(' '))
  })

  test('takes a bike back, credits it, and is paid the rest', async () => {
    const [note] = await story.all('Delivery Note', { sales_order: order.id })
    const back = await story.draftOf('Delivery Note', note!.id, 'make_return')
    await story.update('Delivery Note', back.id, {
      items: [{ row_id: back.items[0].row_id, qty: -1 }],
    })
    await story.submit('Delivery Note', back.id)
    assert.equal(await story.books(back.id), {
      'Cost of Goods Sold': -1_500,
      'Stock In Hand': 1_500,
    })

    const credit = await story.draftOf('Sales Invoice', invoice.id, 'make_return')
    await story.update('Sales Invoice', credit.id, {
      items: [{ row_id: credit.items[0].row_id, qty: -1 }],
    })
    const credited = await story.submit('Sales Invoice', credit.id)
    // 2,520 and 504 of VAT
    assert.is(credited.grand_total, -3_024)
    // 60 % of 19,000 − 2,520 = 16,480; 5 % of it
    assert.is((await story.get('Sales Person', 'Eve')).billed_total, 9_888)
    assert.is((await story.get('Sales Partner', 'City Bikes')).commission_total, 824)

    const payment = await story.draftOf('Sales Invoice', invoice.id, 'make_payment')
    assert.is(payment.paid_amount, 19_776) // 22,800 − 3,024
    await story.submit('Payment Entry', payment.id)
    const paid = await story.get('Sales Invoice', invoice.id)
    assert.equal([paid.outstanding_amount, paid.paid_at], [0, '2026-03-09T12:00:00.000Z'])
    assert.equal(await story.books(invoice.id, credit.id, payment.id), {
      Bank: 19_776,
      Sales: -16_480,
      'Output Tax': -3_296,
    })
    await refusedAsConflict(story.cancel('Sales Order', order.id))
  })

  test('sells in euros at the price in euros, and gains by the rate', async () => {
    for (const [date, exchange_rate] of [
      ['2026-03-01', 1.25],
      ['2026-03-20', 1.3],
    ])
      await story.create('Currency Exchange', {
        from_currency: 'EUR',
        to_currency: 'USD',
        date,
        exchange_rate,
      })
    const { id: customer } = await story.create('Customer', {
      customer_name: 'Paris Vélo',
      default_currency: 'EUR',
      default_price_list: 'Standard Selling',
    })
    const sold = await story.make('Sales Order', {
      customer,
      items: [{ item_code: 'BIKE', qty: 2 }],
      skip_delivery_note: true,
    })
    // 2 × 2,300 EUR at 1.25
    assert.equal([sold.grand_total, sold.base_grand_total], [4_600, 5_750])
    const bill = await story.draftOf('Sales Order', sold.id, 'make_invoice')
    await story.submit('Sales Invoice', bill.id)
    assert.equal(await story.books(bill.id), { Debtors: 5_750, Sales: -5_750 })
    story.clock.time = Date.parse('2026-03-20T12:00:00.000Z')
    const payment = await story.draftOf('Sales Invoice', bill.id, 'make_payment')
    await story.submit('Payment Entry', payment.id)
    // 4,600 × 1.30 = 5,980
    assert.equal(await story.books(payment.id), {
      Bank: 5_980,
      Debtors: -5_750,
      'Exchange Gain and Loss': -230,
    })
    assert.is(await statusOf('Sales Order', sold.id), 'Completed')
  })

  test('lets an offer expire when its last day is over', async () => {
    const { id } = await story.make('Quotation', {
      customer: couriers,
      items: [{ item_code: 'HELMET', qty: 1 }],
      valid_till: '2026-03-25',
    })
    story.clock.time = Date.parse('2026-03-26T12:00:00.000Z')
    await story.tick()
    assert.equal(
      [await statusOf('Quotation', id), (await story.events(id)).at(-1)],
      ['Expired', 'expired'],
    )
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})
