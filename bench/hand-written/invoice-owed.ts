import { newUuid } from './ids.ts'
import { type Invoice, USER } from './invoice-book.ts'

/** A row of `payment_ledger_entries`, without the columns that an invoice leaves empty. */
export interface OwedRow {
  readonly name: string
  readonly owner: string
  readonly created: string
  readonly modified: string
  readonly modified_by: string
  readonly docstatus: number
  readonly version: number
  readonly posting_date: string
  readonly company: string
  readonly company_currency: string
  readonly account_type: string
  readonly account: string
  readonly party_type: string
  readonly party: string
  readonly against_voucher_type: string
  readonly against_voucher_no: string
  readonly amount: number
  readonly account_currency: string
  readonly amount_in_account_currency: number
  readonly due_date: string
  readonly voucher_type: string
  readonly voucher_no: string
}

export const OWED_COLUMNS =
  `name owner created modified modified_by docstatus version posting_date company
  company_currency account_type account party_type party against_voucher_type against_voucher_no amount
  account_currency amount_in_account_currency due_date voucher_type voucher_no`.split(
    /\s+/,
  ) as readonly (keyof OwedRow)[]

/** Amount the customer owes by a submitted invoice, as a row of the payment ledger. */
export function owedBy({ head }: Invoice): OwedRow {
  const inForeign = head.party_account_currency !== head.company_currency
  return {
    name: newUuid(),
    owner: USER,
    created: head.modified,
    modified: head.modified,
    modified_by: USER,
    docstatus: 0,
    version: 1,
    posting_date: head.posting_date,
    company: head.company,
    company_currency: head.company_currency,
    account_type: 'Receivable',
    account: head.debit_to,
    party_type: 'Customer',
    party: head.customer,
    against_voucher_type: 'Sales Invoice',
    against_voucher_no: head.name,
    amount: head.base_rounded_total,
    account_currency: head.party_account_currency,
    amount_in_account_currency: inForeign ? head.rounded_total : head.base_rounded_total,
    due_date: head.due_date,
    voucher_type: 'Sales Invoice',
    voucher_no: head.name,
  }
}
