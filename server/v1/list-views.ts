import type { Router } from 'express'
import { type Actor, isManager } from '../../engine/access/actor.ts'
import { holdsRole } from '../../engine/access/can.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import { newId } from '../../engine/base/ids.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  countListViews,
  type ListViewRow,
  removeListView,
  saveListView,
  selectListViews,
} from '../../engine/storage/workspace/list-views.ts'
import { type Answer, sendAnswer, sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { parameter, type V1 } from './call.ts'
import { isReadable, type ListView, readListView } from './list-view-input.ts'
import { personOf } from './person.ts'

/** Most views that a person keeps. */
const MOST_VIEWS = 500

/** `/v1/list-views`: lists as people saved them, their own and those shared with a role of theirs (contract §7.3). */
export function listViewRoutes(router: Router, v1: Pick<V1, 'engine' | 'idempotency'>): void {
  router.get('/list-views', takes('resource'), list(v1))
  router.post('/list-views', takes(), create(v1))
  router.all('/list-views', methodNotAllowed('GET, HEAD, POST'))
  router.patch('/list-views/:id', takes(), update(v1))
  router.delete('/list-views/:id', takes(), remove(v1))
  router.all('/list-views/:id', methodNotAllowed('PATCH, DELETE'))
}

/** Who asks, and the context of what they may. */
interface Person {
  readonly login: string
  readonly actor: Actor
  readonly context: Context
}

function personIn(
  { engine }: Pick<V1, 'engine'>,
  { locals: { actor, tier } }: ApiResponse,
  scope: 'read' | 'write',
): Person {
  const login = personOf(actor, scope, `${scope === 'read' ? 'read' : 'change'} views`)
  return { login, actor, context: engine.context(actor, tier) }
}

function list(v1: Pick<V1, 'engine' | 'idempotency'>): Handler {
  return async (request, response) => {
    const person = personIn(v1, response, 'read')
    const resource = new Map(readQuery(request.url)).get('resource')
    const { read } = person.context.services.database
    const rows = await seenBy(read, person, resource || undefined)
    const data = rows
      .filter(({ resource: of }) => isReadable(person.context, of, v1.engine.reports()))
      .map((row) => shown(person, row))
    sendJson(response, 200, JSON.stringify({ data }))
  }
}

/** Views of the person, and those that are shared with them; a System Manager sees all that are shared. */
function seenBy(
  db: Db,
  { login, actor }: Person,
  resource?: string,
): Promise<readonly ListViewRow[]> {
  return selectListViews(db, {
    login,
    ...(isManager(actor) ? {} : { roles: actor.roles }),
    ...(resource === undefined ? {} : { resource }),
  })
}

function create(v1: Pick<V1, 'engine' | 'idempotency'>): Handler {
  return async (_request, response) => {
    const person = personIn(v1, response, 'write')
    if (v1.idempotency.replay(response)) return
    const { services } = person.context
    const view = readListView(person.context, v1.engine.reports(), response.locals.body)
    assertMayShare(person, view)
    const now = isoDateTime(services.clock)
    const id = newId('viw', services.clock.now())
    const row = { ...rowOf(view), id, login: person.login, created: now, modified: now }
    const answer: Answer = {
      status: 201,
      headers: { Location: `/v1/list-views/${id}` },
      body: JSON.stringify(shown(person, row)),
    }
    await services.database.write(async (tx) => {
      if ((await countListViews(tx, person.login)) >= MOST_VIEWS)
        throw new AppError('CONFLICT', `a person has at most ${MOST_VIEWS} views; delete some`)
      await saveListView(tx, row, true)
      await v1.idempotency.keep(tx, response, answer)
    }, person.login)
    sendAnswer(response, answer)
  }
}

function update(v1: Pick<V1, 'engine' | 'idempotency'>): Handler {
  return async (request, response) => {
    const person = personIn(v1, response, 'write')
    if (v1.idempotency.replay(response)) return
    const { services } = person.context
    const id = parameter(request, 'id')
    const answer = await services.database.write(async (tx) => {
      const before = await changeable(tx, person, id)
      const view = readListView(
        person.context,
        v1.engine.reports(),
        response.locals.body,
        viewOf(before),
      )
      if (view.shared_with !== before.shared_with) assertMayShare(person, view)
      const after = { ...before, ...rowOf(view), modified: isoDateTime(services.clock) }
      await saveListView(tx, after, false)
      const told: Answer = { status: 200, headers: {}, body: JSON.stringify(shown(person, after)) }
      await v1.idempotency.keep(tx, response, told)
      return told
    }, person.login)
    sendAnswer(response, answer)
  }
}

function remove(v1: Pick<V1, 'engine' | 'idempotency'>): Handler {
  return async (request, response) => {
    const person = personIn(v1, response, 'write')
    const id = parameter(request, 'id')
    await person.context.services.database.write(async (tx) => {
      await changeable(tx, person, id)
      await removeListView(tx, id)
    }, person.login)
    response.statusCode = 204
    response.end()
  }
}

/** A view that the person may change: their own, a System Manager any that is shared. Throws 404, 403. */
async function changeable(tx: Db, person: Person, id: string): Promise<ListViewRow> {
  const row = (await seenBy(tx, person)).find((one) => one.id === id)
  if (!row) throw new AppError('NOT_FOUND', `there is no view ${JSON.stringify(id.slice(0, 80))}`)
  if (row.login === person.login || isManager(person.actor)) return row
  throw new AppError('FORBIDDEN', 'the view is shared with you; only its owner changes it')
}

/** Refuses to share with a role that the person has not. Throws 403. */
function assertMayShare({ actor }: Person, { shared_with }: ListView): void {
  if (shared_with === null || isManager(actor) || holdsRole(actor, [shared_with])) return
  throw new AppError(
    'FORBIDDEN',
    `a view is shared with a role that one has oneself; you have not ${JSON.stringify(shared_with)}`,
  )
}

function rowOf({ columns, is_default, ...view }: ListView) {
  return { ...view, columns: JSON.stringify(columns), is_default: is_default ? 1 : 0 }
}

function viewOf(row: ListViewRow): ListView {
  const { resource, title, query, layout, shared_with } = row
  return {
    ...{ resource, title, query, layout, shared_with },
    columns: JSON.parse(row.columns) as ListView['columns'],
    is_default: Number(row.is_default) === 1,
  }
}

function shown({ login }: Person, row: ListViewRow): object {
  const { id, created, modified } = row
  return { id, ...viewOf(row), owner: row.login, own: row.login === login, created, modified }
}
