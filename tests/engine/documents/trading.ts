import type { TestDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

/**
 * A small trade of the test's own: invoices that post to a ledger, payments that settle them, stock with
 * balances made by its ledger, and a token of every word of the grammar.
 */
export const TRADING = `
doctype: Company
module: setup
tier: free
naming: field:company_name
fields:
  company_name: {type: data, required: true}
  currency: {type: data, default: '"EUR"'}
  is_default: {type: check, default: false, filterable: true}
  debtors: {type: link, options: Account, default_from: 'kind == "Receivable"'}
---
doctype: Account
module: accounts
tier: free
naming: field:account_name
fields:
  account_name: {type: data, required: true}
  kind: {type: select, options: [Receivable, Income, Tax, Round Off, Stock, Expense]}
  is_group: {type: check, default: false}
---
doctype: GL Entry
module: accounts
tier: free
naming: uuid
resource: gl-entries
ledger: {balance: [debit, credit], swap: [own_debit, own_credit], copy: [posting_date, company], reverse_date: today}
fields:
  posting_date: {type: date, filterable: true}
  company: {type: link, options: Company}
  account: {type: link, options: Account, required: true, filterable: true}
  party: {type: data}
  debit: {type: currency, min: 0}
  credit: {type: currency, min: 0}
  own_debit: {type: currency, default: debit}
  own_credit: {type: currency, default: credit}
validate:
  - {check: '!account.is_group', field: account, message: is a group}
invariants:
  - name: every voucher balances
    by: [voucher_type, voucher_no]
    terms:
      - {from: GL Entry, add: debit - credit}
---
doctype: Customer
module: crm
tier: free
naming: field:customer_name
fields:
  customer_name: {type: data, required: true}
  credit_limit: {type: currency}
  outstanding: {type: currency, rollup: {from: Invoice, match: customer, sum: outstanding, where: docstatus == 1}}
  invoices: {type: int, rollup: {from: Invoice, match: customer, count: true, where: docstatus == 1}}
  visits: {type: int, rollup: {from: Visit, match: customer, count: true}}
  last_visit: {type: date, rollup: {from: Visit, match: customer, max: day}}
  first_invoice: {type: date, rollup: {from: Invoice, match: customer, min: posting_date, where: docstatus == 1}}
  largest: {type: currency, rollup: {from: Invoice, match: customer, max: total, where: docstatus == 1}}
  is_good: {type: check, formula: outstanding == 0}
validate:
  - check: credit_limit == 0 || outstanding <= credit_limit || outstanding <= old.outstanding
    field: outstanding
    message: exceeds the credit limit
events:
  owes_nothing: {when: outstanding == 0 && invoices > 0}
---
doctype: Visit
module: crm
tier: free
fields:
  customer: {type: link, options: Customer}
  day: {type: date}
---
doctype: Order
module: sales
tier: free
submittable: true
naming: "ORD-{###}"
fields:
  customer: {type: link, options: Customer, required: true}
  items:
    type: table
    min: 1
    fields:
      item: {type: data, required: true}
      qty: {type: float, required: true}
      rate: {type: currency}
      amount: {type: currency, formula: qty * rate}
      billed_qty: {type: float, rollup: {from: Invoice.items, match: order_row, sum: qty, where: parent.docstatus == 1}}
  total_qty: {type: float, formula: "items.sum(i, i.qty)"}
  per_billed: {type: percent, formula: "total_qty == 0 ? 0 : items.sum(i, i.billed_qty) * 100 / total_qty"}
  closed: {type: check, default: false, readOnly: true}
status:
  field: status
  derive: {Cancelled: docstatus == 2, Draft: docstatus == 0, Closed: closed, Billed: per_billed >= 100, Open: "true"}
validate:
  - {check: "items.all(i, i.billed_qty <= i.qty)", field: items, message: billed more than ordered}
actions:
  make_invoice:
    when: docstatus == 1 && !closed && per_billed < 100
    input:
      posting_date: {type: date, default: today()}
      submit_it: {type: check, default: false}
    steps:
      - create: Invoice
        as: invoice
        set: {customer: customer, posting_date: input.posting_date}
        rows:
          items:
            each: items
            as: i
            if: i.billed_qty < i.qty
            set: {item: i.item, qty: i.qty - i.billed_qty, rate: i.rate, order_row: i.row_id}
      - {submit: invoice, if: input.submit_it}
  close:
    label: Close It
    when: docstatus == 1 && !closed
    steps:
      - {set: {closed: "true"}}
  credit:
    when: docstatus == 1 && items.sum(i, i.qty) > 1000
    message: "{items.sum(i, i.qty)} are too few, {customer.name} needs more than 1000"
    steps: []
  sweep: {system: true, steps: [{set: {closed: "true"}}]}
events:
  billed: {when: per_billed >= 100, data: {share: per_billed, customer_name: customer.customer_name}}
---
doctype: Invoice
module: billing
tier: free
submittable: true
naming: "INV-{###}"
fields:
  customer: {type: link, options: Customer, required: true, filterable: true}
  company: {type: link, options: Company, default_from: is_default}
  currency: {type: data, default: company.currency}
  posting_date: {type: date, default: today()}
  template: {type: link, options: Tax Template}
  debit_to: {type: link, options: Account, default: company.debtors, default_from: 'kind == "Receivable"'}
  items:
    type: table
    min: 1
    fields:
      item: {type: data, required: true}
      qty: {type: float, required: true}
      rate: {type: currency}
      account: {type: link, options: Account, default_from: 'kind == "Income"'}
      order_row: {type: link, options: Order.items}
      amount: {type: currency, formula: qty * rate}
  taxes:
    type: table
    options: Tax Row
    fetch: {from: template.taxes, when: empty}
  net_total: {type: currency, formula: "items.sum(i, i.amount)"}
  tax_total: {type: currency, formula: "taxes.sum(t, t.amount)"}
  total: {type: currency, formula: net_total + tax_total}
  rounded: {type: currency, formula: "round(total, 0)"}
  paid: {type: currency, rollup: {from: Payment.references, match: invoice, sum: amount, where: parent.docstatus == 1}}
  outstanding: {type: currency, formula: "docstatus == 1 ? total - paid : 0"}
  paid_at: {type: datetime, readOnly: true}
  is_settled: {type: check, formula: 'paid_at != ""'}
status:
  field: status
  derive: {Cancelled: docstatus == 2, Draft: docstatus == 0, Paid: outstanding == 0, Partly Paid: outstanding < total, Unpaid: "true"}
validate:
  - {check: docstatus != 1 || outstanding >= 0, field: outstanding, message: paid more than is due}
effects:
  submit:
    - post: GL Entry
      rows:
        - {set: {account: debit_to, party: customer, debit: total}}
        - {each: items, as: i, group: [account], set: {account: i.account, credit: i.amount}}
        - {each: taxes, as: t, set: {account: t.account, credit: t.amount}}
events:
  submitted: {trigger: submit, data: [customer, total]}
  paid: {when: docstatus == 1 && outstanding == 0, set: {paid_at: now()}, data: [paid_at]}
---
doctype: Tax Row
child: true
module: billing
tier: free
fields:
  account: {type: link, options: Account}
  rate: {type: percent}
  amount: {type: currency, formula: parent.net_total * rate / 100}
---
doctype: Tax Template
module: billing
tier: free
naming: field:title
title: title
fields:
  title: {type: data, required: true}
  net_total: {type: currency, default: 0}
  taxes: {type: table, options: Tax Row}
---
doctype: Payment
module: billing
tier: free
submittable: true
naming: "PAY-{###}"
fields:
  customer: {type: link, options: Customer, required: true}
  paid_amount: {type: currency, required: true}
  references:
    type: table
    fields:
      invoice: {type: link, options: Invoice, required: true}
      amount: {type: currency, required: true}
  allocated: {type: currency, formula: "references.sum(r, r.amount)"}
validate:
  - {check: allocated <= paid_amount, field: references, message: allocated more than paid}
---
doctype: Rate
module: accounts
tier: free
naming: "{from_currency}-{date}"
fields:
  from_currency: {type: data, required: true, filterable: true}
  date: {type: date, required: true, filterable: true}
  rate: {type: float, required: true}
---
doctype: Quote
module: sales
tier: free
fields:
  currency: {type: data, required: true}
  day: {type: date, default: today()}
  rate:
    type: float
    lookup: {from: Rate, where: 'from_currency == this.currency && date <= this.day', latest: date, value: rate, when: empty}
  base: {type: float, formula: rate * 100}
---
doctype: Stock Row
module: stock
tier: free
naming: uuid
ledger: {negate: [qty, value]}
fields:
  posting_date: {type: date}
  item: {type: data, required: true, filterable: true}
  place: {type: data, required: true}
  qty: {type: float}
  value: {type: currency}
---
doctype: Bin
module: stock
tier: free
naming: "{item}::{place}"
upsert_from: Stock Row
fields:
  item: {type: data, filterable: true}
  place: {type: data}
  qty: {type: float, rollup: {from: Stock Row, match: 'item + "::" + place', sum: qty}}
  value: {type: currency, rollup: {from: Stock Row, match: 'item + "::" + place', sum: value}}
  valuation_rate: {type: float, formula: "qty == 0 ? 0 : value / qty"}
  wanted: {type: float, rollup: {from: Wish, match: 'item + "::" + place', sum: qty}}
  last_date: {type: date, rollup: {from: Stock Row, match: 'item + "::" + place', max: posting_date}}
validate:
  - {check: qty >= 0, field: qty, message: not enough stock}
---
doctype: Wish
module: stock
tier: free
fields:
  item: {type: data}
  place: {type: data}
  qty: {type: float}
---
doctype: Move
module: stock
tier: free
submittable: true
naming: "MOVE-{###}"
fields:
  posting_date: {type: date, default: today()}
  note: {type: data}
  note_set: {type: data, readOnly: true}
  items:
    type: table
    min: 1
    fields:
      item: {type: data, required: true}
      place: {type: data, required: true}
      qty: {type: float, required: true}
      rate: {type: float}
      out_rate: {type: float, lookup: {from: Bin, match: 'item + "::" + place', value: valuation_rate, at: submit}}
      value: {type: currency, formula: 'qty < 0 ? qty * out_rate : qty * rate'}
effects:
  submit:
    - post: Stock Row
      rows:
        - {each: items, as: i, set: {item: i.item, place: i.place, qty: i.qty, value: i.value}}
    - create: Task
      as: task
      if: 'note != ""'
      set: {subject: '"Check " + name', move: name}
      submit: true
    - {set: {note_set: '"set by submit"'}, if: 'note != ""'}
---
doctype: Task
module: projects
tier: free
submittable: true
naming: "TASK-{###}"
fields:
  subject: {type: data, required: true, length: 60}
  move: {type: link, options: Move}
---
doctype: Lead
module: crm
tier: free
naming: "LEAD-{###}"
fields:
  lead_name: {type: data, required: true}
  customer: {type: link, options: Customer, readOnly: true}
status:
  field: status
  initial: Open
  flow: {Open: [Lost], Lost: [Open], Converted: []}
actions:
  convert:
    when: status != "Converted"
    moves: Converted
    input:
      name_as: {type: data, required: true}
      credit: {type: currency}
    steps:
      - {create: Customer, as: cust, set: {customer_name: input.name_as, credit_limit: input.credit}}
      - {set: {customer: cust.name}}
events:
  converted: {when: status == "Converted", data: [customer]}
`

/** The trade with its accounts, company and tax template. */
export async function openTrade(database: TestDatabase): Promise<Workspace> {
  const workspace = await openWorkspace(database, TRADING)
  for (const [account_name, kind] of [
    ['Debtors', 'Receivable'],
    ['Sales', 'Income'],
    ['Service', 'Income'],
    ['VAT', 'Tax'],
  ]) {
    await workspace.create('Account', { account_name, kind })
  }
  await workspace.create('Account', { account_name: 'Assets', is_group: true })
  await workspace.create('Company', { company_name: 'Acme', is_default: true })
  await workspace.create('Tax Template', {
    title: 'VAT 20 %',
    taxes: [{ account: 'VAT', rate: 20 }],
  })
  return workspace
}
