/**
 * DocTypes that have an expression in every place where one may stand, so that a test of all places does not
 * depend on which of them the shipped files happen to use.
 */
export const EVERY_SITE = `
doctype: Probe Ledger
module: setup
tier: free
naming: uuid
ledger: {balance: [debit, credit], copy: [posting_date]}
fields:
  posting_date: {type: date, required: true}
  account: {type: data, required: true}
  debit: {type: currency}
  credit: {type: currency}
  place: {type: link, options: Probe Place}
---
doctype: Probe Place
module: setup
tier: free
naming: prompt
fields:
  place_name: {type: data}
  price: {type: currency}
  since: {type: date}
  is_default: {type: check}
  booked: {type: currency, rollup: {from: Probe Ledger, match: place, sum: debit - credit, where: debit > 0}}
  first: {type: date, rollup: {from: Probe.rows, match: place, min: parent.posting_date, where: qty > 0}}
  last: {type: date, rollup: {from: Probe, match: place, max: posting_date}}
status: {field: state, initial: Free, flow: {Free: [Full]}, moves: {Full: booked > price * 10}}
---
doctype: Probe Task
module: setup
tier: free
naming: "PT-{#####}"
submittable: true
fields:
  subject: {type: data}
  due: {type: date}
  steps: {type: table, fields: {what: {type: data}, qty: {type: float}}}
---
doctype: Probe
module: setup
tier: free
naming: "PROBE-{#####}"
submittable: true
fields:
  title: {type: data, required_when: "total > 0"}
  place: {type: link, options: Probe Place, default_from: is_default && since < today()}
  note: {type: data, default: "concat(title, place.place_name)", renew: title != old.title, visible_when: title != ""}
  posting_date: {type: date, default: today(), filterable: true}
  price:
    type: currency
    lookup: {from: Probe Place, where: 'place_name == this.title && since <= this.posting_date', latest: since, value: price, when: empty}
  other: {type: currency, lookup: {from: Probe Place, match: 'concat(title, "-", note)', value: price, at: submit}}
  planned: {type: float, lookup: {from: Probe Task.steps, where: 'what == this.title && document.due <= this.posting_date', sum: 'qty * 2'}}
  soonest: {type: date, lookup: {from: Probe Task, where: 'subject == this.title', min: due, at: always}}
  dearest: {type: currency, lookup: {from: Probe Place, where: 'since <= this.posting_date', max: price - this.price}}
  rows:
    type: table
    fields:
      what: {type: data, default: parent.title, renew: qty != old.qty, required_when: parent.total > 10, visible_when: qty > 1}
      place: {type: link, options: Probe Place, default_from: price > 0}
      qty: {type: float}
      rate: {type: currency, lookup: {from: Probe Place, match: place, value: price}}
      found: {type: currency, lookup: {from: Probe Place, where: place_name == this.what && since < parent.posting_date, value: price, at: create}}
      booked: {type: float, lookup: {from: Probe Task.steps, where: what == this.what && document.due == parent.posting_date, sum: qty}}
      amount: {type: currency, formula: qty * rate}
      tasks: {type: int, rollup: {from: Probe Task.steps, match: what, count: true, where: parent.docstatus == 1}}
      used: {type: float, rollup: {from: Probe Task.steps, match: what, sum: qty, where: qty != 0}}
  extras: {type: table, fields: {what: {type: data}, qty: {type: float}}}
  total: {type: currency, formula: "rows.sum(r, r.amount)"}
  settled_at: {type: datetime, readOnly: true}
  open: {type: check, readOnly: true}
unique:
  - {fields: [place, posting_date], where: docstatus < 2 && open}
status:
  field: state
  derive:
    Cancelled: docstatus == 2
    Late: 'docstatus == 1 && posting_date < today()'
    Other: "true"
  tick: {daily: docstatus == 1 && posting_date < today()}
validate:
  - {check: total >= 0, field: total, message: must not be negative}
  - {each: rows, check: qty >= 0 || place.price > parent.total, field: qty, message: must not be negative}
effects:
  submit:
    - post: Probe Ledger
      if: total != 0
      date: add_days(posting_date, 1)
      rows:
        - {each: rows, as: r, if: r.amount != 0, set: {account: title, place: r.place, debit: r.amount}}
        - {if: total > 0, set: {account: '"Sales"', credit: total}}
      rounding: {max: 0.05, set: {account: 'concat("Rounding ", title)'}}
    - create: Probe Task
      as: task
      if: total > 100
      set: {subject: 'concat(title, " ", note)', due: posting_date}
      rows:
        steps: {each: rows, as: r, if: r.qty > 1, set: {what: r.what, qty: r.qty * 2}}
      submit: true
    - {set: {open: total > 0, note: task.subject}, if: task.due != ""}
    - update: Probe Place
      if: total > 5
      each: {from: Probe.rows, as: g, where: 'document.title == this.title && place.price > 1', group: {at: place}, sum: {paid: amount}, min: {least: qty}, max: {most: qty}, if: total > 0}
      record: place
      set: {price: record.price + total}
actions:
  settle:
    when: docstatus == 1 && open
    input:
      on: {type: date, default: "add_days(posting_date, 7)"}
      amount: {type: currency, required: true}
    steps:
      - post: Probe Ledger
        if: input.amount > 0
        date: input.on
        rows: [{each: rows, as: r, if: r.qty > 0, set: {account: title, debit: r.amount}}, {set: {account: title, credit: total}}]
        rounding: {max: 0.01, set: {account: title}}
      - create: Probe Task
        as: task
        if: input.amount > 1
        set: {subject: title, due: input.on}
        rows: {steps: [{each: rows, as: r, if: r.amount > 0, set: {what: r.what}}]}
      - {submit: task, if: task.due != ""}
      - update: Probe Place
        if: input.amount > 2
        each: {from: Probe Ledger, as: g, where: account == this.title && debit < input.amount, group: {at: place, on: posting_date}, sum: {paid: debit}, min: {least: credit}, max: {most: debit}, if: total > 0}
        record: place
        set: {price: record.price - total, since: input.on}
      - fill: extras
        if: input.amount > 3
        each: {from: Probe Task.steps, as: s, where: document.due < input.on && qty > 1}
        set: {what: s.what, qty: s.qty * 2}
      - {set: {open: input.amount < total}, if: input.amount > 0}
events:
  settled:
    when: docstatus == 1 && total == 0
    set: {settled_at: now()}
    data: {sum: total * 2, where: place.place_name}
invariants:
  - name: what is booked is what was ordered
    by: [place]
    terms:
      - {from: Probe Ledger, where: debit > 0, add: debit - credit}
      - {from: Probe.rows, where: parent.docstatus == 1, subtract: qty * rate, by: {place: place}}
permissions:
  rows:
    Clerk: owner == user.email
`
