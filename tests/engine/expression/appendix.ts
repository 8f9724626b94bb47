import {
  documentScope,
  fieldsOf,
  rowScope,
  type Scope,
  type ScopeField,
  withRecord,
} from '../../../engine/expression/tree/scope.ts'
import type { Kind } from '../../../engine/expression/tree/types.ts'

/** The DocTypes and expressions of the design's examples (rules.md, appendix), for the tests beside this file. */

/** Fields from `name:kind` pairs. */
function fields(text: string): ScopeField[] {
  return text.split(' ').map((pair) => {
    const [name = '', kind] = pair.split(':')
    return { name, kind: kind as Kind }
  })
}

function table(name: string, rows: string): ScopeField {
  return { name, kind: 'rows', rows: fields(rows) }
}

const DOCTYPES: Readonly<Record<string, readonly ScopeField[]>> = {
  Customer: fields(
    'customer_name:str email_id:str lead:str currency:str credit_limit:money outstanding_total:money open_orders:int',
  ),
  Lead: fields(
    'lead_name:str email_id:str expected_amount:money customer:str opportunity:str status:str',
  ),
  Opportunity: fields(
    'customer:str currency:str opportunity_amount:money lost_reason:str status:str',
  ),
  'Sales Order': [
    ...fields(
      'customer:str customer_name:str currency:str transaction_date:date delivery_date:date total_qty:decimal grand_total:money per_delivered:decimal per_billed:decimal cancelled_at:datetime status:str',
    ),
    table(
      'items',
      'item_code:str item_name:str qty:decimal rate:decimal amount:money delivered_qty:decimal billed_amount:money',
    ),
  ],
  'Sales Invoice': [
    ...fields(
      'customer:str customer_name:str currency:str posting_date:date due_date:date debit_to:str tax_rate:decimal net_total:money total_taxes:money grand_total:money paid_amount:money outstanding_amount:money paid_at:datetime status:str',
    ),
    table(
      'items',
      'item_code:str qty:decimal rate:decimal so_row:str income_account:str amount:money',
    ),
  ],
  'Payment Entry': [
    ...fields(
      'party:str posting_date:date bank_account:str paid_to:str paid_amount:money allocated_total:money unallocated_amount:money matched_to:int',
    ),
    table('references', 'sales_invoice:str invoice_customer:str allocated_amount:money'),
  ],
  'Bank Account': fields(
    'account_name:str currency:str opening_balance:money movements:money balance:money',
  ),
  'Bank Transaction': fields(
    'bank_account:str date:date amount:money description:str statement_import:str payment_entry:str matched_amount:money cleared_on:date status:str',
  ),
  'Bank Statement Import': fields('bank_account:str total_rows:int imported_rows:int status:str'),
  'Stock Entry': [
    ...fields('stock_entry_type:str work_order:str posting_date:date finished_qty:decimal'),
    table(
      'items',
      'item_code:str qty:decimal s_warehouse:str t_warehouse:str is_finished_item:bool basic_rate:decimal out_rate:decimal in_rate:decimal',
    ),
  ],
  'Delivery Note': [
    ...fields('customer:str sales_order:str posting_date:date'),
    table('items', 'item_code:str warehouse:str qty:decimal so_row:str valuation_rate:decimal'),
  ],
  'Stock Ledger Entry': fields(
    'posting_date:date item_code:str warehouse:str qty:decimal value:decimal',
  ),
  Bin: fields(
    'item_code:str warehouse:str actual_qty:decimal stock_value:decimal valuation_rate:decimal',
  ),
  Issue: fields(
    'subject:str description:str customer:str priority:str opened_at:datetime resolved_at:datetime resolution_time_seconds:int status:str',
  ),
  Timesheet: [
    ...fields('employee:str total_hours:decimal'),
    table('time_logs', 'task:str from_time:datetime to_time:datetime hours:decimal'),
  ],
  'Work Order': fields(
    'bom:str production_item:str production_plan:str qty:decimal produced_qty:decimal completed:bool status:str',
  ),
}

/** Scope of a DocType (`Sales Order`) or of the rows of its table (`Sales Order.items`), with the names its actions and effects bind. */
export function scopeOf(name: string): Scope {
  const [doctype = '', tableName] = name.split('.')
  const document = documentScope(DOCTYPES[doctype]!)
  if (tableName) return rowScope(document, tableName)
  const items = document.fields.get('items')?.rows
  const withItem = items ? withRecord(document, 'i', items) : document
  const withInput = withRecord(
    withItem,
    'input',
    fieldsOf(fields('payment_entry:str create_opportunity:bool')),
  )
  return ['cust', 'opp', 'inv'].reduce(
    (scope, bound) => withRecord(scope, bound, fieldsOf(fields('name:str'))),
    withInput,
  )
}

/** Every expression of the appendix: where it stands, the kind it must fit, its source. */
export const EXPRESSIONS: readonly (readonly [where: string, kind: Kind, source: string])[] = [
  ['Customer', 'str', '"USD"'],
  ['Customer', 'bool', 'credit_limit == 0 || outstanding_total <= credit_limit'],
  ['Lead', 'bool', 'status != "Converted"'],
  ['Lead', 'bool', 'true'],
  ['Lead', 'str', 'cust.name'],
  ['Lead', 'bool', 'input.create_opportunity'],
  ['Lead', 'money', 'expected_amount'],
  ['Lead', 'bool', 'status == "Converted"'],
  ['Opportunity', 'bool', 'status == "Lost"'],
  ['Sales Order', 'date', 'today()'],
  ['Sales Order', 'date', 'add_days(transaction_date, 7)'],
  ['Sales Order.items', 'money', 'qty * rate'],
  ['Delivery Note.items', 'bool', 'parent.docstatus == 1'],
  ['Delivery Note.items', 'str', 'so_row'],
  ['Sales Order', 'decimal', 'items.sum(i, i.qty)'],
  ['Sales Order', 'money', 'items.sum(i, i.amount)'],
  [
    'Sales Order',
    'decimal',
    'total_qty == 0 ? 0 : items.sum(i, min(i.delivered_qty, i.qty)) * 100 / total_qty',
  ],
  [
    'Sales Order',
    'decimal',
    'grand_total == 0 ? 100 : items.sum(i, i.billed_amount) * 100 / grand_total',
  ],
  ['Sales Order', 'bool', 'docstatus == 2'],
  ['Sales Order', 'bool', 'per_delivered >= 100 && per_billed >= 100'],
  ['Sales Order', 'bool', 'per_billed >= 100'],
  ['Sales Order', 'bool', 'items.all(i, i.qty > 0)'],
  ['Sales Order', 'bool', 'items.all(i, i.delivered_qty <= i.qty)'],
  ['Sales Order', 'bool', 'delivery_date >= transaction_date'],
  ['Sales Order', 'datetime', 'now()'],
  ['Sales Order', 'bool', 'docstatus == 1 && per_billed < 100'],
  ['Sales Order', 'bool', 'i.billed_amount < i.amount'],
  ['Sales Order', 'str', 'i.row_id'],
  ['Sales Invoice', 'date', 'add_days(posting_date, 30)'],
  ['Sales Invoice', 'money', 'net_total * tax_rate / 100'],
  ['Sales Invoice', 'money', 'net_total + total_taxes'],
  ['Payment Entry.references', 'money', 'allocated_amount'],
  ['Sales Invoice', 'money', 'docstatus == 1 ? grand_total - paid_amount : 0'],
  ['Sales Invoice', 'bool', 'outstanding_amount == 0'],
  ['Sales Invoice', 'bool', 'due_date < today()'],
  ['Sales Invoice', 'bool', 'outstanding_amount < grand_total'],
  ['Sales Invoice', 'bool', 'docstatus == 1 && outstanding_amount > 0'],
  ['Sales Invoice', 'bool', 'docstatus != 1 || outstanding_amount >= 0'],
  ['Sales Invoice', 'str', 'i.income_account'],
  ['Sales Invoice', 'bool', 'total_taxes != 0'],
  ['Sales Invoice', 'str', '"Output Tax"'],
  ['Sales Invoice', 'bool', 'docstatus == 1 && outstanding_amount == 0'],
  ['Payment Entry', 'money', 'references.sum(r, r.allocated_amount)'],
  ['Payment Entry', 'money', 'paid_amount - allocated_total'],
  ['Bank Transaction', 'bool', 'status != "Unreconciled"'],
  ['Payment Entry', 'bool', 'unallocated_amount >= 0'],
  ['Payment Entry', 'bool', 'references.all(r, r.invoice_customer == party)'],
  ['Bank Account', 'money', 'opening_balance + movements'],
  ['Bank Transaction', 'bool', 'payment_entry != "" && cleared_on != ""'],
  ['Bank Transaction', 'bool', 'payment_entry == "" || matched_amount == abs(amount)'],
  ['Bank Transaction', 'str', 'input.payment_entry'],
  ['Bank Transaction', 'date', '""'],
  ['Bank Transaction', 'bool', 'status == "Reconciled"'],
  ['Bank Statement Import', 'bool', 'total_rows > 0 && imported_rows >= total_rows'],
  ['Stock Entry.items', 'str', 'item_code + "::" + s_warehouse'],
  ['Stock Entry.items', 'decimal', 's_warehouse != "" ? out_rate : basic_rate'],
  ['Stock Entry', 'decimal', 'items.sum(i, i.is_finished_item ? i.qty : 0)'],
  [
    'Stock Entry',
    'bool',
    'items.all(i, i.qty > 0 && (i.s_warehouse != "" || i.t_warehouse != ""))',
  ],
  ['Stock Entry', 'bool', 'i.s_warehouse != ""'],
  ['Stock Entry', 'decimal', '-i.qty'],
  ['Stock Entry', 'decimal', '-(i.qty * i.out_rate)'],
  ['Stock Entry', 'decimal', 'i.qty * i.in_rate'],
  ['Delivery Note', 'money', 'round(i.qty * i.valuation_rate, 2)'],
  ['Stock Ledger Entry', 'str', 'item_code + "::" + warehouse'],
  ['Bin', 'decimal', 'actual_qty == 0 ? 0 : stock_value / actual_qty'],
  ['Bin', 'bool', 'actual_qty >= 0'],
  ['Issue', 'str', '"Medium"'],
  ['Issue', 'int', 'resolved_at == "" ? 0 : seconds_between(resolved_at, opened_at)'],
  ['Issue', 'bool', 'status == "Resolved"'],
  ['Timesheet.time_logs', 'decimal', 'round(seconds_between(to_time, from_time) / 3600, 4)'],
  ['Timesheet', 'decimal', 'time_logs.sum(t, t.hours)'],
  ['Timesheet', 'bool', 'time_logs.all(t, t.to_time > t.from_time)'],
  ['Stock Entry', 'bool', 'docstatus == 1 && stock_entry_type == "Manufacture"'],
  ['Work Order', 'bool', 'docstatus == 1 && produced_qty >= qty'],
  ['Work Order', 'bool', 'completed'],
  ['Work Order', 'bool', 'produced_qty <= qty'],
]
