import type { Router } from 'express'
import { assertScope } from '../../engine/access/can.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/context.ts'
import { listFingerprint } from '../../engine/storage/cursor.ts'
import { type Answer, sendAnswer, sendJson } from '../answer.ts'
import {
  assertMayCreate,
  type CreatedKey,
  createKey,
  readKeyRequest,
  shownKey,
} from '../auth/api-keys.ts'
import type { KeyEnvironment } from '../auth/key-text.ts'
import { countKeys, type KeyRow, markRevoked, selectKeys } from '../auth/store.ts'
import { methodNotAllowed } from '../not-found.ts'
import { PAGING_PARAMETERS, type Paging, readPaging } from '../paging.ts'
import { type Parameters, readQuery } from '../query-string.ts'
import type { ApiResponse, Handler } from '../request-state.ts'
import { parameter, type V1 } from './call.ts'

/** Names the list of keys to its cursors. */
const LIST = listFingerprint(['api-keys'])

/** `/v1/api-keys`, for admin keys alone (contract §3, Credentials). `env` is what a new key gets by itself. */
export function apiKeyRoutes(router: Router, v1: V1, env: KeyEnvironment): void {
  router.get('/api-keys', list(v1))
  router.post('/api-keys', create(v1, env))
  router.all('/api-keys', methodNotAllowed('GET, HEAD, POST'))
  router.delete('/api-keys/:id', revoke(v1))
  router.all('/api-keys/:id', methodNotAllowed('DELETE'))
}

function assertAdmin({ locals }: ApiResponse): void {
  assertScope(locals.actor, 'admin', 'manage API keys')
}

function list({ engine }: V1): Handler {
  return async (request, response) => {
    assertAdmin(response)
    const paging = readParameters(readQuery(request.url))
    const rows = await readPage(engine.services, paging)
    const page = rows.slice(0, paging.limit)
    const last = rows.length > page.length ? page.at(-1) : undefined
    const next_cursor = last && engine.services.cursors.write(LIST, { value: last.id, rid: 0 })
    const { limit, offset } = paging
    const meta =
      offset === undefined
        ? undefined
        : { total: await countKeys(engine.services.database.read), limit, offset }
    sendJson(response, 200, JSON.stringify({ data: page.map(shownKey), meta, next_cursor }))
  }
}

/** One row more than the page has tells whether another follows. */
function readPage(
  { database, cursors }: Services,
  { limit, offset, cursor }: Paging,
): Promise<readonly KeyRow[]> {
  const position = cursor ? cursors.read(LIST, cursor) : undefined
  if (cursor && !position) {
    throw validationError([
      { field: 'cursor', message: 'expected a next_cursor of this very list' },
    ])
  }
  return selectKeys(database.read, {
    limit: limit + 1,
    ...(offset === undefined ? {} : { offset }),
    ...(position ? { before: String(position.value) } : {}),
  })
}

function readParameters(parameters: Parameters): Paging {
  const details: Detail[] = []
  const given = new Map<string, string>()
  for (const [name, value] of parameters) {
    const isKnown = PAGING_PARAMETERS.some((known) => known === name)
    if (!isKnown) {
      details.push({
        field: name,
        message: `unknown parameter; expected ${PAGING_PARAMETERS.join(', ')}`,
      })
    } else if (given.has(name))
      details.push({ field: name, message: 'came more than once; expected one value' })
    else given.set(name, value)
  }
  const paging = readPaging(given, details)
  if (details.length > 0) throw validationError(details)
  return paging
}

function create({ engine, idempotency }: V1, env: KeyEnvironment): Handler {
  return async (_request, response) => {
    assertAdmin(response)
    if (idempotency.replay(response)) return
    const { actor, tier, body } = response.locals
    const { database, clock, plans } = engine.services
    const wanted = readKeyRequest(body, env, clock)
    assertMayCreate(actor, plans, tier, wanted)
    const key = await database.write(async (tx) => {
      const made = await createKey(tx, clock, actor.name, wanted)
      // The only copy of the key that is kept, for repeats of this request: encrypted.
      await idempotency.keep(tx, response, answerOf(made), true)
      return made
    })
    sendAnswer(response, answerOf(key))
  }
}

function answerOf(key: CreatedKey): Answer {
  return { status: 201, headers: { 'Cache-Control': 'no-store' }, body: JSON.stringify(key) }
}

function revoke({ engine }: V1): Handler {
  return async (request, response) => {
    assertAdmin(response)
    const id = parameter(request, 'id')
    const { database, clock } = engine.services
    const revoked =
      !id.includes('\0') && (await database.write((tx) => markRevoked(tx, id, isoDateTime(clock))))
    if (!revoked) throw new AppError('NOT_FOUND', `there is no valid API key ${JSON.stringify(id)}`)
    response.statusCode = 204
    response.end()
  }
}
