import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('a month of invoices and payments', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string
  let order: Shown
  let advance: Shown
  let invoice: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Tax Category', {
      title: 'Domestic',
      sales_taxes_template: 'VAT 20 %',
      purchase_taxes_template: 'Input VAT 20 %',
    })
    customer = (
      await story.create('Customer', {
        customer_name: 'Blue Whale',
        payment_terms: 'Half in Advance',
        tax_category: 'Domestic',
      })
    ).id
    supplier = (
      await story.create('Supplier', {
        supplier_name: 'Timber Co',
        payment_terms: '30 Days',
        tax_category: 'Domestic',
      })
    ).id
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      standard_buying_rate: 40,
      is_stock_item: false,
    })
  })
  test.after(() => story.close())

  const on = async (day: string): Promise<void> => {
    story.clock.time = Date.parse(`${day}T12:00:00.000Z`)
    await story.tick()
  }

  test('2 March: an order, of which half is asked for in advance', async () => {
    await on('2026-03-02')
    order = await story.make('Sales Order', { customer, items: [{ item_code: 'HOUR', qty: 10 }] })
    // 10 × 100 + 20 %
    assert.equal(
      [order.grand_total, order.payment_schedule.map((part: Shown) => part.payment_amount)],
      [1200, [600, 600]],
    )
    const request = await story.draftOf('Sales Order', order.id, 'request_payment')
    await story.update('Payment Request', request.id, { grand_total: 600 })
    await story.submit('Payment Request', request.id)
    const paid = await story.act('Payment Request', request.id, 'mark_paid')
    assert.is(paid.status, 'Paid')
    advance = (await story.all('Payment Entry', { payment_request: request.id }))[0]!
    assert.equal(await story.books(advance.id), { Bank: 600, Debtors: -600 })
    assert.is((await story.get('Sales Order', order.id)).advance_paid, 600)
  })

  test('3 March: a bill with its terms and taxes', async () => {
    await on('2026-03-03')
    const bill = await story.make('Purchase Invoice', {
      supplier,
      bill_no: 'T-1',
      items: [{ item_code: 'HOUR', qty: 20 }],
    })
    // 20 × 40 = 800, + 160 of tax
    assert.equal(
      [bill.grand_total, bill.due_date, bill.tax_category],
      [960, '2026-04-02', 'Domestic'],
    )
    assert.equal(await story.books(bill.id), {
      Creditors: -960,
      Purchases: 800,
      'Input Tax': 160,
    })
  })

  test('9 March: the invoice takes the advance in', async () => {
    await on('2026-03-09')
    const draft = await story.draftOf('Sales Order', order.id, 'make_invoice')
    invoice = await story.submit('Sales Invoice', draft.id)
    assert.equal(
      invoice.payment_schedule.map((part: Shown) => [part.due_date, part.outstanding]),
      [
        ['2026-03-09', 600],
        ['2026-04-08', 600],
      ],
    )
    const allocate = (amount: number): Promise<Shown> =>
      story.act('Payment Entry', advance.id, 'allocate', { sales_invoice: invoice.id, amount })
    await refusedFor('reconciled_amount', 'more is allocated than was left', allocate(600.01))
    const allocated = await allocate(600)
    assert.equal([allocated.unallocated_amount, allocated.reconciled_amount], [600, 600])
    await refusedAsConflict(allocate(1))
    const [entry] = allocated._created
    assert.equal(await story.books(entry.id), {})
    const now = await story.get('Sales Invoice', invoice.id)
    assert.equal(
      [now.outstanding_amount, now.status, now.payment_schedule[0].outstanding],
      [600, 'Partly Paid', 0],
    )
    // In the payment ledger the payment stands for nothing any more
    const ledger = await story.all('Payment Ledger Entry', { against_voucher_no: advance.id })
    assert.equal(
      ledger.map(({ amount }) => amount),
      [-600, 600],
    )
    await refusedAsConflict(story.cancel('Payment Entry', advance.id))
  })

  test('8 and 9 April: the second half is due, then overdue, then paid with a discount', async () => {
    await on('2026-04-08')
    assert.is((await story.get('Sales Invoice', invoice.id)).status, 'Partly Paid')
    await on('2026-04-09')
    assert.is((await story.get('Sales Invoice', invoice.id)).status, 'Overdue')
    // 2 % of 600 are let off
    const payment = await story.make('Payment Entry', {
      party: customer,
      paid_amount: 588,
      references: [{ sales_invoice: invoice.id, allocated_amount: 600 }],
      deductions: [{ account: 'Sales Discount', amount: 12 }],
    })
    assert.equal(await story.books(payment.id), {
      Bank: 588,
      'Sales Discount': 12,
      Debtors: -600,
    })
    const paid = await story.get('Sales Invoice', invoice.id)
    assert.equal([paid.status, paid.outstanding_amount], ['Paid', 0])
    assert.equal(
      (await story.events(invoice.id)).filter((kind) => kind !== 'updated'),
      ['created', 'submitted', 'paid'],
    )
    const statusOfBill = (await story.all('Purchase Invoice', { supplier }))[0]?.status
    assert.is(statusOfBill, 'Overdue')
  })

  test('what is cancelled is owed again', async () => {
    const [entry] = await story.all('Journal Entry')
    await story.cancel('Journal Entry', entry!.id)
    assert.is((await story.get('Payment Entry', advance.id)).reconciled_amount, 0)
    assert.is((await story.get('Sales Invoice', invoice.id)).outstanding_amount, 600)
    await story.cancel('Payment Entry', advance.id)
    assert.is((await story.get('Sales Order', order.id)).advance_paid, 0)
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
