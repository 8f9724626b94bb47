import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { randomOf, seedsOf } from '../helpers/random.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])

forEachDatabase('parts of documents', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    for (const item_code of ['LAMP', 'SHADE'])
      await story.create('Item', { item_code, item_name: item_code, is_stock_item: false })
  })
  test.after(() => story.close())

  const freight = (charge_amount: number) => ({
    charge_type: 'Actual',
    account_head: 'Freight Charged',
    description: 'Freight',
    charge_amount,
  })
  const order = (qty: number, more: object = {}): Promise<Shown> =>
    story.make('Sales Order', {
      customer,
      additional_discount_amount: 100,
      taxes: [freight(50)],
      items: [{ item_code: 'LAMP', qty, rate: 100 }],
      ...more,
    })
  const part = (doctype: string, { id, items }: Shown, action: string, qty: number, more = {}) =>
    story.draftOf(doctype, id, action, { rows: [{ row_id: items[0].row_id, qty }], ...more })
  const figures = ({ discount_amount, total_taxes_and_charges, grand_total }: Shown) => [
    discount_amount,
    total_taxes_and_charges,
    grand_total,
  ]

  test('bear their share of a fixed discount and freight, however they are made', async () => {
    const sold = await order(10)
    // 400 − 40 + 20
    const first = await part('Sales Order', sold, 'make_invoice', 4, { posting_date: '2026-03-02' })
    assert.equal([first.items[0].qty, first.posting_date], [4, '2026-03-02'])
    assert.equal(figures(first), [40, 20, 380])
    await story.submit('Sales Invoice', first.id)
    // The rest, then cut down to 1 by hand: 100 − 10 + 5
    const rest = await story.draftOf('Sales Order', sold.id, 'make_invoice')
    assert.equal(figures(rest), [60, 30, 570])
    const items = { update: [{ row_id: rest.items[0].row_id, qty: 1 }] }
    assert.equal(figures(await story.update('Sales Invoice', rest.id, { items })), [10, 5, 95])
    await story.submit('Sales Invoice', rest.id)
    const last = await story.draftOf('Sales Order', sold.id, 'make_invoice')
    // 1000 − 100 + 50 = 950 = 380 + 95 + 475
    assert.equal(figures(await story.submit('Sales Invoice', last.id)), [50, 25, 475])
  })

  test('bear it by way of deliveries too', async () => {
    const sold = await order(10)
    const totals: number[] = []
    for (const qty of [4, 6]) {
      const note = await part('Sales Order', sold, 'make_delivery_note', qty)
      assert.is(note.grand_total, qty * 95)
      await story.submit('Delivery Note', note.id)
      const bill = await story.draftOf('Delivery Note', note.id, 'make_invoice')
      totals.push((await story.submit('Sales Invoice', bill.id)).grand_total)
    }
    assert.equal(totals, [380, 570])
  })

  test('bear it from the offer on, ordered in parts', async () => {
    const sold = await story.make('Quotation', {
      customer,
      additional_discount_amount: 100,
      taxes: [freight(50)],
      items: [{ item_code: 'LAMP', qty: 10, rate: 100 }],
    })
    const totals: number[] = []
    for (const qty of [4, 6]) {
      const made = await part('Quotation', sold, 'make_order', qty, { posting_date: '2026-03-02' })
      assert.is(made.transaction_date, '2026-03-02')
      totals.push((await story.submit('Sales Order', made.id)).grand_total)
    }
    // 950 in all, where each order bore the whole freight of 50 before
    assert.equal(totals, [380, 570])
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Timber Co' })
    const offered = await story.make('Supplier Quotation', {
      supplier,
      additional_discount_amount: 100,
      taxes: [freight(50)],
      items: [{ item_code: 'LAMP', qty: 10, rate: 100 }],
    })
    const bought: number[] = []
    for (const qty of [4, 6]) {
      const made = await part('Supplier Quotation', offered, 'make_purchase_order', qty)
      bought.push((await story.submit('Purchase Order', made.id)).grand_total)
    }
    assert.equal(bought, [380, 570])
  })

  test('keep the discount and charge that somebody typed', async () => {
    const sold = await order(10)
    const draft = await part('Sales Order', sold, 'make_invoice', 4)
    const typed = await story.update('Sales Invoice', draft.id, {
      additional_discount_amount: 0,
      taxes: [{ row_id: draft.taxes[0].row_id, charge_amount: 50 }],
    })
    assert.equal(figures(typed), [0, 50, 450])
    const items = { update: [{ row_id: draft.items[0].row_id, qty: 2 }] }
    assert.equal(figures(await story.update('Sales Invoice', draft.id, { items })), [0, 50, 250])
  })

  /** A document without what every record has of its own. */
  const plain = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, one) =>
        /^(id|name|row_id|_?created|_?modified|owner)$/.test(key) ? undefined : one,
      ),
    )

  test('made by a link to the row are what the action makes', async () => {
    const sold = await order(10, {
      currency: 'EUR',
      conversion_rate: 1.1,
      po_no: 'PO 7',
      terms: 'Ex works',
      taxes: [freight(50), { description: 'VAT', rate: 20, account_head: 'Output Tax' }],
      items: [
        { item_code: 'LAMP', qty: 10, rate: 100, discount_percentage: 5, description: 'Green' },
        { item_code: 'SHADE', qty: 3, rate: 33.33 },
      ],
    })
    const [lamp, shade] = sold.items
    const rows = [
      { row_id: lamp.row_id, qty: 4 },
      { row_id: shade.row_id, qty: 3 },
    ]
    const action = await story.draftOf('Sales Order', sold.id, 'make_invoice', { rows })
    const link = await story.create('Sales Invoice', {
      customer,
      items: [
        { item_code: 'LAMP', qty: 4, so_detail: lamp.row_id },
        { item_code: 'SHADE', qty: 3, so_detail: shade.row_id },
      ],
    })
    // 400 + 99.99, less its share of 100 of 1099.99, and of 50, then VAT on the net amount
    assert.is(link.discount_amount, 45.45)
    assert.equal([link.currency, link.net_total, link.grand_total], ['EUR', 454.54, 568.18])
    assert.equal(plain(link), plain(action))
    const note = await story.draftOf('Sales Order', sold.id, 'make_delivery_note', { rows })
    const by = await story.create('Delivery Note', {
      customer,
      sales_order: sold.id,
      items: rows.map(({ row_id, qty }, at) => ({
        item_code: sold.items[at].item_code,
        qty,
        so_detail: row_id,
      })),
    })
    assert.equal(plain(by), plain(note))
    await story.submit('Delivery Note', note.id)
    const billed = await story.draftOf('Delivery Note', note.id, 'make_invoice')
    const bill = await story.create('Sales Invoice', {
      customer,
      items: note.items.map(({ item_code, qty, row_id }: Shown) => ({
        item_code,
        qty,
        dn_detail: row_id,
      })),
    })
    assert.equal(plain(bill), plain(billed))
  })

  test('made by a link keep what they say otherwise', async () => {
    const sold = await order(10, {
      taxes: [{ description: 'VAT', rate: 20, account_head: 'Output Tax' }],
    })
    const row = { item_code: 'LAMP', qty: 1, so_detail: sold.items[0].row_id }
    const make = (body: object) => story.create('Sales Invoice', { customer, ...body })
    const own = await make({
      items: [{ ...row, rate: 90 }],
      taxes: [],
      additional_discount_amount: 0,
    })
    assert.equal([own.items[0].sales_order, own.grand_total], [sold.id, 90])
    // Another item or currency is something else, which takes nothing.
    const other = await make({ items: [{ ...row, item_code: 'SHADE', rate: 7 }] })
    assert.equal([other.items[0].rate, other.net_total], [7, 6.3])
    const euros = await make({
      currency: 'EUR',
      conversion_rate: 1.1,
      items: [{ ...row, rate: 80 }],
    })
    assert.equal([euros.taxes, euros.grand_total], [[], 80])
    const added = await story.update('Sales Invoice', own.id, {
      items: { add: [{ ...row, qty: 2 }] },
    })
    // 200 more, of which the row brings 20 % and no tax: that is of the head, which stays
    assert.equal([added.items[1].rate, added.grand_total], [100, 290])
  })

  test('an order that is submitted still changes, never below what was billed', async () => {
    const sold = await order(10)
    const [{ row_id }] = sold.items
    await refusedAsConflict(story.update('Sales Order', sold.id, { po_no: 'B-17' }))
    const added = { item_code: 'SHADE', qty: 2, rate: 10 }
    const more = await story.revise('Sales Order', sold.id, {
      po_no: 'B-17',
      items: { update: [{ row_id, qty: 12, rate: 90 }], add: [added] },
    })
    // 1080 + 20 − 100 + 50, the discount in proportion to 1100
    assert.equal(figures(more), [100, 50, 1050])
    assert.equal(
      more.items.map(({ item_name, amount, net_amount }: Shown) => [item_name, amount, net_amount]),
      [
        ['LAMP', 1080, 981.82],
        ['SHADE', 20, 18.18],
      ],
    )
    assert.equal([more.po_no, more.docstatus, more.customer_name], ['B-17', 1, 'Blue Whale'])
    const bill = await part('Sales Order', more, 'make_invoice', 4)
    await story.submit('Sales Invoice', bill.id)
    const change = (body: object) => story.revise('Sales Order', sold.id, { items: body })
    await refusedFor('items[0].billed_qty', 'billed more', change({ update: [{ row_id, qty: 3 }] }))
    await refusedFor(
      'items[0].item_code',
      'LAMP was',
      change({ update: [{ row_id, item_code: 'SHADE' }] }),
    )
    await refusedAsConflict(change({ remove: [row_id] }))
    const less = await change({ update: [{ row_id, qty: 4 }], remove: [more.items[1].row_id] })
    assert.equal([less.items.length, less.per_billed, less.total], [1, 100, 360])
    await refusedAsConflict(story.revise('Sales Order', sold.id, { customer, terms: 'Other' }))
    const draft = await story.create('Sales Order', { customer, items: [added] })
    await refusedAsConflict(story.revise('Sales Order', draft.id, { po_no: 'X' }))
    assert.equal(
      (await story.events(sold.id)).filter((kind) => /updated|revised/.test(kind)),
      ['revised', 'updated', 'revised'],
    )
  })

  test('taken back are credited with their share, and nothing is not credited', async () => {
    const bill = await story.make('Sales Invoice', {
      customer,
      additional_discount_amount: 100,
      taxes: [freight(50)],
      items: [{ item_code: 'LAMP', qty: 10, rate: 100 }],
    })
    const note = await part('Sales Invoice', bill, 'make_return', 1)
    // 100 − 10 + 5
    assert.equal(figures(note), [-10, -5, -95])
    await story.update('Sales Invoice', note.id, {
      additional_discount_amount: 100,
      taxes: [],
    })
    await refusedFor('grand_total', 'takes back nothing', story.submit('Sales Invoice', note.id))
  })

  test('name rows of their document, each once', async () => {
    const sold = await order(10)
    const [{ row_id }] = sold.items
    const make = (rows: object[]) => story.act('Sales Order', sold.id, 'make_invoice', { rows })
    await refusedFor('rows[0].row_id', 'of this Sales Order', make([{ row_id: 'x', qty: 1 }]))
    await refusedFor(
      'rows[1].row_id',
      'each once',
      make([
        { row_id, qty: 1 },
        { row_id, qty: 1 },
      ]),
    )
    await refusedFor('rows[0].qty', 'required', make([{ row_id }]))
    await refusedFor('rows[0].qty', 'at least 0', make([{ row_id, qty: -1 }]))
  })

  test('are due as their day says until somebody types another', async () => {
    const draft = await story.create('Sales Invoice', {
      customer,
      items: [{ item_code: 'LAMP', qty: 1, rate: 100 }],
    })
    const moved = await story.update('Sales Invoice', draft.id, { posting_date: '2026-01-16' })
    assert.is(moved.due_date, '2026-02-15')
    await story.update('Sales Invoice', draft.id, { due_date: '2026-03-01' })
    const again = await story.update('Sales Invoice', draft.id, { posting_date: '2026-01-20' })
    assert.is(again.due_date, '2026-03-01')
    const scheduled = await story.create('Sales Invoice', {
      customer,
      posting_date: '2026-03-09',
      payment_schedule: [
        {
          invoice_portion: 100,
          due_date_based_on: 'Day(s) after invoice date',
          credit_days: 30,
          discount: 2,
          discount_validity: 10,
        },
      ],
      items: [{ item_code: 'LAMP', qty: 1, rate: 100 }],
    })
    const { payment_schedule, due_date } = await story.update('Sales Invoice', scheduled.id, {
      posting_date: '2026-01-16',
    })
    assert.equal(
      [payment_schedule[0].due_date, payment_schedule[0].discount_date, due_date],
      ['2026-02-15', '2026-01-26', '2026-02-15'],
    )
  })

  for (const seed of SEEDS)
    test(`are the order to the cent in every split (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const rows = ['LAMP', 'SHADE'].map((item_code) => ({
        item_code,
        qty: 1 + random.below(7),
        rate: (1 + random.below(9999)) / 100,
      }))
      const cents = (amount: number): number => Math.round(amount * 100)
      const net = rows.reduce((sum, { qty, rate }) => sum + qty * cents(rate), 0)
      const discount = random.below(net)
      const charge = random.below(5000)
      const sold = await order(1, {
        items: rows,
        additional_discount_amount: discount / 100,
        taxes: [freight(charge / 100)],
      })
      const left = rows.map(({ qty }) => qty)
      const drafts: string[] = []
      while (left.some((qty) => qty > 0)) {
        const wanted = left.map((qty) => random.below(qty + 1))
        if (wanted.every((qty) => qty === 0)) continue
        const input = sold.items.flatMap(({ row_id }: Shown, index: number) =>
          wanted[index]! > 0 ? [{ row_id, qty: wanted[index] }] : [],
        )
        const { id } = await story.draftOf('Sales Order', sold.id, 'make_invoice', { rows: input })
        drafts.push(id)
        for (const [index, qty] of wanted.entries()) left[index]! -= qty
      }
      // All drafts are there before the first is submitted, so each knows of none of the others.
      let sum = 0
      for (const id of drafts) sum += cents((await story.submit('Sales Invoice', id)).grand_total)
      assert.is(sum, net - discount + charge)
    })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
