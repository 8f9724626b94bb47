import * as assert from 'uvu/assert'
import { runSql } from '../../../engine/storage/database/statements.ts'
import { eventPacker } from '../../../engine/storage/workspace/event-texts.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from '../documents/workspace.ts'

const DOCTYPES = `
doctype: Note
module: setup
tier: free
naming: prompt
fields:
  text: {type: text}
  amount: {type: currency}
  day: {type: date}
`

const DAY = 86_400_000

forEachDatabase('packed events', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    for (let n = 0; n < 60; n += 1)
      await workspace.create('Note', { name: `N${n}`, text: `Überweisung ${n} `.repeat(8) })
    workspace.clock.time += DAY
    await workspace.create('Note', { name: 'new', text: 'x'.repeat(300) })
  })
  test.after(() => workspace.close())

  const stored = () =>
    runSql<{ data: string; seq: bigint }>(
      workspace.engine.services.database.read,
      'select seq, data from svc_events order by seq',
      [],
    )
  const shown = async () => {
    const { database, events } = workspace.engine.services
    return events.page(database.read, { filter: {}, order: 'asc', limit: 1000 })
  }

  test('are read as they were written, whatever form they have', async () => {
    const before = await shown()
    const packer = eventPacker(workspace.engine.services.database)
    const moment = new Date(workspace.clock.time - DAY / 2).toISOString()
    assert.equal(
      [await packer.packSome(moment), await packer.packSome(moment), await packer.packSome(moment)],
      [50, 10, 0],
    )
    const forms = (await stored()).map(({ data }) => /^(z\d+:|\{)/.exec(data)?.[1])
    assert.equal([new Set(forms.slice(0, 60)).size, forms[0], forms[60]], [1, 'z1:', '{'])
    assert.equal(await shown(), before)
    const { database, events } = workspace.engine.services
    const ids = [before[3]!.id, before[60]!.id]
    const some = await events.find(database.read, ids)
    assert.equal(some.map(({ data }) => data).sort(), [before[3]!.data, before[60]!.data].sort())
  })

  test('take a fraction of their room', async () => {
    const bytes = (await stored()).slice(0, 60).map(({ data }) => data.length)
    const plain = (await shown()).slice(0, 60).map(({ data }) => Buffer.byteLength(data))
    const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0)
    assert.ok(sum(bytes) * 3 < sum(plain), `${sum(bytes)} of ${sum(plain)} bytes`)
  })

  test('get another dictionary when they look otherwise by now', async () => {
    const { database } = workspace.engine.services
    const other = JSON.stringify({ lines: Array.from({ length: 60 }, (_, n) => n * 7_919) })
    await database.write((tx) =>
      runSql(tx, `update svc_events set data = '${other}' where data like '{%'`, []),
    )
    workspace.clock.time += 2 * DAY
    const moment = new Date(workspace.clock.time).toISOString()
    assert.is(await eventPacker(database).packSome(moment), 1)
    assert.match((await stored()).at(-1)!.data, /^z2:/)
    assert.is((await shown()).at(-1)!.data, other)
  })

  test('remember how far the log was pruned', async () => {
    const { database, events, clock } = workspace.engine.services
    assert.is(await events.pruned(database.read), undefined)
    const before = new Date(clock.now() - 2 * DAY).toISOString()
    while ((await database.write((tx) => events.prune(tx, before, 25))) > 0);
    const lines = await stored()
    assert.is(lines.length, 1)
    assert.is((await events.pruned(database.read))?.seq, lines[0]!.seq - 1n)
  })
})
