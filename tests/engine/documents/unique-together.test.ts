import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const PRESENCE = `
doctype: Presence
module: hr
tier: free
submittable: true
naming: "PRE-{###}"
unique:
  - {fields: [person, day], where: docstatus < 2 && kind != "Remark", message: is noted on that day already}
  - {fields: [badge, day]}
fields:
  person: {type: data, required: true}
  day: {type: date}
  badge: {type: int}
  kind: {type: select, options: [Present, Absent, "It's", Remark], default: Present}
---
doctype: Desk
module: hr
tier: free
naming: "DESK-{###}"
unique:
  - {fields: [room], where: 'is_default && kind in ["It''s"]', message: has its desk}
fields:
  room: {type: data}
  kind: {type: data, default: '"It''s"'}
  is_default: {type: check}
`

forEachDatabase('fields that are unique together', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), PRESENCE)
  })
  test.after(() => workspace.close())

  const presence = async (body: object): Promise<string> =>
    String((await workspace.create('Presence', body)).record.id)
  const taken = async (fields: unknown, promise: Promise<unknown>): Promise<void> =>
    assert.equal((await refused('CONFLICT', promise)).details, fields)
  const NOTED = [{ field: 'person', message: 'is noted on that day already', code: 'not_unique' }]

  test('are refused with 409 on the first of them, on create and on update', async () => {
    await presence({ person: 'A', day: '2026-03-01' })
    await taken(NOTED, presence({ person: 'A', day: '2026-03-01', kind: 'Absent' }))
    await taken(NOTED, presence({ person: 'A', day: '2026-03-01', kind: "It's" }))
    const other = await presence({ person: 'A', day: '2026-03-02' })
    await presence({ person: 'B', day: '2026-03-01' })
    await taken(NOTED, workspace.update('Presence', other, { day: '2026-03-01' }))
    assert.is((await workspace.get('Presence', other)).record.day, '2026-03-02')
  })

  test('say without a message with what else they are unique', async () => {
    await presence({ person: 'C', day: '2026-04-01', badge: 7 })
    await taken(
      [{ field: 'badge', message: 'must be unique together with day', code: 'not_unique' }],
      presence({ person: 'D', day: '2026-04-01', badge: 7 }),
    )
  })

  test('may be the same where one of them is unset', async () => {
    await presence({ person: 'E', badge: 1 })
    await presence({ person: 'E', badge: 1 })
    await presence({ person: 'E', day: '2026-05-01' })
  })

  test('may be the same where the condition does not hold, until it does', async () => {
    const body = { person: 'F', day: '2026-06-01' }
    const first = await presence(body)
    const remark = await presence({ ...body, kind: 'Remark' })
    await presence({ ...body, kind: 'Remark' })
    await taken(NOTED, workspace.update('Presence', remark, { kind: 'Absent' }))
    await workspace.submit('Presence', first)
    await taken(NOTED, presence(body))
    await workspace.cancel('Presence', first)
    await workspace.update('Presence', remark, { kind: 'Absent' })
    await taken(NOTED, workspace.amend('Presence', first))
  })

  test('may be one field, among the records a condition picks', async () => {
    await workspace.create('Desk', { room: 'R', is_default: true })
    await workspace.create('Desk', { room: 'R' })
    await workspace.create('Desk', { room: 'R', is_default: true, kind: 'Other' })
    await taken(
      [{ field: 'room', message: 'has its desk', code: 'not_unique' }],
      workspace.create('Desk', { room: 'R', is_default: true }),
    )
  })

  test('are refused when two writers come at once: one of them gets in', async () => {
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map(() => presence({ person: 'G', day: '2026-07-01' })),
    )
    assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  })
})

forEachDatabase('a change of what is unique together', ({ test, create, kind }) => {
  test('builds the index anew, not at a start without a change, and is refused by rows that break it', async () => {
    const database = await create()
    const open = (text: string) => openWorkspace(database, text)
    const indexes = async ({ engine }: Workspace): Promise<readonly string[]> => {
      const { introspect } = await import('../../../engine/storage/migration/introspect.ts')
      const { read, kind } = engine.services.database
      const found = (await introspect(read, kind)).get('presences')!.indexes
      return found
        .map(({ name }) => name)
        .filter((name) => name.startsWith('ux_presences_person__'))
    }
    const first = await open(PRESENCE)
    const before = await indexes(first)
    assert.is(before.length, 1)
    await first.create('Presence', { person: 'A', day: '2026-03-01', kind: 'Remark' })
    await first.create('Presence', { person: 'A', day: '2026-03-01' })
    await first.close()

    const second = await open(PRESENCE.replace('docstatus < 2', 'docstatus < 1'))
    const after = await indexes(second)
    assert.is(after.length, 1)
    assert.is.not(after[0], before[0])
    await second.close()

    const wide = PRESENCE.replace(' && kind != "Remark"', '')
    let reason = ''
    await open(wide).then(
      () => assert.unreachable('it opened'),
      (error: Error) => {
        reason = error.message
      },
    )
    assert.match(
      reason,
      'expected each value of person + day once, several rows have "A" + "2026-03-01"',
    )

    const again = await openWorkspace(database, PRESENCE, { migration: { acceptOlder: true } })
    assert.equal(await indexes(again), before)
    if (kind === 'postgres') {
      // A restore makes the index with its condition.
      const { readTables } = await import('../../../engine/storage/backup/postgres-tables.ts')
      const tables = await readTables(again.engine.services.database.read)
      const { shape } = tables.find((table) => table.shape.name === 'presences')!
      const kept = shape.indexes.find(({ name }) => name === before[0])
      assert.match(kept?.where?.sql ?? '', '"docstatus" < 2')
    }
    await again.close()
  })
})
