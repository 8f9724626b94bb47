import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('requests for payment', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string
  let gateway: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      standard_buying_rate: 40,
      is_stock_item: false,
    })
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    await story.create('Account', {
      account_name: 'Stripe Clearing',
      root_type: 'Asset',
      account_type: 'Bank',
    })
    await story.create('Payment Gateway', { gateway: 'Stripe' })
    gateway = (
      await story.create('Payment Gateway Account', {
        payment_gateway: 'Stripe',
        payment_account: 'Stripe Clearing',
      })
    ).id
  })
  test.after(() => story.close())

  const items = [{ item_code: 'HOUR', qty: 3 }]
  const stateOf = ({ status, paid_amount, outstanding_amount }: Shown): unknown[] => [
    status,
    paid_amount,
    outstanding_amount,
  ]

  test('ask for what is open of an invoice, and are paid by the gateway', async () => {
    const invoice = await story.make('Sales Invoice', { customer, items })
    const draft = await story.draftOf('Sales Invoice', invoice.id, 'request_payment')
    assert.equal(
      [draft.party, draft.grand_total, draft.payment_request_type, draft.status],
      [customer, 300, 'Inward', 'Draft'],
    )
    await story.update('Payment Request', draft.id, { payment_gateway_account: gateway })
    const request = await story.submit('Payment Request', draft.id)
    assert.equal(stateOf(request), ['Requested', 0, 300])
    await story.act('Payment Request', request.id, 'mark_failed', { reason: 'Card declined' })
    assert.is((await story.get('Payment Request', request.id)).status, 'Failed')
    await story.act('Payment Request', request.id, 'retry')
    const paid = await story.act('Payment Request', request.id, 'mark_paid', {
      reference_no: 'pi_123',
    })
    assert.equal(stateOf(paid), ['Paid', 300, 0])
    assert.is(paid.paid_at, '2026-03-09T12:00:00.000Z')
    assert.equal(
      (await story.events(request.id)).filter((kind) => kind !== 'updated'),
      ['created', 'submitted', 'failed', 'paid'],
    )
    const [payment] = await story.all('Payment Entry', { payment_request: request.id })
    assert.equal([payment?.reference_no, payment?.paid_to], ['pi_123', 'Stripe Clearing'])
    assert.equal(await story.books(payment!.id), { 'Stripe Clearing': 300, Debtors: -300 })
    assert.is((await story.get('Sales Invoice', invoice.id)).status, 'Paid')
    // A cancelled payment opens all of it again
    await refusedAsConflict(story.cancel('Payment Request', request.id))
    await story.cancel('Payment Entry', payment!.id)
    assert.equal(stateOf(await story.get('Payment Request', request.id)), ['Requested', 0, 300])
  })

  test('ask for an advance on an order, in parts', async () => {
    const order = await story.make('Sales Order', { customer, items })
    const draft = await story.draftOf('Sales Order', order.id, 'request_payment')
    await story.update('Payment Request', draft.id, { grand_total: 100 })
    await story.submit('Payment Request', draft.id)
    // 300 ordered, 100 requested: 200 can still be
    const rest = await story.draftOf('Sales Order', order.id, 'request_payment')
    assert.equal([rest.open_amount, rest.grand_total], [200, 200])
    await refusedFor(
      'grand_total',
      'exceeds',
      story.make('Payment Request', {
        reference_doctype: 'Sales Order',
        reference_name: order.id,
        grand_total: 200.01,
      }),
    )
    const partly = await story.act('Payment Request', draft.id, 'mark_paid', { amount: 60 })
    assert.equal(stateOf(partly), ['Partially Paid', 60, 40])
    const payment = await story.draftOf('Payment Request', draft.id, 'make_payment')
    assert.equal([payment.paid_amount, payment.unallocated_amount], [40, 40])
    await story.submit('Payment Entry', payment.id)
    assert.is((await story.get('Payment Request', draft.id)).status, 'Paid')
    assert.is((await story.get('Sales Order', order.id)).advance_paid, 100)
    // Both payments are kept against themselves, as no invoice is there yet
    const ledger = await story.all('Payment Ledger Entry', { against_voucher_no: payment.id })
    assert.equal(
      ledger.map(({ amount, account_type, party }) => [amount, account_type, party]),
      [[-40, 'Receivable', customer]],
    )
  })

  test('plan what is paid to suppliers', async () => {
    const bill = await story.make('Purchase Invoice', { supplier, items })
    const request = await story.draftOf('Purchase Invoice', bill.id, 'request_payment')
    await story.submit('Payment Request', request.id)
    assert.equal([request.payment_request_type, request.grand_total], ['Outward', 120])
    const statusAfter = async (action: string, input: object = {}): Promise<unknown> =>
      (await story.act('Payment Request', request.id, action, input)).status
    assert.is((await story.get('Payment Request', request.id)).status, 'Initiated')
    assert.is(await statusAfter('mark_ordered', { payment_order_no: 'SEPA-7' }), 'Payment Ordered')
    assert.is(await statusAfter('mark_failed'), 'Failed')
    await refusedAsConflict(story.act('Payment Request', request.id, 'mark_ordered'))
    assert.is(await statusAfter('retry'), 'Initiated')
    assert.is(await statusAfter('mark_ordered'), 'Payment Ordered')
    assert.is(await statusAfter('mark_paid', { amount: 50 }), 'Partially Paid')
    await story.act('Payment Request', request.id, 'mark_paid')
    assert.is((await story.get('Purchase Invoice', bill.id)).status, 'Paid')
    const payments = await story.all('Payment Entry', { payment_request: request.id })
    assert.equal(await story.books(...payments.map(({ id }) => id)), { Creditors: 120, Bank: -120 })
  })

  test('a mode of payment has an account for each company', async () => {
    await story.update('Mode of Payment', 'Card', {
      accounts: [{ company: 'Acme Inc', default_account: 'Stripe Clearing' }],
    })
    const pay = (more: object): Promise<Shown> =>
      story.create('Payment Entry', { party: customer, paid_amount: 5, ...more })
    assert.is((await pay({ mode_of_payment: 'Card' })).paid_to, 'Stripe Clearing')
    assert.is((await pay({ mode_of_payment: 'Cash' })).paid_to, 'Cash')
    const plain = await pay({})
    assert.equal([plain.mode_of_payment, plain.paid_to], ['Bank Transfer', 'Bank'])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
