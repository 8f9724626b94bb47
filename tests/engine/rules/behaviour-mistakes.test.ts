import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { checkRegistry } from '../../../engine/rules/program/check.ts'
import { ruleErrors } from '../../../engine/rules/program/rule-errors.ts'

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
  kind: {type: data}
  about: {type: dynamic_link, options: kind}
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
  channel: {type: select, options: [note, post]}
  rows: {type: table, options: Slip Row, fields: {part: {type: data}, cost: {type: currency}, code: {type: password}}}
  status: {type: select, options: [Draft, Done]}
`
/** Goes on with the fields of HEAD. */
const MADE =
  '  made: {type: table, options: Made Row, rows: {ROWS}, fields: {part: {type: data}, twice: {type: data, formula: part + part}}}\n'
const DERIVED = 'status: {field: status, derive: {Done: docstatus == 1, Draft: "true"}}\n'

/** What is said about the declarations below HEAD: line and message. */
function mistakesOf(behaviour: string): string[] {
  const loaded = loadDefinitionTexts([
    { path: 'book.yaml', text: LEDGER },
    { path: 'note.yaml', text: OTHER },
    { path: 'slip.yaml', text: HEAD + behaviour },
  ])
  return checkRegistry(loaded.registry)
    .mistakes.flatMap(({ definition, problem }) =>
      ruleErrors(definition, [problem], loaded.mistakeAt),
    )
    .map(({ file, line, message }) => `${file}:${line}: ${message.split('  in  ')[0]}`)
}

const test = suite('a mistake in declared behaviour')

const CASES: readonly (readonly [what: string, yaml: string, message: RegExp])[] = [
  [
    'a condition of what is unique that reads the clock',
    'unique: [{fields: [note, amount], where: docstatus < 2 && seen_at < now()}]',
    /slip\.yaml:13: the condition of an index compares stored fields with literals/,
  ],
  [
    'a condition of what is unique that compares two fields',
    'unique: [{fields: [note, amount], where: docstatus == 1 || amount > 0}]',
    /slip\.yaml:13: the condition of an index compares stored fields with literals/,
  ],
  [
    'a message that would tell a secret of a row',
    'validate: [{each: rows, check: cost > 0, field: cost, message: "{part}: {code}"}]',
    /slip\.yaml:13: unknown field 'code'/,
  ],
  [
    'a message that would tell a secret behind a link',
    'validate: [{check: amount > 0, field: amount, message: "{note.text} {note.pin}"}]',
    /slip\.yaml:13: unknown field 'pin'/,
  ],
  [
    'a posting to what is no ledger',
    'effects: {submit: [{post: Note, rows: [{set: {text: "name"}}]}]}',
    /slip\.yaml:13: expected a DocType with `ledger`, got "Note"/,
  ],
  [
    'a column that the ledger lacks',
    'effects: {submit: [{post: Book, rows: [{set: {acount: "name"}}]}]}',
    /slip\.yaml:13: no field "acount" \(have: account, debit, credit/,
  ],
  [
    'one of several conditions of what is gone through',
    'actions: {act: {steps: [{create: Note, each: {from: Note, as: n, where: [text != "", colour == 1]}, set: {text: n.text}}]}}',
    /slip\.yaml:13:.*unknown field 'colour'/,
  ],
  [
    'a condition on what is proposed',
    'proposed: colour == 1',
    /slip\.yaml:13: unknown field 'colour'/,
  ],
  [
    'an option that there is not',
    'actions: {act: {steps: [{set: {status: Doone}}]}}',
    /slip\.yaml:13: expected one of Draft, Done, got "Doone"; did you mean Done\?/,
  ],
  [
    'a word that is an option and a field',
    'actions: {act: {steps: [{set: {channel: note}}]}}',
    /slip\.yaml:13: note is an option of channel and a field; write '"note"' for the option, \(note\) for the field/,
  ],
  [
    'a DocType that there is not',
    'actions: {act: {steps: [{create: Note, set: {kind: Slipp}}]}}',
    /slip\.yaml:13: expected the name of a DocType, or an expression, got "Slipp"/,
  ],
  [
    'an option that there is not, set by an event',
    'events: {done: {when: amount > 5, set: {channel: Mail}}}',
    /slip\.yaml:13: expected one of note, post, got "Mail"/,
  ],
  [
    'rows of a table that is not there',
    'effects: {submit: [{post: Book, rows: [{each: lines, as: l, set: {debit: amount}}]}]}',
    /slip\.yaml:13: no table "lines"/,
  ],
  [
    'going through a table that is not there',
    'effects: {submit: [{create: Note, each: {table: lines, as: l}, set: {text: name}}]}',
    /slip\.yaml:13: no table "lines"/,
  ],
  [
    'going through what is no DocType',
    'effects: {submit: [{create: Note, each: {from: Nope, as: n}, set: {text: n.name}}]}',
    /slip\.yaml:13: expected a DocType with records, or Doctype.table, got "Nope"/,
  ],
  [
    'going through a table that the DocType lacks',
    'effects: {submit: [{create: Note, each: {from: Slip.lines, as: n}}]}',
    /slip\.yaml:13: Slip has no table "lines"/,
  ],
  [
    'going through a table and a query at once',
    'effects: {submit: [{create: Note, each: {from: Slip, table: rows}}]}',
    /slip\.yaml:13: needs either table \(own rows\) or from \(a query\)/,
  ],
  [
    'a condition on the rows of a table',
    'effects: {submit: [{create: Note, each: {table: rows, where: "true"}}]}',
    /slip\.yaml:13: is for what a query finds \(from\); the rows of a table are all taken/,
  ],
  [
    'a name that means something else',
    'effects: {submit: [{create: Note, each: {table: rows, as: this}}]}',
    /slip\.yaml:13: "this" cannot name what is gone through/,
  ],
  [
    'two names for what is gone through',
    'effects: {submit: [{post: Book, rows: [{each: {table: rows, as: r}, as: s, set: {debit: r.cost}}]}]}',
    /slip\.yaml:13: stands in `each` already; remove one of them/,
  ],
  [
    'a name for several created records',
    'effects: {submit: [{create: Note, as: note, each: {table: rows, as: r}}]}',
    /slip\.yaml:13: there is no single record to name; `as` inside `each` names the row/,
  ],
  [
    'an order by what is not there',
    'effects: {submit: [{create: Note, each: {from: Note, order: [text, -age]}}]}',
    /slip\.yaml:13: no field "age" \(have: id, name/,
  ],
  [
    'what no database computes in a query',
    'effects: {submit: [{create: Note, each: {from: Slip, where: "rows.exists(r, r.cost > 0)"}}]}',
    /slip\.yaml:13: exists\(\) over rows cannot run in the database/,
  ],
  [
    'a sum of texts',
    'effects: {submit: [{create: Note, each: {from: Note, as: g, sum: {all: text}}, set: {text: g.name}}]}',
    /slip\.yaml:13: expected a number, got str/,
  ],
  [
    'a field that a group does not have',
    'effects: {submit: [{create: Note, each: {from: Note, as: g, group: [size]}, set: {text: g.text}}]}',
    /slip\.yaml:13: unknown field 'text'/,
  ],
  [
    'two values of a group with one name',
    'effects: {submit: [{create: Note, each: {from: Note, as: g, group: [size], sum: {size: size}}}]}',
    /slip\.yaml:13: "size" is no new name/,
  ],
  [
    'an update of a ledger',
    'effects: {submit: [{update: Book, record: name, set: {debit: amount}}]}',
    /slip\.yaml:13: expected a DocType whose records are written, got "Book"/,
  ],
  [
    'an update of no record',
    'effects: {submit: [{update: Note, set: {size: "1"}}]}',
    /slip\.yaml:13: needs `record` \(which one\), and `set`, `rows` or `submit` \(what becomes of it\)/,
  ],
  [
    'an update that is repeated for nothing that could change',
    'effects: {submit: [{update: Note, record: note, set: {size: "1"}, repeat: true}]}',
    /slip\.yaml:13: is for an update of fields alone, for each that a query finds/,
  ],
  [
    'an update that a cancel could not take back',
    'effects: {submit: [{update: Note, record: note, rows: {lines: {set: {text: name}}}}]}',
    /slip\.yaml:13: is for actions: a cancel could not tell which rows to take back/,
  ],
  [
    'an option that there is not',
    'actions: {act: {steps: [{set: {status: Doone}}]}}',
    /slip\.yaml:13: expected one of Draft, Done, got "Doone"; did you mean Done\?/,
  ],
  [
    'a word that is an option and a field',
    'actions: {act: {steps: [{set: {channel: note}}]}}',
    /slip\.yaml:13: note is an option of channel and a field; write '"note"' for the option, \(note\) for the field/,
  ],
  [
    'a DocType that there is not',
    'actions: {act: {steps: [{create: Note, set: {kind: Slipp}}]}}',
    /slip\.yaml:13: expected the name of a DocType, or an expression, got "Slipp"/,
  ],
  [
    'an option that there is not, set by an event',
    'events: {done: {when: amount > 5, set: {channel: Mail}}}',
    /slip\.yaml:13: expected one of note, post, got "Mail"/,
  ],
  [
    'rows of a table that is not there',
    'actions: {get: {steps: [{update: Note, record: note, rows: {lines: {set: {text: name}}}}]}}',
    /slip\.yaml:13: Note has no table lines/,
  ],
  [
    'a submit of what is never submitted',
    'effects: {submit: [{update: Note, record: name, submit: true}]}',
    /slip\.yaml:13: Note is not submittable/,
  ],
  [
    'an update of a derived status',
    'effects: {submit: [{update: Slip, record: amended_from, set: {status: "\'Done\'"}}]}\n' +
      DERIVED,
    /slip\.yaml:13: cannot be set: it is derived/,
  ],
  [
    'an update of what a formula computes',
    'effects: {submit: [{update: Note, record: note, set: {twice: "2"}}]}',
    /slip\.yaml:13: cannot be set: it has formula/,
  ],
  [
    'a fill of what is no table',
    'actions: {get: {steps: [{fill: note, each: {from: Note}, set: {part: name}}]}}',
    /slip\.yaml:13: no table "note"/,
  ],
  [
    'a fill by a submit',
    'effects: {submit: [{fill: rows, each: {from: Note, as: n}, set: {part: n.text}}]}',
    /slip\.yaml:13: is for actions: a submit leaves the rows as they are/,
  ],
  [
    'a number for what is no text',
    'effects: {submit: [{number: amount, pattern: name}]}',
    /slip\.yaml:13: expected a text field, got "amount"/,
  ],
  [
    'a number that callers may set',
    'effects: {submit: [{number: status, pattern: name}]}',
    /slip\.yaml:13: status has to be readOnly and no_copy/,
  ],
  [
    'a fill of nothing',
    'actions: {get: {steps: [{fill: rows, set: {part: name}}]}}',
    /slip\.yaml:13: needs `each` \(what rows are made of\) and `set` \(their fields\)/,
  ],
  [
    'a submit that never ends',
    'effects: {submit: [{create: Slip, submit: true}]}',
    /slip\.yaml:13: a submit would never end: Slip -> Slip/,
  ],
  [
    'a schedule for no record',
    'actions: {go: {every: day, steps: [{set: {amount: "1"}}]}}',
    /slip\.yaml:13: needs `when`, which says what records it is run for/,
  ],
  [
    'a schedule whose records no database finds',
    'actions: {go: {every: hour, when: "rows.exists(r, r.cost > amount)"}}',
    /slip\.yaml:13: exists\(\) over rows cannot run in the database/,
  ],
  [
    'a schedule for records that links decide about',
    'actions: {go: {every: day, when: note.size > 2}}',
    /slip\.yaml:13: note is a str and has no field 'size'|slip\.yaml:13: .*size/,
  ],
  [
    'a schedule that waits for input',
    'actions: {go: {every: day, when: amount > 2, input: {how: {type: data, required: true}}}}',
    /slip\.yaml:13: is required, but nobody sends input to a scheduled action/,
  ],
  [
    'grouping by what is not set',
    'effects: {submit: [{post: Book, rows: [{group: [account], set: {debit: amount}}]}]}',
    /slip\.yaml:13: set has no account to group by/,
  ],
  [
    'a computed field that is set',
    'effects: {submit: [{create: Note, set: {twice: "2"}}]}',
    /slip\.yaml:13: cannot be set: it has formula/,
  ],
  [
    'submitting what cannot be',
    'effects: {submit: [{create: Note, submit: true}]}',
    /slip\.yaml:13: Note is not submittable/,
  ],
  [
    'a step that does nothing',
    'effects: {submit: [{if: amount > 0}]}',
    /slip\.yaml:13: needs one of post, create, duplicate, update, fill, change, set, number or submit/,
  ],
  [
    'submitting what nothing created',
    'actions: {go: {steps: [{submit: note}]}}',
    /slip\.yaml:13: expected the `as` of an earlier step/,
  ],
  [
    'moving a derived status',
    `${DERIVED}actions: {go: {moves: Done}}`,
    /slip\.yaml:14: only a chosen status \(status\.flow\) can be moved/,
  ],
  [
    'an event without a cause',
    'events: {odd: {data: [amount]}}',
    /slip\.yaml:13: needs trigger or when/,
  ],
  [
    'an event that decides about itself',
    'events: {seen: {when: seen_at == "", set: {seen_at: now()}}}',
    /slip\.yaml:13: reads seen_at, which an event sets/,
  ],
  [
    'an event that decides about itself through a formula',
    'events: {seen: {when: "!was_seen", set: {seen_at: now()}}}',
    /slip\.yaml:13: reads was_seen, which is computed from what an event sets/,
  ],
  ...['note.pin', 'rows.exists(r, r.code == "1")'].map(
    (expression) =>
      [
        `an event that tells a secret by ${expression}`,
        `events: {made: {trigger: create, data: {told: '${expression}'}}}`,
        /slip\.yaml:13: reads \w+\.\w+, which is kept secret; leave it out/,
      ] as const,
  ),
  [
    'an input that is a table',
    'actions: {go: {input: {list: {type: table, options: Slip Row}}, steps: []}}',
    /slip\.yaml:13:37: a table cannot be inside a table/,
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
  const [mistake] = checkRegistry(loaded.registry).mistakes
  assert.match(
    mistake?.problem.message ?? '',
    /the value follows from itself: .*Alpha\.size -> Beta\.size -> Beta\.total -> Alpha\.size|Beta\.size -> Beta\.total -> Alpha\.size -> Beta\.size|Beta\.total -> Alpha\.size -> Beta\.size -> Beta\.total/,
  )
})

test('in rows that are made of other rows has its place', () => {
  const told = (rows: string): string[] =>
    mistakesOf(`${MADE.replace('ROWS', rows)}actions: {go: {steps: [{set: {amount: 1}}]}}\n`)
  const set = 'set: {part: r.part}'
  const cases: readonly (readonly [string, RegExp])[] = [
    [`each: lines, as: r, ${set}`, /expected another table of the record, got "lines"/],
    [`each: made, as: r, ${set}`, /expected another table of the record, got "made"/],
    ['each: rows, as: r, set: {prt: r.part}', /no field "prt" \(have: part, twice\)/],
    ['each: rows, as: r, set: {twice: r.part}', /cannot be set: it has formula/],
    ['each: rows, as: r, set: {part: r.prt}', /unknown field 'prt', did you mean 'part'/],
    [`each: rows, as: r, if: r.cost, ${set}`, /expected a condition|expected true or false|bool/],
    [
      `each: rows, as: r, within: {each: part.x, as: p}, ${set}`,
      /expected a link of the row, a dot and a table of the record behind it: part is no link of the row/,
    ],
  ]
  for (const [rows, message] of cases) {
    const [first = '', ...more] = told(rows)
    assert.match(first, message)
    assert.match(first, /^slip\.yaml:13: /)
    assert.equal(more, [])
  }
  assert.equal(told(`each: rows, as: r, if: r.cost > 0, ${set}`), [])
  const list = `[{each: rows, as: r, ${set}}, {each: rows, as: r, if: r.x, ${set}}]`
  const [unknown = '', ...more] = mistakesOf(
    `${MADE.replace('{ROWS}', list)}actions: {go: {steps: [{set: {amount: 1}}]}}\n`,
  )
  assert.match(unknown, /^slip\.yaml:13: unknown field 'x'/)
  assert.equal(more, [])
})

test('in what is added up is told once, not again where its sum is named', () => {
  const told = (values: string, set: string): string[] =>
    mistakesOf(
      `effects:\n  submit:\n    - create: Note\n      each: {from: Note, as: g, ${values}}\n      set: {${set}}\n`,
    )
  const unknown = ["slip.yaml:16: unknown field 'sise', did you mean 'size'? (have: …)"]
  const short = (messages: string[]): string[] =>
    messages.map((message) => message.replace(/\(have: .*\)/, '(have: …)'))
  assert.equal(short(told('sum: {all: sise}', 'size: g.all * 2')), unknown)
  assert.equal(short(told('group: {by: sise}', 'text: g.by, size: size(g.by)')), unknown)
  assert.equal(short(told('group: {by: text}, sum: {all: sise}', 'text: g.by')), unknown)
  // What nothing could make right is told beside it.
  assert.equal(
    told('sum: {all: sise}', 'size: g.all * g.al')[1],
    "slip.yaml:17: unknown field 'al', did you mean 'all'? (have: all)",
  )
  assert.match(told('sum: {all: sise}', 'size: g.all + true')[1] ?? '', /slip\.yaml:17: /)
  // A misspelt name to group by stands for a field of what is found; naming it so again is a mistake of its own.
  assert.equal(short(told('group: [sise], order: -size', 'text: g.text, size: g.size')), unknown)
  assert.equal(short(told('group: [text], sum: {all: sise}, order: all', 'size: g.all')), unknown)
  assert.equal(short(told('group: [sise]', 'size: g.sise')), [
    unknown[0],
    "slip.yaml:17: unknown field 'sise' (have: …)",
  ])
})

test.run()
