import * as assert from 'uvu/assert'
import { bringToToday } from '../../engine/documents/schedule/scheduled.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** What comes later than what it is for: invoices after money, freight after goods, depreciation after a year's end. */
forEachDatabaseWhenDeep('papers that come late', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
    for (const item_code of ['LAMP', 'CABLE'])
      await story.create('Item', { item_code, item_name: item_code })
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Overseas Ltd' })).id
  })
  test.after(() => story.close())

  test('what a journal entry received is an advance, once', async () => {
    const came = await story.make('Journal Entry', {
      posting_date: '2026-03-02',
      accounts: [
        { account: 'Bank', debit: 50 },
        { account: 'Debtors', party_type: 'Customer', party: customer, credit: 50 },
      ],
    })
    const [, row] = came.accounts
    const sale = (rate: number, more: object = {}): Promise<Shown> =>
      story.create('Sales Invoice', {
        customer,
        items: [{ item_code: 'HOUR', qty: 1, rate }],
        ...more,
      })
    const { id } = await sale(30)
    const filled = await story.act('Sales Invoice', id, 'get_advances')
    assert.equal(
      filled.advances.map((one: Shown) => [
        one.reference_type,
        one.reference_name,
        one.reference_row,
        one.advance_amount,
        one.allocated_amount,
      ]),
      [['Journal Entry', came.id, row.row_id, 50, 30]],
    )
    await story.submit('Sales Invoice', id)
    assert.equal((await story.get('Sales Invoice', id)).status, 'Paid')
    // 20 are left of it
    const named = {
      reference_type: 'Journal Entry',
      reference_name: came.id,
      reference_row: row.row_id,
    }
    const more = await sale(100, { advances: [named] })
    assert.equal([more.advances[0].advance_amount, more.advances[0].allocated_amount], [20, 20])
    await refusedFor(
      'advances[0].allocated_amount',
      'more is taken than is left',
      story
        .update('Sales Invoice', more.id, { advances: [{ ...named, allocated_amount: 21 }] })
        .then(() => story.submit('Sales Invoice', more.id)),
    )
    const { id: other } = await story.create('Customer', { customer_name: 'Another' })
    await refusedFor(
      'advances[0].reference_name',
      "must be the customer's",
      sale(1, { customer: other, advances: [named] }),
    )
    await story.cancel('Sales Invoice', id)
    const again = await story.act('Sales Invoice', more.id, 'get_advances')
    assert.is(again.advances[0].advance_amount, 50)
    assert.equal(await story.differences(), [])
  })

  test('rows of the ledger tell what stands on their other side', async () => {
    const taxes = [{ account_head: 'Output Tax', description: 'VAT', rate: 20 }]
    const items = [{ item_code: 'HOUR', qty: 1, rate: 10 }]
    const { id } = await story.make('Sales Invoice', { customer, items, taxes })
    const rows = await story.all('GL Entry', { voucher_no: id })
    assert.equal(Object.fromEntries(rows.map(({ account, against }) => [account, against])), {
      Debtors: 'Sales, Output Tax',
      Sales: customer,
      'Output Tax': customer,
    })
    const { id: entry } = await story.make('Journal Entry', {
      accounts: [
        { account: 'Bank', debit: 5 },
        { account: 'Cash', credit: 5 },
      ],
    })
    const [bank] = await story.all('GL Entry', { voucher_no: entry, account: 'Bank' })
    assert.is(bank!.against, 'Cash')
  })

  test('one voucher adds freight to the goods of several receipts, and of bills that moved theirs', async () => {
    const bought = { supplier, set_warehouse: 'Stores' }
    const lamps = [{ item_code: 'LAMP', qty: 10, rate: 30 }]
    const cables = [{ item_code: 'CABLE', qty: 20, rate: 5 }]
    const first = await story.make('Purchase Receipt', { ...bought, items: lamps })
    const second = await story.make('Purchase Receipt', { ...bought, items: cables })
    const bill = await story.make('Purchase Invoice', {
      ...bought,
      update_stock: true,
      items: [{ item_code: 'CABLE', qty: 40, rate: 5 }],
    })
    const draft = await story.draftOf('Purchase Receipt', first.id, 'make_landed_cost_voucher', {
      amount: 60,
      expense_account: 'Stock Adjustment',
    })
    await story.act('Landed Cost Voucher', draft.id, 'add_goods', { purchase_receipt: second.id })
    await story.act('Landed Cost Voucher', draft.id, 'add_goods', { purchase_invoice: bill.id })
    const voucher = await story.submit('Landed Cost Voucher', draft.id)
    // 300, 100 and 200 of value: 30, 10 and 20 of 60
    assert.equal(
      voucher.items.map((row: Shown) => [row.item_code, row.amount, row.applicable_charges]),
      [
        ['LAMP', 300, 30],
        ['CABLE', 100, 10],
        ['CABLE', 200, 20],
      ],
    )
    const worth = async (item: string) => (await story.get('Bin', `${item}::Stores`)).stock_value
    assert.equal([await worth('LAMP'), await worth('CABLE')], [330, 330])
    const own = await story.draftOf('Purchase Invoice', bill.id, 'make_landed_cost_voucher', {
      amount: 8,
      expense_account: 'Stock Adjustment',
    })
    await story.submit('Landed Cost Voucher', own.id)
    assert.is(await worth('CABLE'), 338)
    assert.equal(await story.differences(), [])
  })

  test('gross profit is that of what was billed, row by row, whenever it was delivered', async () => {
    const profit = async (params: object): Promise<unknown> => {
      const span = { from_date: '2026-03-01', to_date: '2026-03-31', item_code: 'LAMP' }
      const report = await reportsOf(story)('gross-profit', { ...span, ...params })
      return rowsOf(report, ['heading', 'selling_amount', 'buying_amount', 'gross_profit'])
    }
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      posting_date: '2026-02-20',
      to_warehouse: 'Stores',
      items: [{ item_code: 'LAMP', qty: 4, basic_rate: 20 }],
    })
    const lamps = [{ item_code: 'LAMP', qty: 4, rate: 50, warehouse: 'Stores' }]
    const note = await story.make('Delivery Note', {
      customer,
      posting_date: '2026-02-27',
      items: lamps,
    })
    assert.equal(await profit({}), [], 'what is not billed has earned nothing, and cost nothing')
    const [{ row_id }] = note.items
    const bill = async (qty: number): Promise<string> => {
      const rows = [{ row_id, qty }]
      const { id } = await story.draftOf('Delivery Note', note.id, 'make_invoice', { rows })
      return (await story.submit('Sales Invoice', id)).id
    }
    const [one, three] = [await bill(1), await bill(3)]
    const cost = 20
    assert.equal(await profit({ group_by: 'Invoice' }), [
      [one, 50, cost, 50 - cost],
      [three, 150, 3 * cost, 150 - 3 * cost],
    ])
    // What comes back and is credited was not earned
    const back = await story.draftOf('Delivery Note', note.id, 'make_return', {
      rows: [{ row_id, qty: 1 }],
    })
    await story.submit('Delivery Note', back.id)
    const credit = await story.draftOf('Sales Invoice', one, 'make_return')
    await story.submit('Sales Invoice', credit.id)
    assert.equal(await profit({}), [['LAMP', 150, 3 * cost, 150 - 3 * cost]])
  })

  test('depreciation that a closed year keeps back says so, and is booked at once on a later day', async () => {
    await story.create('Asset Category', {
      asset_category_name: 'Machines',
      finance_books: [{ total_number_of_depreciations: 12, frequency_of_depreciation: 1 }],
    })
    await story.create('Item', {
      item_code: 'LATHE',
      item_name: 'Lathe',
      is_stock_item: false,
      is_fixed_asset: true,
      asset_category: 'Machines',
    })
    // Twelve months of 100 from November: four are due on 9 March
    const asset = await story.make('Asset', {
      item_code: 'LATHE',
      asset_name: 'Lathe',
      purchase_date: '2025-11-01',
      available_for_use_date: '2025-11-01',
      gross_purchase_amount: 1200,
      calculate_depreciation: true,
    })
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: '2025-12-31' })
    const failed: string[] = []
    await bringToToday(story.engine.services, { onFailure: (_, name) => failed.push(String(name)) })
    const shown = await story.get('Asset', asset.id)
    assert.match(shown.depreciation_problem, 'the depreciation of 2025-11-30 is not booked')
    assert.equal([shown.booked_depreciation, failed.includes(asset.id)], [0, true])
    await story.act('Asset', asset.id, 'post_depreciation', { posting_date: '2026-01-31' })
    const after = await story.get('Asset', asset.id)
    assert.equal(
      [after.booked_depreciation, after.next_depreciation_date, after.depreciation_problem],
      [400, '2026-03-31', null],
    )
    const entries = await story.all('Journal Entry', { voucher_type: 'Depreciation Entry' })
    assert.equal(
      entries.map(({ posting_date, total_debit }) => [posting_date, total_debit]),
      [100, 100, 100, 100].map((amount) => ['2026-01-31', amount]),
    )
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: null })
    assert.equal(await story.differences(), [])
  })
})
