import * as assert from 'uvu/assert'
import { explainField } from '../../../engine/documents/explain/explain.ts'
import { onDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Grade
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  factor: {type: float, default: 3}
---
doctype: Crate
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  grade: {type: link, options: Grade}
  fee: {type: float}
  inner_fee: {type: float, internal: true, formula: fee * 2}
  items:
    type: table
    options: Crate Item
    fields:
      qty: {type: float}
      rate: {type: float}
      grade: {type: link, options: Grade}
      inner_amount: {type: float, internal: true, formula: qty * rate + parent.inner_fee}
      inner_net: {type: float, internal: true, formula: inner_amount - rate}
      inner_factor: {type: float, internal: true, fetch: grade.factor}
      net: {type: float, formula: inner_net}
      part: {type: float, formula: qty / parent.inner_qty}
      share: {type: float, formula: "qty / parent.items.sum(o, o.inner_amount)"}
      weight: {type: float, formula: inner_factor * parent.grade.factor}
      like: {type: int, lookup: {from: Crate.items, where: 'qty == this.inner_amount && inner_amount > 0', count: true}}
  inner_qty: {type: float, internal: true, formula: "items.sum(i, i.qty)"}
  total: {type: float, formula: "items.filter(r, r.inner_net > 0).sum(r, r.inner_net)"}
  weight: {type: float, formula: "items.sum(r, r.inner_factor * r.qty)"}
  looked: {type: float, formula: "items.sum(r, r.grade.factor * r.qty)"}
  alike: {type: int, lookup: {from: Crate, where: 'name != this.name && inner_fee == this.inner_fee', count: true}}
`

/** What is explained, and the text of its rule with what internal fields stand for. */
const TEXTS: readonly (readonly [field: string, text: string])[] = [
  ['items[0].net', '((qty * rate + (parent.fee * 2)) - rate)'],
  ['items[0].part', 'qty / (parent.items.sum(i, i.qty))'],
  ['items[0].share', 'qty / parent.items.sum(o, (o.qty * o.rate + (parent.fee * 2)))'],
  ['items[0].weight', 'grade.factor * parent.grade.factor'],
  [
    'items[0].like',
    'from: Crate.items, where: qty == (this.qty * this.rate + (parent.fee * 2)) && (qty * rate + (document.fee * 2)) > 0, count: true',
  ],
  [
    'total',
    'items.filter(r, ((r.qty * r.rate + (fee * 2)) - r.rate) > 0).sum(r, ((r.qty * r.rate + (fee * 2)) - r.rate))',
  ],
  ['weight', 'items.sum(r, r.grade.factor * r.qty)'],
  ['looked', 'items.sum(r, r.grade.factor * r.qty)'],
  ['alike', 'from: Crate, where: name != this.name && (fee * 2) == (this.fee * 2), count: true'],
]

onDatabase('sqlite', 'the text of an explanation', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    await workspace.create('Grade', { code: 'A' })
    const items = [
      { qty: 2, rate: 5, grade: 'A' },
      { qty: 1, rate: 7, grade: 'A' },
    ]
    await workspace.create('Crate', { code: 'C', grade: 'A', fee: 1, items })
  })
  test.after(() => workspace.close())

  for (const [field, text] of TEXTS)
    test(`names what a hidden formula reads as the rule around it does: ${field}`, async () => {
      const definition = workspace.definition('Crate')
      const query = { depth: 1, limit: 20, cursor: undefined }
      const { where } = await explainField(workspace.context(), definition, 'C', field, query)
      assert.is(where?.text, text)
    })
})
