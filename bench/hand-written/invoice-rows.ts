/*
 * Rows of the tables that an invoice touches. Amounts are whole numbers of 1/10⁴, quantities, prices and
 * percentages of 1/10⁶, exchange rates of 1/10⁹, flags 0 or 1. Columns that the hand-written side never sets
 * are left out.
 */

interface Standard {
  readonly name: string
  readonly owner: string
  readonly created: string
  readonly modified: string
  readonly modified_by: string
  readonly docstatus: number
  readonly version: number
}

export interface InvoiceRow extends Standard {
  readonly customer: string
  readonly customer_name: string
  readonly tax_id: string | null
  readonly customer_group: string | null
  readonly territory: string | null
  readonly company: string
  readonly company_currency: string
  readonly posting_date: string
  readonly due_date: string
  readonly is_return: number
  readonly update_stock: number
  readonly po_no: string | null
  readonly currency: string
  readonly conversion_rate: number
  readonly total_qty: number
  readonly apply_discount_on: string
  readonly disable_rounded_total: number
  readonly list_worth: number
  readonly company__default_bank_account: string | null
  readonly company__default_cash_account: string | null
  readonly company__default_cogs_account: string | null
  readonly company__default_inventory_account: string | null
  readonly company__stock_adjustment_account: string | null
  readonly moment: string
  readonly company__pricing_rules: number
  readonly total: number
  readonly whole_worth: number
  readonly source_worth: number
  readonly worth_before: number
  readonly worth_until: number
  readonly returned_worth: number
  readonly plain_discount: number
  readonly discount_until: number
  readonly discount_before: number
  readonly discount_amount: number
  readonly detailed_taxes: number
  readonly net_total: number
  readonly total_taxes_and_charges: number
  readonly grand_total: number
  readonly rounded_total: number
  readonly rounding_adjustment: number
  readonly payment_amount: number
  readonly journal_amount: number
  readonly refunded_amount: number
  readonly paid_amount: number
  readonly credited_amount: number
  readonly outstanding_amount: number
  readonly base_net_total: number
  readonly base_total_taxes_and_charges: number
  readonly base_grand_total: number
  readonly base_rounding_adjustment: number
  readonly base_rounded_total: number
  readonly base_paid_amount: number
  readonly base_journal_amount: number
  readonly base_refunded_amount: number
  readonly base_credited_amount: number
  readonly total_advance: number
  readonly allocate_advances_automatically: number
  readonly is_pos: number
  readonly change_amount: number
  readonly cash_amount: number
  readonly base_change_amount: number
  readonly base_write_off_amount: number
  readonly base_settled_amount: number
  readonly base_outstanding_amount: number
  readonly schedule_remainder: number
  readonly debit_to: string
  readonly party_account_currency: string
  readonly owed_party_type: string
  readonly owed_party: string
  readonly owed_account: string
  readonly owed_currency: string
  readonly owed_doctype: string
  readonly owed_amount: number
  readonly base_owed: number
  readonly owed_until: string
  readonly has_party_accounts: number
  readonly party_account: string | null
  readonly income_account: string
  readonly cost_center: string
  readonly round_off_account: string
  readonly total_commission: number
  readonly status: string
}

/** A row of `sales_invoices__items` without its parent. */
export interface LineRow {
  readonly row_id: string
  readonly idx: number
  readonly item_code: string
  readonly item_name: string
  readonly item_code__has_variants: number
  readonly item_code__item_group: string | null
  readonly item_code__brand: string | null
  readonly item_code__is_stock_item: number
  readonly qty: number
  readonly uom: string | null
  readonly stock_uom: string | null
  readonly conversion_factor: number
  readonly is_agreed: number
  readonly list_price: number
  readonly price_list_rate: number | null
  readonly suggested_rate: number
  readonly rate: number
  readonly amount: number
  readonly item_code__has_item_taxes: number
  readonly item_code__has_item_defaults: number
  readonly item_account: string | null
  readonly item_cost_center: string
  readonly net_amount: number
  readonly base_net_amount: number
  readonly income_account: string
  readonly cost_center: string
  readonly returned_qty: number
}

/** A row of `sales_invoices__taxes` without its parent. */
export interface TaxRow {
  readonly row_id: string
  readonly idx: number
  readonly charge_type: string
  readonly description: string
  readonly account_head: string
  readonly rate: number
  readonly charge_until: number
  readonly charge_before: number
  readonly charge: number
  readonly tax_amount: number
  readonly base_tax_amount: number
  readonly included_in_print_rate: number
  readonly total: number
}

export interface GlRow extends Standard {
  readonly posting_date: string
  readonly fiscal_year: string
  readonly closed_period: string | null
  readonly company: string
  readonly company_currency: string
  readonly account: string
  readonly account_type: string | null
  readonly root_type: string | null
  readonly party_type: string | null
  readonly party: string | null
  readonly debit: number
  readonly credit: number
  readonly account_currency: string
  readonly debit_in_account_currency: number
  readonly credit_in_account_currency: number
  readonly cost_center: string
  readonly against_voucher_type: string | null
  readonly against_voucher: string | null
  readonly is_stock_value: number
  readonly may_post_frozen: number
  readonly voucher_type: string
  readonly voucher_no: string
}

export interface EventRow {
  readonly id: string
  readonly event: string
  readonly resource: string
  readonly kind: string
  readonly record_id: string
  readonly at: string
  readonly actor: string
  readonly data: string
}

export interface CustomerRow extends Standard {
  readonly customer_name: string
  readonly customer_type: string | null
  readonly customer_group: string | null
  readonly territory: string | null
  readonly lead: string | null
  readonly disabled: number | null
  readonly email_id: string | null
  readonly phone: string | null
  readonly mobile_no: string | null
  readonly website: string | null
  readonly tax_id: string | null
  readonly default_currency: string | null
  readonly default_price_list: string | null
  readonly receivable_account: string | null
  readonly has_accounts: number | null
  readonly tax_category: string | null
  readonly payment_terms: string | null
  readonly credit_limit: number | null
  readonly outstanding_total: number | null
  readonly billed_total: number | null
  readonly ordered_total: number | null
  readonly unbilled_total: number | null
  readonly open_orders: number | null
  readonly account_manager: string | null
  readonly default_sales_partner: string | null
  readonly customer_details: string | null
}

export interface ItemRow {
  readonly name: string
  readonly item_name: string
  readonly item_group: string | null
  readonly brand: string | null
  readonly has_variants: number | null
  readonly is_stock_item: number | null
  readonly has_item_taxes: number | null
  readonly has_item_defaults: number | null
  readonly stock_uom: string | null
  readonly standard_rate: number | null
  readonly income_account: string | null
}

export interface CompanyRow {
  readonly name: string
  readonly default_currency: string
  readonly default_receivable_account: string
  readonly default_income_account: string
  readonly cost_center: string
  readonly default_bank_account: string | null
  readonly default_cash_account: string | null
  readonly default_cogs_account: string | null
  readonly default_inventory_account: string | null
  readonly stock_adjustment_account: string | null
  readonly round_off_account: string
  readonly default_selling_price_list: string | null
  readonly pricing_rules: number | null
  readonly accounts_frozen_till_date: string | null
  readonly closed_until: string | null
}

export interface AccountRow {
  readonly name: string
  readonly root_type: string | null
  readonly account_type: string | null
  readonly account_currency: string | null
  readonly company: string | null
  readonly is_group: number
  readonly disabled: number | null
}

export interface CostCenterRow {
  readonly name: string
  readonly company: string | null
  readonly is_group: number
  readonly disabled: number | null
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/)
const STANDARD = 'name owner created modified modified_by docstatus version'

export const INVOICE_COLUMNS =
  words(`${STANDARD} customer customer_name tax_id customer_group territory
  company company_currency
  posting_date due_date is_return update_stock po_no currency conversion_rate total_qty apply_discount_on
  disable_rounded_total list_worth company__default_bank_account company__default_cash_account company__default_cogs_account company__default_inventory_account
  company__stock_adjustment_account moment company__pricing_rules total whole_worth source_worth worth_before worth_until returned_worth
  plain_discount discount_until discount_before discount_amount detailed_taxes net_total
  total_taxes_and_charges grand_total rounded_total rounding_adjustment payment_amount journal_amount
  refunded_amount paid_amount
  credited_amount outstanding_amount base_net_total base_total_taxes_and_charges base_grand_total
  base_rounding_adjustment base_rounded_total base_paid_amount base_journal_amount base_refunded_amount base_credited_amount
  total_advance allocate_advances_automatically is_pos change_amount cash_amount base_change_amount
  base_write_off_amount base_settled_amount
  base_outstanding_amount schedule_remainder debit_to party_account_currency owed_party_type owed_party owed_account owed_currency owed_doctype owed_amount base_owed
  owed_until has_party_accounts party_account
  income_account cost_center
  round_off_account total_commission status`) as readonly (keyof InvoiceRow)[]
export const LINE_COLUMNS =
  words(`row_id idx item_code item_name item_code__has_variants item_code__item_group
  item_code__brand item_code__is_stock_item qty uom stock_uom conversion_factor is_agreed list_price price_list_rate suggested_rate rate amount
  item_code__has_item_taxes item_code__has_item_defaults item_account item_cost_center
  net_amount base_net_amount income_account cost_center returned_qty`) as readonly (keyof LineRow)[]
export const TAX_COLUMNS = words(
  'row_id idx charge_type description account_head rate included_in_print_rate charge_until charge_before charge tax_amount base_tax_amount total',
) as readonly (keyof TaxRow)[]
export const GL_COLUMNS = words(`${STANDARD} posting_date fiscal_year closed_period company
  company_currency account account_type root_type party_type party debit credit account_currency debit_in_account_currency
  credit_in_account_currency cost_center against_voucher_type against_voucher is_stock_value may_post_frozen voucher_type
  voucher_no`) as readonly (keyof GlRow)[]
export const EVENT_COLUMNS = words(
  'id event resource kind record_id at actor data',
) as readonly (keyof EventRow)[]
export const CUSTOMER_COLUMNS =
  words(`${STANDARD} customer_name customer_type customer_group territory lead
  disabled email_id phone mobile_no website tax_id default_currency default_price_list receivable_account has_accounts
  tax_category payment_terms credit_limit outstanding_total billed_total ordered_total unbilled_total
  open_orders account_manager default_sales_partner customer_details`) as readonly (keyof CustomerRow)[]
export const ITEM_COLUMNS = words(
  'name item_name item_group brand has_variants is_stock_item has_item_taxes has_item_defaults stock_uom standard_rate income_account',
) as readonly (keyof ItemRow)[]
export const COMPANY_COLUMNS =
  words(`name default_currency default_receivable_account default_income_account
  cost_center default_bank_account default_cash_account default_cogs_account default_inventory_account
  stock_adjustment_account round_off_account default_selling_price_list pricing_rules accounts_frozen_till_date
  closed_until`) as readonly (keyof CompanyRow)[]
export const ACCOUNT_COLUMNS = words(
  'name root_type account_type account_currency company is_group disabled',
) as readonly (keyof AccountRow)[]
export const COST_CENTER_COLUMNS = words(
  'name company is_group disabled',
) as readonly (keyof CostCenterRow)[]
