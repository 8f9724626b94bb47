import type { Router } from 'express'
import { hasScope, isManager } from '../../engine/access/actor.ts'
import { assertScope } from '../../engine/access/can.ts'
import { hiddenResources } from '../../engine/access/hidden-resources.ts'
import { AppError, validationError } from '../../engine/base/errors.ts'
import { idsFrom } from '../../engine/base/ids.ts'
import type { Context, Services } from '../../engine/documents/work/context.ts'
import { knownData } from '../../engine/documents/work/known-data.ts'
import type { EventFilter, ReadEvent } from '../../engine/events/log.ts'
import { MANAGED_EVENTS } from '../../engine/schema/catalogue/workspace-events.ts'
import { eventNames } from '../../webhooks/known-events.ts'
import { sendJson } from '../http/answer.ts'
import { readMoment } from '../http/moment.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { PAGING_PARAMETERS } from '../http/paging.ts'
import { reads, takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { oneOf } from '../settings/setting-values.ts'
import { parameter, type V1 } from './call.ts'
import { eventReads } from './log-reads.ts'
import {
  type ReadParameter,
  readName,
  readSystemList,
  type SystemList,
  sendSystemList,
} from './system-list.ts'

/** `GET /v1/events`: the event log (spec §6; contract §3, Events). */
export function eventRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/events', reads(...PAGING_PARAMETERS, ...Object.keys(PARAMETERS)), list(v1))
  router.all('/events', methodNotAllowed('GET, HEAD'))
  router.get('/events/:id', takes(), getOne(v1))
  router.all('/events/:id', methodNotAllowed('GET, HEAD'))
}

const WHAT = 'read the event log'

const PARAMETERS: Readonly<Record<string, ReadParameter>> = {
  event: readName,
  resource: readName,
  kind: readName,
  record_id: readName,
  actor: readName,
  since: readMoment,
  until: readMoment,
  order: oneOf(['asc', 'desc']),
  after: readName,
}

function list({ engine }: Pick<V1, 'engine'>): Handler {
  const readsOf = eventReads()
  return async (request, response) => {
    assertScope(response.locals.actor, 'read', WHAT)
    const { services } = engine
    const context = engine.context(response.locals.actor, response.locals.tier)
    const query = readSystemList(services.cursors, 'events', readQuery(request.url), PARAMETERS)
    const { limit, offset } = query.paging
    const filter = filterOf(services, response, query)
    const start = await placeAfter(services, query)
    const beyond = query.position === undefined ? start : (query.position.value as bigint)
    const isForwards = start !== undefined || query.given.get('order') === 'asc'
    if (isForwards && query.position) await assertKept(services, 'this cursor', { seq: beyond! })
    const on = readsOf(context, filter, offset ?? 0)
    // Who reads on from an event walks; a count of what is still to come would be old at once.
    const isCounted = offset !== undefined && start === undefined
    const total = isCounted ? await services.events.count(on.count, filter) : undefined
    const rows = await services.events.page(on.page, {
      filter,
      order: isForwards ? 'asc' : 'desc',
      limit: limit + 1,
      ...(offset === undefined ? {} : { offset }),
      ...(beyond === undefined ? {} : { beyond }),
    })
    sendSystemList(response, services.cursors, query, {
      rows,
      total,
      show: (event) => eventJson(context, event),
      position: ({ seq }) => seq,
    })
  }
}

function getOne({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    assertScope(response.locals.actor, 'read', WHAT)
    const { services } = engine
    const id = parameter(request, 'id')
    const [found] = id.includes('\0')
      ? []
      : await services.events.find(services.database.read, [id])
    if (!found) await assertKept(services, JSON.stringify(id.slice(0, 80)), { id })
    if (!found || hiddenFrom(services, response).includes(found.resource))
      throw new AppError('NOT_FOUND', `there is no event ${JSON.stringify(id.slice(0, 80))}`)
    const { actor, tier } = response.locals
    sendJson(response, 200, eventJson(engine.context(actor, tier), found))
  }
}

/** The stored text of the record goes out as it is, without fields that the caller may not read. */
function eventJson(context: Context, line: ReadEvent): string {
  const { id, event, resource, kind, record_id, at, actor } = line
  const data = knownData(context, line)
  const head = JSON.stringify({ id, event, resource, kind, record_id, timestamp: at, actor })
  return `${head.slice(0, -1)},"data":${data}}`
}

function filterOf(services: Services, response: ApiResponse, { given }: SystemList): EventFilter {
  const { order: _, after: __, event, resource, ...rest } = Object.fromEntries(given)
  const { registry } = services
  return {
    ...rest,
    ...(event === undefined ? {} : { event: eventNames(registry)(event) }),
    ...(resource === undefined ? {} : { resource: registry.bySlug(resource)?.slug ?? resource }),
    hidden: hiddenFrom(services, response),
  }
}

/** Resources whose lines stay out: those of the records, and those of the workspace itself. */
function hiddenFrom(services: Services, { locals }: ApiResponse): readonly string[] {
  const { plans, grants, registry } = services
  const { actor, tier } = locals
  const own = Object.entries(MANAGED_EVENTS).filter(
    ([, scope]) => !isManager(actor) || !hasScope(actor, scope),
  )
  const hidden = hiddenResources({ actor, tier, plans, grants }, registry.all)
  return [...hidden, ...own.map(([resource]) => resource)]
}

/** The place of the event that `after` names: what follows it is asked for, oldest first. */
async function placeAfter(
  services: Services,
  { given, paging }: SystemList,
): Promise<bigint | undefined> {
  const after = given.get('after')
  if (after === undefined) return undefined
  const refuse = (message: string): never => {
    throw validationError([{ field: 'after', message, code: 'wrong_type' }])
  }
  if (paging.offset) refuse('expected either after or offset, got both')
  if (given.get('order') === 'desc') refuse('tells what followed, oldest first; leave order out')
  const [found] = await services.events.find(services.database.read, [after])
  if (!found) await assertKept(services, JSON.stringify(after.slice(0, 80)), { id: after })
  return found?.seq ?? refuse('expected the id of an event in the log; there is none: use since')
}

/** Throws GONE where the log was pruned beyond a line: what followed it is not whole any more. */
async function assertKept(
  { events, database }: Services,
  what: string,
  { id, seq }: { readonly id?: string; readonly seq?: bigint },
): Promise<void> {
  const pruned = await events.pruned(database.read)
  if (!pruned) return
  const isOlder =
    seq === undefined
      ? OF_AN_EVENT.test(id!) && id! < idsFrom('evt', Date.parse(pruned.at) + 1)
      : seq < pruned.seq
  if (!isOlder) return
  throw new AppError(
    'GONE',
    `the event log no longer has what followed ${what}: events up to ${pruned.at} were removed by their age; read on with since, and read what you keep of the records anew`,
  )
}

/** Form of the ids of events. */
const OF_AN_EVENT = /^evt_[0-9a-z]{29}$/
