import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { uncountedPostings } from '../../../engine/definition/check/uncounted-postings.ts'
import {
  type LoadedDefinitions,
  loadDefinitionTexts,
  loadLayers,
} from '../../../engine/definition/load/load.ts'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import type { SourceFile } from '../../../engine/definition/yaml/source.ts'
import { checkedProgram } from '../../../engine/index.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'
import { mistakesOf, thing } from './marked-files.ts'

const file = (path: string, text: string): SourceFile => ({ path, text: `${text}\n` })

/** A block for the word `receivable`, small enough to be read. */
const RECEIVABLE = file(
  'blocks/receivable.yaml',
  `parameters:
  doctype: {}
  party: {link: Customer}
  amount: {}
  due_date: {default: due_date}
declares: [receivable]
missing:
  fields:
    $due_date: {type: date, label: Until}
    money: {type: data}
  status: {field: status, derive: {Paid: left == 0, Unpaid: "true"}}
fields:
  left: {type: float, formula: $amount - 1}
  of: {type: data, formula: '"$doctype $party"'}`,
)
const CUSTOMER = file('customer.yaml', thing('fields: {title: {type: data}}', 'Customer'))
const OWN = `fields:
  customer: {type: link, options: Customer}
  total: {type: float}
  note: {type: data}`
const uses = (keys: string): SourceFile => file('thing.yaml', thing(keys))
const load = (...files: SourceFile[]): LoadedDefinitions =>
  loadDefinitionTexts([RECEIVABLE, CUSTOMER, ...files], VOCABULARY)

const pieces = suite('a piece')

pieces('is the block of its name behind the amount, for the DocType that says it', () => {
  const { registry } = load(uses(`receivable: {party: customer, amount: total}\n${OWN}`))
  const { fields, declares, behaviour } = registry.byDoctype('Thing')!
  assert.equal(
    fields.map(({ name }) => name),
    ['customer', 'total', 'due_date', 'money', 'left', 'of', 'note', 'status'],
  )
  assert.is(fields[5]?.formula, '"Thing customer"')
  assert.equal(declares, ['receivable'])
  assert.equal(Object.keys(behaviour.status?.derive ?? {}), ['Paid', 'Unpaid'])
})

pieces('takes what it needs from the DocType, and changes nothing of it', () => {
  const { registry } = load(
    uses(`receivable: {party: customer, amount: total, due_date: last}
${OWN}
  last: {type: date, label: Last Day}
  money: {type: float}
  left: {label: Open}
status: {field: state, derive: {New: "true"}}`),
  )
  const { fields, behaviour } = registry.byDoctype('Thing')!
  const labels = Object.fromEntries(fields.map(({ name, label, type }) => [name, [label, type]]))
  assert.equal(labels.last, ['Last Day', 'date'])
  assert.equal(labels.money, ['Money', 'float'])
  assert.equal(labels.left, ['Open', 'float'])
  assert.equal(Object.keys(behaviour.status?.derive ?? {}), ['New'])
})

pieces('is told at its words where they are wrong', () => {
  const told = (piece: string, ...expected: string[]): void =>
    assert.equal(mistakesOf([RECEIVABLE, CUSTOMER, uses(`receivable: ${piece}\n${OWN}`)]), expected)
  told(
    '{party: custmer, amount: total}',
    'thing.yaml:4:21: no field custmer; did you mean customer?',
  )
  told(
    '{party: note, amount: total}',
    'thing.yaml:4:21: expected a field that links to Customer, got note (data)',
  )
  told('{amount: total}', 'thing.yaml:4:1: needs the key party')
  const [line] = mistakesOf([
    RECEIVABLE,
    CUSTOMER,
    uses(`receivable: {party: customer, amount: totl}\n${OWN}`),
  ])
  assert.is(line, 'thing.yaml:4:39: no field totl to stand behind; did you mean total?')
})

pieces('is not taken twice', () => {
  const base = [RECEIVABLE, CUSTOMER, uses(`receivable: {party: customer, amount: total}\n${OWN}`)]
  const over = file(
    'own/thing.yaml',
    'doctype: Thing\nextend: true\nreceivable: {party: customer, amount: total}',
  )
  assert.throws(
    () => loadLayers([base, [over]], VOCABULARY, []),
    (error: Error) =>
      error instanceof DefinitionErrors &&
      error.message.includes('own/thing.yaml:3:1: the DocType has it already; change its fields'),
  )
})

const declared = suite('DocTypes that declare a name')

const PAYMENT = file(
  'payment.yaml',
  thing(
    `fields:
  kind: {type: select, options: [Other], declaring: [receivable]}
  paid: {type: dynamic_link, options: kind}
  left: {type: float, lookup: {match: paid, value: left, at: draft}}
invariants:
  - name: nothing is left
    by: [of]
    terms:
      - {declaring: receivable, add: left}
      - {from: Payment, subtract: left, by: {of: kind}}`,
    'Payment',
  ),
)

declared('are options of a select, terms of an invariant', () => {
  const loaded = load(
    PAYMENT,
    uses(`receivable: {party: customer, amount: total}\n${OWN}`),
    file(
      'other.yaml',
      thing(`receivable: {party: customer, amount: total}\n${OWN}`, 'Another Thing'),
    ),
  )
  const payment = loaded.registry.byDoctype('Payment')!
  assert.equal(payment.fields[0]?.options, ['Other', 'Another Thing', 'Thing'])
  const { invariants } = checkedProgram(loaded).behaviourOf(payment)
  assert.equal(
    invariants[0]?.terms.map(({ origin }) => origin.source.doctype),
    ['Another Thing', 'Thing', 'Payment'],
  )
})

declared('are asked by selects alone, and a lookup without from goes by a link', () => {
  const wrong = (fields: string): string[] =>
    mistakesOf([RECEIVABLE, CUSTOMER, uses(`fields:\n${fields}`)])
  assert.equal(wrong('  a: {type: data, declaring: [receivable]}'), [
    'thing.yaml:5:19: is for a select, not for the type data; remove it',
  ])
  assert.equal(wrong('  a: {type: data}\n  b: {type: int, lookup: {match: a, value: x}}'), [
    'thing.yaml:6:34: expected a link or dynamic link, since there is no from, got a (data)',
  ])
  assert.equal(
    wrong('  a: {type: link, options: Customer}\n  b: {type: int, lookup: {match: a, value: x}}'),
    ['thing.yaml:6:44: Customer has no field "x"'],
  )
})

const postings = suite('a posting of what a ledger counts')

const LEDGER = file(
  'ledger.yaml',
  thing(
    `ledger: {counts: [party]}
fields: {account: {type: data}, party: {type: data}, amount: {type: float}}
invariants: [{name: right, terms: [{declaring: receivable, add: left}, {from: Counted, add: n}]}]`,
    'Book',
  ),
)
const posting = (set: string): string =>
  `submittable: true\neffects:\n  submit:\n    - post: Book\n      rows:\n        - set: ${set}`
const COUNTED = file(
  'counted.yaml',
  thing(
    `${posting('{party: who, amount: n}')}\nfields: {who: {type: data}, n: {type: float}}`,
    'Counted',
  ),
)

postings('is warned of at its line, where no invariant counts the DocType', () => {
  const warnings = (keys: string): string[] => {
    const { registry, positions } = load(LEDGER, COUNTED, uses(keys))
    return uncountedPostings(registry, positions).map(
      ({ file: name, line, column, message }) => `${name}:${line}:${column}: ${message}`,
    )
  }
  const [line = '', ...more] = warnings(`${posting('{party: customer, amount: total}')}\n${OWN}`)
  assert.equal(more, [])
  assert.match(
    line,
    /^thing\.yaml:9:24: warning: posts to Book with a party, .* declare receivable:/,
  )
  assert.equal(warnings(`${posting('{account: note, amount: total}')}\n${OWN}`), [])
  const piece = 'receivable: {party: customer, amount: total}'
  assert.equal(warnings(`${piece}\n${posting('{party: customer, amount: total}')}\n${OWN}`), [])
})

pieces.run()
declared.run()
postings.run()
