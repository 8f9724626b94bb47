import type { Router } from 'express'
import type { Actor } from '../../engine/access/actor.ts'
import { assertScope } from '../../engine/access/can.ts'
import { AppError, validationError } from '../../engine/base/errors.ts'
import { shownKey } from '../auth/api-keys.ts'
import { revokeKey } from '../auth/key-making.ts'
import { revokeOtherSessions, revokeSession } from '../auth/session-revoking.ts'
import { countSessionsOf, type SessionRow, selectSessionsOf } from '../auth/session-store.ts'
import { livingNow } from '../auth/sessions.ts'
import { countKeys, selectKeys } from '../auth/store.ts'
import { sendAnswer } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { PAGING_PARAMETERS } from '../http/paging.ts'
import { reads, takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { parameter, type V1 } from './call.ts'
import { pageOfIds, readSystemList, sendSystemList } from './system-list.ts'

/** `/v1/me/…`: what a person is signed in with, and how they end it. */
export function meRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/me/sessions', reads(...PAGING_PARAMETERS), listSessions(v1))
  router.delete('/me/sessions', takes('current'), endOtherSessions(v1))
  router.all('/me/sessions', methodNotAllowed('GET, HEAD, DELETE'))
  router.delete('/me/sessions/:id', takes(), endSession(v1))
  router.all('/me/sessions/:id', methodNotAllowed('DELETE'))
  router.get('/me/pairs', reads(...PAGING_PARAMETERS), listPairs(v1))
  router.all('/me/pairs', methodNotAllowed('GET, HEAD'))
  router.delete('/me/pairs/:id', takes(), endPair(v1))
  router.all('/me/pairs/:id', methodNotAllowed('DELETE'))
}

/** Login of the caller; a key of the workspace is nobody's and finds nothing. Throws 403 below scope admin. */
function loginOf(actor: Actor): string {
  assertScope(actor, 'admin', 'see or end what somebody is signed in with')
  return actor.user?.login ?? actor.id
}

function listSessions({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const login = loginOf(response.locals.actor)
    const { database, cursors, clock } = engine.services
    const query = readSystemList(cursors, 'my sessions', readQuery(request.url))
    const living = livingNow(clock)
    const isCounted = query.paging.offset !== undefined
    sendSystemList(response, cursors, query, {
      rows: await selectSessionsOf(database.read, login, pageOfIds(query), living),
      total: isCounted ? await countSessionsOf(database.read, login, living) : undefined,
      show: (row) => sessionJson(row, response),
      position: ({ id }) => id,
    })
  }
}

function sessionJson(row: SessionRow, { locals }: ApiResponse): string {
  const { id, created, last_seen, expires, address, agent } = row
  const current = id === locals.session?.id
  return JSON.stringify({ id, created, last_seen, expires, address, agent, current })
}

/** `?current=false`: ends every session but the one that asks. Throws 422 without it: nobody ends all of them by a slip. */
function endOtherSessions({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const { services } = engine
    const { actor, session } = response.locals
    const login = loginOf(actor)
    if (new Map(readQuery(request.url)).get('current') !== 'false') throw othersAlone()
    const ended = await services.database.write((tx) =>
      revokeOtherSessions(tx, services, actor, login, session?.id),
    )
    services.eventsCommitted()
    sendAnswer(response, { status: 200, headers: {}, body: JSON.stringify({ ended }) })
  }
}

function endSession({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const { services } = engine
    const { actor } = response.locals
    const login = loginOf(actor)
    const id = parameter(request, 'id')
    const hasEnded = await services.database.write((tx) =>
      revokeSession(tx, services, actor, login, id),
    )
    if (!hasEnded) throw notYours('session', id)
    services.eventsCommitted()
    response.statusCode = 204
    response.end()
  }
}

function othersAlone(): AppError {
  const message = 'expected false: those that are not the one that asks'
  return validationError([{ field: 'current', message, code: 'required' }])
}

function listPairs({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const of = { login: loginOf(response.locals.actor), onlyPairs: true }
    const { database, cursors } = engine.services
    const query = readSystemList(cursors, 'my pairs', readQuery(request.url))
    const isCounted = query.paging.offset !== undefined
    sendSystemList(response, cursors, query, {
      rows: await selectKeys(database.read, { ...pageOfIds(query), ...of }),
      total: isCounted ? await countKeys(database.read, of) : undefined,
      show: (row) => JSON.stringify(shownKey(row)),
      position: ({ id }) => id,
    })
  }
}

function endPair({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const { services } = engine
    const { actor } = response.locals
    const of = { login: loginOf(actor), onlyPairs: true }
    const id = parameter(request, 'id')
    const hasEnded = await services.database.write((tx) => revokeKey(tx, services, actor, id, of))
    if (!hasEnded) throw notYours('pair of key and secret', id)
    services.eventsCommitted()
    response.statusCode = 204
    response.end()
  }
}

function notYours(what: string, id: string): AppError {
  return new AppError('NOT_FOUND', `you have no ${what} ${JSON.stringify(id.slice(0, 80))}`)
}
