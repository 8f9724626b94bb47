import type { Router } from 'express'
import { assertManager, isManaged } from '../../engine/access/can.ts'
import { hiddenResources } from '../../engine/access/hidden-resources.ts'
import { SECURITY } from '../../engine/schema/catalogue/security-events.ts'
import { bodyOf, eventTextsOf } from '../../webhooks/attempt.ts'
import {
  type AttemptFilter,
  type AttemptRow,
  countAttempts,
  selectAttempts,
} from '../../webhooks/attempt-store.ts'
import { findDelivery } from '../../webhooks/delivery-store.ts'
import { eventNames } from '../../webhooks/known-events.ts'
import {
  deliveryNotFound,
  recoverDeliveries,
  resendDelivery,
  sendTest,
} from '../../webhooks/redeliver.ts'
import { shownHeaders } from '../../webhooks/signing/headers.ts'
import { getSubscription } from '../../webhooks/subscriptions.ts'
import { testOf } from '../../webhooks/test-event.ts'
import { type Answer, sendAnswer, sendJson } from '../http/answer.ts'
import { type BodyField, readFields } from '../http/fields-of-body.ts'
import { A_MOMENT_LOOKS, momentOf } from '../http/moment.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { PAGING_PARAMETERS } from '../http/paging.ts'
import { reads, takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { oneOf } from '../settings/setting-values.ts'
import { parameter, type V1 } from './call.ts'
import { attemptReads } from './log-reads.ts'
import {
  pageOfIds,
  type ReadParameter,
  readName,
  readSystemList,
  sendSystemList,
} from './system-list.ts'
import { assertMayChangeWebhooks, assertMayReadWebhooks, webhookId } from './webhooks.ts'

/** The delivery log of a subscription, and sending again (contract §3, Webhooks). */
export function deliveryRoutes(router: Router, v1: V1): void {
  router.get(
    '/webhooks/:id/deliveries',
    reads(...PAGING_PARAMETERS, ...Object.keys(PARAMETERS)),
    list(v1),
  )
  router.all('/webhooks/:id/deliveries', methodNotAllowed('GET, HEAD'))
  router.get('/webhooks/:id/deliveries/:delivery', takes(), body(v1))
  router.all('/webhooks/:id/deliveries/:delivery', methodNotAllowed('GET, HEAD'))
  router.post('/webhooks/:id/deliveries/:delivery/resend', takes(), resend(v1))
  router.all('/webhooks/:id/deliveries/:delivery/resend', methodNotAllowed('POST'))
  router.post('/webhooks/:id/test', takes(), test(v1))
  router.all('/webhooks/:id/test', methodNotAllowed('POST'))
  router.post('/webhooks/:id/recover', takes(), recover(v1))
  router.all('/webhooks/:id/recover', methodNotAllowed('POST'))
}

const PARAMETERS: Readonly<Record<string, ReadParameter>> = {
  event: readName,
  delivery_id: readName,
  outcome: oneOf(['ok', 'failed']),
}

function list({ engine }: V1): Handler {
  const readsOf = attemptReads()
  return async (request, response) => {
    assertMayReadWebhooks(response)
    const { database, cursors, registry } = engine.services
    const id = webhookId(request)
    const query = readSystemList(cursors, `deliveries ${id}`, readQuery(request.url), PARAMETERS)
    await getSubscription(database.read, id)
    const event = query.given.get('event')
    const filter: AttemptFilter = {
      webhook_id: id,
      ...Object.fromEntries(query.given),
      ...(event === undefined ? {} : { event: eventNames(registry)(event) }),
    }
    const { offset } = query.paging
    const { actor, tier } = response.locals
    const on = readsOf(engine.context(actor, tier), filter, offset ?? 0)
    const rows = await selectAttempts(on.page, filter, pageOfIds(query))
    const total = offset === undefined ? undefined : await countAttempts(on.count, filter)
    sendSystemList(response, cursors, query, {
      rows,
      total,
      show: attemptJson,
      position: (row) => row.id,
    })
  }
}

/** One attempt: what the spec and reliability.md §1 name, the signatures left out. */
function attemptJson({ webhook_id: _, ...row }: AttemptRow): string {
  const timestamp = Math.floor(Date.parse(row.attempted_at) / 1000)
  const { delivery_id: deliveryId, event } = row
  return JSON.stringify({ ...row, request_headers: shownHeaders({ event, deliveryId, timestamp }) })
}

/** What a delivery sends, as its receiver gets it: null once the event is no longer in the log. */
function body({ engine }: V1): Handler {
  return async (request, response) => {
    assertMayReadWebhooks(response)
    const { services } = engine
    const { read } = services.database
    const webhook = await getSubscription(read, webhookId(request))
    const id = parameter(request, 'delivery')
    const delivery = id.includes('\0') ? undefined : await findDelivery(read, id)
    if (delivery?.webhook_id !== webhook.id) throw deliveryNotFound(id)
    const { actor, tier } = response.locals
    const { event, event_id, state } = delivery
    const resource = event.slice(0, event.indexOf('.'))
    const hidden = hiddenResources(engine.context(actor, tier), services.registry.all)
    if (hidden.includes(resource)) throw deliveryNotFound(id)
    const definition = services.registry.bySlug(resource)
    if (resource === SECURITY || (definition && isManaged(definition)))
      assertManager(actor, 'admin', 'read what this delivery sends')
    const text = (await eventTextsOf(read, services.events, [delivery])).get(event_id)
    const sent = text ? JSON.parse(bodyOf(delivery, text).toString()) : null
    sendJson(response, 200, JSON.stringify({ delivery_id: id, event, state, body: sent }))
  }
}

function resend(v1: V1): Handler {
  return async (request, response) => {
    assertMayChangeWebhooks(response)
    if (v1.idempotency.replay(response)) return
    readFields(response.locals.body, {})
    const id = webhookId(request)
    const delivery = parameter(request, 'delivery')
    if (delivery.includes('\0')) throw deliveryNotFound(delivery)
    const now = v1.engine.services.clock.now()
    await queue(v1, response, async (tx) => ({
      delivery_id: await resendDelivery(tx, id, delivery, now),
    }))
  }
}

function test(v1: V1): Handler {
  return async (request, response) => {
    assertMayChangeWebhooks(response)
    if (v1.idempotency.replay(response)) return
    const { event } = readFields(response.locals.body, { event: A_NAME })
    const { database, registry, clock } = v1.engine.services
    const webhook = await getSubscription(database.read, webhookId(request))
    const sent = testOf(registry, webhook, event)
    await queue(v1, response, async (tx) => ({
      event: sent.event,
      delivery_id: await sendTest(tx, webhook.id, sent, clock.now()),
    }))
  }
}

const A_NAME: BodyField<string> = {
  expected: 'the name of an event such as "sales-orders.submitted"',
  read: (value) => (typeof value === 'string' && value.length <= 200 ? value : undefined),
}

const A_MOMENT: BodyField<string> = {
  expected: A_MOMENT_LOOKS,
  read: (value) => (typeof value === 'string' ? momentOf(value) : undefined),
}

function recover(v1: V1): Handler {
  return async (request, response) => {
    assertMayChangeWebhooks(response)
    if (v1.idempotency.replay(response)) return
    const { since, until } = readFields(response.locals.body, {
      since: { ...A_MOMENT, required: true },
      until: A_MOMENT,
    })
    const { services } = v1.engine
    const { actor, tier } = response.locals
    const now = services.clock.now()
    const period = {
      since: since!,
      // What happens while it runs is told by itself.
      until: until ?? new Date(now + 1).toISOString(),
      hidden: hiddenResources(v1.engine.context(actor, tier), services.registry.all),
      managed: [...services.registry.all.filter(isManaged).map(({ slug }) => slug), SECURITY],
    }
    const recovered = await recoverDeliveries(services, webhookId(request), period, now)
    await queue(v1, response, async () => recovered)
  }
}

/** 202: it is stored, and sent by the worker. */
async function queue(
  { engine, idempotency }: V1,
  response: ApiResponse,
  run: (tx: Parameters<typeof sendTest>[0]) => Promise<object>,
): Promise<void> {
  const { database, eventsCommitted } = engine.services
  const answer = await database.write(async (tx): Promise<Answer> => {
    const made = { status: 202, headers: {}, body: JSON.stringify(await run(tx)) }
    await idempotency.keep(tx, response, made)
    return made
  })
  eventsCommitted()
  sendAnswer(response, answer)
}
