/** An event of the specification: its group, its name, and the key fields of its `data` beside `id`. */
export type SpecEvent = readonly [group: string, event: string, keys: readonly string[]]

/** The event catalog of interface-spec.md §6, row by row. */
export const SPEC_EVENTS: readonly SpecEvent[] = [
  ['CRM', 'leads.created', ['lead_name', 'email_id', 'status']],
  ['CRM', 'leads.updated', ['status']],
  ['CRM', 'leads.converted', ['customer_id', 'opportunity_id']],
  ['CRM', 'opportunities.won', ['opportunity_amount', 'currency']],
  ['CRM', 'opportunities.lost', ['lost_reason']],
  ['Sales', 'quotations.submitted', ['customer', 'grand_total']],
  ['Sales', 'sales-orders.submitted', ['customer', 'delivery_date']],
  ['Sales', 'sales-orders.cancelled', ['cancelled_at']],
  ['Sales', 'delivery-notes.submitted', ['sales_order', 'posting_date']],
  ['Billing', 'sales-invoices.submitted', ['customer', 'grand_total', 'due_date']],
  ['Billing', 'sales-invoices.paid', ['customer', 'grand_total', 'outstanding_amount', 'paid_at']],
  ['Billing', 'purchase-invoices.submitted', ['supplier']],
  ['Billing', 'payment-entries.submitted', ['paid_amount', 'references']],
  ['Billing', 'payment-requests.paid', ['gateway', 'amount']],
  ['Purchasing', 'purchase-orders.submitted', ['supplier']],
  ['Purchasing', 'purchase-receipts.submitted', ['purchase_order']],
  ['Stock', 'items.created', ['item_code', 'item_group']],
  ['Stock', 'stock-entries.submitted', ['stock_entry_type']],
  ['Stock', 'pick-lists.submitted', ['purpose']],
  ['Stock', 'shipments.submitted', ['delivery_note']],
  ['Banking', 'bank-transactions.created', ['bank_account', 'amount', 'date']],
  ['Banking', 'bank-transactions.matched', ['matched_to']],
  ['Banking', 'bank-transactions.reconciled', []],
  ['Banking', 'bank-accounts.balance_updated', ['balance', 'currency']],
  ['Banking', 'bank-statement-imports.completed', ['imported_rows']],
  ['HR', 'employees.created', ['employee_name']],
  ['HR', 'leave-applications.approved', ['employee', 'from_date', 'to_date']],
  ['HR', 'attendance.submitted', ['status']],
  ['HR', 'expense-claims.approved', ['total_claimed_amount']],
  ['HR', 'salary-slips.submitted', ['net_pay']],
  ['Projects', 'projects.completed', ['project_name']],
  ['Projects', 'tasks.completed', ['project']],
  ['Projects', 'timesheets.submitted', ['total_hours']],
  ['Manufacturing', 'boms.submitted', ['item']],
  ['Manufacturing', 'work-orders.completed', ['produced_qty']],
  ['Manufacturing', 'production-plans.completed', []],
  ['Support and assets', 'issues.created', ['customer', 'priority']],
  ['Support and assets', 'issues.resolved', ['resolution_time_seconds']],
  ['Support and assets', 'assets.scrapped', ['scrap_date']],
]

/** Resources of these events whose DocTypes are not shipped yet; one that comes has to leave this list. */
export const NOT_SHIPPED: readonly string[] = []

/** The rows whose DocTypes are shipped. */
export const SHIPPED_EVENTS: readonly SpecEvent[] = SPEC_EVENTS.filter(
  ([, event]) => !NOT_SHIPPED.includes(event.split('.')[0]!),
)
