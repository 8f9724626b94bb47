import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Parcel
module: stock
tier: free
submittable: true
naming: "P-{###}"
fields:
  title: {type: data, required: true}
  fragile: {type: check, filterable: true}
  note: {type: data, allow_on_submit: true}
  boxes:
    type: table
    fields:
      label: {type: data, allow_on_submit: true}
      sealed: {type: check}
---
doctype: Crate
module: stock
tier: free
naming: field:label
fields:
  label: {type: data, required: true}
  open: {type: int, rollup: {from: Jar, match: crate, count: true, where: open}}
  closed: {type: int, rollup: {from: Jar, match: crate, count: true, where: '!open'}}
---
doctype: Jar
module: stock
tier: free
fields:
  crate: {type: link, options: Crate}
  open: {type: check}
`

forEachDatabase('a check that nobody set', ({ test, create }) => {
  let workspace: Workspace
  let unset: string
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    unset = (await workspace.create('Parcel', { title: 'a', boxes: [{ label: 'x' }] })).id
    await workspace.create('Parcel', { title: 'b', fragile: true })
    await workspace.create('Parcel', { title: 'c', fragile: false })
  })
  test.after(() => workspace.close())

  test('is false to who reads it: in records, rows, lists and events', async () => {
    const { record } = await workspace.get('Parcel', unset)
    assert.is(record.fragile, false)
    assert.is((record.boxes as { sealed: unknown }[])[0]?.sealed, false)
    const { data } = await workspace.list('Parcel', { sort: 'created', order: 'asc' })
    assert.equal(
      data.map(({ fragile }) => fragile),
      [false, true, false],
    )
    const emptied = await workspace.update('Parcel', unset, { fragile: null })
    assert.is(emptied.record.fragile, false)
    const rows = await workspace.engine.services.database.read
      .selectFrom('svc_events')
      .select('data')
      .where('record_id', '=', unset)
      .execute()
    assert.ok(rows.length > 0)
    for (const { data } of rows) assert.match(String(data), '"fragile":false')
  })

  test('is found as false, and not as true', async () => {
    const found = async (parameters: Readonly<Record<string, string>>): Promise<string> => {
      const { data, total } = await workspace.list('Parcel', { sort: 'created', ...parameters })
      assert.is(total, data.length)
      return data
        .map(({ title }) => title)
        .sort()
        .join('')
    }
    for (const [parameters, titles] of [
      [{ fragile: 'false' }, 'ac'],
      [{ fragile: 'true' }, 'b'],
      [{ fragile__ne: 'true' }, 'ac'],
      [{ fragile__ne: 'false' }, 'b'],
      [{ fragile: '' }, 'ac'],
      [{ fragile__ne: '' }, 'b'],
    ] as const)
      assert.is(await found(parameters), titles, JSON.stringify(parameters))
  })

  test('counts as false', async () => {
    await workspace.create('Crate', { label: 'C' })
    for (const open of [{}, { open: null }, { open: false }, { open: true }])
      await workspace.create('Jar', { crate: 'C', ...open })
    const { record } = await workspace.get('Crate', 'C')
    assert.equal([record.open, record.closed], [1, 3])
  })

  test('may be sent back as it was read where it could not be changed', async () => {
    await workspace.submit('Parcel', unset)
    const { record } = await workspace.get('Parcel', unset)
    const [box] = record.boxes as Record<string, unknown>[]
    const done = await workspace.revise('Parcel', unset, { boxes: [{ ...box, label: 'y' }] })
    assert.equal(done.record.boxes, [{ ...box, label: 'y' }])
    const changed = { boxes: [{ ...box, sealed: true }] }
    const error = await workspace.revise('Parcel', unset, changed).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    assert.match(String(error), /submitted/)
  })
})
