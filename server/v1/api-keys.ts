import type { Router } from 'express'
import { assertManager } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import { assertMayCreate, readKeyRequest, shownKey } from '../auth/api-keys.ts'
import { makeKey, revokeKey } from '../auth/key-making.ts'
import type { KeyEnvironment } from '../auth/key-text.ts'
import { assertKeyIsSpared } from '../auth/last-admin-key.ts'
import { countKeys, type KeyRow, selectKeys } from '../auth/store.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { PAGING_PARAMETERS } from '../http/paging.ts'
import { reads, takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { parameter, type V1 } from './call.ts'
import { pageOfIds, readSystemList, sendSystemList } from './system-list.ts'

/** Names the list of keys to its cursors. */
const LIST = 'api-keys'

/** `/v1/api-keys`, for admin keys alone (contract §3, Credentials). `env` is what a new key gets by itself. */
export function apiKeyRoutes(router: Router, v1: V1, env: KeyEnvironment): void {
  router.get('/api-keys', reads(...PAGING_PARAMETERS), list(v1))
  router.post('/api-keys', takes(), create(v1, env))
  router.all('/api-keys', methodNotAllowed('GET, HEAD, POST'))
  router.delete('/api-keys/:id', takes(), revoke(v1))
  router.all('/api-keys/:id', methodNotAllowed('DELETE'))
}

function assertAdmin({ locals }: ApiResponse): void {
  assertManager(locals.actor, 'admin', 'manage API keys')
}

function list({ engine }: V1): Handler {
  return async (request, response) => {
    assertAdmin(response)
    const { read } = engine.services.database
    const query = readSystemList(engine.services.cursors, LIST, readQuery(request.url))
    const rows = await selectKeys(read, pageOfIds(query))
    const total = query.paging.offset === undefined ? undefined : await countKeys(read)
    sendSystemList(response, engine.services.cursors, query, {
      rows,
      total,
      show: shownKeyJson,
      position: ({ id }) => id,
    })
  }
}

function shownKeyJson(row: KeyRow): string {
  return JSON.stringify(shownKey(row))
}

function create({ engine, idempotency }: V1, env: KeyEnvironment): Handler {
  return async (_request, response) => {
    assertAdmin(response)
    if (idempotency.replay(response)) return
    const { actor, tier, body } = response.locals
    const { services } = engine
    const wanted = readKeyRequest(body, env, services.clock)
    assertMayCreate(actor, services.plans, tier, wanted.request)
    const answer = await services.database.write(async (tx) => {
      const made = answerOf(await makeKey(tx, services, actor, wanted))
      // The only copy of the key that is kept, for repeats of this request: encrypted.
      await idempotency.keep(tx, response, made, true)
      return made
    })
    services.eventsCommitted()
    sendAnswer(response, answer)
  }
}

function answerOf(key: object): Answer {
  return { status: 201, headers: { 'Cache-Control': 'no-store' }, body: JSON.stringify(key) }
}

function revoke({ engine }: V1): Handler {
  return async (request, response) => {
    assertAdmin(response)
    const id = parameter(request, 'id')
    const { services } = engine
    const { actor } = response.locals
    const revoked = await services.database.write(async (tx) => {
      await assertKeyIsSpared(tx, services, actor, id)
      return revokeKey(tx, services, actor, id)
    })
    if (!revoked) throw new AppError('NOT_FOUND', `there is no valid API key ${JSON.stringify(id)}`)
    services.eventsCommitted()
    response.statusCode = 204
    response.end()
  }
}
