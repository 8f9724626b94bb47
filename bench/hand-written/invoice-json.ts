/** The invoice in the units of its columns; only what the bench's invoices have. */
export interface InvoiceRow {
  readonly name: string
  readonly created: string
  readonly modified: string
  readonly docstatus: bigint
  readonly customer: string
  readonly customer_name: string
  readonly company: string
  readonly company_currency: string
  readonly posting_date: string
  readonly due_date: string
  readonly currency: string
  readonly conversion_rate: bigint
  readonly total_qty: bigint
  readonly total: bigint
  readonly net_tax_rate: bigint
  readonly total_taxes: bigint
  readonly grand_total: bigint
  readonly outstanding: bigint
  readonly debit_to: string
  readonly income_account: string
  readonly cost_center: string
  readonly round_off_account: string
  readonly status: string
}

export interface ItemRow {
  readonly row_id: string
  readonly idx: bigint
  readonly item_code: string
  readonly item_name: string
  readonly qty: bigint
  readonly uom: string | null
  readonly price_list_rate: bigint
  readonly rate: bigint
  readonly amount: bigint
  readonly income_account: string
  readonly cost_center: string
}

export interface TaxRow {
  readonly row_id: string
  readonly rate: bigint
  readonly amount: bigint
}

const money = (value: bigint): number => Number(value) / 10_000
const decimal = (value: bigint): number => Number(value) / 1_000_000

/** The record as the API shows it, about as long as the engine's: unset fields are null there too. */
export function eventJson(
  invoice: InvoiceRow,
  rows: readonly ItemRow[],
  taxes: readonly TaxRow[],
): string {
  const total = money(invoice.total)
  const grand = money(invoice.grand_total)
  const taxed = money(invoice.total_taxes)
  const outstanding = money(invoice.outstanding)
  return JSON.stringify({
    id: invoice.name,
    name: invoice.name,
    customer: invoice.customer,
    customer_name: invoice.customer_name,
    tax_id: null,
    company: invoice.company,
    company_currency: invoice.company_currency,
    posting_date: invoice.posting_date,
    due_date: invoice.due_date,
    po_no: null,
    project: null,
    is_return: false,
    return_against: null,
    currency: invoice.currency,
    conversion_rate: Number(invoice.conversion_rate) / 1e9,
    selling_price_list: null,
    items: rows.map((row) => ({
      row_id: row.row_id,
      item_code: row.item_code,
      item_name: row.item_name,
      description: null,
      qty: decimal(row.qty),
      uom: row.uom,
      price_list_rate: decimal(row.price_list_rate),
      discount_percentage: null,
      rate: decimal(row.rate),
      amount: money(row.amount),
      net_share: money(row.amount),
      net_amount: money(row.amount),
      base_net_amount: money(row.amount),
      income_account: row.income_account,
      cost_center: row.cost_center,
      sales_order: null,
      so_detail: null,
      delivery_note: null,
      dn_detail: null,
      return_detail: null,
      returned_qty: 0,
    })),
    total_qty: decimal(invoice.total_qty),
    taxes_and_charges: null,
    taxes: taxes.map((row) => ({
      row_id: row.row_id,
      charge_type: 'On Net Total',
      description: 'VAT 19 %',
      account_head: 'Output Tax',
      rate: decimal(row.rate),
      charge_amount: null,
      tax_amount: money(row.amount),
      base_tax_amount: money(row.amount),
    })),
    apply_discount_on: 'Net Total',
    additional_discount_percentage: null,
    additional_discount_amount: null,
    disable_rounded_total: true,
    total,
    net_tax_rate: decimal(invoice.net_tax_rate),
    fixed_charges: 0,
    discount_amount: 0,
    net_discount: 0,
    net_total: total,
    net_remainder: 0,
    total_taxes_and_charges: taxed,
    grand_total: grand,
    rounding_adjustment: 0,
    rounded_total: grand,
    paid_amount: 0,
    journal_amount: 0,
    credited_amount: 0,
    outstanding_amount: outstanding,
    paid_at: null,
    base_net_total: total,
    base_total_taxes_and_charges: taxed,
    base_grand_total: grand,
    base_rounding_adjustment: 0,
    base_rounded_total: grand,
    base_paid_amount: 0,
    base_journal_amount: 0,
    base_credited_amount: 0,
    base_outstanding_amount: outstanding,
    debit_to: invoice.debit_to,
    party_account_currency: invoice.currency,
    income_account: invoice.income_account,
    cost_center: invoice.cost_center,
    round_off_account: invoice.round_off_account,
    remarks: null,
    terms: null,
    status: invoice.status,
    docstatus: Number(invoice.docstatus),
    amended_from: null,
    owner: 'Administrator',
    created: invoice.created,
    modified: invoice.modified,
    modified_by: 'Administrator',
  })
}
