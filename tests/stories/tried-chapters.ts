import type { Shown, Story } from './story.ts'

/** Business of each kind, in which every operation is previewed and then done; each can be told alone. */
export const CHAPTERS: Readonly<Record<string, (story: Story) => Promise<void>>> = {
  selling,
  buying,
  counting,
  making,
  till,
  pay,
  bought,
}

const receive = (story: Story, item_code: string, qty: number, more: object = {}): Promise<Shown> =>
  story.make('Stock Entry', {
    stock_entry_type: 'Material Receipt',
    to_warehouse: 'Stores',
    items: [{ item_code, qty, basic_rate: 10 }],
    ...more,
  })

const items = async (story: Story, ...codes: readonly string[]): Promise<void> => {
  for (const item_code of codes)
    await story.create('Item', { item_code, item_name: item_code, standard_rate: 30 })
}

/** An invoice that takes its goods out of stock, is paid in two ways, cancelled, amended; what is delivered, and the books. */
async function selling(story: Story): Promise<void> {
  await items(story, 'LAMP')
  const customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
  await receive(story, 'LAMP', 20)
  const lamps = [{ item_code: 'LAMP', qty: 2, rate: 30, warehouse: 'Stores' }]
  const sold = await story.make('Sales Invoice', { customer, update_stock: true, items: lamps })
  const payment = await story.make('Payment Entry', {
    party: customer,
    paid_amount: 25,
    references: [{ sales_invoice: sold.id, allocated_amount: 20 }],
  })
  await story.cancel('Payment Entry', payment.id)
  await story.cancel('Sales Invoice', sold.id)
  const amended = await story.amend('Sales Invoice', sold.id)
  await story.update('Sales Invoice', amended.id, { items: [{ ...lamps[0], qty: 3 }] })
  await story.submit('Sales Invoice', amended.id)
  const draft = await story.create('Sales Invoice', { customer, items: lamps })
  await story.remove('Sales Invoice', draft.id)
  const rest = await story.draftOf('Sales Invoice', amended.id, 'make_payment')
  await story.submit('Payment Entry', rest.id)
  const order = await story.make('Sales Order', { customer, items: lamps })
  await story.revise('Sales Order', order.id, { po_no: 'BW-1' })
  const note = await story.draftOf('Sales Order', order.id, 'make_delivery_note')
  await story.submit('Delivery Note', note.id)
  const bill = await story.draftOf('Sales Order', order.id, 'make_invoice')
  await story.submit('Sales Invoice', bill.id)
  const credit = await story.draftOf('Sales Invoice', bill.id, 'make_return')
  await story.submit('Sales Invoice', credit.id)
  const booked = await story.make('Journal Entry', {
    accounts: [
      { account: 'Bank', debit: 25 },
      { account: 'Sales', credit: 25 },
    ],
  })
  await story.cancel('Journal Entry', booked.id)
}

/** What is ordered comes, its bill brings in more, and both go back. */
async function buying(story: Story): Promise<void> {
  await items(story, 'DESK')
  const supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
  const desks = [{ item_code: 'DESK', qty: 10, rate: 20, warehouse: 'Stores' }]
  const order = await story.make('Purchase Order', { supplier, items: desks })
  const receipt = await story.draftOf('Purchase Order', order.id, 'make_receipt')
  await story.submit('Purchase Receipt', receipt.id)
  const bill = await story.make('Purchase Invoice', { supplier, update_stock: true, items: desks })
  const payment = await story.draftOf('Purchase Invoice', bill.id, 'make_payment')
  await story.submit('Payment Entry', payment.id)
  await story.cancel('Payment Entry', payment.id)
  await story.cancel('Purchase Invoice', bill.id)
  await story.cancel('Purchase Receipt', receipt.id)
}

/** What was moved and sold costs more once an earlier receipt is told, and is counted. */
async function counting(story: Story): Promise<void> {
  await items(story, 'NUT')
  const customer = (await story.create('Customer', { customer_name: 'Nuts Inc' })).id
  await receive(story, 'NUT', 10, { posting_date: '2026-03-02' })
  await story.make('Stock Entry', {
    stock_entry_type: 'Material Transfer',
    posting_date: '2026-03-04',
    from_warehouse: 'Stores',
    to_warehouse: 'Finished Goods',
    items: [{ item_code: 'NUT', qty: 4 }],
  })
  await story.make('Delivery Note', {
    customer,
    posting_date: '2026-03-05',
    items: [{ item_code: 'NUT', qty: 3, rate: 30, warehouse: 'Stores' }],
  })
  const late = await story.make('Stock Entry', {
    stock_entry_type: 'Material Receipt',
    posting_date: '2026-03-03',
    to_warehouse: 'Stores',
    items: [{ item_code: 'NUT', qty: 10, basic_rate: 20 }],
  })
  const counted = await story.make('Stock Reconciliation', {
    set_warehouse: 'Stores',
    items: [{ item_code: 'NUT', qty: 12, valuation_rate: 14 }],
  })
  await story.cancel('Stock Reconciliation', counted.id)
  await story.cancel('Stock Entry', late.id)
}

/** Kits are made of what is kept for them. */
async function making(story: Story): Promise<void> {
  await items(story, 'BOLT', 'KIT')
  await receive(story, 'BOLT', 10)
  const bom = await story.make('BOM', { item: 'KIT', items: [{ item_code: 'BOLT', qty: 2 }] })
  const work = await story.make('Work Order', { bom_no: bom.id, qty: 3, reserve_stock: true })
  await story.act('Work Order', work.id, 'stop')
  await story.act('Work Order', work.id, 'resume')
  const moved = await story.draftOf('Work Order', work.id, 'make_material_transfer')
  await story.submit('Stock Entry', moved.id)
  const made = await story.draftOf('Work Order', work.id, 'make_manufacture_entry', { qty: 3 })
  await story.submit('Stock Entry', made.id)
  await story.cancel('Stock Entry', made.id)
}

/** A till is opened, sells to a member of a club, who pays with points too, and is counted. */
async function till(story: Story): Promise<void> {
  await items(story, 'BOOK')
  await receive(story, 'BOOK', 20)
  await story.create('Loyalty Program', {
    loyalty_program_name: 'Club',
    auto_opt_in: true,
    expense_account: 'Rent',
    conversion_factor: 0.5,
    expiry_duration: 30,
    collection_rules: [{ tier_name: 'Reader', min_spent: 0, collection_factor: 10 }],
  })
  const customer = (await story.create('Customer', { customer_name: 'Reader' })).id
  const payments = [{ mode_of_payment: 'Cash', default: true }]
  await story.create('POS Profile', { name: 'Till', warehouse: 'Stores', payments })
  const opened = await story.make('POS Opening Entry', {
    pos_profile: 'Till',
    balance_details: [{ mode_of_payment: 'Cash', opening_amount: 50 }],
  })
  const sell = (qty: number, amount: number, loyalty_points = 0): Promise<Shown> =>
    story.make('Sales Invoice', {
      ...{ customer, loyalty_points, pos_profile: 'Till', update_stock: true },
      items: [{ item_code: 'BOOK', qty, rate: 30 }],
      payments: [{ mode_of_payment: 'Cash', amount }],
    })
  await sell(4, 120)
  const again = await sell(1, 27, 6)
  await story.cancel('Sales Invoice', again.id)
  const count = await story.create('POS Closing Entry', { pos_opening_entry: opened.id })
  const counted = await story.act('POS Closing Entry', count.id, 'count_up')
  const [{ row_id, expected_amount: closing_amount }] = counted.payment_reconciliation
  await story.update('POS Closing Entry', count.id, {
    payment_reconciliation: [{ row_id, closing_amount }],
  })
  await story.submit('POS Closing Entry', count.id)
}

/** Two are paid for a month. */
async function pay(story: Story): Promise<void> {
  await story.make('Salary Structure', { name: 'Staff', earnings: [{ salary_component: 'Basic' }] })
  for (const first_name of ['Grace', 'Otto']) {
    const hired = await story.create('Employee', { first_name, date_of_joining: '2025-07-01' })
    await story.make('Salary Structure Assignment', {
      employee: hired.id,
      salary_structure: 'Staff',
      from_date: '2025-07-01',
      base: 4000,
    })
  }
  const { id } = await story.create('Payroll Entry', {})
  await story.act('Payroll Entry', id, 'get_employees')
  await story.act('Payroll Entry', id, 'create_salary_slips')
  await story.submit('Payroll Entry', id)
  const paid = await story.act('Payroll Entry', id, 'make_bank_entry')
  await story.cancel('Journal Entry', paid._created[0].id)
  await story.cancel('Payroll Entry', id)
}

/** A supplier makes frames of tubes that are sent to them. */
async function bought(story: Story): Promise<void> {
  const supplier = (await story.create('Supplier', { supplier_name: 'Welder Ltd' })).id
  await story.create('Warehouse', { warehouse_name: 'At Welder' })
  await items(story, 'TUBE', 'FRAME')
  await story.create('Item', { item_code: 'WELDING', item_name: 'Welding', is_stock_item: false })
  await receive(story, 'TUBE', 30)
  await story.make('BOM', { item: 'FRAME', items: [{ item_code: 'TUBE', qty: 3 }] })
  const order = await story.make('Purchase Order', {
    supplier,
    is_subcontracted: true,
    supplier_warehouse: 'At Welder',
    set_warehouse: 'Finished Goods',
    items: [{ item_code: 'WELDING', qty: 2, rate: 20, fg_item: 'FRAME', fg_item_qty: 4 }],
  })
  const work = await story.draftOf('Purchase Order', order.id, 'make_subcontracting_order')
  await story.submit('Subcontracting Order', work.id)
  const sent = await story.draftOf('Subcontracting Order', work.id, 'make_transfer')
  await story.submit('Stock Entry', sent.id)
  const receipt = await story.draftOf('Subcontracting Order', work.id, 'make_receipt')
  await story.submit('Subcontracting Receipt', receipt.id)
  await story.cancel('Subcontracting Receipt', receipt.id)
}
