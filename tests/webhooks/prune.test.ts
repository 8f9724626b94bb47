import * as assert from 'uvu/assert'
import { newId } from '../../engine/base/ids.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { runDaily } from '../../server/jobs/daily-jobs.ts'
import { pruningJobs } from '../../server/jobs/pruning-jobs.ts'
import { startScheduler } from '../../server/jobs/scheduler.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { type AttemptRow, attemptInserter } from '../../webhooks/attempt-store.ts'
import { type DeliveryRow, deliveryInserter } from '../../webhooks/delivery-store.ts'
import { KEPT, pruneDeliveryLog } from '../../webhooks/prune.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { answers, ok, type Receiver } from '../helpers/receivers.ts'
import { openWebhookApp, type WebhookApp } from './webhook-app.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND

forEachDatabase('old deliveries', ({ test, fresh }) => {
  let api: WebhookApp
  const receivers: Receiver[] = []
  test.before.each(async () => {
    api = await openWebhookApp({ database: await fresh(), settings: { rateLimit: false } })
  })
  test.after.each(async () => {
    await api.close()
    for (const receiver of receivers.splice(0)) await receiver.close()
  })
  const opened = async (receiver: Promise<Receiver>): Promise<Receiver> => {
    receivers.push(await receiver)
    return receiver
  }
  const never = new AbortController().signal
  const logger = createLogger({ level: 'silent' })

  /** Rows of the log and of deliveries made at these moments, as an attempt at each would leave them. */
  const leave = async (webhook_id: string, moments: readonly number[]): Promise<void> => {
    const deliveries: DeliveryRow[] = []
    const attempts: AttemptRow[] = []
    for (const moment of moments) {
      const id = newId('dlv', moment)
      const at = new Date(moment).toISOString()
      const same = { webhook_id, event: 'gadgets.created' }
      deliveries.push({
        ...same,
        id,
        event_id: newId('evt', moment),
        state: 'delivered',
        attempts: 1,
        tries: 1,
        manual: 0,
        due: null,
        first_try: moment,
        leased_by: null,
        asked_again: null,
        created: at,
        data: null,
      })
      attempts.push({
        ...same,
        id: newId('att', moment),
        delivery_id: id,
        attempt: 1,
        trigger: 'auto',
        url: 'https://shop.example',
        status_code: 200,
        latency_ms: 1,
        response_preview: '',
        error: null,
        attempted_at: at,
        next_attempt_at: null,
      })
    }
    await api.engine.services.database.write(async (tx) => {
      await deliveryInserter()(tx, deliveries)
      await attemptInserter()(tx, attempts)
    })
  }
  const countOf = async (table: string, webhook?: string): Promise<number> => {
    let query = api.engine.services.database.read.selectFrom(table).select('id')
    if (webhook !== undefined) query = query.where('webhook_id', '=', webhook)
    return (await query.execute()).length
  }

  test('go after 30 days, to the millisecond, of every subscription, and nothing younger', async () => {
    const { database, clock } = api.engine.services
    const now = clock.now()
    const subscribed = await Promise.all(
      ['a', 'b'].map((name) => api.subscribe(`http://127.0.0.1:9000/${name}`, ['parcels.*'])),
    )
    const old = [now - KEPT - 1, now - KEPT - DAY, now - 10 * KEPT]
    const young = [now - KEPT, now - KEPT + 1, now - DAY, now]
    for (const { id } of subscribed) await leave(id, [...old, ...young])
    const before = await api.call('get', '/v1/webhooks')
    assert.equal(await pruneDeliveryLog(database, now, never), { attempts: 6, deliveries: 6 })
    for (const { id } of subscribed) {
      const { data } = await api.call('get', `/v1/webhooks/${id}/deliveries`)
      assert.equal(
        (data as { attempted_at: string }[]).map(({ attempted_at }) => Date.parse(attempted_at)),
        young.toReversed(),
      )
      assert.is(await countOf('svc_deliveries', id), young.length)
    }
    assert.equal(await api.call('get', '/v1/webhooks'), before)
    assert.equal(await pruneDeliveryLog(database, now, never), { attempts: 0, deliveries: 0 })
  })

  test('go in small transactions, and a stop in the middle leaves the rest for the next time', async () => {
    const { database, clock } = api.engine.services
    const { id } = await api.subscribe('http://127.0.0.1:9000/', ['parcels.*'])
    const now = clock.now()
    const moments = Array.from({ length: 1200 }, (_, n) => now - KEPT - 1 - n)
    await leave(id, [...moments, now])
    const stop = new AbortController()
    const { watched, batches } = watching(database, () => {
      if (batches.length === 2) stop.abort()
    })
    const first = await pruneDeliveryLog(watched, now, stop.signal)
    assert.equal(first, { attempts: 1000, deliveries: 0 })
    assert.is(await countOf('svc_delivery_attempts'), 201)
    assert.is(await countOf('svc_deliveries'), 1201)
    const rest = watching(database)
    assert.equal(await pruneDeliveryLog(rest.watched, now, never), {
      attempts: 200,
      deliveries: 1200,
    })
    for (const size of [...batches, ...rest.batches]) assert.ok(size <= 500, `${size} at once`)
    assert.is(await countOf('svc_delivery_attempts'), 1)
    assert.is(await countOf('svc_deliveries'), 1)
  })

  test('that still wait go too, whatever the state of their endpoint, and nothing is sent for them', async () => {
    const receiver = await opened(ok())
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    await api.call('patch', `/v1/webhooks/${id}`, { status: 'paused' })
    await api.makeGadget('G1')
    api.clock.advance(29 * DAY)
    await api.makeGadget('G2')
    api.clock.advance(2 * DAY)
    const { database, clock } = api.engine.services
    assert.equal(await pruneDeliveryLog(database, clock.now(), never), {
      attempts: 0,
      deliveries: 1,
    })
    await api.call('patch', `/v1/webhooks/${id}`, { status: 'active' })
    await api.worker.settled()
    assert.equal(
      receiver.requests().map(({ body }) => JSON.parse(body).data.code),
      ['G2'],
    )
  })

  test('of removed subscriptions go as well', async () => {
    const { id } = await api.subscribe('http://127.0.0.1:9000/', ['parcels.*'])
    const { database, clock } = api.engine.services
    await leave(id, [clock.now()])
    await api.call('delete', `/v1/webhooks/${id}`)
    api.clock.advance(31 * DAY)
    assert.equal(await pruneDeliveryLog(database, clock.now(), never), {
      attempts: 1,
      deliveries: 1,
    })
  })

  test('and old events are removed by the jobs of the scheduler, events only where a retention is set', async () => {
    const { id } = await api.subscribe('http://127.0.0.1:9000/', ['parcels.*'])
    await leave(id, [api.clock.now()])
    await api.makeGadget('old')
    api.clock.advance(20 * DAY)
    await api.makeGadget('young')
    api.clock.advance(15 * DAY)
    const events = async (): Promise<string[]> => {
      const { data } = await api.call('get', '/v1/events?resource=gadgets&order=asc')
      return (data as { record_id: string }[]).map(({ record_id }) => record_id)
    }
    const look = async (days: number): Promise<void> => {
      const jobs = pruningJobs(api.engine, days)
      const scheduler = startScheduler(api.engine, logger, { jobs, firstLook: DAY })
      await scheduler.look()
      await scheduler.stop()
    }
    await look(0)
    assert.equal(await events(), ['old', 'young'])
    assert.is(await countOf('svc_deliveries'), 0)
    assert.is(await countOf('svc_delivery_attempts'), 0)
    await look(31)
    assert.equal(await events(), ['young'])
    // The record itself is no event.
    assert.is((await api.call('get', '/v1/gadgets/old')).code, 'old')
    // Done once a day.
    const [job] = pruningJobs(api.engine, 31)
    assert.is(await runDaily(api.engine, job!, logger), 'done already')
    api.clock.advance(DAY)
    assert.is(await runDaily(api.engine, job!, logger), 'done')
  })

  test('whose event is no longer in the log are given up at once and told, and nothing broken is sent', async () => {
    const [receiver, failing] = [await opened(ok()), await opened(answers(500))]
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    const { id: other } = await api.subscribe(failing.url, ['gadgets.created'])
    await api.call('patch', `/v1/webhooks/${id}`, { status: 'paused' })
    await api.makeGadget('lost')
    await api.worker.settled()
    const { database, clock, events } = api.engine.services
    const later = new Date(clock.now() + 1).toISOString()
    await database.write((tx) => events.prune(tx, later, 100))
    await api.call('patch', `/v1/webhooks/${id}`, { status: 'active' })
    api.clock.advance(5 * SECOND)
    await api.worker.settled()
    for (let hour = 0; hour < 30; hour += 1) {
      api.clock.advance(60 * 60 * SECOND)
      await api.worker.settled()
    }
    assert.is(receiver.connections(), 0)
    assert.is(failing.requests().length, 1)
    const [attempt, ...more] = await api.attempts(id)
    assert.is(more.length, 0)
    assert.match(attempt!.error as string, 'the event is no longer in the log')
    assert.is(attempt!.status_code, null)
    assert.is(attempt!.next_attempt_at, null)
    assert.is((await api.attempts(other)).length, 2)
    for (const row of await api.deliveries()) {
      assert.is(row.state, 'exhausted')
      assert.is(row.due, null)
    }
    // The receivers are not to blame.
    for (const one of [id, other]) {
      const shown = await api.call('get', `/v1/webhooks/${one}`)
      assert.is(shown.failing_since, null)
      assert.is(shown.status, 'active')
    }
    // Asked for again it is told again, once.
    await api.call('post', `/v1/webhooks/${id}/deliveries/${attempt!.id}/resend`, {}, 202)
    await api.worker.settled()
    assert.is((await api.attempts(id)).length, 2)
    assert.is(receiver.connections(), 0)
    // And what can be told goes on.
    await api.makeGadget('told')
    await api.worker.settled()
    assert.is(receiver.requests().length, 1)
  })
})

/** A database that notes how many rows each transaction removed. */
function watching(
  database: Database,
  onBatch: () => void = () => {},
): { watched: Database; batches: number[] } {
  const batches: number[] = []
  const watched: Database = {
    ...database,
    async write(job) {
      const result = await database.write(job)
      batches.push(Number(result))
      onBatch()
      return result
    },
  }
  return { watched, batches }
}
