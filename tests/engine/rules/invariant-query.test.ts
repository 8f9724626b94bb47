import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import { loadChecked } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { writeDoctypes } from '../documents/workspace.ts'

const invariants = suite('a mistake in an invariant')

/** The problem of one invariant, told when the YAML is loaded; undefined when it loads. */
function problemOf(invariant: string): string | undefined {
  const folder = writeDoctypes(`
doctype: Bill
module: setup
tier: free
submittable: true
fields:
  customer: {type: data}
  day: {type: date}
  paid: {type: currency}
  lines: {type: table, fields: {qty: {type: float}, what: {type: data}}}
invariants:
  - ${invariant}
`)
  try {
    loadChecked({ doctypes: [folder], hooks })
    return undefined
  } catch (error) {
    if (!(error instanceof DefinitionErrors)) throw error
    assert.is(error.problems.length, 1, error.message)
    const { file, line, message } = error.problems[0]!
    assert.is(file, join(folder, 'doctype-0.yaml'))
    assert.ok(line >= 11, `line ${line}`)
    return message
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const term = (text: string, by = 'customer'): string =>
  `{name: n, by: [${by}], terms: [{from: Bill, ${text}}]}`

for (const [title, text] of [
  ['one sum over records', term('add: paid')],
  [
    'a sum over rows by fields of their document',
    '{name: n, by: [what], terms: [{from: Bill.lines, where: parent.docstatus == 1, add: qty * parent.paid, by: {what: parent.customer}}]}',
  ],
  ['a sum of everything', '{name: n, terms: [{from: Bill, subtract: "1"}]}'],
  ['a condition on today', term('add: paid, where: day < today()')],
] as const) {
  invariants(`is not found in ${title}`, () => {
    assert.is(problemOf(text), undefined)
  })
}

for (const [title, text, expected] of [
  ['a DocType that is not there', '{name: n, terms: [{from: Bil, add: paid}]}', /no DocType "Bil"/],
  [
    'a table that is not there',
    '{name: n, terms: [{from: Bill.rows, add: qty}]}',
    /has no table "rows"/,
  ],
  ['no amount', term('where: paid > 0'), /needs either add or subtract/],
  ['two amounts', term('add: paid, subtract: paid'), /needs either add or subtract/],
  ['a text as amount', term('add: customer'), /expected a number, got str/],
  ['an unknown field', term('add: payed'), /payed/],
  ['a number as condition', term('add: paid, where: paid'), /bool|condition/],
  ['a key that is no field', term('add: paid', 'party'), /party/],
  ['a key that is a number', term('add: paid', 'paid'), /paid: expected a text or a link/],
  [
    'a key that by does not have',
    term('add: paid, by: {party: customer}'),
    /has no party in its by/,
  ],
  ['rows inside a record', term('add: "lines.sum(l, l.qty)"'), /cannot run in the database/],
  ['what only a write knows', term('add: paid - old.paid'), /old/],
  ['no terms', '{name: n, terms: []}', /at least one|fewer|minItems|must/],
] as const) {
  invariants(`is refused at load, with its line: ${title}`, () => {
    assert.match(problemOf(text) ?? 'it loads', expected)
  })
}

invariants.run()
