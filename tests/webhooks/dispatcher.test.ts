import { createHmac } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import * as assert from 'uvu/assert'
import { verifyDelivery } from '../../webhooks/signing/verify.ts'
import { eventually } from '../cli/process.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import {
  answers,
  behaves,
  ok,
  type Received,
  type Receiver,
  tooMany,
} from '../helpers/receivers.ts'
import { openWebhookApp, type WebhookApp } from './webhook-app.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND

forEachDatabase('the dispatcher', ({ test, fresh }) => {
  let api: WebhookApp
  const receivers: Receiver[] = []
  test.before.each(async () => {
    api = await openWebhookApp({ database: await fresh(), settings: { rateLimit: false } })
  })
  test.after.each(async () => {
    await api.close()
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  })
  const opened = async (receiver: Promise<Receiver>): Promise<Receiver> => {
    receivers.push(await receiver)
    return receiver
  }
  const bodyOf = (received: Received | undefined) => JSON.parse(received!.body)

  test('tells a subscriber of a change in the envelope of the spec, signed', async () => {
    const receiver = await opened(ok())
    const { id, secret } = await api.subscribe(receiver.url, ['gadgets.created'])
    const gadget = await api.makeGadget('G1')
    await api.call('patch', '/v1/gadgets/G1', { title: 'Not asked for' })
    await api.worker.settled()
    const [received, ...more] = receiver.requests()
    assert.equal(more, [])
    const { headers, body } = received!
    const envelope = bodyOf(received)
    assert.equal(Object.keys(envelope), ['event', 'resource', 'delivery_id', 'timestamp', 'data'])
    assert.is(envelope.event, 'gadgets.created')
    assert.is(envelope.resource, 'gadgets')
    assert.equal(envelope.data, gadget)
    assert.is(envelope.timestamp, gadget.modified)
    assert.match(envelope.delivery_id, /^dlv_/)
    assert.is(received!.method, 'POST')
    assert.is(headers['content-type'], 'application/json')
    assert.match(headers['user-agent'] ?? '', /Webhooks\/1\.0$/)
    assert.is(headers['x-svc-event'], 'gadgets.created')
    assert.is(headers['x-svc-delivery'], envelope.delivery_id)
    const seconds = String(Math.floor(api.clock.now() / SECOND))
    assert.is(headers['x-svc-timestamp'], seconds)
    const hex = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
    assert.is(headers['x-svc-signature'], `t=${seconds}, v1=${hex}`)
    assert.is(headers['x-svc-signature-256'], `sha256=${hex}`)
    assert.equal(verifyDelivery({ headers, body, secret, now: api.clock.now() }), {
      verified: true,
    })
    const [attempt] = await api.attempts(id)
    assert.equal(attempt, {
      id: attempt!.id,
      delivery_id: envelope.delivery_id,
      event: 'gadgets.created',
      attempt: 1,
      trigger: 'auto',
      url: receiver.url,
      status_code: 200,
      latency_ms: attempt!.latency_ms,
      response_preview: attempt!.response_preview,
      error: null,
      attempted_at: new Date(api.clock.now()).toISOString(),
      next_attempt_at: null,
      request_headers: attempt!.request_headers,
    })
    assert.not.match(JSON.stringify(attempt), hex)
    const shown = await api.call('get', `/v1/webhooks/${id}`)
    assert.equal(shown.last_delivery, { status_code: 200, at: attempt!.attempted_at })
  })

  test('repeats a failed delivery by the schedule: the same body and id, a new timestamp and signature', async () => {
    const receiver = await opened(answers(500, 'no room'))
    const { id } = await api.subscribe(receiver.url, ['gadgets.*'])
    await api.makeGadget('G1')
    const delays = [0, 5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 27_000]
    for (const [index, seconds] of delays.entries()) {
      if (seconds > 0) {
        api.clock.advance(seconds * SECOND - 1)
        await api.worker.settled()
        assert.is(receiver.requests().length, index, 'too early')
        api.clock.advance(1)
      }
      await api.worker.settled()
      assert.is(receiver.requests().length, index + 1)
    }
    api.clock.advance(2 * DAY)
    await api.worker.settled()
    const requests = receiver.requests()
    assert.is(requests.length, 12)
    const distinct = (header: string): number =>
      new Set(requests.map(({ headers }) => headers[header])).size
    assert.is(new Set(requests.map(({ body }) => body)).size, 1)
    assert.is(distinct('x-svc-delivery'), 1)
    assert.is(distinct('webhook-id'), 1)
    assert.is(distinct('x-svc-timestamp'), 12)
    assert.is(distinct('x-svc-signature'), 12)
    const attempts = await api.attempts(id)
    assert.equal(
      attempts.map(({ attempt }) => attempt),
      Array.from({ length: 12 }, (_, index) => index + 1),
    )
    for (const [index, { attempted_at, next_attempt_at, response_preview }] of attempts.entries()) {
      assert.is(response_preview, 'no room')
      const following = attempts[index + 1]?.attempted_at ?? null
      assert.is(next_attempt_at, following)
      assert.ok(attempted_at)
    }
    const [delivery] = await api.deliveries()
    assert.is(delivery!.state, 'exhausted')
  })

  test('stops repeating once the receiver takes it', async () => {
    let isUp = false
    const receiver = await opened(
      behaves((response) => {
        response.statusCode = isUp ? 204 : 503
        response.end()
      }),
    )
    const { id } = await api.subscribe(receiver.url, ['gadgets.*'])
    await api.makeGadget('G1')
    await api.worker.settled()
    isUp = true
    api.clock.advance(5 * SECOND)
    await api.worker.settled()
    api.clock.advance(DAY)
    await api.worker.settled()
    assert.equal(
      (await api.attempts(id)).map(({ status_code }) => status_code),
      [503, 204],
    )
    assert.is((await api.deliveries())[0]!.state, 'delivered')
  })

  test('waits as long as the receiver asks for, within the schedule', async () => {
    const receiver = await opened(tooMany('60'))
    await api.subscribe(receiver.url, ['gadgets.*'])
    await api.makeGadget('G1')
    await api.worker.settled()
    api.clock.advance(59 * SECOND)
    await api.worker.settled()
    assert.is(receiver.requests().length, 1)
    api.clock.advance(SECOND)
    await api.worker.settled()
    assert.is(receiver.requests().length, 2)
  })

  test('sends each subscription its own delivery, and none what it did not ask for', async () => {
    const [all, some, none] = await Promise.all([opened(ok()), opened(ok()), opened(ok())])
    await api.subscribe(all!.url, ['*'])
    await api.subscribe(all!.url, ['*'])
    await api.subscribe(some!.url, ['gizmos.updated', 'gadgets.updated'])
    await api.subscribe(none!.url, ['parcels.*'])
    await api.makeGadget('G1')
    await api.call('patch', '/v1/gadgets/G1', { title: 'New' })
    await api.worker.settled()
    const events = (receiver: Receiver): string[] =>
      receiver.requests().map((received) => bodyOf(received).event)
    assert.equal(events(all!).toSorted(), [
      'gadgets.created',
      'gadgets.created',
      'gadgets.updated',
      'gadgets.updated',
    ])
    assert.is(new Set(all!.requests().map(({ headers }) => headers['x-svc-delivery'])).size, 4)
    assert.equal(events(some!), ['gadgets.updated'])
    assert.equal(events(none!), [])
  })

  test('keeps what a paused endpoint is to get, and sends it to the address it has then', async () => {
    const [old, other] = await Promise.all([opened(ok()), opened(ok())])
    const { id } = await api.subscribe(old!.url, ['gadgets.*'])
    await api.call('patch', `/v1/webhooks/${id}`, { status: 'paused' })
    await api.makeGadget('G1')
    api.clock.advance(DAY)
    await api.worker.settled()
    assert.is(old!.requests().length, 0)
    await api.call('patch', `/v1/webhooks/${id}`, { status: 'active', url: other!.url })
    await api.worker.settled()
    assert.is(old!.requests().length, 0)
    assert.is(other!.requests().length, 1)
  })

  test('sends nothing more once the subscription is removed', async () => {
    const receiver = await opened(answers(500))
    const { id } = await api.subscribe(receiver.url, ['gadgets.*'])
    await api.makeGadget('G1')
    await api.worker.settled()
    await api.call('delete', `/v1/webhooks/${id}`)
    await api.makeGadget('G2')
    api.clock.advance(DAY)
    await api.worker.settled()
    assert.is(receiver.requests().length, 1)
    await api.call('get', `/v1/webhooks/${id}`, undefined, 404)
  })

  test('signs with both secrets while a rotation is under way, and with the new one after it', async () => {
    const receiver = await opened(ok())
    const { id, secret: first } = await api.subscribe(receiver.url, ['gadgets.*'])
    const { secret: second } = (await api.call('post', `/v1/webhooks/${id}/rotate`, {
      grace_seconds: 3600,
    })) as { secret: string }
    assert.is.not(first, second)
    const verifies = ({ headers, body }: Received, secret: string): boolean =>
      verifyDelivery({ headers, body, secret, now: api.clock.now() }).verified
    await api.makeGadget('G1')
    await api.worker.settled()
    const [during] = receiver.requests()
    assert.ok(verifies(during!, first) && verifies(during!, second))
    api.clock.advance(3600 * SECOND)
    await api.makeGadget('G2')
    await api.worker.settled()
    const [, after] = receiver.requests()
    assert.ok(!verifies(after!, first) && verifies(after!, second))
  })

  test('is verified by the libraries of Standard Webhooks and Svix unmodified', async () => {
    const receiver = await opened(ok())
    const { id, secret } = await api.subscribe(receiver.url, ['gadgets.*'])
    // The libraries compare with the machine's clock.
    api.clock.advance(Date.now() - api.clock.now())
    await api.makeGadget('G1')
    await api.worker.settled()
    const { secret: second } = (await api.call('post', `/v1/webhooks/${id}/rotate`)) as {
      secret: string
    }
    await api.makeGadget('G2')
    await api.worker.settled()
    for (const { headers, body } of receiver.requests())
      for (const Library of [StandardWebhook, SvixWebhook])
        assert.not.throws(() => new Library(secret).verify(body, headers as Record<string, string>))
    const [, rotated] = receiver.requests()
    const { headers, body } = rotated!
    for (const Library of [StandardWebhook, SvixWebhook]) {
      assert.not.throws(() => new Library(second).verify(body, headers as Record<string, string>))
      assert.throws(() => new Library(second).verify(`${body} `, headers as Record<string, string>))
    }
  })

  test('tries an endpoint at once when asked, also one that is paused, without a schedule', async () => {
    const receiver = await opened(answers(418))
    const { id } = await api.subscribe(receiver.url, ['gadgets.*'])
    await api.call('patch', `/v1/webhooks/${id}`, { status: 'paused' })
    const { delivery_id } = await api.call('post', `/v1/webhooks/${id}/test`, {}, 202)
    await api.call('post', `/v1/webhooks/${id}/test`, { event: 'gadgets.updated' }, 202)
    await api.call('post', `/v1/webhooks/${id}/test`, { event: 'gadgets.flown' }, 422)
    await api.worker.settled()
    api.clock.advance(DAY)
    await api.worker.settled()
    const bodies = receiver.requests().map(bodyOf)
    assert.equal(bodies.map(({ event }) => event).toSorted(), ['gadgets.updated', 'webhooks.test'])
    assert.ok(bodies.every(({ test: isTest }) => isTest === true))
    assert.ok(bodies.some((body) => body.delivery_id === delivery_id))
    assert.equal(
      (await api.attempts(id)).map(({ trigger }) => trigger),
      ['manual', 'manual'],
    )
    assert.equal((await api.call('get', '/v1/events?kind=test')).data, [])
  })

  test('sends one delivery again when asked, under the same id', async () => {
    const receiver = await opened(ok())
    const { id } = await api.subscribe(receiver.url, ['gadgets.*'])
    await api.makeGadget('G1')
    await api.worker.settled()
    const [first] = await api.attempts(id)
    const path = `/v1/webhooks/${id}/deliveries`
    api.clock.advance(1)
    const again = await api.call('post', `${path}/${first!.id}/resend`, {}, 202)
    assert.equal(again, { delivery_id: first!.delivery_id })
    await api.worker.settled()
    api.clock.advance(1)
    await api.call('post', `${path}/${first!.delivery_id}/resend`, {}, 202)
    await api.worker.settled()
    const bodies = receiver.requests().map(({ body }) => body)
    assert.is(bodies.length, 3)
    assert.is(new Set(bodies).size, 1)
    assert.equal(
      (await api.attempts(id)).map(({ attempt, trigger }) => `${attempt} ${trigger}`),
      ['1 auto', '2 manual', '3 manual'],
    )
    await api.call('post', `${path}/dlv_none/resend`, {}, 404)
    const { id: other } = await api.subscribe(receiver.url, ['gadgets.*'])
    await api.call('post', `/v1/webhooks/${other}/deliveries/${first!.id}/resend`, {}, 404)
  })

  test('sends again what somebody asks for while it is under way, once for all who ask', async () => {
    for (const status of [200, 500]) {
      let answer = () => {}
      const answered = new Promise<void>((resolve) => {
        answer = resolve
      })
      const receiver = await opened(
        behaves(async (response) => {
          await answered
          response.writeHead(status).end()
        }),
      )
      const { id } = await api.subscribe(receiver.url, ['gadgets.*'])
      await api.makeGadget(`G${status}`)
      await eventually(() => receiver.requests().length > 0)
      const { delivery_id } = bodyOf(receiver.requests()[0])
      const resend = `/v1/webhooks/${id}/deliveries/${delivery_id}/resend`
      api.clock.advance(1)
      for (const _ of [1, 2]) await api.call('post', resend, {}, 202)
      answer()
      await api.worker.settled()
      assert.equal(
        (await api.attempts(id)).map(({ trigger, status_code }) => [trigger, status_code]),
        [
          ['auto', status],
          ['manual', status],
        ],
      )
      await api.call('delete', `/v1/webhooks/${id}`, undefined, 204)
    }
  })

  test('leaves the schedule as it is when a resend fails, and ends it when it succeeds', async () => {
    let status = 500
    const receiver = await opened(
      behaves((response) => {
        response.statusCode = status
        response.end()
      }),
    )
    const { id } = await api.subscribe(receiver.url, ['gadgets.*'])
    await api.makeGadget('G1')
    await api.worker.settled()
    const [first] = await api.attempts(id)
    const resend = `/v1/webhooks/${id}/deliveries/${first!.id}/resend`
    await api.call('post', resend, {}, 202)
    await api.worker.settled()
    assert.is(receiver.requests().length, 2)
    api.clock.advance(5 * SECOND)
    await api.worker.settled()
    assert.is(receiver.requests().length, 3)
    status = 200
    await api.call('post', resend, {}, 202)
    await api.worker.settled()
    api.clock.advance(DAY)
    await api.worker.settled()
    assert.is(receiver.requests().length, 4)
  })

  test('recovers what was missed: before the subscription, while it was disabled, what was given up', async () => {
    const since = new Date(api.clock.now()).toISOString()
    await api.makeGadget('early')
    api.clock.advance(SECOND)
    const receiver = await opened(ok())
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    await api.makeGadget('late')
    await api.worker.settled()
    const path = `/v1/webhooks/${id}/recover`
    assert.equal(await api.call('post', path, { since }, 202), { queued: 1, matched: 2 })
    assert.equal(await api.call('post', path, { since }, 202), { queued: 0, matched: 2 })
    await api.worker.settled()
    assert.equal(
      receiver.requests().map((received) => bodyOf(received).data.code),
      ['late', 'early'],
    )
    assert.equal(await api.call('post', path, { since, until: since }, 202), {
      queued: 0,
      matched: 0,
    })
    await api.call('post', path, {}, 422)
    await api.call('post', path, { since: 'yesterday' }, 422)
    await api.call('post', '/v1/webhooks/whk_none/recover', { since }, 404)
  })

  test('begins a delivery that was given up again when it is recovered', async () => {
    let status = 500
    const receiver = await opened(
      behaves((response) => {
        response.statusCode = status
        response.end()
      }),
    )
    const since = new Date(api.clock.now()).toISOString()
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    await api.makeGadget('G1')
    for (let n = 0; n < 12; n += 1) {
      await api.worker.settled()
      api.clock.advance(DAY)
    }
    assert.is((await api.deliveries())[0]!.state, 'exhausted')
    status = 200
    const recovered = await api.call('post', `/v1/webhooks/${id}/recover`, { since }, 202)
    assert.is(recovered.queued, 1)
    await api.worker.settled()
    const requests = receiver.requests()
    assert.is(requests.length, 13)
    assert.is(new Set(requests.map(({ body }) => body)).size, 1)
    assert.is((await api.deliveries())[0]!.state, 'delivered')
  })

  test('disables an endpoint after five days of nothing but given-up deliveries, with an event', async () => {
    const [dead, watching] = await Promise.all([opened(answers(500)), opened(ok())])
    const { id } = await api.subscribe(dead!.url, ['gadgets.*'])
    await api.subscribe(watching!.url, ['webhooks.disabled'])
    for (let day = 0; day < 9; day += 1) {
      await api.makeGadget(`G${day}`)
      for (let n = 0; n < 6; n += 1) {
        await api.worker.settled()
        api.clock.advance(DAY / 6)
      }
    }
    await api.worker.settled()
    const shown = await api.call('get', `/v1/webhooks/${id}`)
    assert.is(shown.status, 'disabled')
    const [told] = watching!.requests()
    const { event, data } = bodyOf(told)
    assert.is(event, 'webhooks.disabled')
    assert.is(data.id, id)
    assert.is(data.status, 'disabled')
    assert.not.match(JSON.stringify(data), 'secret')
    const before = dead!.requests().length
    await api.makeGadget('unheard')
    await api.worker.settled()
    assert.is(dead!.requests().length, before)
    const { data: lines } = await api.call('get', '/v1/events?event=webhooks.disabled')
    assert.is((lines as unknown[]).length, 1)
    await api.call('patch', `/v1/webhooks/${id}`, { status: 'active' })
    await api.makeGadget('heard')
    await api.worker.settled()
    assert.ok(dead!.requests().length > before)
  })

  test('does not disable an endpoint that takes a delivery now and then', async () => {
    let n = 0
    const receiver = await opened(
      behaves((response, _socket, { body }) => {
        response.statusCode = JSON.parse(body).data.code.startsWith('good') ? 200 : 500
        n += 1
        response.end()
      }),
    )
    const { id } = await api.subscribe(receiver.url, ['gadgets.*'])
    for (let day = 0; day < 10; day += 1) {
      await api.makeGadget(`bad${day}`)
      if (day % 3 === 0) await api.makeGadget(`good${day}`)
      for (let n = 0; n < 6; n += 1) {
        await api.worker.settled()
        api.clock.advance(DAY / 6)
      }
    }
    assert.ok((await api.deliveries(id)).some(({ state }) => state === 'exhausted'))
    assert.ok(n > 50)
    assert.is((await api.call('get', `/v1/webhooks/${id}`)).status, 'active')
  })
})
