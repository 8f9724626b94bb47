/** People, their jobs with a rollup and a formula over it, and payments of jobs. */
export const WORK = `
doctype: Person
module: crm
tier: free
naming: field:person_name
fields:
  person_name: {type: data, required: true}
  rate: {type: currency, default: 10}
  rounds: {type: int, rollup: {from: Job, match: person, sum: rounds, where: docstatus == 1}}
  worth: {type: currency, formula: rate * rounds}
  most: {type: int, default: 1000}
validate:
  - {check: rounds <= most, field: rounds, message: too many}
---
doctype: Job
resource: tasks-to-do
module: hr
tier: free
submittable: true
fields:
  person: {type: link, options: Person}
  hours: {type: int}
  rounds: {type: int, formula: hours * 2}
  paid: {type: currency, rollup: {from: Payment, match: job, sum: amount}}
  due: {type: currency, formula: person.rate * hours - paid}
  stamp: {type: currency, formula: due}
---
doctype: Payment
module: hr
tier: free
fields:
  job: {type: link, options: Job}
  amount: {type: currency}
`

/** The same before people had rollups. */
export const BARE = WORK.replace(/ {2}(rounds: .*from|worth).*\n/g, '').replace(
  /validate:\n.*\n/,
  '',
)
