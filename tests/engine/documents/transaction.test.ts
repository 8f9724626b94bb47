import * as assert from 'uvu/assert'
import type { EventSink } from '../../../engine/documents/work/context.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { eventsOf, invalid, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Order
module: sales
tier: free
submittable: true
naming: "ORD-{###}"
search: [title]
fields:
  title: {type: data, filterable: true}
  lines:
    type: table
    options: Order Line
    fields:
      qty: {type: int, min: 0}
validate:
  - {check: 'title != "forbidden"', field: title, message: is forbidden}
`

const STOP = new Error('stopped before the commit')

forEachDatabase('one change', ({ test, create }) => {
  let workspace: Workspace
  let sink: EventSink = async () => {}
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES, {
      sinks: [(tx, events, scene) => sink(tx, events, scene)],
    })
  })
  test.after(() => workspace.close())
  test.after.each(() => {
    sink = async () => {}
  })

  /** Everything the workspace holds, to compare. */
  async function content(): Promise<string> {
    const { read } = workspace.engine.services.database
    const tables = [workspace.definition('Order').table, 'svc_events', 'svc_series']
    const rows = await Promise.all([
      ...tables.map((table) => read.selectFrom(table).selectAll().execute()),
      read.selectFrom(`${tables[0]}__lines`).selectAll().execute(),
    ])
    const found = await workspace.list('Order', { q: 'searched' })
    return JSON.stringify([rows, found.data], (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  }
  const stopped = { beforeCommit: () => Promise.reject(STOP) }
  const order = (): Promise<{ id: string }> =>
    workspace.create('Order', { title: 'searched', lines: [{ qty: 1 }, { qty: 2 }] })

  async function assertNothingRemains(run: () => Promise<unknown>): Promise<void> {
    const before = await content()
    const reason = await run().catch((error: unknown) => error)
    assert.is(reason, STOP)
    assert.is(await content(), before)
  }

  test('whose end throws writes nothing: no row, no event, no number, nothing in the search', async () => {
    const { id } = await order()
    const change = { title: 'searched again', lines: [{ qty: 9 }] }
    await assertNothingRemains(() => workspace.create('Order', { title: 'searched' }, stopped))
    await assertNothingRemains(() => workspace.update('Order', id, change, stopped))
    await assertNothingRemains(() => workspace.submit('Order', id, stopped))
    await assertNothingRemains(() => workspace.remove('Order', id, stopped))
    await workspace.submit('Order', id)
    await assertNothingRemains(() => workspace.cancel('Order', id, stopped))
    await workspace.cancel('Order', id)
    await assertNothingRemains(() => workspace.amend('Order', id, stopped))
    await assertNothingRemains(() => workspace.remove('Order', id, stopped))
  })

  test('whose sink throws writes nothing either', async () => {
    const { id } = await order()
    sink = () => Promise.reject(STOP)
    await assertNothingRemains(() => order())
    await assertNothingRemains(() => workspace.update('Order', id, { title: 'x' }))
    await assertNothingRemains(() => workspace.remove('Order', id))
  })

  test('that is refused writes nothing', async () => {
    const { id } = await order()
    const before = await content()
    await invalid(['title'], workspace.create('Order', { title: 'forbidden' }))
    await invalid(['title'], workspace.update('Order', id, { title: 'forbidden', lines: [] }))
    await invalid(['lines[0].qty'], workspace.update('Order', id, { lines: [{ qty: -1 }] }))
    await refused('NOT_FOUND', workspace.remove('Order', 'none'))
    assert.is(await content(), before)
  })

  test('shows its sinks the event and its end the result, inside the transaction', async () => {
    const seen: string[] = []
    sink = async (tx, events, { registry }) => {
      for (const { id, event, actor, resource } of events) {
        const rows = await tx
          .selectFrom('svc_events')
          .select('event')
          .where('id', '=', id)
          .execute()
        seen.push(`${event} ${actor} ${registry.bySlug(resource)?.doctype} ${rows.length}`)
      }
    }
    const { id } = await workspace.create(
      'Order',
      { title: 'x' },
      {
        beforeCommit: async (tx, result) => {
          const rows = await tx
            .selectFrom(workspace.definition('Order').table)
            .select('name')
            .where('name', '=', result!.id)
            .execute()
          seen.push(`${rows.length} ${result!.record.title}`)
        },
      },
    )
    assert.equal(seen, ['orders.created Administrator Order 1', '1 x'])
    const ends: unknown[] = []
    const end = async (_tx: unknown, result: unknown): Promise<void> => {
      ends.push(result)
    }
    await workspace.remove('Order', id, { beforeCommit: end })
    assert.equal(ends, [null])
  })

  test('keeps in its event the record as GET shows it at that moment', async () => {
    const made = await order()
    const patched = await workspace.update('Order', made.id, { title: 'later' })
    const submitted = await workspace.submit('Order', made.id)
    const rows = await workspace.engine.services.database.read
      .selectFrom('svc_events')
      .selectAll()
      .where('record_id', '=', made.id)
      .orderBy('seq')
      .execute()
    assert.equal(
      rows.map(({ event, data, resource }) => [event, resource, data]),
      [
        ['orders.created', 'orders', (made as { json?: string }).json],
        ['orders.updated', 'orders', patched.json],
        ['orders.submitted', 'orders', submitted.json],
      ],
    )
    assert.ok(rows.every(({ id }) => /^evt_[0-9a-z]{20,40}$/.test(String(id))))
    assert.equal(await eventsOf(workspace, made.id), ['created', 'updated', 'submitted'])
  })

  test('takes its rows along when its record is deleted', async () => {
    const { id } = await order()
    await workspace.remove('Order', id)
    const { read } = workspace.engine.services.database
    const { table } = workspace.definition('Order')
    const orphans = await read
      .selectFrom(`${table}__lines as l`)
      .leftJoin(`${table} as o`, 'o.rid', 'l.parent')
      .select('l.row_id')
      .where('o.rid', 'is', null)
      .execute()
    assert.equal(orphans, [])
    const { data } = await workspace.list('Order', { q: 'searched', limit: '100' })
    assert.not.ok(data.some((record) => record.id === id))
  })
})
