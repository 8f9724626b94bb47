import * as assert from 'uvu/assert'
import type { Database } from '../../engine/storage/database/database.ts'
import { type DeliveryRow, deliveryInserter } from '../../webhooks/delivery-store.ts'
import { deliveryOf } from '../../webhooks/fan-out.ts'
import { type DeliveryQueue, deliveryQueue, type Lane } from '../../webhooks/queue-store.ts'
import { insertWebhook } from '../../webhooks/store.ts'
import { openWorkspace, type Workspace } from '../engine/documents/workspace.ts'
import { forEachDatabase } from '../helpers/databases.ts'

const DOCTYPES = `
doctype: Note
module: setup
tier: free
naming: prompt
fields:
  text: {type: data}
`
const NOW = Date.parse('2026-03-09T12:00:00.000Z')
const LEASE_UNTIL = NOW + 30_000

forEachDatabase('the queue of deliveries', ({ kind, test, create }) => {
  let workspace: Workspace
  let database: Database
  let queue: DeliveryQueue
  test.before.each(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    database = workspace.engine.services.database
    queue = deliveryQueue(kind)
  })
  test.after.each(() => workspace.close())

  const lane = (id: string, room = 1000): Lane & { room: number } => ({
    webhookId: id,
    manual: 0,
    room,
  })
  /** A subscription with so many deliveries, a second apart, the newest due now. */
  const subscribed = (id: string, count: number): Promise<DeliveryRow[]> =>
    database.write(async (tx) => {
      const at = new Date(NOW).toISOString()
      await insertWebhook(tx, {
        ...{ id, url: 'http://127.0.0.1/', events: '["*"]', label: null, status: 'active' },
        ...{ secrets: '', api_version: 'v1', created: at, created_by: 'test', modified: at },
        ...{ scope: 'write', failing_since: null, login: null, paused_because: null },
      })
      const rows = Array.from({ length: count }, (_, n): DeliveryRow => {
        const then = new Date(NOW - n * 1000).toISOString()
        return deliveryOf({ id: `evt_${n}`, event: 'notes.created', at: then }, id)
      })
      assert.is(await deliveryInserter()(tx, rows), count)
      return rows.toReversed()
    })
  const claim = (lanes: readonly (Lane & { room: number })[], total = 1000, worker = 'one') =>
    database.write((tx) =>
      queue.claim(tx, { lanes, total, now: NOW, leaseUntil: LEASE_UNTIL, worker }),
    )
  const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

  test('gives the longest due first, as many as the lane has room for, each to one worker', async () => {
    const rows = await subscribed('whk_a', 120)
    const first = await claim([lane('whk_a', 7)])
    assert.equal(idsOf(first), idsOf(rows.slice(0, 7)))
    const others = await claim([lane('whk_a')], 1000, 'two')
    assert.equal(idsOf(others), idsOf(rows.slice(7)))
    assert.equal(await claim([lane('whk_a')]), [])
  })

  test('adds no delivery that an event has for its subscription already', async () => {
    const rows = await subscribed('whk_a', 3)
    const again = rows.map((row) => ({ ...row, id: `${row.id}again` }))
    assert.is(await database.write((tx) => deliveryInserter()(tx, again)), 0)
    assert.equal(idsOf(await claim([lane('whk_a')])), idsOf(rows))
  })

  test('shares what a turn may take among the lanes that have something', async () => {
    for (const id of ['whk_a', 'whk_b', 'whk_c', 'whk_d']) await subscribed(id, 30)
    await subscribed('whk_idle', 0)
    const lanes = ['whk_idle', 'whk_a', 'whk_b', 'whk_c', 'whk_d'].map((id) => lane(id))
    const claimed = await claim(lanes, 40)
    const counts = Object.groupBy(claimed, ({ webhook_id }) => webhook_id)
    assert.equal(
      Object.entries(counts).map(([id, rows]) => [id, rows?.length]),
      [
        ['whk_a', 10],
        ['whk_b', 10],
        ['whk_c', 10],
        ['whk_d', 10],
      ],
    )
  })

  test('knows when the next one of some lanes is due, and of a leased one when the lease ends', async () => {
    await subscribed('whk_a', 2)
    await subscribed('whk_b', 1)
    const nextDue = (...ids: string[]): Promise<number | undefined> =>
      queue.nextDue(database.read, { lanes: ids.map((id) => lane(id)), worker: 'two' })
    assert.is(await nextDue('whk_a', 'whk_b'), NOW - 1000)
    assert.is(await nextDue('whk_b'), NOW)
    assert.is(await nextDue(), undefined)
    await claim([lane('whk_b')])
    assert.is(await nextDue('whk_b'), LEASE_UNTIL)
    const own = { lanes: [lane('whk_b')], worker: 'one' }
    assert.is(await queue.nextDue(database.read, own), undefined)
    assert.is(await nextDue('whk_none'), undefined)
  })

  test('lets only the holder of a lease say how a delivery stands', async () => {
    await subscribed('whk_a', 60)
    const claimed = await claim([lane('whk_a')])
    const settle = (worker: string): Promise<void> =>
      database.write((tx) =>
        queue.settle(
          tx,
          worker,
          claimed.map(({ id }) => ({
            ...{ id, state: 'delivered' as const, attempts: 1, tries: 1, manual: 0 as const },
            ...{ due: null, first_try: NOW },
          })),
        ),
      )
    const states = async (): Promise<unknown[]> =>
      database.read
        .selectFrom('svc_deliveries')
        .select(['state', 'leased_by'])
        .select(({ fn }) => fn.countAll().as('n'))
        .groupBy(['state', 'leased_by'])
        .execute()
    await settle('two')
    assert.equal(await states(), [{ state: 'pending', leased_by: 'one', n: 60n }])
    await settle('one')
    assert.equal(await states(), [{ state: 'delivered', leased_by: null, n: 60n }])
    assert.is(
      await queue.nextDue(database.read, { lanes: [lane('whk_a')], worker: 'one' }),
      undefined,
    )
  })
})
