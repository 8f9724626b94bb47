import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from '../stories/story.ts'
import { type Asked, reportsOf, rowsOf } from './report-of.ts'

forEachDatabase('reports of what is sold', ({ test, fresh }) => {
  let story: Story
  let report: Asked
  /** Short names → ids of the documents. */
  const ids: Record<string, string> = {}

  test.before(async () => {
    story = await openStory(await fresh())
    report = reportsOf(story)
    for (const [item_code, item_group, more] of [
      ['LAMP', 'Products', { standard_rate: 50 }],
      ['HOUR', 'Services', { standard_rate: 100, is_stock_item: false }],
      ['KIT', 'Products', { standard_rate: 130, is_stock_item: false }],
    ] as const)
      await story.create('Item', { item_code, item_name: item_code, item_group, ...more })
    const parts = ['LAMP', 'HOUR'].map((item_code) => ({ item_code, qty: 1 }))
    await story.create('Product Bundle', { new_item_code: 'KIT', items: parts })
    for (const [customer_name, customer_group, default_currency, territory] of [
      ['Ada', 'Commercial', 'USD'],
      ['Bob', 'Individual', 'USD'],
      ['Eva', 'Individual', 'EUR', 'Rest Of The World'],
    ]) {
      const body = { customer_name, customer_group, default_currency, territory: territory ?? null }
      ids[customer_name!] = (await story.create('Customer', body)).id
    }
    await trade()
  })
  test.after(() => story.close())

  const nameOf = (id: unknown): string =>
    Object.entries(ids).find(([, one]) => one === id)?.[0] ?? String(id)

  /** Makes a document and keeps its id under a short name. */
  async function made(
    name: string,
    doctype: string,
    party: string,
    posting_date: string,
    body: object,
  ): Promise<Shown> {
    const of = doctype === 'Payment Entry' ? { party: ids[party] } : { customer: ids[party] }
    const one = await story.make(doctype, { ...of, posting_date, ...body })
    ids[name] = one.id
    return one
  }

  async function trade(): Promise<void> {
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      posting_date: '2026-01-05',
      items: [{ item_code: 'LAMP', qty: 20, basic_rate: 20, t_warehouse: 'Stores' }],
    })
    const sell = (name: string, party: string, day: string, row: object, more = {}) =>
      made(name, 'Sales Invoice', party, day, { items: [row], ...more })
    const vat = { taxes: [{ description: 'VAT', rate: 20 }] }
    const goods = { update_stock: true }
    await sell('S1', 'Ada', '2026-01-10', { item_code: 'HOUR', qty: 2 }, vat) // 240, due 9 February
    const s2 = await sell('S2', 'Ada', '2026-02-01', { item_code: 'LAMP', qty: 4 }, goods) // 200, due 3 March
    await sell('S3', 'Bob', '2026-02-05', { item_code: 'HOUR', qty: 3 }, vat)
    await story.cancel('Sales Invoice', ids.S3!)
    const euros = { conversion_rate: 1.1 }
    await sell('S4', 'Eva', '2026-02-10', { item_code: 'HOUR', qty: 1, rate: 100 }, euros) // 110
    await sell(
      'S5', // 150, of which 50 stay open
      'Bob',
      '2026-03-01',
      { item_code: 'LAMP', qty: 3 },
      { ...goods, is_pos: true, payments: [{ mode_of_payment: 'Cash', amount: 100 }] },
    )
    const back = await story.draftOf('Sales Invoice', s2.id, 'make_return')
    const items = [{ item_code: 'LAMP', qty: -1, sales_invoice_item: s2.items[0].row_id }]
    await story.update('Sales Invoice', back.id, { posting_date: '2026-03-04', items })
    ids.R2 = (await story.submit('Sales Invoice', back.id)).id // -50
    const pay = (name: string, day: string, paid_amount: number, invoice?: string) =>
      made(name, 'Payment Entry', 'Ada', day, {
        paid_amount,
        references: invoice ? [{ sales_invoice: invoice, allocated_amount: paid_amount }] : [],
      })
    await pay('P1', '2026-02-20', 100, ids.S1)
    await pay('P2', '2026-02-25', 40, ids.S1)
    await story.cancel('Payment Entry', ids.P2!)
    await pay('P3', '2026-03-03', 30)
    const note = await made('D1', 'Delivery Note', 'Bob', '2026-03-04', {
      items: [{ item_code: 'KIT', qty: 2 }],
    })
    const draft = await story.draftOf('Delivery Note', note.id, 'make_invoice')
    await story.update('Sales Invoice', draft.id, { posting_date: '2026-03-06' })
    ids.S6 = (await story.submit('Sales Invoice', draft.id)).id // 260, due 5 April
  }

  const named = (rows: unknown[][]): unknown[][] => rows.map((row) => row.map(nameOf))
  const numbers = (row: readonly unknown[]): string[] => row.map(String)

  test('receivables tell payments from credit notes, and forget what was cancelled', async () => {
    const columns = ['party', 'voucher_no', 'invoiced', 'paid', 'credit_note', 'outstanding', 'age']
    const found = await report('accounts-receivable')
    assert.equal(named(rowsOf(found, columns)), [
      // 19 days of February and 9 of March; 6 days; an advance of 6 days ago
      numbers(['Ada', 'S1', 240, 100, 0, 140, 28]),
      numbers(['Ada', 'S2', 200, 0, 50, 150, 6]),
      numbers(['Ada', 'P3', 0, 30, 0, -30, 6]),
      numbers(['Bob', 'S5', 150, 100, 0, 50, 0]),
      numbers(['Bob', 'S6', 260, 0, 0, 260, 0]),
      numbers(['Eva', 'S4', 110, 0, 0, 110, 0]),
    ])
    assert.is(found.totals?.outstanding, 680)
    assert.is(found.data[1]?.due_date, '2026-03-03', 'not that of the credit note')
  })

  test('receivables are those of a day, a customer, a group of customers', async () => {
    const outstanding = async (params: Readonly<Record<string, string>>) =>
      (await report('accounts-receivable', params)).totals?.outstanding
    // 140 + 200 + 110; an invoice of 360 and a payment of 40 are cancelled, on their days
    assert.is(await outstanding({ report_date: '2026-02-28' }), 450)
    assert.is(await outstanding({ report_date: '2026-01-09' }), 0)
    assert.is(await outstanding({ party: ids.Ada! }), 260)
    assert.is(await outstanding({ customer_group: 'Individual' }), 420) // 50 + 260 + 110
    assert.is(await outstanding({ territory: 'Rest Of The World' }), 110)
    assert.is(await outstanding({ customer_group: 'All Customer Groups' }), 680)
  })

  test('the summary has a line for each customer, by age', async () => {
    const columns = ['party', 'paid', 'credit_note', 'advance', 'outstanding', 'bucket1', 'bucket2']
    const ranges = { range1: '5', range2: '20' }
    const due = await report('accounts-receivable-summary', ranges)
    assert.equal(named(rowsOf(due, [...columns, 'bucket3'])), [
      numbers(['Bob', 100, 0, 0, 310, 310, 0, 0]),
      numbers(['Ada', 130, 50, 30, 260, 0, 120, 140]),
      numbers(['Eva', 0, 0, 0, 110, 110, 0, 0]),
    ])
    // Days since 10 January, 1 and 10 February, 1, 3 and 6 March: 58, 36, 27, 8, 6, 3
    const posted = await report('accounts-receivable-summary', {
      ...ranges,
      ageing_based_on: 'Posting Date',
    })
    const { bucket1, bucket2, bucket3 } = posted.totals!
    assert.equal([bucket1, bucket2, bucket3], [260, 50 - 30, 140 + 150 + 110])
  })

  const year = { from_date: '2026-01-01', to_date: '2026-12-31' }

  test('the sales register has what was invoiced, in the currency of the company', async () => {
    const columns = ['invoice', 'invoice_total', 'net_total', 'taxes', 'grand_total', 'outstanding']
    const found = await report('sales-register', year)
    assert.equal(named(rowsOf(found, columns)), [
      numbers(['S1', 240, 200, 40, 240, 140]),
      numbers(['S2', 200, 200, 0, 200, 150]),
      numbers(['S4', 100, 110, 0, 110, 110]),
      numbers(['S5', 150, 150, 0, 150, 50]),
      numbers(['R2', -50, -50, 0, -50, 0]),
      numbers(['S6', 260, 260, 0, 260, 260]),
    ])
    const { net_total, taxes, grand_total, outstanding } = found.totals!
    assert.equal([net_total, taxes, grand_total, outstanding], [870, 40, 910, 710])
    const of = async (params: object) =>
      named(rowsOf(await report('sales-register', { ...year, ...params }), ['invoice'])).flat()
    assert.equal(await of({ customer_group: 'Commercial' }), ['S1', 'S2', 'R2'])
    assert.equal(await of({ customer: ids.Eva, to_date: '2026-02-10' }), ['S4'])
    assert.equal(await of({ from_date: '2026-03-04' }), ['R2', 'S6'])
    assert.equal(await of({ cost_center: 'Main' }), ['S1', 'S2', 'S4', 'S5', 'R2', 'S6'])
    const none = await report('sales-register', { ...year, from_date: '2026-12-01' })
    assert.equal([none.data, none.total, none.totals?.net_total], [[], 0, 0])
  })

  test('the item-wise register has their rows', async () => {
    const found = await report('item-wise-sales-register', year)
    assert.equal(named(rowsOf(found, ['invoice', 'item_code', 'qty', 'rate', 'amount'])), [
      numbers(['S1', 'HOUR', 2, 100, 200]),
      numbers(['S2', 'LAMP', 4, 50, 200]),
      numbers(['S4', 'HOUR', 1, 110, 110]),
      numbers(['S5', 'LAMP', 3, 50, 150]),
      numbers(['R2', 'LAMP', -1, 50, -50]),
      numbers(['S6', 'KIT', 2, 130, 260]),
    ])
    assert.equal(found.totals, { qty: 11, amount: 870 })
    const of = async (params: object) =>
      (await report('item-wise-sales-register', { ...year, ...params })).totals?.amount
    assert.is(await of({ item_group: 'Products' }), 560) // 200 + 150 - 50 + 260
    assert.is(await of({ item_group: 'All Item Groups', customer: ids.Bob }), 410)
    assert.is(await of({ item_code: 'LAMP', from_date: '2026-03-01' }), 100)
  })

  test('the ledger summary leads from what customers owed to what they owe', async () => {
    const columns = ['party', 'opening', 'invoiced', 'credited', 'paid', 'closing']
    const dates = { from_date: '2026-02-01', to_date: '2026-03-31' }
    const found = await report('customer-ledger-summary', dates)
    assert.equal(named(rowsOf(found, columns)), [
      numbers(['Ada', 240, 200, 50, 130, 260]),
      numbers(['Bob', 0, 410, 0, 100, 310]), // 100 at once
      numbers(['Eva', 0, 110, 0, 0, 110]),
    ])
    assert.equal(Object.values(found.totals!), [240, 720, 50, 230, 680])
    const group = await report('customer-ledger-summary', {
      ...dates,
      customer_group: 'Individual',
    })
    assert.is(group.totals?.closing, 420)
    // On 5 February Bob was billed 360, which is cancelled on that day.
    const february = { ...dates, to_date: '2026-02-28', party: ids.Bob! }
    const then = named(rowsOf(await report('customer-ledger-summary', february), columns))
    assert.equal(then, [])
    const before = await report('customer-ledger-summary', {
      party: ids.Ada!,
      to_date: '2026-02-01',
    })
    assert.equal(named(rowsOf(before, columns)), [numbers(['Ada', 0, 440, 0, 0, 440])])
  })

  test('gross profit sets the cost of goods against what they were sold for', async () => {
    const columns = ['heading', 'qty', 'selling_amount', 'buying_amount', 'gross_profit_percent']
    const found = await report('gross-profit', year)
    assert.equal(rowsOf(found, columns), [
      ['HOUR', 3, 310, 0, 100],
      ['KIT', 2, 260, 40, 84.62], // 220 / 260; two lamps at 20
      ['LAMP', 6, 300, 120, 60], // 4 + 3 - 1
    ])
    assert.is(found.totals?.gross_profit, 710)
    const by = async (params: object) =>
      named(
        rowsOf(await report('gross-profit', { ...year, ...params }), ['heading', 'gross_profit']),
      )
    assert.equal(await by({ group_by: 'Customer' }), [
      numbers(['Ada', 290]), // 350 - 60
      numbers(['Bob', 310]), // 410 - 60 - 40
      numbers(['Eva', 110]),
    ])
    assert.equal(await by({ group_by: 'Item Group', from_date: '2026-02-02' }), [
      numbers(['Products', 280]), // 150 - 60 - 50 + 20 + 260 - 40
      numbers(['Services', 110]),
    ])
    assert.equal(await by({ item_group: 'Products', customer: ids.Bob }), [
      numbers(['KIT', 220]),
      numbers(['LAMP', 90]),
    ])
    assert.equal(await by({ item_code: 'KIT' }), [numbers(['KIT', 220])])
    const statement = await report('profit-and-loss-statement', year)
    assert.is(statement.summary[2]?.value, 710 + 400, 'and the lamps that were found')
  })

  test('and the books are right', async () => {
    assert.equal(await story.differences(), [])
  })
})
