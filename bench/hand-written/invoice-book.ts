import { newRowId } from './ids.ts'
import type { InvoiceInput } from './invoice-input.ts'
import type {
  AccountRow,
  CompanyRow,
  CustomerRow,
  InvoiceRow,
  ItemRow,
  LineRow,
  TaxRow,
} from './invoice-rows.ts'
import { invalid, Refusal } from './refusal.ts'

/** An invoice with its rows. */
export interface Invoice {
  readonly head: InvoiceRow
  readonly lines: readonly LineRow[]
  readonly taxes: readonly TaxRow[]
}

/** Records that a draft is made from. */
export interface Masters {
  readonly customer: CustomerRow
  readonly company: CompanyRow
  readonly items: ReadonlyMap<string, ItemRow>
  readonly accounts: ReadonlyMap<string, AccountRow>
  /** Rate of the customer's currency into the company's, in 1/10⁹. */
  readonly conversionRate: number
}

export const USER = 'Administrator'
const CENT = 100
const ONE = 1_000_000_000

/** `a * b / divisor` to whole cents, half away from zero: exact also where the product is beyond 2⁵³. */
function cents(a: number, b: number, divisor: number): number {
  const product = a * b
  const unit = divisor * CENT
  if (Number.isSafeInteger(product)) {
    const rest = Math.abs(product) % unit
    const whole = (Math.abs(product) - rest) / unit + (rest * 2 >= unit ? 1 : 0)
    return Math.sign(product) * whole * CENT
  }
  const exact = BigInt(a) * BigInt(b)
  const size = exact < 0n ? -exact : exact
  const whole = Number((size * 2n + BigInt(unit)) / (BigInt(unit) * 2n))
  return (exact < 0n ? -whole : whole) * CENT
}

export function sum<T>(rows: readonly T[], amount: (row: T) => number): number {
  return rows.reduce((total, row) => total + amount(row), 0)
}

/** Accounts an invoice of this company with these rows posts to, so that one query can read them. */
export function accountsOf(
  { customer, company, items }: Omit<Masters, 'accounts' | 'conversionRate'>,
  { taxes }: Pick<InvoiceInput, 'taxes'>,
): string[] {
  const names = [...items.values()].map((item) => item.income_account)
  const receivable = customer.receivable_account ?? company.default_receivable_account
  const heads = taxes.map(({ account_head }) => account_head)
  return [...new Set([receivable, company.default_income_account, ...names, ...heads])].filter(
    (name) => name !== null,
  )
}

/** The draft under the name that `nameIt` gives it once everything holds. Throws Refusal for what does not. */
export function draftOf(
  input: InvoiceInput,
  { customer, company, items, accounts, conversionRate }: Masters,
  nameIt: (year: string) => string,
): Invoice {
  const now = new Date().toISOString()
  const today = now.slice(0, 10)
  if (customer.disabled === 1) throw invalid([{ field: 'customer', message: 'is disabled' }])
  refuseTerms(customer, company)
  const toBase = (amount: number): number =>
    conversionRate === ONE ? amount : cents(amount, conversionRate, ONE)
  const lines = input.items.map(({ item_code, qty, rate }, index): LineRow => {
    const item = items.get(item_code)
    if (!item) throw missing(`items[${index}].item_code`, 'Item', item_code)
    if (item.has_variants === 1) throw invalid([{ field: 'items', message: 'is a template' }])
    if ((item.has_item_taxes ?? 0) > 0 || (item.has_item_defaults ?? 0) > 0)
      throw invalid([{ field: 'items', message: 'has terms that are not worked out here' }])
    const listPrice = (item.standard_rate ?? 0) * 100
    const [quantity, price] = [
      Math.round(qty * 1e6),
      rate === undefined ? listPrice : Math.round(rate * 1e6),
    ]
    const amount = cents(quantity, price, 100_000_000)
    return {
      row_id: newRowId(),
      idx: index + 1,
      item_code,
      item_name: item.item_name,
      item_code__has_variants: item.has_variants ?? 0,
      item_code__item_group: item.item_group,
      item_code__brand: item.brand,
      item_code__is_stock_item: item.is_stock_item ?? 0,
      qty: quantity,
      uom: item.stock_uom,
      stock_uom: item.stock_uom,
      conversion_factor: 1e6,
      is_agreed: 0,
      list_price: listPrice,
      price_list_rate: listPrice,
      suggested_rate: listPrice,
      rate: price,
      amount,
      item_code__has_item_taxes: item.has_item_taxes ?? 0,
      item_code__has_item_defaults: item.has_item_defaults ?? 0,
      item_account: item.income_account,
      item_cost_center: company.cost_center,
      net_amount: amount,
      base_net_amount: toBase(amount),
      income_account: item.income_account ?? company.default_income_account,
      cost_center: company.cost_center,
      returned_qty: 0,
    }
  })
  const total = sum(lines, (line) => line.amount)
  let taxed = total
  const taxes = input.taxes.map((tax, index): TaxRow => {
    const rate = Math.round(tax.rate * 1e6)
    const tax_amount = cents(total, rate, 100_000_000)
    taxed += tax_amount
    return {
      row_id: newRowId(),
      idx: index + 1,
      ...tax,
      rate,
      charge_until: 0,
      charge_before: 0,
      charge: 0,
      tax_amount,
      base_tax_amount: toBase(tax_amount),
      included_in_print_rate: 0,
      total: taxed,
    }
  })
  const debitTo = customer.receivable_account ?? company.default_receivable_account
  for (const name of [
    debitTo,
    company.default_income_account,
    ...taxes.map((tax) => tax.account_head),
  ])
    if (!accounts.has(name)) throw missing('account', 'Account', name)
  if (accounts.get(debitTo)!.account_type !== 'Receivable')
    throw invalid([{ field: 'debit_to', message: 'must be a receivable account' }])
  const currency = customer.default_currency ?? company.default_currency
  const taxTotal = sum(taxes, (tax) => tax.tax_amount)
  const baseNet = sum(lines, (line) => line.base_net_amount)
  const baseTax = sum(taxes, (tax) => tax.base_tax_amount)
  const dueDate = new Date(Date.parse(today) + 30 * 86_400_000).toISOString().slice(0, 10)
  const head: InvoiceRow = {
    name: nameIt(today.slice(0, 4)),
    owner: USER,
    created: now,
    modified: now,
    modified_by: USER,
    docstatus: 0,
    version: 1,
    customer: customer.name,
    customer_name: customer.customer_name,
    tax_id: customer.tax_id,
    customer_group: customer.customer_group,
    territory: customer.territory,
    company: company.name,
    company_currency: company.default_currency,
    posting_date: today,
    due_date: dueDate,
    is_return: 0,
    update_stock: 0,
    po_no: input.po_no ?? null,
    currency,
    conversion_rate: conversionRate,
    total_qty: sum(lines, (line) => line.qty),
    apply_discount_on: 'Net Total',
    disable_rounded_total: 1,
    list_worth: conversionRate,
    company__default_bank_account: company.default_bank_account,
    company__default_cash_account: company.default_cash_account,
    company__default_cogs_account: company.default_cogs_account,
    company__default_inventory_account: company.default_inventory_account,
    company__stock_adjustment_account: company.stock_adjustment_account,
    moment: `${today}Z`,
    company__pricing_rules: company.pricing_rules ?? 0,
    total,
    whole_worth: Math.round(sum(lines, (line) => line.qty * line.rate) / 100_000_000),
    source_worth: 0,
    worth_before: 0,
    worth_until: 0,
    returned_worth: 0,
    plain_discount: 0,
    discount_until: 0,
    discount_before: 0,
    discount_amount: 0,
    detailed_taxes: 0,
    net_total: total,
    total_taxes_and_charges: taxTotal,
    grand_total: total + taxTotal,
    rounded_total: total + taxTotal,
    rounding_adjustment: 0,
    payment_amount: 0,
    journal_amount: 0,
    refunded_amount: 0,
    paid_amount: 0,
    credited_amount: 0,
    outstanding_amount: 0,
    base_net_total: baseNet,
    base_total_taxes_and_charges: baseTax,
    base_grand_total: baseNet + baseTax,
    base_rounding_adjustment: 0,
    base_rounded_total: baseNet + baseTax,
    base_paid_amount: 0,
    base_journal_amount: 0,
    base_refunded_amount: 0,
    base_credited_amount: 0,
    base_outstanding_amount: 0,
    total_advance: 0,
    allocate_advances_automatically: 0,
    is_pos: 0,
    change_amount: 0,
    cash_amount: 0,
    base_change_amount: 0,
    base_write_off_amount: 0,
    base_settled_amount: 0,
    schedule_remainder: 0,
    debit_to: debitTo,
    party_account_currency: currency,
    owed_party_type: 'Customer',
    owed_party: customer.name,
    owed_account: debitTo,
    owed_currency: currency,
    owed_doctype: 'Sales Invoice',
    owed_amount: total + taxTotal,
    base_owed: baseNet + baseTax,
    owed_until: dueDate,
    has_party_accounts: customer.has_accounts ?? 0,
    party_account: customer.receivable_account,
    income_account: company.default_income_account,
    cost_center: company.cost_center,
    round_off_account: company.round_off_account,
    total_commission: 0,
    status: 'Draft',
  }
  return { head, lines, taxes }
}

/** Throws Refusal for terms that the invoices of the bench do not have and this side does not work out. */
function refuseTerms(customer: CustomerRow, company: CompanyRow): void {
  const { default_price_list, tax_category, payment_terms, default_sales_partner } = customer
  const terms = [default_price_list, tax_category, payment_terms, default_sales_partner]
  const hasTerms = terms.some((term) => term !== null) || (customer.has_accounts ?? 0) > 0
  if (hasTerms || company.default_selling_price_list !== null)
    throw invalid([{ field: 'customer', message: 'has terms that are not worked out here' }])
  if (company.pricing_rules !== null && company.pricing_rules > 0)
    throw invalid([{ field: 'company', message: 'has pricing rules, not worked out here' }])
}

/** The submitted image of a draft. Throws Refusal when it is none. */
export function submitted({ head, lines, taxes }: Invoice): Invoice {
  if (head.docstatus !== 0)
    throw new Refusal(409, 'CONFLICT', `Sales Invoice "${head.name}" is not a draft`)
  const now = new Date().toISOString()
  const open = head.rounded_total - head.paid_amount - head.journal_amount - head.credited_amount
  const baseOpen =
    head.base_rounded_total -
    head.base_paid_amount -
    head.base_journal_amount -
    head.base_credited_amount
  const status = open <= 0 ? 'Paid' : head.due_date < now.slice(0, 10) ? 'Overdue' : 'Unpaid'
  const changed = {
    modified: now,
    modified_by: USER,
    docstatus: 1,
    version: head.version + 1,
    status,
  }
  return {
    head: { ...head, ...changed, outstanding_amount: open, base_outstanding_amount: baseOpen },
    lines,
    taxes,
  }
}

export function missing(field: string, what: string, name: string): Refusal {
  return invalid([{ field, message: `expected an existing ${what}, got "${name}"` }])
}
