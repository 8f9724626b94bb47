import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load.ts'
import { checkRegistry } from '../../../engine/rules/behaviour.ts'
import { ruleErrors } from '../../../engine/rules/rule-errors.ts'

const LEDGER = `doctype: Book
module: accounts
tier: free
naming: uuid
ledger: {balance: [debit, credit]}
fields:
  account: {type: data}
  debit: {type: currency}
  credit: {type: currency}
`
const OTHER = `doctype: Note
module: crm
tier: free
fields:
  text: {type: data}
  size: {type: int}
  twice: {type: int, formula: size * 2}
  pin: {type: password}
`
const HEAD = `doctype: Slip
module: billing
tier: free
submittable: true
fields:
  amount: {type: currency}
  note: {type: link, options: Note}
  seen_at: {type: datetime, readOnly: true}
  was_seen: {type: check, formula: 'seen_at != ""'}
  rows: {type: table, options: Slip Row, fields: {part: {type: data}, cost: {type: currency}, code: {type: password}}}
  status: {type: select, options: [Draft, Done]}
`
const DERIVED = 'status: {field: status, derive: {Done: docstatus == 1, Draft: "true"}}\n'

/** What is said about the declarations below HEAD: line and message. */
function mistakesOf(behaviour: string): string[] {
  const loaded = loadDefinitionTexts([
    { path: 'book.yaml', text: LEDGER },
    { path: 'note.yaml', text: OTHER },
    { path: 'slip.yaml', text: HEAD + behaviour },
  ])
  return checkRegistry(loaded.registry)
    .flatMap(({ definition, problem }) => ruleErrors(definition, [problem], loaded.positions))
    .map(({ file, line, message }) => `${file}:${line}: ${message.split('  in  ')[0]}`)
}

const test = suite('a mistake in declared behaviour')

const CASES: readonly (readonly [what: string, yaml: string, message: RegExp])[] = [
  [
    'a condition of what is unique that reads the clock',
    'unique: [{fields: [note, amount], where: docstatus < 2 && seen_at < now()}]',
    /slip\.yaml:12: the condition of an index compares stored fields with literals/,
  ],
  [
    'a condition of what is unique that compares two fields',
    'unique: [{fields: [note, amount], where: docstatus == 1 || amount > 0}]',
    /slip\.yaml:12: the condition of an index compares stored fields with literals/,
  ],
  [
    'a posting to what is no ledger',
    'effects: {submit: [{post: Note, rows: [{set: {text: "name"}}]}]}',
    /slip\.yaml:12: expected a DocType with `ledger`, got "Note"/,
  ],
  [
    'a column that the ledger lacks',
    'effects: {submit: [{post: Book, rows: [{set: {acount: "name"}}]}]}',
    /slip\.yaml:12: no field "acount" \(have: account, debit, credit/,
  ],
  [
    'rows of a table that is not there',
    'effects: {submit: [{post: Book, rows: [{each: lines, as: l, set: {debit: amount}}]}]}',
    /slip\.yaml:12: no table "lines"/,
  ],
  [
    'grouping by what is not set',
    'effects: {submit: [{post: Book, rows: [{group: [account], set: {debit: amount}}]}]}',
    /slip\.yaml:12: set has no account to group by/,
  ],
  [
    'a computed field that is set',
    'effects: {submit: [{create: Note, set: {twice: "2"}}]}',
    /slip\.yaml:12: cannot be set: it has formula/,
  ],
  [
    'submitting what cannot be',
    'effects: {submit: [{create: Note, submit: true}]}',
    /slip\.yaml:12: Note is not submittable/,
  ],
  [
    'a step that does nothing',
    'effects: {submit: [{if: amount > 0}]}',
    /slip\.yaml:12: needs one of post, create, set or submit/,
  ],
  [
    'submitting what nothing created',
    'actions: {go: {steps: [{submit: note}]}}',
    /slip\.yaml:12: expected the `as` of an earlier step/,
  ],
  [
    'moving a derived status',
    `${DERIVED}actions: {go: {moves: Done}}`,
    /slip\.yaml:13: only a chosen status \(status\.flow\) can be moved/,
  ],
  [
    'an event without a cause',
    'events: {odd: {data: [amount]}}',
    /slip\.yaml:12: needs on or when/,
  ],
  [
    'an event that decides about itself',
    'events: {seen: {when: seen_at == "", set: {seen_at: now()}}}',
    /slip\.yaml:12: reads seen_at, which an event sets/,
  ],
  [
    'an event that decides about itself through a formula',
    'events: {seen: {when: "!was_seen", set: {seen_at: now()}}}',
    /slip\.yaml:12: reads was_seen, which is computed from what an event sets/,
  ],
  ...['note.pin', 'rows.exists(r, r.code == "1")'].map(
    (expression) =>
      [
        `an event that tells a secret by ${expression}`,
        `events: {made: {on: create, data: {told: '${expression}'}}}`,
        /slip\.yaml:12: reads \w+\.\w+, which is kept secret; leave it out/,
      ] as const,
  ),
  [
    'an input that is a table',
    'actions: {go: {input: {list: {type: table, options: Slip Row}}, steps: []}}',
    /slip\.yaml:12:37: a table cannot be inside a table/,
  ],
]

for (const [what, yaml, message] of CASES) {
  test(`${what} is told with its place`, () => {
    let told: string[]
    try {
      told = mistakesOf(yaml)
    } catch (error) {
      // Some are seen before expressions are looked at.
      told = String((error as Error).message).split('\n')
    }
    assert.ok(
      told.some((line) => message.test(line)),
      `expected ${message}, got ${JSON.stringify(told)}`,
    )
  })
}

test('a value that follows from itself by way of another DocType is told at its rollup', () => {
  const loaded = loadDefinitionTexts([
    {
      path: 'a.yaml',
      text: `doctype: Alpha
module: crm
tier: free
fields:
  beta: {type: link, options: Beta}
  size: {type: float, rollup: {from: Beta, match: alpha, sum: size}}
`,
    },
    {
      path: 'b.yaml',
      text: `doctype: Beta
module: crm
tier: free
fields:
  alpha: {type: link, options: Alpha}
  total: {type: float, rollup: {from: Alpha, match: beta, sum: size}}
  size: {type: float, formula: total + 1}
`,
    },
  ])
  const [mistake] = checkRegistry(loaded.registry)
  assert.match(
    mistake?.problem.message ?? '',
    /the value follows from itself: .*Alpha\.size -> Beta\.size -> Beta\.total -> Alpha\.size|Beta\.size -> Beta\.total -> Alpha\.size -> Beta\.size|Beta\.total -> Alpha\.size -> Beta\.size -> Beta\.total/,
  )
})

test.run()
