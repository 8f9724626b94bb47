import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { rederiveDocuments } from '../../engine/documents/schedule/rederive.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { statementsOf } from '../helpers/statements.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('invoices and what settles them', ({ test, fresh, kind }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      is_stock_item: false,
    })
  })
  test.before.each(async () => {
    customer = (await story.create('Customer', { customer_name: 'Somebody' })).id
  })
  test.after(() => story.close())

  const bill = (qty: number, more: object = {}): Promise<Shown> =>
    story.make('Sales Invoice', { customer, items: [{ item_code: 'HOUR', qty }], ...more })

  const pay = (amount: number, references: readonly object[], more: object = {}): Promise<Shown> =>
    story.make('Payment Entry', { party: customer, paid_amount: amount, references, ...more })

  const stateOf = async (id: string): Promise<unknown[]> => {
    const { outstanding_amount, status } = await story.get('Sales Invoice', id)
    return [outstanding_amount, status]
  }

  test('with nothing but a customer and items is booked', async () => {
    const { id, currency, debit_to, due_date } = await bill(2)
    assert.equal([currency, debit_to, due_date], ['USD', 'Debtors', '2026-04-08'])
    assert.equal(await story.books(id), { Debtors: 200, Sales: -200 })
    const [debtors] = await story.all('GL Entry', { voucher_no: id, account: 'Debtors' })
    assert.equal(
      [debtors?.party, debtors?.fiscal_year, debtors?.against_voucher, debtors?.cost_center],
      [customer, '2026', id, 'Main'],
    )
  })

  // What more it took would be paid for each invoice (docs/performance.md).
  if (kind === 'sqlite')
    test('are created in 11 statements: masters that nobody has changed are not read again', async () => {
      await story.create('Item', {
        item_code: 'TALK',
        item_name: 'Talk',
        standard_rate: 80,
        is_stock_item: false,
        income_account: 'Service',
      })
      const items = [{ item_code: 'HOUR' }, { item_code: 'TALK' }].map((row) => ({
        ...row,
        qty: 1,
      }))
      const taxes = [{ charge_type: 'On Net Total', account_head: 'Output Tax', rate: 19 }]
      const create = () => story.create('Sales Invoice', { customer, items, taxes })
      await create()
      const sent = await statementsOf(create)
      assert.is(sent.length, 11, sent.join('\n'))
    })

  test('taxes come from the template, and rows of their own win over it', async () => {
    // 3 × 100 = 300; 20 % = 60; 2.50 for each of 3 units = 7.50; freight 12.34: 379.84
    const { id, taxes, grand_total } = await bill(3, {
      taxes: [
        { description: 'VAT', rate: 20 },
        {
          charge_type: 'On Item Quantity',
          description: 'Packing',
          account_head: 'Freight Charged',
          charge_amount: 2.5,
        },
        {
          charge_type: 'Actual',
          description: 'Freight',
          account_head: 'Freight Charged',
          charge_amount: 12.34,
        },
      ],
      taxes_and_charges: 'VAT 10 %',
    })
    assert.equal(
      taxes.map(({ tax_amount }: Shown) => tax_amount),
      [60, 7.5, 12.34],
    )
    assert.is(grand_total, 379.84)
    assert.equal(await story.books(id), {
      Debtors: 379.84,
      Sales: -300,
      'Output Tax': -60,
      'Freight Charged': -19.84,
    })
    const plain = await story.create('Sales Invoice', {
      customer,
      items: [{ item_code: 'HOUR', qty: 1 }],
      taxes_and_charges: 'VAT 10 %',
    })
    assert.equal([plain.taxes.length, plain.grand_total], [1, 110])
  })

  test('a discount is spread over the rows to the last cent', async () => {
    // 3 × 33.33 = 99.99 less 10 = 89.99. Each row 33.33 × (1 − 10 / 99.99) = 29.9967, rounded 30.00:
    // 90.00, a cent too much, which the first row gives back.
    const row = { item_code: 'HOUR', qty: 1, rate: 33.33 }
    const { id, items, net_total } = await bill(0, {
      items: [row, { ...row, income_account: 'Service' }, row],
      additional_discount_amount: 10,
    })
    assert.is(net_total, 89.99)
    assert.equal(
      items.map(({ net_amount }: Shown) => net_amount),
      [29.99, 30, 30],
    )
    assert.equal(await story.books(id), { Debtors: 89.99, Sales: -59.99, Service: -30 })
  })

  test('a discount on the grand total takes its share of the taxes along', async () => {
    // 100 + 20 % = 120, 10 % off = 12, of which 10 are net and 2 tax
    const { net_total, total_taxes_and_charges, discount_amount, grand_total } = await bill(1, {
      taxes_and_charges: 'VAT 20 %',
      apply_discount_on: 'Grand Total',
      additional_discount_percentage: 10,
    })
    assert.equal(
      [discount_amount, net_total, total_taxes_and_charges, grand_total],
      [12, 90, 18, 108],
    )
    await refusedFor(
      'additional_discount_amount',
      'exceeds',
      story.create('Sales Invoice', {
        customer,
        items: [{ item_code: 'HOUR', qty: 1 }],
        additional_discount_amount: 100.01,
      }),
    )
  })

  test('is paid in parts, tells when it is, and tells it anew after a payment was taken back', async () => {
    const { id } = await bill(1)
    const first = await pay(40, [{ sales_invoice: id }])
    assert.equal(first.references[0].allocated_amount, 40)
    assert.equal(await stateOf(id), [60, 'Partly Paid'])
    assert.equal(await story.books(first.id), { Bank: 40, Debtors: -40 })
    const rest = await story.draftOf('Sales Invoice', id, 'make_payment')
    assert.equal([rest.paid_amount, rest.party, rest.docstatus], [60, customer, 0])
    await story.submit('Payment Entry', rest.id)
    assert.equal(await stateOf(id), [0, 'Paid'])
    assert.is((await story.get('Sales Invoice', id)).paid_at, '2026-03-09T12:00:00.000Z')
    await refusedAsConflict(story.act('Sales Invoice', id, 'make_payment'))

    const refusal = await refusedAsConflict(story.cancel('Sales Invoice', id))
    assert.equal(refusal.linked?.map((link) => link.id).toSorted(), [first.id, rest.id])
    await story.cancel('Payment Entry', first.id)
    assert.equal(await stateOf(id), [40, 'Partly Paid'])
    assert.is((await story.get('Sales Invoice', id)).paid_at, null)
    assert.equal(await story.books(first.id), {})
    await pay(40, [{ sales_invoice: id }])
    assert.equal(
      (await story.events(id)).filter((kind) => kind === 'paid'),
      ['paid', 'paid'],
    )
  })

  test('is never paid beyond what is outstanding, and named once', async () => {
    const { id } = await bill(1)
    await refusedFor(
      'references[0].allocated_amount',
      'more is allocated than is outstanding',
      pay(200, [{ sales_invoice: id, allocated_amount: 100.01 }]),
    )
    await refusedFor(
      'references',
      'exceed the amount paid',
      pay(99.99, [{ sales_invoice: id, allocated_amount: 100 }]),
    )
    const twice = { sales_invoice: id, allocated_amount: 40 }
    await refusedFor('references[1].reference_name', 'named twice', pay(80, [twice, twice]))
    assert.equal(await stateOf(id), [100, 'Unpaid'])
  })

  test('a payment settles many invoices, keeps the rest, and only those of its party', async () => {
    const [one, two] = [await bill(1), await bill(2)]
    const payment = await pay(350, [{ sales_invoice: one.id }, { sales_invoice: two.id }])
    assert.equal([payment.total_allocated_amount, payment.unallocated_amount], [300, 50])
    assert.equal(await story.books(payment.id), { Bank: 350, Debtors: -350 })
    assert.equal(await stateOf(two.id), [0, 'Paid'])
    const rows = await story.all('GL Entry', { voucher_no: payment.id, account: 'Debtors' })
    assert.equal(
      rows.map(({ against_voucher, credit }) => [against_voucher, credit]),
      [
        [one.id, 100],
        [two.id, 200],
        [null, 50],
      ],
    )
    const other = await story.create('Customer', { customer_name: 'Another' })
    const third = await bill(1)
    await refusedFor(
      'references',
      'must belong to the party',
      pay(100, [{ sales_invoice: third.id }], { party: other.id }),
    )
  })

  test('bank charges and a small difference settle an invoice too', async () => {
    // 97 arrive of 100, 2 are the bank's, 1 is written off.
    const { id } = await bill(1)
    const payment = await pay(97, [{ sales_invoice: id, allocated_amount: 100 }], {
      deductions: [{ account: 'Bank Charges', amount: 2 }, { amount: 1 }],
    })
    assert.equal([payment.unallocated_amount, payment.total_deductions], [0, 3])
    assert.equal(await story.books(payment.id), {
      Bank: 97,
      'Bank Charges': 2,
      'Write Off': 1,
      Debtors: -100,
    })
    assert.equal(await stateOf(id), [0, 'Paid'])
  })

  test('is overdue when its day has passed', async () => {
    const { id } = await bill(1, { due_date: '2026-03-09' })
    assert.equal(await stateOf(id), [100, 'Unpaid'])
    const { clock, engine } = story
    const before = clock.time
    clock.time += 86_400_000
    try {
      const definition = engine.services.registry.byDoctype('Sales Invoice')!
      await rederiveDocuments(engine.context(SYSTEM_ACTOR, 'business'), definition, [id])
      assert.equal(await stateOf(id), [100, 'Overdue'])
      await pay(100, [{ sales_invoice: id }])
      assert.equal(await stateOf(id), [0, 'Paid'])
    } finally {
      clock.time = before
    }
  })

  test('a credit note takes back a part, then the rest, and nothing more', async () => {
    // 10 hours less 10 % = 900, plus 20 % = 1080. Two hours back: 180 + 36 = 216, leaves 864.
    const { id } = await bill(10, {
      additional_discount_percentage: 10,
      taxes_and_charges: 'VAT 20 %',
    })
    const draft = await story.draftOf('Sales Invoice', id, 'make_return')
    assert.equal([draft.is_return, draft.items[0].qty, draft.grand_total], [true, -10, -1080])
    await story.update('Sales Invoice', draft.id, {
      items: [{ row_id: draft.items[0].row_id, qty: -2 }],
    })
    const part = await story.submit('Sales Invoice', draft.id)
    assert.equal([part.grand_total, part.outstanding_amount, part.status], [-216, 0, 'Return'])
    assert.equal(await story.books(part.id), { Debtors: -216, Sales: 180, 'Output Tax': 36 })
    const [debtors] = await story.all('GL Entry', { voucher_no: part.id, account: 'Debtors' })
    assert.equal([debtors?.against_voucher, debtors?.debit, debtors?.credit], [id, 0, 216])
    assert.equal(await stateOf(id), [864, 'Partly Paid'])

    const rest = await story.draftOf('Sales Invoice', id, 'make_return')
    assert.is(rest.items[0].qty, -8)
    await story.update('Sales Invoice', rest.id, {
      items: [{ row_id: rest.items[0].row_id, qty: -8.5 }],
    })
    await refusedFor(
      'items[0].qty',
      'credited more than sold',
      story.submit('Sales Invoice', rest.id),
    )
    await story.update('Sales Invoice', rest.id, {
      items: [{ row_id: rest.items[0].row_id, qty: -8 }],
    })
    await story.submit('Sales Invoice', rest.id)
    assert.equal(await stateOf(id), [0, 'Credit Note Issued'])
    assert.equal((await story.events(id)).includes('paid'), false)
    await refusedAsConflict(story.act('Sales Invoice', id, 'make_return'))
    assert.equal(await story.books(id, part.id, rest.id), {})
    assert.is((await story.get('Customer', customer)).outstanding_total, 0)

    await refusedAsConflict(story.cancel('Sales Invoice', id))
    await story.cancel('Sales Invoice', rest.id)
    assert.equal(await stateOf(id), [864, 'Partly Paid'])
  })

  test('who returned what was paid gets the money back', async () => {
    const { id } = await bill(1)
    await pay(100, [{ sales_invoice: id }])
    const credit = await story.draftOf('Sales Invoice', id, 'make_return')
    await story.submit('Sales Invoice', credit.id)
    assert.equal(await stateOf(id), [-100, 'Credit Note Issued'])
    assert.is((await story.get('Customer', customer)).outstanding_total, -100)
    const refund = await story.draftOf('Sales Invoice', id, 'make_payment')
    assert.equal([refund.payment_type, refund.paid_amount], ['Pay', 100])
    await story.submit('Payment Entry', refund.id)
    assert.equal(await story.books(refund.id), { Bank: -100, Debtors: 100 })
    assert.equal(await stateOf(id), [0, 'Credit Note Issued'])
    const more = { sales_invoice: id, allocated_amount: 1 }
    await refusedFor(
      'references[0].allocated_amount',
      'more is allocated',
      pay(1, [more], { payment_type: 'Pay' }),
    )
  })

  test('a credit note without an invoice is paid out by itself', async () => {
    const credit = await bill(-1, { is_return: true })
    assert.equal([credit.outstanding_amount, credit.status], [-100, 'Return'])
    const refund = await story.draftOf('Sales Invoice', credit.id, 'make_payment')
    await story.submit('Payment Entry', refund.id)
    assert.is((await story.get('Sales Invoice', credit.id)).outstanding_amount, 0)
    assert.equal(await story.books(credit.id, refund.id), { Bank: -100, Sales: 100 })
  })

  test('quantities have the sign of the document, and a credit note fits its invoice', async () => {
    const items = (qty: number): object => ({ customer, items: [{ item_code: 'HOUR', qty }] })
    await refusedFor('items[0].qty', 'above 0', story.create('Sales Invoice', items(-1)))
    await refusedFor(
      'items[0].qty',
      'below 0',
      story.create('Sales Invoice', { ...items(1), is_return: true }),
    )
    const { id } = await bill(1)
    const other = await story.create('Customer', { customer_name: 'Another' })
    const draft = await story.draftOf('Sales Invoice', id, 'make_return')
    await refusedFor(
      'return_against',
      'same customer',
      story.update('Sales Invoice', draft.id, { customer: other.id }),
    )
  })

  test('a purchase is ordered, billed, paid, and a part of it goes back', async () => {
    // 4 × 25 = 100, plus 20 % = 120, 10 % of 100 withheld = 110
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Red Fox' })
    const order = await story.make('Purchase Order', {
      supplier,
      items: [{ item_code: 'HOUR', qty: 4, rate: 25 }],
      taxes: [
        { description: 'VAT', rate: 20 },
        {
          add_deduct_tax: 'Deduct',
          description: 'Withheld',
          account_head: 'Withheld Tax',
          rate: 10,
        },
      ],
    })
    assert.equal([order.grand_total, order.status], [110, 'To Receive and Bill'])
    const draft = await story.draftOf('Purchase Order', order.id, 'make_invoice')
    await story.update('Purchase Invoice', draft.id, { bill_no: 'F-17' })
    const invoice = await story.submit('Purchase Invoice', draft.id)
    assert.equal([invoice.outstanding_amount, invoice.status], [110, 'Unpaid'])
    assert.equal(await story.books(invoice.id), {
      Creditors: -110,
      Purchases: 100,
      'Input Tax': 20,
      'Withheld Tax': -10,
    })
    assert.is((await story.get('Purchase Order', order.id)).status, 'To Receive')
    assert.is((await story.get('Supplier', supplier)).outstanding_total, 110)

    const again = { supplier, bill_no: 'F-17', items: [{ item_code: 'HOUR', qty: 1, rate: 5 }] }
    const booked = await refusedAsConflict(story.make('Purchase Invoice', again))
    assert.match(booked.details?.[0]?.message ?? '', 'booked already')
    const over = await story.create('Purchase Invoice', {
      supplier,
      items: [{ item_code: 'HOUR', qty: 1, rate: 25, po_detail: order.items[0].row_id }],
    })
    await refusedFor(
      'items[0].billed_qty',
      'billed more than ordered',
      story.submit('Purchase Invoice', over.id),
    )

    const payment = await story.draftOf('Purchase Invoice', invoice.id, 'make_payment')
    assert.equal([payment.payment_type, payment.paid_amount], ['Pay', 110])
    await story.submit('Payment Entry', payment.id)
    assert.equal(await story.books(payment.id), { Creditors: 110, Bank: -110 })
    assert.is((await story.get('Purchase Invoice', invoice.id)).status, 'Paid')

    // One of four goes back: 25 + 5 − 2.50 = 27.50, which the supplier pays back.
    const back = await story.draftOf('Purchase Invoice', invoice.id, 'make_return')
    await story.update('Purchase Invoice', back.id, {
      items: [{ row_id: back.items[0].row_id, qty: -1 }],
    })
    const note = await story.submit('Purchase Invoice', back.id)
    assert.equal([note.grand_total, note.status], [-27.5, 'Return'])
    assert.equal(await story.books(note.id), {
      Creditors: 27.5,
      Purchases: -25,
      'Input Tax': -5,
      'Withheld Tax': 2.5,
    })
    const refund = await story.draftOf('Purchase Invoice', invoice.id, 'make_payment')
    assert.equal([refund.payment_type, refund.paid_amount], ['Receive', 27.5])
    await story.submit('Payment Entry', refund.id)
    assert.equal(await story.books(refund.id), { Bank: 27.5, Creditors: -27.5 })
    assert.is((await story.get('Supplier', supplier)).outstanding_total, 0)
  })

  test('goods on order clear what their receipt books; the rest is an expense, or goes to the account of the item', async () => {
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Grey Wolf' })
    await story.create('Item', { item_code: 'NAIL', item_name: 'Nail' })
    await story.create('Item', {
      item_code: 'FLIGHT',
      item_name: 'Flight',
      is_stock_item: false,
      income_account: 'Service',
      expense_account: 'Travel',
    })
    const order = await story.make('Purchase Order', {
      supplier,
      items: [{ item_code: 'NAIL', qty: 10, rate: 1 }],
    })
    const ordered = await story.draftOf('Purchase Order', order.id, 'make_invoice')
    await story.submit('Purchase Invoice', ordered.id)
    assert.equal(await story.books(ordered.id), {
      Creditors: -10,
      'Stock Received But Not Billed': 10,
    })
    const bought = await story.make('Purchase Invoice', {
      supplier,
      items: [
        { item_code: 'NAIL', qty: 10, rate: 1 },
        { item_code: 'FLIGHT', qty: 1, rate: 300 },
      ],
    })
    assert.equal(await story.books(bought.id), { Creditors: -310, Purchases: 10, Travel: 300 })
    const sold = await bill(0, { items: [{ item_code: 'FLIGHT', qty: 1, rate: 350 }] })
    assert.equal(await story.books(sold.id), { Debtors: 350, Service: -350 })
  })

  test('money moves between own accounts', async () => {
    const transfer = await story.make('Payment Entry', {
      payment_type: 'Internal Transfer',
      paid_amount: 500,
      paid_to: 'Cash',
    })
    assert.is(transfer.unallocated_amount, 0)
    assert.equal(await story.books(transfer.id), { Bank: -500, Cash: 500 })
    await refusedFor(
      'paid_to',
      'must differ',
      story.create('Payment Entry', {
        payment_type: 'Internal Transfer',
        paid_amount: 500,
        paid_to: 'Bank',
      }),
    )
  })

  test('an employee is paid from the payable account of the staff', async () => {
    const { id: party } = await story.create('Employee', {
      employee_name: 'Eva',
      first_name: 'Eva',
    })
    const payment = await pay(50, [], { payment_type: 'Pay', party_type: 'Employee', party })
    assert.equal(await story.books(payment.id), { 'Payroll Payable': 50, Bank: -50 })
  })

  test('an amended invoice and an amended credit note keep what they stand for', async () => {
    const { id } = await bill(2)
    await story.cancel('Sales Invoice', id)
    assert.equal(await story.books(id), {})
    const amended = await story.amend('Sales Invoice', id)
    assert.equal([amended.grand_total, amended.outstanding_amount], [200, 0])
    await story.submit('Sales Invoice', amended.id)
    const credit = await story.draftOf('Sales Invoice', amended.id, 'make_return')
    await story.submit('Sales Invoice', credit.id)
    await story.cancel('Sales Invoice', credit.id)
    assert.equal(await stateOf(amended.id), [200, 'Unpaid'])
    const again = await story.amend('Sales Invoice', credit.id)
    assert.is(again.return_against, amended.id)
    await story.submit('Sales Invoice', again.id)
    assert.equal(await stateOf(amended.id), [0, 'Credit Note Issued'])
  })

  test('cash goes to the cash account, and only accounts that fit are taken', async () => {
    const payment = await pay(10, [], { mode_of_payment: 'Cash' })
    assert.equal(await story.books(payment.id), { Cash: 10, Debtors: -10 })
    await refusedFor('paid_to', 'account of your own', pay(10, [], { paid_to: 'Creditors' }))
    await refusedFor('paid_from', 'receivable account', pay(10, [], { paid_from: 'Cash' }))
    await refusedFor('debit_to', 'receivable', bill(1, { debit_to: 'Sales' }))
    await refusedFor(
      'account',
      'takes? postings'.slice(0, 0),
      bill(1, { income_account: 'Income' }),
    )
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})
