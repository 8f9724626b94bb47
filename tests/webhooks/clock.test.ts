import type { ServerResponse } from 'node:http'
import * as assert from 'uvu/assert'
import type { DispatcherOptions } from '../../webhooks/dispatcher.ts'
import { deliveryQueue } from '../../webhooks/queue-store.ts'
import { verifyDelivery } from '../../webhooks/signing/verify.ts'
import { eventually } from '../cli/process.ts'
import { forEachDatabaseWhenDeep, type TestDatabase } from '../helpers/databases.ts'
import { answers, behaves, ok, type Receiver, tooMany } from '../helpers/receivers.ts'
import { testClock } from '../server/test-app.ts'
import { openWebhookApp, type WebhookApp, type WebhookAppOptions } from './webhook-app.ts'

const SECOND = 1000
const HOUR = 60 * 60 * SECOND
/** Longer than any test: what is held, is held until the test lets go. */
const FOR_EVER = { timeoutMs: 600 * SECOND }

forEachDatabaseWhenDeep('a clock', ({ test, fresh }) => {
  const toClose: { close(): Promise<void> }[] = []
  test.after.each(async () => {
    for (const one of toClose.splice(0).reverse()) await one.close()
  })
  const opened = async <T extends { close(): Promise<void> }>(one: Promise<T>): Promise<T> => {
    const open = await one
    toClose.push(open)
    return open
  }
  const open = async (more: WebhookAppOptions = {}, database?: TestDatabase): Promise<WebhookApp> =>
    opened(
      openWebhookApp({
        database: database ?? (await fresh()),
        settings: { rateLimit: false },
        sender: FOR_EVER,
        ...more,
        worker: { logger: quiet, ...more.worker },
      }),
    )
  const timesEach = (receiver: Receiver): number[] => {
    const times = new Map<unknown, number>()
    for (const { headers } of receiver.requests())
      times.set(headers['x-svc-delivery'], (times.get(headers['x-svc-delivery']) ?? 0) + 1)
    return [...times.values()]
  }

  test('that leaps a day ahead causes one attempt of each delivery that is due, and the schedule goes on', async () => {
    const receiver = await opened(answers(500))
    const api = await open()
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    for (let n = 0; n < 30; n += 1) await api.makeGadget(`G${n}`)
    await api.worker.settled()
    assert.is(receiver.requests().length, 30)
    api.clock.advance(25 * HOUR)
    await api.worker.settled()
    assert.equal(timesEach(receiver), Array(30).fill(2))
    const rows = await api.deliveries(id)
    for (const { state, due, tries } of rows) {
      assert.is(state, 'pending')
      assert.is(tries, 2n)
      assert.is(due, BigInt(api.clock.now() + 30 * SECOND))
    }
    for (let attempt = 3; attempt <= 12; attempt += 1) {
      api.clock.advance(25 * HOUR)
      await api.worker.settled()
      assert.equal(timesEach(receiver), Array(30).fill(attempt))
    }
    assert.ok((await api.deliveries(id)).every(({ state }) => state === 'exhausted'))
  })

  test('that leaps ahead makes no second attempt of what is under way', async () => {
    const held: ServerResponse[] = []
    const slow = await opened(behaves((response) => held.push(response)))
    const quick = await opened(ok())
    const api = await open()
    const { id } = await api.subscribe(slow.url, ['gadgets.created'])
    await api.subscribe(quick.url, ['gadgets.*'])
    for (let n = 0; n < 3; n += 1) await api.makeGadget(`G${n}`)
    await eventually(() => held.length === 3)
    for (let leap = 1; leap <= 3; leap += 1) {
      api.clock.advance(25 * HOUR)
      await api.call('patch', '/v1/gadgets/G1', { title: `Leap ${leap}` })
      await eventually(() => quick.requests().length === 3 + leap)
    }
    assert.is(slow.requests().length, 3)
    for (const response of held.splice(0)) response.end('done')
    await api.worker.settled()
    assert.is(slow.requests().length, 3)
    assert.equal(
      (await api.attempts(id)).map(({ attempt, error }) => ({ attempt, error })),
      Array(3).fill({ attempt: 1, error: null }),
    )
    assert.ok((await api.deliveries(id)).every(({ state }) => state === 'delivered'))
  })

  test('that is put back while a backlog waits for its turn delivers all of it at once', async () => {
    const held: ServerResponse[] = []
    let isHolding = true
    const receiver = await opened(
      behaves((response) => {
        if (isHolding) held.push(response)
        else response.end()
      }),
    )
    const api = await open()
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    for (let n = 0; n < 60; n += 1) await api.makeGadget(`G${n}`)
    await eventually(() => held.length === 10)
    api.clock.advance(-2 * HOUR)
    await api.makeGadget('after')
    isHolding = false
    for (const response of held.splice(0)) response.end()
    await eventually(() => receiver.requests().length === 61)
    await api.worker.settled()
    assert.equal(timesEach(receiver), Array(61).fill(1))
    const attempts = await api.attempts(id)
    assert.is(attempts.length, 61)
    for (const { latency_ms } of attempts) assert.ok((latency_ms as number) >= 0)
  })

  test('that was put back before a process begins holds up nothing that was never tried', async () => {
    const receiver = await opened(ok())
    const api = await open({ isIdle: true })
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    for (let n = 0; n < 5; n += 1) await api.makeGadget(`G${n}`)
    await api.call('post', `/v1/webhooks/${id}/test`, {}, 202)
    api.clock.advance(-2 * HOUR)
    const worker = api.startWorker()
    await eventually(() => receiver.requests().length === 6)
    await worker.settled()
    assert.equal(timesEach(receiver), Array(6).fill(1))
  })

  test('that is put back keeps what waits for its repetition, and makes no wait negative', async () => {
    const receiver = await opened(answers(503))
    const api = await open()
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    await api.makeGadget('G1')
    await api.worker.settled()
    const [{ due }] = (await api.deliveries(id)) as [{ due: bigint }]
    api.clock.advance(-2 * HOUR)
    await api.makeGadget('G2')
    await eventually(() => receiver.requests().length === 2)
    await api.worker.settled()
    assert.ok((await api.deliveries(id)).some((row) => row.due === due))
    api.clock.advance(2 * HOUR + 4 * SECOND)
    await api.worker.settled()
    assert.equal(timesEach(receiver).sort(), [1, 2])
    api.clock.advance(SECOND)
    await api.worker.settled()
    assert.equal(timesEach(receiver), [2, 2])
    for (const { attempted_at, next_attempt_at } of await api.attempts(id))
      assert.ok(Date.parse(next_attempt_at as string) >= Date.parse(attempted_at as string) + 4500)
  })

  test('that is put back while an attempt is under way counts the wait from what it shows then', async () => {
    const held: ServerResponse[] = []
    const receiver = await opened(behaves((response) => held.push(response)))
    const api = await open()
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    await api.makeGadget('G1')
    await eventually(() => held.length === 1)
    api.clock.advance(-2 * HOUR)
    held.splice(0)[0]!.writeHead(500).end()
    await api.worker.settled()
    const [row] = await api.deliveries(id)
    assert.is(row!.due, BigInt(api.clock.now() + 5 * SECOND))
    assert.is(row!.leased_by, null)
    api.clock.advance(5 * SECOND)
    await eventually(() => held.length === 1)
    held[0]!.end()
    await api.worker.settled()
    assert.is((await api.deliveries(id))[0]!.state, 'delivered')
  })

  const elsewhere = JSON.stringify(['another machine', 1, 1, 'x'])

  for (const isRunning of [true, false])
    test(`that is put back lets no lease of a dead machine last for hours (worker ${isRunning ? 'running' : 'started then'})`, async () => {
      const receiver = await opened(ok())
      const api = await open({ isIdle: true })
      const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
      await api.makeGadget('G1')
      const { database } = api.engine.services
      const now = api.clock.now()
      const [claimed] = await database.write((tx) =>
        deliveryQueue(database.kind).claim(tx, {
          lanes: [{ webhookId: id, manual: 0, room: 1 }],
          total: 1,
          now,
          leaseUntil: now + 30 * SECOND,
          worker: elsewhere,
        }),
      )
      assert.ok(claimed)
      if (isRunning) {
        const worker = api.startWorker()
        await worker.settled()
        // It has seen the time before.
        await api.call('post', `/v1/webhooks/${id}/test`, {}, 202)
        await eventually(() => receiver.requests().length === 1)
      }
      const before = receiver.requests().length
      api.clock.advance(-2 * HOUR)
      const worker = isRunning ? undefined : api.startWorker()
      const leaseEnd = BigInt(api.clock.now() + 30 * SECOND)
      await eventually(async () =>
        (await api.deliveries(id)).some(
          (row) => row.leased_by === elsewhere && row.due === leaseEnd,
        ),
      )
      // Until then the other one may still be at it.
      assert.is(receiver.requests().length, before)
      api.clock.advance(30 * SECOND)
      await eventually(() => receiver.requests().length === before + 1)
      await worker?.settled()
    })

  test('shows the year 2038 and later like any other', async () => {
    const start = Date.parse('2038-01-19T03:14:00.000Z')
    const receiver = await opened(answers(500))
    const api = await open({ clock: testClock(start) })
    const { id, secret } = await api.subscribe(receiver.url, ['gadgets.created'])
    await api.makeGadget('G1')
    await api.worker.settled()
    api.clock.advance(10 * SECOND)
    await api.worker.settled()
    // From 2059-05-25 on a time in ms has one digit more in base 36.
    api.clock.advance(Date.parse('2101-01-01') - api.clock.now())
    await api.worker.settled()
    const requests = receiver.requests()
    assert.is(requests.length, 3)
    const seconds = requests.map(({ headers }) => Number(headers['x-svc-timestamp']))
    assert.equal(seconds, [start / 1000, start / 1000 + 10, Date.parse('2101-01-01') / 1000])
    for (const [index, { headers, body }] of requests.entries()) {
      const now = seconds[index]! * 1000
      assert.ok(verifyDelivery({ headers, body, secret, now }).verified)
    }
    assert.equal(
      (await api.attempts(id)).map(({ attempt }) => attempt),
      [1, 2, 3],
    )
    const { data } = await api.call('get', '/v1/events?since=2038-01-19T03:14:00Z')
    assert.is((data as unknown[]).length, 1)
  })

  test('that is put back lets Retry-After ask for as much as ever, and never for less than nothing', async () => {
    const receiver = await opened(tooMany('99999999999'))
    const api = await open()
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    await api.makeGadget('G1')
    await api.worker.settled()
    const [first] = await api.attempts(id)
    api.clock.advance(-2 * HOUR)
    await api.call('post', `/v1/webhooks/${id}/deliveries/${first!.id}/resend`, {}, 202)
    await eventually(() => receiver.requests().length === 2)
    await api.worker.settled()
    const waits = (await api.deliveries(id)).map(({ due }) => Number(due) - api.clock.now())
    const firstWait =
      Date.parse(first!.next_attempt_at as string) - Date.parse(first!.attempted_at as string)
    assert.equal(waits, [firstWait])
    const past = await opened(tooMany('Wed, 21 Oct 2015 07:28:00 GMT'))
    const { id: pastId } = await api.subscribe(past.url, ['gadgets.created'])
    await api.makeGadget('G2')
    await eventually(() => past.requests().length === 1)
    await api.worker.settled()
    const [{ due }] = (await api.deliveries(pastId)) as [{ due: bigint }]
    assert.is(due, BigInt(api.clock.now() + 5 * SECOND))
  })

  test('that is put back hides no event from who reads the log by time, nor from a recovery', async () => {
    const receiver = await opened(ok())
    const api = await open()
    const start = api.clock.now()
    const at = (hours: number): string => new Date(start + hours * HOUR).toISOString()
    for (const code of ['A1', 'A2']) await api.makeGadget(code)
    api.clock.advance(-2 * HOUR)
    for (const code of ['B1', 'B2']) await api.makeGadget(code)
    api.clock.advance(HOUR)
    await api.makeGadget('C1')
    const read = async (query: string): Promise<string[]> => {
      const { data } = await api.call('get', `/v1/events?resource=gadgets&order=asc&${query}`)
      return (data as { record_id: string }[]).map(({ record_id }) => record_id)
    }
    assert.equal(await read(`since=${at(-2)}`), ['A1', 'A2', 'B1', 'B2', 'C1'])
    assert.equal(await read(`since=${at(-1)}`), ['A1', 'A2', 'C1'])
    assert.equal(await read(`since=${at(-1.5)}&until=${at(-0.5)}`), ['C1'])
    assert.equal(await read(`until=${at(0)}`), ['B1', 'B2', 'C1'])
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    const path = `/v1/webhooks/${id}/recover`
    const period = { since: at(-2), until: at(1) }
    assert.equal(await api.call('post', path, period, 202), { queued: 5, matched: 5 })
    await api.worker.settled()
    assert.is(receiver.requests().length, 5)
  })

  test('is one for two processes that share a backlog: each delivery is made exactly once', async () => {
    const database = await fresh()
    const clock = testClock()
    let isHolding = true
    const held: ServerResponse[] = []
    const hold = (): Promise<Receiver> =>
      behaves((response) => {
        if (isHolding) held.push(response)
        else response.end()
      })
    const receivers = [await opened(hold()), await opened(hold()), await opened(hold())]
    const [one, two] = [
      await open({ isIdle: true, clock }, database),
      await open({ isIdle: true, clock }, database),
    ]
    for (const { url } of receivers) await one.subscribe(url, ['gadgets.created'])
    for (let n = 0; n < 80; n += 1) await (n % 2 === 0 ? one : two).makeGadget(`G${n}`)
    const workers = [one.startWorker({ pollMs: 20 }), two.startWorker({ pollMs: 20 })]
    // Both are at it, and neither is done.
    await eventually(() => workers.every((worker) => worker.stats().underWay === 30))
    isHolding = false
    for (const response of held.splice(0)) response.end()
    await eventually(() => receivers.every((receiver) => receiver.requests().length >= 80))
    for (const worker of workers) await worker.settled()
    for (const receiver of receivers) assert.equal(timesEach(receiver), Array(80).fill(1))
    const rows = await one.deliveries()
    assert.is(rows.length, 240)
    assert.ok(rows.every(({ state, attempts }) => state === 'delivered' && attempts === 1n))
    const made = workers.map((worker) => worker.stats().delivered)
    assert.is(made[0]! + made[1]!, 240)
    assert.ok(made.every((count) => count >= 30))
  })
})

/** A clock that is put back is worth a warning; an error fails the test. */
const quiet: DispatcherOptions['logger'] = {
  warn: () => {},
  info: () => {},
  error: (...details: unknown[]) => {
    throw new Error(`a worker complained: ${JSON.stringify(details)}`)
  },
}
