import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { createProgram } from '../../../engine/rules/program/program.ts'

const OTHERS = `
doctype: Region
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
---
doctype: Buyer
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  region: {type: link, options: Region}
  area: {type: data}
  mirror: {type: data, readOnly: true, fetch: region.title}
  areas:
    type: table
    fields:
      region: {type: link, options: Region}
      area: {type: data}
---
doctype: Price
module: crm
tier: free
fields:
  buyer: {type: link, options: Buyer}
  region: {type: link, options: Region}
  day: {type: date}
  code: {type: data}
  lines:
    type: table
    fields:
      buyer: {type: link, options: Buyer}
      rank: {type: int}
`

/** Fields of a record, and whether its link \`it\` is taken as a rule fills it. */
const CASES: readonly (readonly [fields: string, isTaken: boolean])[] = [
  // As it was sent: what outgoing links are looked at for.
  ['it: {type: link, options: Region}', true],
  ['it: {type: data}', false],
  // From a link of a record that was read.
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Region, fetch: buyer.region}',
    true,
  ],
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Region, fetch: buyer.area}',
    false,
  ],
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Buyer, fetch: buyer.region}',
    false,
  ],
  // A text that only ever follows a link says what that says.
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Region, fetch: buyer.mirror}',
    true,
  ],
  // The name of the record behind a link.
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Buyer, formula: buyer.title}',
    true,
  ],
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Region, formula: buyer.region}',
    true,
  ],
  ['area: {type: data}\n  it: {type: link, options: Region, formula: area}', false],
  ['it: {type: link, options: Region, formula: \'"North"\'}', false],
  ['it: {type: link, options: Region, default: \'"North"\'}', false],
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Region, default: buyer.region}',
    true,
  ],
  ['it: {type: link, options: Region, default: user.name}', false],
  // Itself, as it was.
  ['it: {type: link, options: Region, formula: old.it}', true],
  // Through a link to any of several DocTypes.
  [
    'kind: {type: select, options: [Buyer, Price]}\n  of: {type: dynamic_link, options: kind}\n  it: {type: link, options: Region, fetch: of.region}',
    true,
  ],
  [
    'kind: {type: select, options: [Buyer, Price]}\n  of: {type: dynamic_link, options: kind}\n  it: {type: link, options: Region, fetch: of.buyer}',
    false,
  ],
  [
    'kind: {type: data}\n  of: {type: dynamic_link, options: kind}\n  it: {type: link, options: Region, fetch: of.area}',
    false,
  ],
  // Found by a condition: a link of the record found, or that record itself.
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Region, lookup: {from: Price, where: buyer == this.buyer, latest: day, value: region, at: submit}}',
    true,
  ],
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Region, lookup: {from: Price, where: buyer == this.buyer, latest: day, value: code, at: submit}}',
    false,
  ],
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Price, lookup: {from: Price, where: buyer == this.buyer, latest: day, value: name, at: submit}}',
    true,
  ],
  [
    'area: {type: data}\n  it: {type: link, options: Price, lookup: {from: Price, where: code == this.area, latest: day, value: name, at: submit}}',
    false,
  ],
  [
    'kind: {type: select, options: [A, B]}\n  it: {type: link, options: Price, lookup: {from: Price, where: code == this.kind, latest: day, value: name, at: submit}}',
    true,
  ],
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Price, lookup: {from: Price.lines, where: buyer == this.buyer, latest: rank, value: document.name, at: submit}}',
    true,
  ],
  [
    'buyer: {type: link, options: Buyer}\n  it: {type: link, options: Buyer, lookup: {from: Price.lines, where: document.region == this.buyer, latest: rank, value: buyer, at: submit}}',
    true,
  ],
]

const taken = suite('a link that rules fill')

for (const [fields, isTaken] of CASES) {
  taken(`${fields.replace(/\n\s*/g, '; ')} is ${isTaken ? 'taken' : 'looked at'}`, () => {
    assert.is(takenOf(fields).has('it'), isTaken)
  })
}

taken('in rows that are fetched is taken where those rows have such a link', () => {
  const rows = (column: string) =>
    `buyer: {type: link, options: Buyer}\n  areas: {type: table, fetch: buyer.areas, fields: {${column}: {type: link, options: Region}}}`
  assert.ok(takenOf(rows('region')).has('areas.region'))
  assert.not.ok(takenOf(rows('area')).has('areas.area'))
  assert.ok(
    takenOf('areas: {type: table, fields: {region: {type: link, options: Region}}}').has(
      'areas.region',
    ),
  )
})

taken.run()

function takenOf(fields: string): ReadonlySet<string> {
  const text = `doctype: Thing\nmodule: crm\ntier: free\nfields:\n  ${fields}\n`
  const sources = [...OTHERS.trim().split('\n---\n'), text]
  const { registry } = loadDefinitionTexts(
    sources.map((text, index) => ({ path: `${index}.yaml`, text })),
  )
  return createProgram(registry).behaviourOf(registry.byDoctype('Thing')!).rules.takenLinks
}
