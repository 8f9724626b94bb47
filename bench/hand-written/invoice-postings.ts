import { newUuid } from './ids.ts'
import { type Invoice, missing, sum, USER } from './invoice-book.ts'
import type {
  AccountRow,
  CompanyRow,
  CostCenterRow,
  CustomerRow,
  GlRow,
  InvoiceRow,
} from './invoice-rows.ts'
import { invalid } from './refusal.ts'

/** One side of the ledger: what an account gets, in the company's currency and in its own. */
interface Posting {
  readonly account: string
  readonly cost_center: string
  readonly party: string | null
  debit: number
  credit: number
  ownDebit: number
  ownCredit: number
}

/** Books that postings are checked against; `closedPeriods` are those closed to the invoice on its day. */
export interface Books {
  readonly accounts: ReadonlyMap<string, AccountRow>
  readonly costCenters: ReadonlyMap<string, CostCenterRow>
  readonly fiscalYear: string | undefined
  readonly closedPeriods: number
}

/** The ledger's rows of a submitted invoice, balanced. Throws Refusal where an account takes none. */
export function postingsOf(
  { head, lines, taxes }: Invoice,
  company: CompanyRow,
  { accounts, costCenters, fiscalYear, closedPeriods }: Books,
): GlRow[] {
  if (fiscalYear === undefined)
    throw invalid([{ field: 'posting_date', message: 'lies in no fiscal year' }])
  const frozen = company.accounts_frozen_till_date
  if (frozen !== null && head.posting_date <= frozen)
    throw invalid([{ field: 'posting_date', message: 'the accounts are frozen until then' }])
  if (company.closed_until !== null && head.posting_date <= company.closed_until)
    throw invalid([{ field: 'posting_date', message: 'lies in a fiscal year that is closed' }])
  if (closedPeriods > 0)
    throw invalid([
      { field: 'posting_date', message: 'lies in an accounting period that is closed' },
    ])
  const inForeign = head.party_account_currency !== head.company_currency
  const debtor: Posting = {
    account: head.debit_to,
    cost_center: head.cost_center,
    party: head.customer,
    debit: head.base_rounded_total,
    credit: 0,
    ownDebit: inForeign ? head.rounded_total : head.base_rounded_total,
    ownCredit: 0,
  }
  const credits = new Map<string, Posting>()
  const credit = (account: string, cost_center: string, amount: number): void => {
    const key = `${account}\0${cost_center}`
    const known = credits.get(key)
    if (known) {
      known.credit += amount
      known.ownCredit += amount
    } else {
      const none = { party: null, debit: 0, ownDebit: 0 }
      credits.set(key, { account, cost_center, ...none, credit: amount, ownCredit: amount })
    }
  }
  for (const line of lines) credit(line.income_account, line.cost_center, line.base_net_amount)
  for (const tax of taxes) credit(tax.account_head, head.cost_center, tax.base_tax_amount)
  credit(head.round_off_account, head.cost_center, head.base_rounding_adjustment)
  const postings = [debtor, ...credits.values()].filter(
    (each) => each.debit !== 0 || each.credit !== 0,
  )
  if (sum(postings, (each) => each.debit - each.credit) !== 0)
    throw invalid([{ field: 'items', message: 'debit and credit differ' }])
  return postings.map((each) => {
    const account = accountFor(each, head, accounts)
    checkCostCenter(costCenters.get(each.cost_center), head)
    return {
      name: newUuid(),
      owner: USER,
      created: head.modified,
      modified: head.modified,
      modified_by: USER,
      docstatus: 0,
      version: 1,
      posting_date: head.posting_date,
      fiscal_year: fiscalYear,
      closed_period: null,
      company: head.company,
      company_currency: head.company_currency,
      account: each.account,
      account_type: account.account_type,
      root_type: account.root_type,
      party_type: each.party === null ? null : 'Customer',
      party: each.party,
      debit: each.debit,
      credit: each.credit,
      account_currency: each.party === null ? head.company_currency : head.party_account_currency,
      debit_in_account_currency: each.ownDebit,
      credit_in_account_currency: each.ownCredit,
      cost_center: each.cost_center,
      against_voucher_type: each.party === null ? null : 'Sales Invoice',
      against_voucher: each.party === null ? null : head.name,
      is_stock_value: 0,
      may_post_frozen: 0,
      voucher_type: 'Sales Invoice',
      voucher_no: head.name,
    }
  })
}

function accountFor(
  posting: Posting,
  head: InvoiceRow,
  accounts: ReadonlyMap<string, AccountRow>,
): AccountRow {
  const account = accounts.get(posting.account)
  if (!account) throw missing('account', 'Account', posting.account)
  const problem =
    (account.is_group === 1 && 'only its subaccounts take postings') ||
    (account.disabled === 1 && 'is disabled') ||
    (account.company !== null &&
      account.company !== head.company &&
      'belongs to another company') ||
    (account.account_type === 'Stock' && 'is kept by stock documents alone') ||
    (account.account_type === 'Receivable' && posting.party === null && 'needs a party')
  if (problem) throw invalid([{ field: 'account', message: `${account.name} ${problem}` }])
  return account
}

function checkCostCenter(center: CostCenterRow | undefined, head: InvoiceRow): void {
  if (!center) throw missing('cost_center', 'Cost Center', head.cost_center)
  const isForeign = center.company !== null && center.company !== head.company
  if (center.is_group === 1 || center.disabled === 1 || isForeign)
    throw invalid([{ field: 'cost_center', message: 'must be one in use of the company' }])
}

/** Throws Refusal when the customer owes more than allowed. */
export function checkCredit(customer: CustomerRow): void {
  const { credit_limit, outstanding_total, unbilled_total } = customer
  const owed = (outstanding_total ?? 0) + (unbilled_total ?? 0)
  if (credit_limit !== null && credit_limit > 0 && owed > credit_limit)
    throw invalid([{ field: 'credit_limit', message: 'unpaid invoices exceed the credit limit' }])
}
