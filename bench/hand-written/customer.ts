import type { CustomerColumn } from '../sample-customers.ts'
import { type Detail, invalid } from './refusal.ts'

/** The columns of `customers` that an import fills, as they are stored. */
export interface CustomerRow {
  readonly name: string
  /** Moment it was made, ISO. */
  readonly at: string
  readonly customer_name: string
  readonly customer_type: string
  readonly customer_group: string | null
  readonly territory: string | null
  readonly email_id: string | null
  readonly phone: string | null
  readonly website: string | null
  readonly tax_id: string | null
  readonly default_currency: string | null
  /** Limit in 1/10000. */
  readonly credit_limit: number | null
  readonly customer_details: string | null
}

export type CustomerCells = Readonly<Record<CustomerColumn, string>>

/** Whether a record of this table has this name. */
export type Exists = (table: string, name: string) => boolean

const MONEY = 10_000
const TYPES = ['Company', 'Individual', 'Partnership']
const EMAIL =
  /^(?!\.)(?!.*\.\.)[^\s@<>()[\],;:\\"]{1,64}(?<!\.)@([\p{L}\d]([\p{L}\d-]{0,61}[\p{L}\d])?\.)+[\p{L}\d]([\p{L}\d-]{0,61}[\p{L}\d])?$/u
const PHONE = /^\+?[\d ()\-./]{3,40}$/
const WEBSITE = /^https?:\/\/\S+$/i
const AMOUNT = /^\d{1,11}(\.\d{1,4})?$/

/** Customer of a line, checked; without its name, which is given last. Throws Refusal with all its problems. */
export function readCustomer(
  cells: CustomerCells,
  exists: Exists,
): Omit<CustomerRow, 'name' | 'at'> {
  const problems: Detail[] = []
  const refuse = (field: string, message: string): void => void problems.push({ field, message })

  function line(field: CustomerColumn, most: number, form?: RegExp): string | null {
    const text = cells[field].trim()
    if (text === '') return null
    if (text.length > most) refuse(field, `expected at most ${most} characters`)
    if (/[\n\r\0]/.test(text)) refuse(field, 'expected text in one line')
    if (form && !form.test(text)) refuse(field, `expected another form, got "${text}"`)
    return text
  }

  function link(field: CustomerColumn, table: string): string | null {
    const name = line(field, 140)
    if (name !== null && !exists(table, name))
      refuse(field, `expected an existing record, got "${name}"`)
    return name
  }

  const customer_name = line('customer_name', 140)
  if (customer_name === null) refuse('customer_name', 'is required')
  const customer_type = line('customer_type', 140) ?? 'Company'
  if (!TYPES.includes(customer_type)) refuse('customer_type', `expected one of ${TYPES}`)
  const website = line('website', 2000, WEBSITE)
  if (website !== null && !URL.canParse(website)) refuse('website', 'expected a web address')
  const limit = line('credit_limit', 40, AMOUNT)
  const details = cells.customer_details
  if (details.length > 100_000 || details.includes('\0'))
    refuse('customer_details', 'expected at most 100000 characters')
  const row = {
    customer_name: customer_name ?? '',
    customer_type,
    customer_group: link('customer_group', 'customer_groups'),
    territory: link('territory', 'territories'),
    email_id: line('email_id', 140, EMAIL),
    phone: line('phone', 140, PHONE),
    website,
    tax_id: line('tax_id', 40),
    default_currency: link('default_currency', 'currencies'),
    credit_limit: limit === null ? null : Math.round(Number(limit) * MONEY),
    customer_details: details === '' ? null : details,
  }
  if (problems.length > 0) throw invalid(problems)
  return row
}

/** The record as GET shows it, and so its event. */
export function shownCustomer(row: CustomerRow, by: string): object {
  return {
    id: row.name,
    name: row.name,
    customer_name: row.customer_name,
    customer_type: row.customer_type,
    customer_group: row.customer_group,
    territory: row.territory,
    lead: null,
    disabled: false,
    email_id: row.email_id,
    phone: row.phone,
    mobile_no: null,
    website: row.website,
    tax_id: row.tax_id,
    language: null,
    default_currency: row.default_currency,
    default_price_list: null,
    receivable_account: null,
    tax_category: null,
    payment_terms: null,
    credit_limit: row.credit_limit === null ? null : row.credit_limit / MONEY,
    outstanding_total: 0,
    billed_total: 0,
    ordered_total: 0,
    unbilled_total: 0,
    open_orders: 0,
    account_manager: null,
    default_sales_partner: null,
    customer_details: row.customer_details,
    owner: by,
    created: row.at,
    modified: row.at,
    modified_by: by,
  }
}
