import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { runReport } from '../../engine/reports/run/run.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { OWED } from './owed-doctypes.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

/** Makes branches a dimension of the books. */
const DIMENSION = 'doctype: Branch\nextend: true\ndimension: {as: branch, beside: cost_center}\n'
const DAY = 24 * 60 * 60 * 1000

forEachDatabase("documents of one's own that are owed", ({ test, create }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openHttpStory(await create(), { ...OWED, 'hr/branch.yaml': DIMENSION })
  })
  test.before.each(async () => {
    customer = (await story.create('Customer', { customer_name: 'Cyclist' })).id
  })
  test.after(() => story.close())

  /** 3 days at 20.50 and 2 at 12: 85.50. */
  const LINES = [
    { bike: 'Racer', days: 3, day_rate: 20.5 },
    { bike: 'Cargo', days: 2, day_rate: 12 },
  ]
  const rent = (more: object = {}): Promise<Shown> =>
    story.make('Rental Agreement', { customer, lines: LINES, ...more })
  const pay = (id: string, paid_amount: number, more: object = {}): Promise<Shown> =>
    story.make('Payment Entry', {
      party: customer,
      paid_amount,
      references: [{ reference_doctype: 'Rental Agreement', reference_name: id, ...more }],
    })
  const stateOf = async (id: string): Promise<unknown[]> => {
    const { outstanding_amount, paid_amount, status } = await story.get('Rental Agreement', id)
    return [outstanding_amount, paid_amount, status]
  }
  const ageing = async (side: string, party: string, report_date: string) => {
    const { engine } = story
    const context = engine.context(SYSTEM_ACTOR, 'business')
    const given = new Map([
      ['company', 'Acme Inc'],
      ['party', party],
      ['report_date', report_date],
    ])
    const report = engine.reports().bySlug(`accounts-${side}`)!
    return (await runReport(context, report, { given, limit: 50, offset: 0 })).data
  }

  test('are booked by their submit, and shown by age', async () => {
    const agreement = await rent()
    const { id, total, currency, debit_to, due_date, outstanding_amount, status } = agreement
    assert.equal(
      [total, currency, debit_to, due_date, outstanding_amount, status],
      [85.5, 'USD', 'Debtors', '2026-03-23', 85.5, 'Unpaid'],
    )
    assert.equal(await story.books(id), { Debtors: 85.5, Sales: -85.5 })
    const [debtors] = await story.all('GL Entry', { voucher_no: id, account: 'Debtors' })
    assert.equal([debtors?.party, debtors?.against_voucher], [customer, id])

    const [row] = await ageing('receivable', customer, '2026-05-07')
    assert.equal(
      [row?.voucher_type, row?.voucher_no, row?.due_date, row?.age, row?.bucket2],
      ['Rental Agreement', id, '2026-03-23', 45, 85.5],
    )
    await story.cancel('Rental Agreement', id)
    assert.equal(await story.books(id), {})
    assert.equal(await ageing('receivable', customer, '2026-05-07'), [])
  })

  test('are paid in part and in full, and not more', async () => {
    const { id } = await rent()
    const first = await pay(id, 50)
    assert.equal(await stateOf(id), [35.5, 50, 'Partly Paid'])
    assert.equal(await story.books(first.id), { Debtors: -50, Bank: 50 })
    assert.is(first.references[0].outstanding_amount, 85.5)
    await refusedFor(
      'references[0].allocated_amount',
      'more is allocated than is outstanding',
      pay(id, 36, { allocated_amount: 36 }),
    )
    const error = await refusedAsConflict(story.cancel('Rental Agreement', id))
    assert.match(JSON.stringify(error), first.id)

    const rest = await story.draftOf('Rental Agreement', id, 'make_payment')
    assert.equal([rest.payment_type, rest.party, rest.paid_amount], ['Receive', customer, 35.5])
    await story.submit('Payment Entry', rest.id)
    assert.equal(await stateOf(id), [0, 85.5, 'Paid'])
    assert.ok((await story.events(id)).includes('paid'))
    const [row] = await ageing('receivable', customer, '2026-05-07')
    assert.is(row, undefined)

    await story.cancel('Payment Entry', rest.id)
    assert.equal(await stateOf(id), [35.5, 50, 'Partly Paid'])
    await story.cancel('Payment Entry', first.id)
    await story.cancel('Rental Agreement', id)
    assert.equal(await story.differences(), [])
  })

  test("are no one else's, and of one currency", async () => {
    const { id } = await rent()
    const other = (await story.create('Customer', { customer_name: 'Walker' })).id
    const references = [{ reference_doctype: 'Rental Agreement', reference_name: id }]
    const body = { paid_amount: 10, references }
    await refusedFor(
      'references',
      'must belong to the party',
      story.make('Payment Entry', { party: other, ...body }),
    )
    await refusedFor(
      'references',
      'in the currency of the payment',
      story.make('Payment Entry', {
        party: customer,
        currency: 'EUR',
        conversion_rate: 1,
        ...body,
      }),
    )
    await refusedFor(
      'references[1].reference_name',
      'named twice',
      story.make('Payment Entry', {
        party: customer,
        paid_amount: 10,
        references: [...references, ...references],
      }),
    )
    await refusedFor(
      'references[0].reference_doctype',
      'expected one of Opening Invoice, Rental Agreement, Sales Invoice, Opening Bill, Purchase Invoice, Repair Bill',
      story.create('Payment Entry', {
        party: customer,
        paid_amount: 10,
        references: [{ reference_doctype: 'Customer', reference_name: customer }],
      }),
    )
  })

  test('are taken back by others of their kind', async () => {
    const { id } = await rent()
    const back = (days: number): Promise<Shown> =>
      rent({
        is_return: true,
        return_against: id,
        lines: [{ bike: 'Cargo', days, day_rate: 12 }],
      })
    const note = await back(-2)
    assert.equal([note.total, note.outstanding_amount, note.status], [-24, 0, 'Return'])
    assert.equal(await story.books(id, note.id), { Debtors: 61.5, Sales: -61.5 })
    const { outstanding_amount, credited_amount } = await story.get('Rental Agreement', id)
    assert.equal([outstanding_amount, credited_amount], [61.5, 24])
    const [row] = await ageing('receivable', customer, '2026-03-09')
    assert.equal([row?.invoiced, row?.credit_note, row?.outstanding], [85.5, 24, 61.5])
    await refusedFor('credited_amount', 'more is taken back than was owed', back(-6))
    await refusedFor('total', 'must not be below 0', rent({ lines: [{ ...LINES[0], days: -1 }] }))
    await refusedAsConflict(story.cancel('Rental Agreement', id))
    assert.equal(await story.differences(), [])
  })

  test('are settled at the rate they were booked at', async () => {
    // 85.50 EUR at 1.10 are 94.05; paid at 1.20 they are 102.60: a gain of 8.55.
    const { id } = await rent({ currency: 'EUR', conversion_rate: 1.1 })
    assert.equal(await story.books(id), { Debtors: 94.05, Sales: -94.05 })
    const payment = await story.make('Payment Entry', {
      party: customer,
      currency: 'EUR',
      conversion_rate: 1.2,
      paid_amount: 85.5,
      references: [{ reference_doctype: 'Rental Agreement', reference_name: id }],
    })
    assert.equal(await story.books(payment.id), {
      Bank: 102.6,
      Debtors: -94.05,
      'Exchange Gain and Loss': -8.55,
    })
    assert.equal(await stateOf(id), [0, 85.5, 'Paid'])
    assert.equal(await story.differences(), [])
  })

  test('are settled by journal entries, earlier payments and requests', async () => {
    const { id } = await rent()
    const debtor = { account: 'Debtors', party_type: 'Customer', party: customer }
    await story.make('Journal Entry', {
      accounts: [
        { account: 'Write Off', debit: 5.5 },
        { ...debtor, credit: 5.5, reference_type: 'Rental Agreement', reference_name: id },
      ],
    })
    assert.equal(await stateOf(id), [80, 0, 'Partly Paid'])

    const early = await story.make('Payment Entry', { party: customer, paid_amount: 30 })
    await story.act('Payment Entry', early.id, 'allocate', {
      reference_type: 'Rental Agreement',
      reference_name: id,
      amount: 30,
    })
    assert.equal(await stateOf(id), [50, 0, 'Partly Paid'])

    const draft = await story.draftOf('Rental Agreement', id, 'request_payment')
    const request = await story.submit('Payment Request', draft.id)
    assert.equal(
      [request.payment_request_type, request.party, request.currency, request.grand_total],
      ['Inward', customer, 'USD', 50],
    )
    await story.act('Payment Request', request.id, 'mark_paid')
    assert.equal(await stateOf(id), [0, 50, 'Paid'])
    assert.is((await story.get('Payment Request', request.id)).status, 'Paid')
    assert.equal(await story.differences(), [])
  })

  test('are dunned beside invoices', async () => {
    const { id } = await rent({ posting_date: '2026-01-05' })
    const reference = { reference_doctype: 'Rental Agreement', reference_name: id }
    const body = { customer, overdue_payments: [reference] }
    const dunning = await story.make('Dunning', body)
    // Due on 19 January, 49 days before 9 March.
    const [row] = dunning.overdue_payments
    assert.equal(
      [row.due_date, row.payment_amount, row.outstanding, row.overdue_days, row.dunning_level],
      ['2026-01-19', 85.5, 85.5, 49, 0],
    )
    assert.is((await story.create('Dunning', body)).overdue_payments[0].dunning_level, 1)
    const draft = await story.draftOf('Dunning', dunning.id, 'make_payment')
    await story.submit('Payment Entry', draft.id)
    assert.equal(await stateOf(id), [0, 85.5, 'Paid'])
    await story.act('Dunning', dunning.id, 'refresh')
    assert.is((await story.get('Dunning', dunning.id)).status, 'Resolved')
  })

  test('are found by a dunning, and count for the customer and their credit limit, beside invoices', async () => {
    // Two rentals of 85.50, due on 19 January and 23 March, and an invoice of 100, due in January too.
    await story.create('Item', { item_code: 'LOCK', item_name: 'Lock', is_stock_item: false })
    const early = await rent({ posting_date: '2026-01-05' })
    await rent()
    const invoice = await story.make('Sales Invoice', {
      customer,
      posting_date: '2026-01-02',
      due_date: '2026-01-10',
      items: [{ item_code: 'LOCK', qty: 1, rate: 100 }],
    })
    const { outstanding_total, billed_total } = await story.get('Customer', customer)
    assert.equal([outstanding_total, billed_total], [271, 271])

    const { id } = await story.create('Dunning', { customer })
    const { overdue_payments } = await story.act('Dunning', id, 'fetch_overdue')
    assert.equal(
      overdue_payments.map((row: Shown) => [
        row.reference_doctype,
        row.reference_name,
        row.sales_invoice,
        row.outstanding,
      ]),
      [
        ['Rental Agreement', early.id, null, 85.5],
        ['Sales Invoice', invoice.id, invoice.id, 100],
      ],
    )
    await story.update('Customer', customer, { credit_limit: 300 })
    const more = await story.create('Rental Agreement', { customer, lines: LINES })
    await refusedFor('credit_limit', 'exceed', story.submit('Rental Agreement', more.id))
    await pay(early.id, 85.5)
    await story.submit('Rental Agreement', more.id)
    assert.is((await story.get('Customer', customer)).outstanding_total, 271)
    assert.equal(await story.differences(), [])
  })

  test('turn overdue by the day', async () => {
    const { id } = await rent()
    story.clock.time += 15 * DAY
    await story.tick()
    assert.is((await stateOf(id))[2], 'Overdue')
    story.clock.time -= 15 * DAY
  })

  test('are owed to suppliers alike, by fields of other names', async () => {
    const garage = (await story.create('Supplier', { supplier_name: 'Garage' })).id
    const bill = await story.make('Repair Bill', { garage, cost: 120 })
    assert.equal(
      [bill.owed_on, bill.money, bill.worth, bill.last_day, bill.status],
      ['Creditors', 'USD', 1, '2026-04-08', 'Unpaid'],
    )
    assert.equal(await story.books(bill.id), { Creditors: -120, Purchases: 120 })
    const draft = await story.draftOf('Repair Bill', bill.id, 'make_payment')
    const payment = await story.submit('Payment Entry', draft.id)
    assert.equal(await story.books(payment.id), { Creditors: 120, Bank: -120 })
    const paid = await story.get('Repair Bill', bill.id)
    assert.equal([paid.status, paid.outstanding_amount, paid.paid_amount], ['Paid', 0, 120])
    await refusedAsConflict(story.cancel('Repair Bill', bill.id))

    const open = await story.make('Repair Bill', { garage, cost: 40 })
    const rows = await ageing('payable', garage, '2026-05-08')
    assert.equal(
      rows.map(({ voucher_no, outstanding, age }) => [voucher_no, outstanding, age]),
      [[open.id, 40, 30]],
    )
    assert.equal(await story.differences(), [])
  })

  test('name the dimensions of the books, as postings, rows and reports do', async () => {
    for (const branch of ['Graz', 'Linz']) await story.create('Branch', { branch })
    const agreement = await rent({ branch: 'Graz' })
    const posted = await story.all('GL Entry', { voucher_no: agreement.id })
    assert.equal(
      posted.map(({ account, branch }) => [account, branch]),
      [
        ['Debtors', 'Graz'],
        ['Sales', 'Graz'],
      ],
    )
    // Rows of an invoice take that of the invoice, unless they say another: 100 in Graz, 30 in Linz.
    await story.create('Item', { item_code: 'BELL', item_name: 'Bell', is_stock_item: false })
    const items = [
      { item_code: 'BELL', qty: 1, rate: 100 },
      { item_code: 'BELL', qty: 1, rate: 30, branch: 'Linz' },
    ]
    const invoice = await story.make('Sales Invoice', { customer, branch: 'Graz', items })
    const sales = await story.all('GL Entry', { voucher_no: invoice.id, account: 'Sales' })
    assert.equal(
      sales.map(({ branch, credit }) => [branch, credit]),
      [
        ['Graz', 100],
        ['Linz', 30],
      ],
    )
    const note = await story.draftOf('Sales Invoice', invoice.id, 'make_return')
    assert.equal(
      note.items.map(({ branch }: Shown) => branch),
      ['Graz', 'Linz'],
    )
    const { engine } = story
    const report = engine.reports().bySlug('general-ledger')!
    const given = new Map([
      ['company', 'Acme Inc'],
      ['account', 'Sales'],
      ['branch', 'Linz'],
    ])
    const context = engine.context(SYSTEM_ACTOR, 'business')
    const { data } = await runReport(context, report, { given, limit: 50, offset: 0 })
    assert.equal(
      data.map(({ voucher_no, branch, credit }) => [voucher_no, branch, credit]),
      [[invoice.id, 'Linz', 30]],
    )
    assert.equal(await story.differences(), [])
  })
})
