import type { Router } from 'express'
import { isoDateTime } from '../../engine/base/clock.ts'
import { type Detail, validationError } from '../../engine/base/errors.ts'
import {
  countNotifications,
  markNotificationsRead,
  type NotificationRow,
  selectNotifications,
} from '../../engine/storage/workspace/notifications.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import { readFields } from '../http/fields-of-body.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { PAGING_PARAMETERS } from '../http/paging.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler } from '../http/request-state.ts'
import { oneOf } from '../settings/setting-values.ts'
import type { V1 } from '../v1/call.ts'
import { personOf } from '../v1/person.ts'
import { pageOfIds, readSystemList, sendSystemList } from '../v1/system-list.ts'

/** Notifications that one request marks by their ids. */
const MOST_IDS = 200

/** `/v1/notifications`: what a person was told, and what of it they have read (contract §7.4). */
export function notificationRoutes(router: Router, v1: Pick<V1, 'engine' | 'idempotency'>): void {
  router.get('/notifications', takes(...PAGING_PARAMETERS, 'unread'), list(v1))
  router.all('/notifications', methodNotAllowed('GET, HEAD'))
  router.post('/notifications/read', takes(), markRead(v1))
  router.all('/notifications/read', methodNotAllowed('POST'))
}

function list({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const login = personOf(response.locals.actor, 'read', 'read notifications')
    const { database, cursors } = engine.services
    const known = { unread: oneOf(['0', '1']) }
    const query = readSystemList(cursors, `notifications ${login}`, readQuery(request.url), known)
    const filter = { login, isUnread: query.given.get('unread') === '1' }
    const isCounted = query.paging.offset !== undefined
    sendSystemList(response, cursors, query, {
      rows: await selectNotifications(database.read, filter, pageOfIds(query)),
      total: isCounted ? await countNotifications(database.read, filter) : undefined,
      show: (row) => JSON.stringify(shownNotification(row)),
      position: ({ id }) => id,
    })
  }
}

/** A notification as the API shows it. */
export function shownNotification(row: NotificationRow): object {
  const { id, kind, at, actor, resource, record_id, title, text, read_at } = row
  return { id, kind, at, actor, resource, record_id, title, text, read: read_at !== null }
}

function markRead({ engine, idempotency }: Pick<V1, 'engine' | 'idempotency'>): Handler {
  return async (_request, response) => {
    const login = personOf(response.locals.actor, 'write', 'mark notifications')
    if (idempotency.replay(response)) return
    const { services } = engine
    const wanted = readWanted(response.locals.body)
    const answer = await services.database.write(async (tx): Promise<Answer> => {
      await markNotificationsRead(tx, login, wanted, isoDateTime(services.clock))
      const unread = await countNotifications(tx, { login, isUnread: true })
      const told = { status: 200, headers: {}, body: JSON.stringify({ unread }) }
      await idempotency.keep(tx, response, told)
      return told
    }, login)
    sendAnswer(response, answer)
  }
}

/** The ids that a body names, or all. Throws 422 for both, neither and wrong ones. */
function readWanted(body: unknown): readonly string[] | 'all' {
  const { ids, all } = readFields(body, {
    ids: {
      expected: `a list of 1 to ${MOST_IDS} ids of notifications`,
      read: (value) =>
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= MOST_IDS &&
        value.every((id) => typeof id === 'string' && id.length <= 40 && !id.includes('\0'))
          ? (value as readonly string[])
          : undefined,
    },
    all: { expected: 'true', read: (value) => (value === true ? true : undefined) },
  })
  const details: Detail[] = []
  const message = 'expected either ids or all'
  if (ids && all) details.push({ field: 'all', message, code: 'wrong_type' })
  if (!ids && !all) details.push({ field: 'ids', message, code: 'required' })
  if (details.length > 0) throw validationError(details)
  return ids ?? 'all'
}
