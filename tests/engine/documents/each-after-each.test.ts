import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

/** A pour fills cups; each cup takes what the tank's pour has left, and the tank adds up what is left of all. */
const DOCTYPES = `
doctype: Tank
module: assets
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  left: {type: float, rollup: {from: Pour, match: tank, sum: left, where: docstatus == 1}}
  most: {type: float, rollup: {from: Pour, match: tank, max: left, where: docstatus == 1}}
---
doctype: Pour
module: assets
tier: free
submittable: true
naming: "POUR-{###}"
fields:
  tank: {type: link, options: Tank}
  wanted: {type: float}
  spilt: {type: float, readOnly: true}
  cups: {type: table, fields: {size: {type: float}}}
  filled: {type: float, rollup: {from: Fill, match: pour, sum: litres}}
  left: {type: float, formula: wanted - filled - spilt}
effects:
  submit:
    - create: Fill
      each: {table: cups, as: c, if: left > 0}
      set: {pour: name, litres: 'min(c.size, left)'}
    - set: {spilt: 'left > 1 ? 1 : 0'}
---
doctype: Fill
module: assets
tier: free
naming: "FILL-{###}"
fields:
  pour: {type: link, options: Pour}
  litres: {type: float}
`

forEachDatabase('what effects make one after the other', ({ test, create }) => {
  let workspace: Workspace

  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    await workspace.create('Tank', { title: 'T' })
  })
  test.after(() => workspace.close())

  const tank = async (): Promise<readonly unknown[]> => {
    const { record } = await workspace.get('Tank', 'T')
    return [record.left, record.most]
  }
  const pour = async (wanted: number): Promise<string> => {
    const cups = [{ size: 3 }, { size: 3 }, { size: 3 }]
    const { id } = await workspace.create('Pour', { tank: 'T', wanted, cups })
    await workspace.submit('Pour', id)
    return id
  }
  const differences = async (): Promise<number> => {
    const { checks } = await verifyWorkspace(workspace.engine.services)
    return checks.reduce((sum, check) => sum + check.differences, 0)
  }

  test('is asked for anew before each, and what it changes of the document is counted once', async () => {
    // 5 = 3 + 2, and no third cup
    const first = await pour(5)
    const { record } = await workspace.get('Pour', first)
    assert.equal([record.filled, record.left], [5, 0])
    assert.equal(await tank(), [0, 0])
    // 12 = 3 + 3 + 3, 1 is spilt and 2 are left
    const second = await pour(12)
    assert.equal(await tank(), [2, 2])
    assert.is(await differences(), 0)
    await workspace.cancel('Pour', second)
    await workspace.cancel('Pour', first)
    assert.equal(await tank(), [0, null])
    assert.is(await differences(), 0)
  })
})
