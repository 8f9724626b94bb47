import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('the story of a sale', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    for (const [item_code, standard_rate] of [
      ['CHAIR', 50],
      ['DESK', 120],
    ])
      await story.create('Item', {
        item_code,
        item_name: item_code,
        standard_rate,
        is_stock_item: false,
      })
  })
  test.after(() => story.close())

  /** A submitted order of 10 chairs at 50 and 3 desks at 120: 860. */
  const order = (more: object = {}): Promise<Shown> =>
    story.make('Sales Order', {
      customer,
      items: [
        { item_code: 'CHAIR', qty: 10 },
        { item_code: 'DESK', qty: 3 },
      ],
      ...more,
    })

  const statusOf = async (doctype: string, id: string): Promise<string> =>
    (await story.get(doctype, id)).status

  test('leads from the quotation over order and deliveries to the invoice', async () => {
    // 10 × 50 + 3 × 120 = 860, less 10 % = 774, plus 20 % VAT 154.80 = 928.80
    const quotation = await story.make('Quotation', {
      customer,
      items: [
        { item_code: 'CHAIR', qty: 10 },
        { item_code: 'DESK', qty: 3 },
      ],
      additional_discount_percentage: 10,
      taxes_and_charges: 'VAT 20 %',
    })
    assert.equal(
      [quotation.total, quotation.discount_amount, quotation.net_total, quotation.grand_total],
      [860, 86, 774, 928.8],
    )
    assert.is(quotation.status, 'Open')

    const draft = await story.draftOf('Quotation', quotation.id, 'make_order')
    assert.equal([draft.docstatus, draft.grand_total, draft.status], [0, 928.8, 'Draft'])
    assert.is(await statusOf('Quotation', quotation.id), 'Open')
    const sold = await story.submit('Sales Order', draft.id)
    assert.equal([sold.status, sold.per_delivered, sold.per_billed], ['Submitted', 0, 0])
    assert.is(await statusOf('Quotation', quotation.id), 'Ordered')

    // 4 of 13 pieces: 30.769231 %
    const first = await story.draftOf('Sales Order', sold.id, 'make_delivery_note')
    assert.equal(
      first.items.map(({ qty }: Shown) => qty),
      [10, 3],
    )
    await story.update('Delivery Note', first.id, {
      items: [{ row_id: first.items[0].row_id, qty: 4 }],
    })
    await story.submit('Delivery Note', first.id)
    const partly = await story.get('Sales Order', sold.id)
    assert.equal([partly.per_delivered, partly.status], [30.769231, 'Submitted'])
    const rest = await story.draftOf('Sales Order', sold.id, 'make_delivery_note')
    assert.equal(
      rest.items.map(({ qty }: Shown) => qty),
      [6, 3],
    )
    await story.submit('Delivery Note', rest.id)
    assert.is(await statusOf('Sales Order', sold.id), 'To Bill')
    await refusedAsConflict(story.act('Sales Order', sold.id, 'make_delivery_note'))

    const invoice = await story.draftOf('Sales Order', sold.id, 'make_invoice')
    assert.equal([invoice.docstatus, invoice.grand_total], [0, 928.8])
    assert.equal(
      invoice.items.map(({ net_amount }: Shown) => net_amount),
      [450, 324],
    )
    await story.submit('Sales Invoice', invoice.id)
    const done = await story.get('Sales Order', sold.id)
    assert.equal([done.per_billed, done.status], [100, 'Completed'])
    assert.equal(await story.books(invoice.id), {
      Debtors: 928.8,
      Sales: -774,
      'Output Tax': -154.8,
    })
  })

  test('bills in parts; the discount and the freight of the order follow the amounts', async () => {
    // Order 860 − 86 (fixed) + 43 freight. 5 chairs first, then 5 chairs and 3 desks = 610 of 860:
    // discount 86 × 610 / 860 = 61, freight 43 × 610 / 860 = 30.50, total 610 − 61 + 30.50 = 579.50.
    const { id } = await order({
      additional_discount_amount: 86,
      taxes: [
        {
          charge_type: 'Actual',
          description: 'Freight',
          account_head: 'Freight Charged',
          charge_amount: 43,
        },
      ],
    })
    const first = await story.draftOf('Sales Order', id, 'make_invoice')
    assert.is(first.grand_total, 817)
    await story.update('Sales Invoice', first.id, {
      items: [{ row_id: first.items[0].row_id, qty: 5 }],
      additional_discount_amount: 25,
      taxes: [],
    })
    assert.is((await story.submit('Sales Invoice', first.id)).grand_total, 225)
    assert.is((await story.get('Sales Order', id)).per_billed, 29.069767) // 250 of 860
    const second = await story.draftOf('Sales Order', id, 'make_invoice')
    assert.equal([second.total, second.discount_amount, second.grand_total], [610, 61, 579.5])
    await story.submit('Sales Invoice', second.id)
    assert.is(await statusOf('Sales Order', id), 'To Deliver')
    assert.equal(await story.books(second.id), {
      Debtors: 579.5,
      Sales: -549,
      'Freight Charged': -30.5,
    })
  })

  test('is never delivered or billed beyond what was ordered', async () => {
    const sold = await order()
    const [chairs] = sold.items
    const note = await story.create('Delivery Note', {
      customer,
      items: [{ item_code: 'CHAIR', qty: 11, so_detail: chairs.row_id }],
    })
    await refusedFor(
      'items[0].delivered_qty',
      'delivered more than ordered',
      story.submit('Delivery Note', note.id),
    )
    const many = await story.create('Sales Invoice', {
      customer,
      items: [{ item_code: 'CHAIR', qty: 11, rate: 1, so_detail: chairs.row_id }],
    })
    await refusedFor(
      'items[0].billed_qty',
      'billed more than ordered',
      story.submit('Sales Invoice', many.id),
    )
    const dear = await story.create('Sales Invoice', {
      customer,
      items: [{ item_code: 'CHAIR', qty: 10, rate: 50.01, so_detail: chairs.row_id }],
    })
    await refusedFor(
      'items[0].billed_qty',
      'billed more than ordered',
      story.submit('Sales Invoice', dear.id),
    )
    assert.equal(await story.books(dear.id), {})
    const after = await story.get('Sales Order', sold.id)
    assert.equal([after.per_delivered, after.per_billed, after.status], [0, 0, 'Submitted'])
  })

  test('stops while it is on hold and once it is closed', async () => {
    const { id } = await order()
    const note = await story.draftOf('Sales Order', id, 'make_delivery_note')
    const invoice = await story.draftOf('Sales Order', id, 'make_invoice')
    assert.is((await story.act('Sales Order', id, 'hold')).status, 'On Hold')
    await refusedAsConflict(story.act('Sales Order', id, 'hold'))
    await refusedAsConflict(story.act('Sales Order', id, 'make_invoice'))
    await refusedFor('status', 'on hold', story.submit('Delivery Note', note.id))
    assert.is((await story.act('Sales Order', id, 'resume')).status, 'Submitted')
    await story.submit('Delivery Note', note.id)
    assert.is((await story.act('Sales Order', id, 'close')).status, 'Closed')
    await refusedFor('status', 'closed', story.submit('Sales Invoice', invoice.id))
    // What was delivered may still be taken back.
    await story.cancel('Delivery Note', note.id)
    assert.is((await story.get('Sales Order', id)).per_delivered, 0)
    assert.is((await story.act('Sales Order', id, 'reopen')).status, 'Submitted')
    await story.submit('Sales Invoice', invoice.id)
    assert.is(await statusOf('Sales Order', id), 'To Deliver')
  })

  test('is cancelled only when nothing depends on it, and says when', async () => {
    const { id } = await order()
    const note = await story.draftOf('Sales Order', id, 'make_delivery_note')
    await story.submit('Delivery Note', note.id)
    const refusal = await refusedAsConflict(story.cancel('Sales Order', id))
    assert.ok(refusal.linked?.some((link) => link.id === note.id))
    await story.cancel('Delivery Note', note.id)
    const cancelled = await story.cancel('Sales Order', id)
    assert.equal(
      [cancelled.status, cancelled.cancelled_at],
      ['Cancelled', '2026-03-09T12:00:00.000Z'],
    )
    const amended = await story.amend('Sales Order', id)
    assert.equal([amended.cancelled_at, amended.items[0].delivered_qty], [null, 0])
  })

  test('of services is complete once it is billed', async () => {
    const { id } = await order({ skip_delivery_note: true })
    await refusedAsConflict(story.act('Sales Order', id, 'make_delivery_note'))
    const invoice = await story.draftOf('Sales Order', id, 'make_invoice')
    await story.submit('Sales Invoice', invoice.id)
    assert.is(await statusOf('Sales Order', id), 'Completed')
  })

  test('a quotation is ordered in parts, lost for a reason, or expires', async () => {
    const items = [{ item_code: 'CHAIR', qty: 10 }]
    const offer = await story.make('Quotation', { customer, items })
    const part = await story.draftOf('Quotation', offer.id, 'make_order')
    await story.update('Sales Order', part.id, {
      items: [{ row_id: part.items[0].row_id, qty: 4 }],
    })
    await story.submit('Sales Order', part.id)
    const partly = await story.get('Quotation', offer.id)
    assert.equal([partly.per_ordered, partly.status], [40, 'Partially Ordered'])
    await refusedAsConflict(story.act('Quotation', offer.id, 'lose', { lost_reason: 'price' }))
    const next = await story.draftOf('Quotation', offer.id, 'make_order')
    assert.is(next.items[0].qty, 6)

    const other = await story.make('Quotation', { customer, items })
    await refusedFor('lost_reason', 'required', story.act('Quotation', other.id, 'lose'))
    const lost = await story.act('Quotation', other.id, 'lose', { lost_reason: 'Too expensive' })
    assert.equal([lost.status, lost.lost_reason], ['Lost', 'Too expensive'])
    await refusedAsConflict(story.act('Quotation', other.id, 'make_order'))

    const old = await story.make('Quotation', {
      customer,
      items,
      transaction_date: '2026-01-01',
      valid_till: '2026-03-08',
    })
    assert.is(old.status, 'Expired')
  })

  test('an offer to a lead is ordered by the customer it has become', async () => {
    const { id: lead } = await story.create('Lead', { lead_name: 'New One' })
    const chance = await story.create('Opportunity', {
      lead,
      items: [{ item_code: 'CHAIR', qty: 2, rate: 45 }],
    })
    const offer = await story.draftOf('Opportunity', chance.id, 'make_quotation')
    assert.equal([offer.lead, offer.customer, offer.total], [lead, null, 90])
    assert.is(await statusOf('Opportunity', chance.id), 'Open')
    await story.submit('Quotation', offer.id)
    const { customer_id } = await story.act('Lead', lead, 'convert', { create_opportunity: false })
    const sold = await story.draftOf('Quotation', offer.id, 'make_order')
    assert.equal([sold.customer, sold.grand_total], [customer_id, 90])
  })

  test('prices come from the item, less the discount of the row, unless they are sent', async () => {
    const quotation = await story.create('Quotation', {
      customer,
      items: [
        { item_code: 'CHAIR', qty: 1 },
        { item_code: 'CHAIR', qty: 1, discount_percentage: 12.5 },
        { item_code: 'CHAIR', qty: 1, rate: 41.25 },
      ],
    })
    assert.equal(
      quotation.items.map(({ rate }: Shown) => rate),
      [50, 43.75, 41.25],
    )
    assert.is(quotation.total, 135)
  })

  test('a credit limit stops invoices, but no payment and no cancellation', async () => {
    const { id: poor } = await story.create('Customer', {
      customer_name: 'Poor',
      credit_limit: 100,
    })
    const bill = (qty: number): Promise<Shown> =>
      story.create('Sales Invoice', { customer: poor, items: [{ item_code: 'CHAIR', qty }] })
    const first = await bill(2)
    await story.submit('Sales Invoice', first.id)
    const second = await bill(1)
    await refusedFor('credit_limit', 'exceed', story.submit('Sales Invoice', second.id))
    assert.is((await story.get('Customer', poor)).outstanding_total, 100)

    await story.update('Customer', poor, { credit_limit: 60 })
    const payment = await story.draftOf('Sales Invoice', first.id, 'make_payment')
    await story.update('Payment Entry', payment.id, {
      paid_amount: 30,
      references: [{ row_id: payment.references[0].row_id, allocated_amount: 30 }],
    })
    await story.submit('Payment Entry', payment.id)
    assert.is((await story.get('Customer', poor)).outstanding_total, 70)
    await story.cancel('Payment Entry', payment.id)
    const owing = await story.get('Customer', poor)
    assert.equal([owing.outstanding_total, owing.billed_total], [100, 100])
  })

  test('a lead becomes a customer with a contact and an opportunity, which is won or lost', async () => {
    const lead = await story.create('Lead', {
      lead_name: 'Jane Doe',
      company_name: 'Doe Ltd',
      email_id: 'jane@doe.example',
      expected_amount: 5000,
      currency: 'USD',
    })
    const converted = await story.act('Lead', lead.id, 'convert')
    assert.is(converted.status, 'Converted')
    const party = await story.get('Customer', converted.customer_id)
    assert.equal(
      [party.customer_name, party.lead, party.default_currency],
      ['Doe Ltd', lead.id, 'USD'],
    )
    const [contact] = await story.all('Contact', { company_name: 'Doe Ltd' })
    assert.is(contact?.full_name, 'Jane Doe')
    const chance = await story.get('Opportunity', converted.opportunity_id)
    assert.equal(
      [chance.customer, chance.opportunity_amount, chance.status],
      [party.id, 5000, 'Open'],
    )
    assert.ok((await story.events(lead.id)).includes('converted'))
    await refusedAsConflict(story.act('Lead', lead.id, 'convert'))

    await refusedFor(
      'lost_reason',
      'required',
      story.update('Opportunity', chance.id, { status: 'Lost' }),
    )
    const lost = await story.act('Opportunity', chance.id, 'lose', { lost_reason: 'No budget' })
    assert.equal([lost.status, lost.lost_reason], ['Lost', 'No budget'])
    await story.update('Opportunity', chance.id, { status: 'Open' })
    const won = await story.act('Opportunity', chance.id, 'win')
    assert.is(won.status, 'Won')
    assert.equal(
      (await story.events(chance.id)).filter((kind) => kind === 'won' || kind === 'lost'),
      ['lost', 'won'],
    )
  })

  test('a lead may turn out to be a customer there is, without an opportunity', async () => {
    const lead = await story.create('Lead', { lead_name: 'Old Friend' })
    const converted = await story.act('Lead', lead.id, 'convert', {
      customer,
      create_opportunity: false,
    })
    assert.equal([converted.customer_id, converted.opportunity_id], [customer, null])
    await refusedFor('status', 'cannot go', story.update('Lead', lead.id, { status: 'Open' }))
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})
