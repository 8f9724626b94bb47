import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Terms
module: sales
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  total: {type: currency}
  rest: {type: currency}
  parts: {type: table, options: Part}
---
doctype: Part
child: true
module: sales
tier: free
fields:
  portion: {type: percent}
  share: {type: currency, formula: parent.total * portion / 100}
  amount: {type: currency, formula: "share + (idx == parent.parts.count() ? parent.rest : 0)"}
---
doctype: Order
module: sales
tier: free
naming: "ORD-{###}"
fields:
  terms: {type: link, options: Terms}
  total: {type: currency}
  parts: {type: table, options: Part, fetch: {from: terms.parts, when: empty}}
  rest: {type: currency, formula: "total - parts.sum(p, p.share)"}
`

forEachDatabase('rows that are copied from another record', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    const parts = [{ portion: 33.33 }, { portion: 33.33 }, { portion: 33.34 }]
    await workspace.create('Terms', { title: 'Thirds', parts })
  })
  test.after(() => workspace.close())

  test('know their place at once: the last takes what rounding leaves', async () => {
    // 0.05 * 33.33 % = 0.0167 -> 0.02 each; 0.06 is 0.01 too much.
    const { record } = await workspace.create('Order', { terms: 'Thirds', total: 0.05 })
    assert.equal(
      (record.parts as { amount: number }[]).map(({ amount }) => amount),
      [0.02, 0.02, 0.01],
    )
    const { checks } = await verifyWorkspace(workspace.engine.services)
    assert.equal(
      checks.flatMap(({ found }) => found),
      [],
    )
  })

  test('give way to those that were sent, and stay when the record they came from changes', async () => {
    const parts = [{ portion: 50 }, { portion: 50 }]
    const { record } = await workspace.create('Order', { terms: 'Thirds', total: 10, parts })
    assert.equal(portions(record), [50, 50])
    const renamed = await workspace.update('Order', String(record.id), { total: 20 })
    assert.equal(portions(renamed.record), [50, 50])
  })
})

function portions(record: Readonly<Record<string, unknown>>): unknown[] {
  return (record.parts as { portion: number }[]).map(({ portion }) => portion)
}
