/** DocTypes of a consultant that are owed: file name → text. */
export const OWED: Readonly<Record<string, string>> = {
  'rental-agreement': `
doctype: Rental Agreement
module: assets
tier: free
submittable: true
naming: "RA-{YYYY}-{####}"
receivable: {party: customer, amount: total, days: 14}
fields:
  customer: {type: link, options: Customer, required: true, filterable: true}
  lines:
    type: table
    required: true
    fields:
      bike: {type: data, required: true}
      days: {type: int, required: true}
      day_rate: {type: currency, currency: currency, required: true}
      amount: {type: currency, currency: currency, formula: days * day_rate}
  total: {type: currency, currency: currency, formula: "lines.sum(l, l.amount)"}
  income_account: {type: link, options: Account, required: true, default_from: 'account_type == "Direct Income" && !is_group'}
effects:
  submit:
    - post: GL Entry
      rows:
        - {set: {account: income_account, credit: base_owed_amount}}
`,
  'repair-bill': `
doctype: Repair Bill
module: assets
tier: free
submittable: true
naming: "RB-{####}"
payable: {party: garage, amount: cost, base_amount: base_cost, account: owed_on, currency: money, rate: worth, due_date: last_day}
fields:
  garage: {type: link, options: Supplier, required: true}
  cost: {type: currency, currency: money, required: true}
  expense_account: {type: link, options: Account, required: true, default_from: 'account_type == "Direct Expense" && !is_group'}
  paid_amount: {label: Paid So Far}
effects:
  submit:
    - post: GL Entry
      rows:
        - {set: {account: expense_account, debit: base_cost}}
`,
}
