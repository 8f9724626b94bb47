import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Batch
module: hr
tier: free
submittable: true
naming: "BATCH-{####}"
fields:
  mark: {type: data}
  pieces: {type: int, rollup: {from: Piece, match: batch, count: true, where: docstatus == 1}}
effects:
  submit:
    - update: Piece
      each: {from: Piece, as: p, where: batch == this.name && docstatus == 0}
      record: p.name
      set: {mark: mark}
      submit: true
---
doctype: Piece
module: hr
tier: free
submittable: true
naming: "P-{####}"
fields:
  batch: {type: link, options: Batch}
  mark: {type: data}
validate:
  - {check: 'mark != "bad"', field: mark, message: is bad}
`

forEachDatabase('update with submit', ({ test, create }) => {
  let workspace: Workspace
  test.before.each(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after.each(() => workspace?.close())

  async function batch(mark: string): Promise<string> {
    const { id } = await workspace.create('Batch', { mark })
    for (let count = 0; count < 3; count += 1) await workspace.create('Piece', { batch: id })
    return id
  }
  const piece = async (id: string): Promise<unknown[]> => {
    const { record } = await workspace.get('Piece', id)
    return [record.docstatus, record.mark]
  }

  test('submits what is found, drafts that link to the document; a cancel cancels them', async () => {
    const id = await batch('A')
    await workspace.remove('Piece', 'P-0003')
    await workspace.submit('Batch', id)
    assert.equal(
      [await piece('P-0001'), await piece('P-0002')],
      [
        [1, 'A'],
        [1, 'A'],
      ],
    )
    assert.is((await workspace.get('Batch', id)).record.pieces, 2)
    await workspace.cancel('Piece', 'P-0002')
    await workspace.cancel('Batch', id)
    assert.equal(
      [await piece('P-0001'), await piece('P-0002')],
      [
        [2, 'A'],
        [2, 'A'],
      ],
    )
  })

  test('is refused as a whole where one of them does not hold', async () => {
    const id = await batch('bad')
    await refused('VALIDATION_ERROR', workspace.submit('Batch', id))
    assert.equal(await piece('P-0001'), [0, null])
    assert.is((await workspace.get('Batch', id)).record.docstatus, 0)
  })
})
