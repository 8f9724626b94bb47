import type { Request, Router } from 'express'
import { assertManager } from '../../engine/access/can.ts'
import { lastAttempts } from '../../webhooks/attempt-store.ts'
import { shownWebhook } from '../../webhooks/shown-webhook.ts'
import { countWebhooks, selectWebhooks } from '../../webhooks/store.ts'
import {
  type CreatedWebhook,
  createSubscription,
  DEFAULT_GRACE,
  getSubscription,
  MAX_GRACE,
  removeSubscription,
  rotateSecret,
  type Scene,
  updateSubscription,
  webhookNotFound,
} from '../../webhooks/subscriptions.ts'
import { type InputOf, readWebhookInput, type WebhookInput } from '../../webhooks/webhook-input.ts'
import { logSecurity } from '../auth/security-log.ts'
import { type Answer, sendAnswer, sendJson } from '../http/answer.ts'
import { readFields } from '../http/fields-of-body.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { PAGING_PARAMETERS } from '../http/paging.ts'
import { reads, takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { parameter, type V1 } from './call.ts'
import { pageOfIds, readSystemList, sendSystemList } from './system-list.ts'

/** `/v1/webhooks`: subscriptions to events (contract §3, Webhooks). Reading needs scope read, all else write. */
export function webhookRoutes(router: Router, v1: V1): void {
  router.get('/webhooks', reads(...PAGING_PARAMETERS), list(v1))
  router.post('/webhooks', takes(), create(v1))
  router.all('/webhooks', methodNotAllowed('GET, HEAD, POST'))
  router.get('/webhooks/:id', takes(), getOne(v1))
  router.patch('/webhooks/:id', takes(), update(v1))
  router.delete('/webhooks/:id', takes(), remove(v1))
  router.all('/webhooks/:id', methodNotAllowed('GET, HEAD, PATCH, DELETE'))
  router.post('/webhooks/:id/rotate', takes(), rotate(v1))
  router.all('/webhooks/:id/rotate', methodNotAllowed('POST'))
}

/** Throws 403 for a key that may only read. */
export function assertMayChangeWebhooks({ locals }: ApiResponse): void {
  assertManager(locals.actor, 'write', 'change webhooks')
}

export function assertMayReadWebhooks({ locals }: ApiResponse): void {
  assertManager(locals.actor, 'read', 'read webhooks')
}

/** The id of the path. Throws 404 for one that cannot be. */
export function webhookId(request: Request): string {
  const id = parameter(request, 'id')
  if (id.includes('\0')) throw webhookNotFound(id)
  return id
}

function list({ engine }: V1): Handler {
  return async (request, response) => {
    assertMayReadWebhooks(response)
    const { database, cursors } = engine.services
    const query = readSystemList(cursors, 'webhooks', readQuery(request.url))
    const rows = await selectWebhooks(database.read, pageOfIds(query))
    const last = await lastAttempts(
      database.read,
      rows.map(({ id }) => id),
    )
    const isCounted = query.paging.offset !== undefined
    sendSystemList(response, cursors, query, {
      rows,
      total: isCounted ? await countWebhooks(database.read) : undefined,
      show: (row) => JSON.stringify(shownWebhook(row, last.get(row.id))),
      position: ({ id }) => id,
    })
  }
}

function getOne({ engine }: V1): Handler {
  return async (request, response) => {
    assertMayReadWebhooks(response)
    const webhook = await getSubscription(engine.services.database.read, webhookId(request))
    sendJson(response, 200, JSON.stringify(webhook))
  }
}

function create(v1: V1): Handler {
  return async (_request, response) => {
    assertMayChangeWebhooks(response)
    if (v1.idempotency.replay(response)) return
    const input = await inputOf(v1, response, 'create')
    await change(v1, response, async (scene) => {
      const webhook = await createSubscription(scene, input)
      const headers = { Location: `/v1/webhooks/${webhook.id}`, 'Cache-Control': 'no-store' }
      return { status: 201, headers, body: JSON.stringify(webhook) }
    })
  }
}

function update(v1: V1): Handler {
  return async (request, response) => {
    assertMayChangeWebhooks(response)
    if (v1.idempotency.replay(response)) return
    const id = webhookId(request)
    const input = await inputOf(v1, response, 'update')
    await change(v1, response, async (scene) => ({
      status: 200,
      headers: {},
      body: JSON.stringify(await updateSubscription(scene, id, input)),
    }))
    // What waited for an endpoint that was paused or disabled is due.
    v1.engine.services.eventsCommitted()
  }
}

function remove({ engine }: V1): Handler {
  return async (request, response) => {
    assertMayChangeWebhooks(response)
    const id = webhookId(request)
    await engine.services.database.write((tx) => removeSubscription(tx, id))
    response.statusCode = 204
    response.end()
  }
}

function rotate(v1: V1): Handler {
  return async (request, response) => {
    assertMayChangeWebhooks(response)
    if (v1.idempotency.replay(response)) return
    const id = webhookId(request)
    const { grace_seconds = DEFAULT_GRACE } = readFields(response.locals.body, {
      grace_seconds: {
        expected: `a whole number of seconds from 0 to ${MAX_GRACE}`,
        read: (value): number | undefined =>
          typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_GRACE
            ? value
            : undefined,
      },
    })
    await change(v1, response, async (scene) => ({
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: JSON.stringify(await rotated(v1, scene, id, grace_seconds)),
    }))
    v1.engine.services.eventsCommitted()
  }
}

async function rotated(
  { engine: { services } }: V1,
  scene: Scene,
  id: string,
  graceSeconds: number,
): Promise<CreatedWebhook> {
  const webhook = await rotateSecret(scene, id, graceSeconds)
  const { actor, tx } = scene
  const person = actor.user?.login ?? null
  await logSecurity(tx, services, actor, { kind: 'secret_rotated', id, person })
  return webhook
}

function inputOf(
  { engine, webhooks }: V1,
  { locals }: ApiResponse,
  mode: InputOf,
): Promise<WebhookInput> {
  const { registry } = engine.services
  const { policy, resolve } = webhooks
  return readWebhookInput(locals.body, mode, { registry, policy: policy(), resolve })
}

/** Answers that show a secret are kept encrypted for repeats of the request; so are those that show none. */
async function change(
  { engine, idempotency, webhooks }: V1,
  response: ApiResponse,
  run: (scene: Scene) => Promise<Answer>,
): Promise<void> {
  const { database, clock, registry } = engine.services
  const people = registry.serving('users')
  const answer = await database.write(async (tx) => {
    const { secretKey } = webhooks
    const { actor } = response.locals
    const made = await run({ actor, tx, kind: database.kind, people, secretKey, now: clock.now() })
    await idempotency.keep(tx, response, made, true)
    return made
  })
  sendAnswer(response, answer)
}
