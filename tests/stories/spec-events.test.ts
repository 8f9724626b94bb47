import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { assertEventsAsDescribed } from '../helpers/event-checks.ts'
import { SPEC_EVENTS } from '../helpers/spec-events.ts'
import { type Answer, type Emissions, openEmissions } from './emissions.ts'

const NOW = '2026-03-01T12:00:00.000Z'

forEachDatabaseWhenDeep('the events of the specification', ({ test, create }) => {
  let the: Emissions
  let customer: string
  let supplier: string

  test.before(async () => {
    the = await openEmissions(await create())
    customer = (await the.send('customers', { customer_name: 'Blue Whale' })).id
    supplier = (await the.send('suppliers', { supplier_name: 'Timber Co' })).id
    for (const item_code of ['PLANK', 'SHELF'])
      await the.send('items', { item_code, item_name: item_code, standard_rate: 40 })
    await the.make('stock-entries', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'PLANK', qty: 100, basic_rate: 4 }],
    })
  })
  test.after(() => the.close())

  test('CRM: a lead comes in, changes and is converted; a deal is won, another lost', async () => {
    const email_id = 'ada@whale.example'
    const lead = await the.emits(
      'leads',
      { lead_name: 'Ada Whale', email_id, expected_amount: 900 },
      { 'leads.created': ({ id }) => ({ id, lead_name: 'Ada Whale', email_id, status: 'Open' }) },
    )
    const { id } = lead
    await the.emits(
      `PATCH leads/${id}`,
      { status: 'Contacted' },
      { 'leads.updated': () => ({ id, status: 'Contacted' }) },
    )
    const converted = await the.emits(
      `leads/${id}/actions/convert`,
      {},
      {
        'leads.converted': ({ customer_id, opportunity_id }) => ({
          id,
          customer_id,
          opportunity_id,
        }),
      },
    )
    assert.ok(converted.customer_id && converted.opportunity_id)
    const won = converted.opportunity_id
    await the.emits(
      `opportunities/${won}/actions/win`,
      {},
      { 'opportunities.won': () => ({ id: won, opportunity_amount: 900, currency: 'USD' }) },
    )
    const { id: lost } = await the.send('opportunities', { customer, title: 'Desks' })
    await the.emits(
      `opportunities/${lost}/actions/lose`,
      { lost_reason: 'Too dear' },
      { 'opportunities.lost': () => ({ id: lost, lost_reason: 'Too dear' }) },
    )
  })

  test('sales: a quotation, an order, the goods, the invoice and the money', async () => {
    const items = [{ item_code: 'PLANK', qty: 2 }]
    const quotation = await the.send('quotations', { customer, items })
    await submits(quotation, 'quotations', { customer, grand_total: 80 })
    const order = await the.draftOf('quotations', quotation.id, 'make_order')
    const delivery_date = '2026-03-09'
    await the.send(`PATCH sales-orders/${order.id}`, { delivery_date, set_warehouse: 'Stores' })
    await submits(order, 'sales-orders', { customer, delivery_date })

    const note = await the.draftOf('sales-orders', order.id, 'make_delivery_note')
    await submits(note, 'delivery-notes', { sales_order: order.id, posting_date: '2026-03-01' })
    const invoice = await the.draftOf('sales-orders', order.id, 'make_invoice')
    const due_date = '2026-03-31'
    await submits(invoice, 'sales-invoices', { customer, grand_total: 80, due_date })

    const payment = await the.draftOf('sales-invoices', invoice.id, 'make_payment')
    await the.emits(
      `payment-entries/${payment.id}/submit`,
      {},
      {
        'payment-entries.submitted': ({ references }) => ({
          id: payment.id,
          paid_amount: 80,
          references,
        }),
        'sales-invoices.paid': () => ({
          id: invoice.id,
          customer,
          grand_total: 80,
          outstanding_amount: 0,
          paid_at: NOW,
        }),
      },
    )
    const { references } = await the.send(`GET payment-entries/${payment.id}`)
    assert.equal(
      references.map(({ sales_invoice }: Answer) => sales_invoice),
      [invoice.id],
    )
  })

  test('billing: a request for payment is paid by the gateway', async () => {
    const invoice = await the.make('sales-invoices', {
      customer,
      items: [{ item_code: 'PLANK', qty: 1 }],
    })
    await the.send('payment-gateways', { gateway: 'Stripe' })
    const { id: payment_gateway_account } = await the.send('payment-gateway-accounts', {
      payment_gateway: 'Stripe',
    })
    const { id } = await the.make('payment-requests', {
      reference_doctype: 'Sales Invoice',
      reference_name: invoice.id,
      payment_gateway_account,
    })
    await the.emits(
      `payment-requests/${id}/actions/mark_paid`,
      { reference_no: 'pi_1' },
      {
        'payment-requests.paid': () => ({
          id,
          gateway: 'Stripe',
          amount: invoice.grand_total,
        }),
      },
    )
  })

  test('sales: an order is cancelled', async () => {
    const { id } = await the.make('sales-orders', {
      customer,
      items: [{ item_code: 'PLANK', qty: 1 }],
    })
    await the.emits(
      `sales-orders/${id}/cancel`,
      {},
      { 'sales-orders.cancelled': () => ({ id, cancelled_at: NOW }) },
    )
  })

  test('purchasing: an order, the goods and the bill', async () => {
    const order = await the.send('purchase-orders', {
      supplier,
      set_warehouse: 'Stores',
      items: [{ item_code: 'PLANK', qty: 5, rate: 4 }],
    })
    await submits(order, 'purchase-orders', { supplier })
    const receipt = await the.draftOf('purchase-orders', order.id, 'make_receipt')
    await submits(receipt, 'purchase-receipts', { purchase_order: order.id })
    const bill = await the.draftOf('purchase-receipts', receipt.id, 'make_invoice')
    await submits(bill, 'purchase-invoices', { supplier })
  })

  test('stock: an item, and a movement', async () => {
    await the.emits(
      'items',
      { item_code: 'LAMP', item_name: 'Lamp', item_group: 'Products' },
      { 'items.created': () => ({ id: 'LAMP', item_code: 'LAMP', item_group: 'Products' }) },
    )
    const entry = await the.send('stock-entries', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'LAMP', qty: 3, basic_rate: 9 }],
    })
    await submits(entry, 'stock-entries', { stock_entry_type: 'Material Receipt' })
  })

  test('banking: a statement of the bank is imported', async () => {
    await the.send('bank-accounts', { account_name: 'Postbank', account: 'Bank' })
    const { id } = await the.send('bank-statement-imports', {
      bank_account: 'Postbank',
      content: 'Date,Description,Amount\n2026-03-01,Order 1,12.50\n2026-03-02,Order 2,7.50\n',
    })
    await the.emits(
      `bank-statement-imports/${id}/actions/import`,
      {},
      { 'bank-statement-imports.completed': () => ({ id, imported_rows: 2 }) },
    )
  })

  test('stock: goods are picked and shipped', async () => {
    const list = await the.send('pick-lists', {
      customer,
      locations: [{ item_code: 'LAMP', qty: 2 }],
    })
    await submits(list, 'pick-lists', { purpose: 'Delivery' })
    const note = await the.draftOf('pick-lists', list.id, 'make_delivery_note')
    await the.send(`delivery-notes/${note.id}/submit`, {})
    const shipment = await the.send('shipments', {
      delivery_note: note.id,
      shipment_parcel: [{ weight: 4 }],
    })
    await submits(shipment, 'shipments', { delivery_note: note.id })
  })

  test('banking: a line comes in, moves the balance, is matched and reconciled', async () => {
    const { id: bank_account } = await the.send('bank-accounts', {
      account_name: 'Giro',
      account: 'Bank',
      opening_balance: 100,
    })
    const payment = await the.make('payment-entries', { party: customer, paid_amount: 25 })
    const date = '2026-03-01'
    const line = await the.emits(
      'bank-transactions',
      { bank_account, date, amount: 25 },
      {
        'bank-transactions.created': ({ id }) => ({ id, bank_account, amount: 25, date }),
        'bank-accounts.balance_updated': () => ({
          id: bank_account,
          balance: 125,
          currency: 'USD',
        }),
      },
    )
    await the.emits(
      `bank-transactions/${line.id}/actions/match`,
      { payment_entry: payment.id },
      {
        'bank-transactions.matched': ({ id }) => ({ id, matched_to: payment.id }),
        'bank-transactions.reconciled': ({ id }) => ({
          id,
          status: 'Reconciled',
          reconciled_at: NOW,
        }),
      },
    )
  })

  test('HR and projects: an employee works, travels and goes on leave', async () => {
    const { id: employee } = await the.emits(
      'employees',
      { first_name: 'Grace', last_name: 'Krill' },
      { 'employees.created': ({ id }) => ({ id, employee_name: 'Grace Krill' }) },
    )
    const attendance = await the.send('attendance', { employee, attendance_date: '2026-03-01' })
    await submits(attendance, 'attendance', { status: 'Present' })

    const { id: leave_type } = await the.send('leave-types', { leave_type_name: 'Holiday' })
    const days = { from_date: '2026-03-02', to_date: '2026-03-06' }
    await the.make('leave-allocations', { employee, leave_type, ...days, new_leaves_allocated: 5 })
    const leave = await the.send('leave-applications', { employee, leave_type, ...days })
    await the.send(`PATCH leave-applications/${leave.id}`, { status: 'Approved' })
    await submits(leave, 'leave-applications', { employee, ...days }, 'approved')

    const claim = await the.send('expense-claims', {
      employee,
      approval_status: 'Approved',
      expenses: [{ amount: 12.5 }, { amount: 30 }],
    })
    await submits(claim, 'expense-claims', { total_claimed_amount: 42.5 }, 'approved')

    await the.make('salary-structures', {
      name: 'Staff',
      earnings: [{ salary_component: 'Basic' }],
    })
    const pay = { salary_structure: 'Staff', from_date: '2026-01-01', base: 3100 }
    await the.make('salary-structure-assignments', { employee, ...pay })
    const slip = await the.send('salary-slips', { employee })
    await submits(slip, 'salary-slips', { net_pay: 3100 })

    const { id: project } = await the.send('projects', { project_name: 'New pool' })
    const { id: task } = await the.send('tasks', { subject: 'Dig', project })
    const timesheet = await the.send('timesheets', {
      employee,
      time_logs: [
        { from_time: '2026-03-01T08:00:00Z', to_time: '2026-03-01T10:30:00Z', project, task },
      ],
    })
    await submits(timesheet, 'timesheets', { total_hours: 2.5 })
    await the.emits(
      `PATCH tasks/${task}`,
      { status: 'Completed' },
      { 'tasks.completed': () => ({ id: task, project }) },
    )
    await the.emits(
      `PATCH projects/${project}`,
      { status: 'Completed' },
      { 'projects.completed': () => ({ id: project, project_name: 'New pool' }) },
    )
  })

  test('manufacturing: a bill of materials, and an order that is made', async () => {
    const bom = await the.send('boms', { item: 'SHELF', items: [{ item_code: 'PLANK', qty: 2 }] })
    await submits(bom, 'boms', { item: 'SHELF' })
    const plan = await the.make('production-plans', {
      po_items: [{ item_code: 'SHELF', planned_qty: 3 }],
    })
    const { id } = await the.make('work-orders', {
      bom_no: bom.id,
      qty: 3,
      production_plan: plan.id,
      production_plan_item: (plan.po_items as readonly { row_id: string }[])[0]!.row_id,
    })
    const made = await the.send('stock-entries', {
      stock_entry_type: 'Manufacture',
      work_order: id,
      from_warehouse: 'Stores',
      to_warehouse: 'Finished Goods',
      items: [
        { item_code: 'PLANK', qty: 6 },
        { item_code: 'SHELF', qty: 3, is_finished_item: true },
      ],
    })
    await the.emits(
      `stock-entries/${made.id}/submit`,
      {},
      {
        'work-orders.completed': () => ({ id, produced_qty: 3 }),
        'production-plans.completed': () => ({ id: plan.id }),
      },
    )
  })

  test('support and assets: an issue is resolved, an asset scrapped', async () => {
    const { id } = await the.emits(
      'issues',
      { subject: 'The shelf wobbles', customer },
      { 'issues.created': (issue) => ({ id: issue.id, customer, priority: 'Medium' }) },
    )
    the.test.clock.advance(90_000)
    await the.emits(
      `PATCH issues/${id}`,
      { status: 'Resolved' },
      { 'issues.resolved': () => ({ id, resolution_time_seconds: 90 }) },
    )
    const asset = await the.make('assets', { asset_name: 'Saw', gross_purchase_amount: 800 })
    await the.emits(
      `assets/${asset.id}/actions/scrap`,
      { reason: 'Broken' },
      { 'assets.scrapped': () => ({ id: asset.id, scrap_date: '2026-03-01' }) },
    )
  })

  test('were each emitted by a request, with its key fields', async () => {
    for (const [, event, keys] of SPEC_EVENTS) {
      const request = the.emittedBy.get(event)
      assert.ok(request, `nothing emitted ${event}`)
      console.log(`  ${event.padEnd(32)} ${request}`)
      for (const key of ['id', ...keys])
        assert.ok(the.compared.get(event)?.includes(key), `${event}: nobody looked at ${key}`)
    }
  })

  test('and every event beside them is as the catalogue describes it', async () => {
    const seen = await assertEventsAsDescribed(the.test.engine)
    assert.ok(seen.size > 60, `${seen.size} types of event`)
  })

  /** Submits a draft, which emits the event of this kind with these values. */
  function submits(
    { id }: Answer,
    slug: string,
    values: Readonly<Record<string, unknown>>,
    kind = 'submitted',
  ): Promise<Answer> {
    return the.emits(`${slug}/${id}/submit`, {}, { [`${slug}.${kind}`]: () => ({ id, ...values }) })
  }
})
