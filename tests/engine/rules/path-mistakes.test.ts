import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { checkRegistry } from '../../../engine/rules/program/check.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'

const test = suite('mistakes in what looks through links and finds')

const MASTER = `doctype: Master
module: crm
tier: free
naming: field:code
permissions: {fields: {price: {write: [System Manager]}}}
fields:
  code: {type: data, required: true}
  price: {type: currency}
  kind: {type: select, options: [A, B]}
  other: {type: link, options: Master}
  key: {type: password}
  facts: {type: json}
`

/** Path and message of each mistake, by the offset in its expression. */
function mistakesOf(keys: string): readonly string[] {
  const text = `doctype: Thing\nmodule: crm\ntier: free\nfields:\n  m: {type: link, options: Master}\n  d: {type: dynamic_link, options: k}\n  k: {type: data}\n${keys}`
  const { registry } = loadDefinitionTexts(
    [
      { path: 'master.yaml', text: MASTER },
      { path: 'thing.yaml', text },
    ],
    VOCABULARY,
  )
  return checkRegistry(registry).mistakes.map(
    ({ problem: { path, offset, message } }) => `${path.join('.')}:${offset} ${message}`,
  )
}

const FORMULA = 'fields.a.formula'
const HAVE =
  '(have: id, name, docstatus, created, modified, owner, modified_by, amended_from, code, price, kind, other, facts)'

for (const [what, keys, ...expected] of [
  [
    'a field that is not there',
    '  a: {type: currency, formula: 1 + m.prise}',
    `${FORMULA}:6 unknown field 'prise', did you mean 'price'? ${HAVE}`,
  ],
  [
    'a field that is not there two links on',
    '  a: {type: currency, formula: m.other.prise}',
    `${FORMULA}:8 unknown field 'prise', did you mean 'price'? ${HAVE}`,
  ],
  [
    'a way through what is no link',
    '  a: {type: currency, formula: m.code.price}',
    `${FORMULA}:7 m.code is a text and has no field 'price'`,
  ],
  [
    'a fourth link',
    '  a: {type: currency, formula: m.other.other.other.price}',
    `${FORMULA}:20 m.other.other.other has followed 3 links already, and no expression looks through more`,
  ],
  [
    'a fourth link at one moment',
    '  a: {type: currency, default: m.other.other.other.price}',
    'fields.a.default:20 m.other.other.other has followed 3 links already, and no expression looks through more',
  ],
  [
    'a constant that the field never is',
    '  a: {type: check, formula: m.kind == "C"}',
    `${FORMULA}:10 m.kind is never "C", did you mean "A"? (it is one of A, B)`,
  ],
  [
    'a secret, however far',
    '  a: {type: currency, formula: m.price}\nvalidate: [{check: m.price > 0, field: m, message: "{m.other.key}"}]',
    `validate.0.message:8 unknown field 'key' ${HAVE}`,
  ],
  [
    'json',
    '  a: {type: data, formula: m.facts}',
    `${FORMULA}:2 m.facts is json, which only has(m.facts) can look at`,
  ],
  [
    'a find as a value',
    '  a: {type: data, formula: f}\nfind: {f: {from: Master, match: k}}',
    `${FORMULA}:0 f has fields: write f.<field>`,
  ],
  [
    'a wrong condition of a find, once',
    '  a: {type: currency, formula: f.price}\n  b: {type: data, formula: f.kind}\nfind: {f: {from: Master, where: prize > 1}}',
    `find.f.where:0 unknown field 'prize', did you mean 'price'? ${HAVE.replace('facts)', 'key, facts, this)')}`,
  ],
  [
    'a wrong value of a match',
    '  a: {type: currency, formula: f.price}\nfind: {f: {from: Master, match: {code: m.prise}}}',
    `find.f.match.code:2 unknown field 'prise', did you mean 'price'? ${HAVE}`,
  ],
  [
    'a list of conditions',
    '  a: {type: currency, formula: f.price}\nfind: {f: {from: Master, where: [price > 1, prize > 1]}}',
    `find.f.where.1:0 unknown field 'prize', did you mean 'price'? ${HAVE.replace('facts)', 'key, facts, this)')}`,
  ],
  [
    'a path where nothing is kept',
    'permissions: {rows: {Sales User: m.price > 1}}',
    'permissions.rows.Sales User:2 m.price cannot be looked up here: this expression reads what is stored with its own record alone',
  ],
  [
    'a circle, told as its author says it',
    '  a: {type: data, formula: f.code}\nfind: {f: {from: Master, match: a}}',
    `${FORMULA}:0 formula cycle: f.code -> a -> f.code`,
  ],
] as const)
  test(`name ${what}`, () => assert.equal(mistakesOf(keys), expected))

test.run()
