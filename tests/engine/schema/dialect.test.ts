import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import type { Dialect } from '../../../engine/schema/dialect/dialect.ts'
import { heard } from '../../../engine/schema/dialect/heard.ts'
import { loadDialect } from '../../../engine/schema/dialect/load-dialect.ts'
import { addShownNames } from '../../../engine/schema/dialect/shown-names.ts'
import { contradictions } from '../../../engine/schema/dialect/stated.ts'

const { registry } = loadDefinitionTexts([
  {
    path: 'crate.yaml',
    text: `
doctype: Crate
module: stock
tier: free
submittable: true
fields:
  off: {type: currency}
  kept: {type: currency}
  kept_there: {type: currency, formula: kept * 2}
  mail: {type: data}
  shop: {type: data}
  ordered: {type: data}
  done: {type: percent}
  total: {type: currency, formula: 'rows.sum(r, r.amount)'}
  rows:
    type: table
    options: Crate Row
    fields:
      rate: {type: currency}
      list: {type: currency}
      after: {type: int}
      kind: {type: data}
      amount: {type: currency, formula: rate * 2}
actions:
  empty: {steps: [{set: {off: 0}}]}
`,
  },
])
const crate = registry.byDoctype('Crate')!

const dialect = suite('a dialect')
let folder: string
dialect.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-dialect-'))
})
dialect.after.each(() => rmSync(folder, { recursive: true, force: true }))

function load(text: string): Dialect {
  mkdirSync(join(folder, 'setup/dialects'), { recursive: true })
  writeFileSync(join(folder, 'setup/dialects/site.yaml'), text)
  return loadDialect([folder], registry)
}

const spoken = (): Dialect =>
  load(`
documents:
  - of: [Crate]
    take:
      off: {from: discount, unsigned: true}
      kept: amount_there
      mail: {from: mails, column: mail, mark: main}
      shop: {from: rows, column: shop, alike: true}
      ordered: {from: refs, column: name, only: {kind: [Order]}}
    show: {kept: kept_there, how_far: {field: done, words: [Not, Partly, Fully]}}
    refuse: [coupon, off]
  - of: [Crate Row]
    take: {after: row_id, rate: {from: less_by, less: list}, list: {from: price, when: {kind: [Fixed]}}}
methods:
  box.doctype: {Crate: {make_empty: empty}}
  box.of: {make: {Crate: empty}, kind: dt, name: dn}
  box.sum: [{read: Crate, needs: [shop], sum: {off: 1}, where: [[shop, '=', shop]]}]
  box.new: {fill: doctype, otherwise: {'': Crate}, set: {shop: shop}, value: [shop]}
`)

const body = (sent: object, current?: object) =>
  heard(spoken(), crate, sent as Record<string, unknown>, current as Record<string, unknown>)

dialect('is none where no folder has the file', () => {
  const none = loadDialect([folder], registry)
  assert.equal([none.of('Crate'), none.methods.size], [undefined, 0])
})

dialect('takes names for fields, in their own words', () => {
  assert.equal(body({ discount: '-5' }).body, { off: 5 })
  assert.equal(body({ mails: [{ mail: 'a' }, { mail: 'b', main: 1 }] }).body.mail, 'b')
  const { body: ordered } = body({
    refs: [
      { kind: 'Order', name: 'O-1' },
      { kind: 'Bill', name: 'B' },
    ],
  })
  assert.equal([ordered.ordered, ordered.refs], ['O-1', [{ kind: 'Bill', name: 'B' }]])
  const rows = [{ row_id: 1, list: 20, less_by: 5 }, { price: 3, kind: 'Fixed' }, { price: 3 }]
  assert.equal(body({ rows }).body.rows, [
    { list: 20, after: 1, rate: 15 },
    { kind: 'Fixed', list: 3 },
    {},
  ])
})

dialect('lets the own name of a field go before, unless it is that of another field there', () => {
  assert.equal(body({ discount: 5, off: 7 }).body, { off: 7 })
  assert.equal(body({ amount_there: 5, kept: 10 }).body, { kept: 5 })
  assert.equal(body({ kept: 10 }).body, { kept: 10 })
})

dialect('hears nothing in what comes back as it was read', () => {
  const was = {
    kept: 10,
    amount_there: 5,
    coupon: 'X',
    total: 4,
    rows: [{ name: 'r1', amount: 4 }],
  }
  const sent = { ...was, rows: [{ name: 'r1', amount: 4 }] }
  const { body: left, problems, stated } = body(sent, was)
  assert.equal([left.kept, left.off, problems, stated], [undefined, undefined, [], []])
})

dialect('refuses by name what says something, and what rows do not agree on', () => {
  const told = (sent: object) => body(sent).problems.map(({ field }) => field)
  assert.equal(told({ coupon: 'SPRING' }), ['coupon'])
  assert.equal(told({ coupon: '' }), [])
  assert.equal(told({ coupon: 'No' }), [])
  // The DocType has it: it is taken.
  assert.equal(told({ off: 5 }), [])
  assert.equal(told({ rows: [{ shop: 'a' }, { shop: 'b' }] }), ['rows'])
  assert.equal(told({ rows: [{ shop: 'a' }, {}, { shop: 'a' }] }), [])
  assert.equal(told({ rows: [{ less_by: 5 }] }), ['rows[0].less_by'])
  assert.equal(
    told({
      refs: [
        { kind: 'Order', name: 1 },
        { kind: 'Order', name: 2 },
      ],
    }),
    ['refs'],
  )
})

dialect('holds amounts that are stated of computed fields against the record', () => {
  const { stated } = body({ total: 226.1, kept: 9, rows: [{ amount: '5' }, { amount: 0 }] })
  const wrong = (record: object) =>
    contradictions(stated, record as Record<string, unknown>).map(({ field }) => field)
  assert.equal(wrong({ total: 226.1, kept_there: 9, rows: [{ amount: 5 }, { amount: 7 }] }), [])
  assert.equal(wrong({ total: 226.11, kept_there: 9, rows: [{ amount: 5 }] }), [])
  assert.equal(wrong({ total: 238, kept_there: 10, rows: [{ amount: 4 }] }), [
    'total',
    'kept',
    'rows[0].amount',
  ])
})

dialect('shows its names, and in words how far something has come', () => {
  const shown = (record: Record<string, unknown>) => {
    addShownNames(spoken().of('Crate'), record)
    return record
  }
  assert.equal(shown({ off: 1, kept: 2, kept_there: 4, done: 50 }), {
    off: 1,
    kept: 4,
    kept_there: 4,
    done: 50,
    discount: 1,
    amount_there: 2,
    how_far: 'Partly',
  })
  assert.equal([shown({ done: 0 }).how_far, shown({ done: 100 }).how_far], ['Not', 'Fully'])
})

dialect('has methods by their dotted names', () => {
  assert.equal(
    [...spoken().methods.keys()],
    ['box.doctype.crate.crate.make_empty', 'box.of', 'box.sum', 'box.new'],
  )
})

dialect('names every mistake with its place', () => {
  try {
    load(`documents:
  - of: [Crat]
  - of: [Crate]
    take: {offf: discount}
    show: {there: none}
    hear: [x]
  - [Crate]
methods:
  box.doctype: {Crate: {make: full}}
  box.a: {do: it}
  box.b: [{read: Crate, value: colour}]
other: 1
`)
  } catch (error) {
    assert.instance(error, DefinitionErrors)
    const told = (error as DefinitionErrors).problems.map(
      ({ line, message }) => `${line} ${message}`,
    )
    assert.equal(told, [
      '2 no DocType "Crat"; did you mean Crate?',
      '4 Crate has no field "offf"; did you mean off?',
      '5 Crate has no field "none"; did you mean done?',
      '6 unknown key hear; expected of, take, show, refuse',
      '7 expected of: with a list of DocTypes, and take:, show: or refuse:',
      '9 there is no action "full"; there are empty',
      '10 expected one of make, fill, read',
      '11 Crate has no field "colour"',
      '12 unknown key other; expected documents, methods',
    ])
    return
  }
  assert.unreachable('it is refused')
})

dialect.run()
