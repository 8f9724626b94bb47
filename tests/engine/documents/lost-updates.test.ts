import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { eventsOf, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Order
module: sales
tier: free
submittable: true
naming: "ORD-{###}"
fields:
  title: {type: data}
  count: {type: int, default: 0}
`

forEachDatabase('optimistic locking', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  test('an ETag changes with every change, and reading does not change it', async () => {
    const tags = new Set<string>()
    const { id, etag } = await workspace.create('Order', { title: 'a' })
    assert.is((await workspace.get('Order', id)).etag, etag)
    tags.add(etag)
    tags.add((await workspace.update('Order', id, { title: 'b' })).etag)
    tags.add((await workspace.update('Order', id, { title: 'a' })).etag)
    tags.add((await workspace.submit('Order', id)).etag)
    tags.add((await workspace.cancel('Order', id)).etag)
    assert.is(tags.size, 5)
    assert.match(etag, /^"[\x21\x23-\x7e]+"$/)
  })

  test('a record made anew under the same name has another ETag', async () => {
    const { id, etag } = await workspace.create('Order', {})
    await workspace.submit('Order', id)
    await workspace.cancel('Order', id)
    const first = await workspace.amend('Order', id)
    await workspace.remove('Order', first.id)
    workspace.clock.time += 1
    const second = await workspace.amend('Order', id)
    assert.is(second.id, first.id)
    assert.is.not(second.etag, first.etag)
    assert.is.not(second.etag, etag)
  })

  test('a stale ETag refuses every write with 412, and nothing is written', async () => {
    const { id, etag } = await workspace.create('Order', { title: 'a' })
    await workspace.update('Order', id, { title: 'b' })
    const stale = { ifMatch: [etag, '"other"'] }
    await refused('PRECONDITION_FAILED', workspace.update('Order', id, { title: 'c' }, stale))
    await refused('PRECONDITION_FAILED', workspace.submit('Order', id, stale))
    await refused('PRECONDITION_FAILED', workspace.remove('Order', id, stale))
    const { etag: now } = await workspace.submit('Order', id)
    await refused('PRECONDITION_FAILED', workspace.cancel('Order', id, stale))
    await workspace.cancel('Order', id, { ifMatch: [now] })
    await refused('PRECONDITION_FAILED', workspace.amend('Order', id, stale))
    assert.is((await workspace.get('Order', id)).record.title, 'b')
    assert.equal(await eventsOf(workspace, id), ['created', 'updated', 'submitted', 'cancelled'])
  })

  test('the present ETag, or one of several, or * lets it pass; a record that is not there stays 404', async () => {
    const { id, etag } = await workspace.create('Order', {})
    const next = await workspace.update('Order', id, { title: 'b' }, { ifMatch: ['"x"', etag] })
    await workspace.update('Order', id, { title: 'c' }, { ifMatch: ['*'] })
    await refused(
      'PRECONDITION_FAILED',
      workspace.update('Order', id, { title: 'd' }, { ifMatch: [next.etag] }),
    )
    await refused('NOT_FOUND', workspace.update('Order', 'none', {}, { ifMatch: ['*'] }))
  })

  test('of many that change the record they read, one wins a round; none is lost', async () => {
    const { id } = await workspace.create('Order', {})
    const add = async (): Promise<void> => {
      for (;;) {
        const { record, etag } = await workspace.get('Order', id)
        const change = { count: (record.count as number) + 1 }
        const [outcome] = await Promise.allSettled([
          workspace.update('Order', id, change, { ifMatch: [etag] }),
        ])
        if (outcome!.status === 'fulfilled') return
        assert.is(outcome!.reason.code, 'PRECONDITION_FAILED', String(outcome!.reason))
      }
    }
    await Promise.all(Array.from({ length: 10 }, add))
    assert.is((await workspace.get('Order', id)).record.count, 10)
  })

  test('changes of different fields at once are all kept', async () => {
    const { id } = await workspace.create('Order', {})
    await Promise.all([
      workspace.update('Order', id, { title: 'kept' }),
      workspace.update('Order', id, { count: 5 }),
    ])
    const { record } = await workspace.get('Order', id)
    assert.equal([record.title, record.count], ['kept', 5])
  })

  test('modified never goes back, also when the clock does', async () => {
    const { id, record } = await workspace.create('Order', {})
    workspace.clock.time -= 60_000
    const after = await workspace.update('Order', id, { title: 'later' })
    assert.ok(String(after.record.modified) >= String(record.modified))
    workspace.clock.time += 120_000
    const last = await workspace.update('Order', id, { title: 'last' })
    assert.ok(String(last.record.modified) > String(after.record.modified))
    assert.is(last.record.created, record.created)
  })
})
