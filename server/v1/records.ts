import type { Router } from 'express'
import type { Action } from '../../engine/access/can.ts'
import { type Detail, validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { explainField } from '../../engine/documents/explain/explain.ts'
import { groupDocuments } from '../../engine/documents/lists/groups.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import type { ListResult } from '../../engine/documents/lists/list-query.ts'
import { getWithMore } from '../../engine/documents/lists/record.ts'
import { runAction } from '../../engine/documents/operations/act.ts'
import { amendDocument } from '../../engine/documents/operations/amend.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { previewOperation } from '../../engine/documents/operations/rehearse.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { reviseDocument } from '../../engine/documents/operations/revise.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult, Preview } from '../../engine/documents/work/present.ts'
import { parameterProblem, refusal } from '../../engine/fields/problem.ts'
import { sendAnswer, sendJson } from '../http/answer.ts'
import { acceptedForm } from '../http/answer-form.ts'
import { hasTag } from '../http/entity-tags.ts'
import { readCsvForm } from '../http/list-csv.ts'
import {
  asksForGroups,
  LIST_PARAMETERS,
  readGroupedQuery,
  readListQuery,
} from '../http/list-params.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { PREVIEW_PARAMETER, wantsPreview } from '../http/query-flags.ts'
import { type ParameterStage, reads, takes } from '../http/query-parameters.ts'
import { readListParameters, readQuery } from '../http/query-string.ts'
import type { Asked, Handler, Reply, Stage } from '../http/request-state.ts'
import {
  callOf,
  changeOf,
  isReplayed,
  parameter,
  resourceNotFound,
  type ToAnswer,
  type V1,
} from './call.ts'
import { createWords } from './catalog-words.ts'
import { EXPLAIN_PARAMETERS, readExplainQuery } from './explain-params.ts'
import { sendListCsv } from './records-csv.ts'
import { type CallersTeller, callersTeller, toldCan, toldPreview } from './records-told.ts'

/** What the routes have, and who tells their callers of it. */
interface Told extends V1 {
  readonly teller: CallersTeller
}

/** Parameters of the CSV of a list. */
const CSV_OF_LISTS = ['labels', 'bom'] as const

/** Routes of records that have a direct way beside Express's: their stages, by method and path below `/v1`. */
export type RecordRoutes = ReadonlyMap<string, readonly Stage[]>

/** The record routes, one per verb, for every DocType (contract §3, Record). */
export function recordHandlers(given: V1): RecordRoutes {
  const v1: Told = { ...given, teller: callersTeller(given.engine) }
  const changes = takes(PREVIEW_PARAMETER)
  const revise = transition(v1, 'update', reviseDocument, changed)
  return new Map<string, readonly Stage[]>([
    ['GET /:resource', [reads(...LIST_PARAMETERS), list(v1)]],
    ['POST /:resource', [changes, create(v1)]],
    ['GET /:resource/:id', [takes('_titles', '_can'), getOne(v1)]],
    ['PATCH /:resource/:id', [changes, update(v1)]],
    ['POST /:resource/:id/submit', [changes, transition(v1, 'submit', submitDocument, changed)]],
    ['POST /:resource/:id/cancel', [changes, transition(v1, 'cancel', cancelDocument, changed)]],
    ['POST /:resource/:id/amend', [changes, transition(v1, 'amend', amendDocument, created)]],
    ['POST /:resource/:id/update-submitted', [changes, revise]],
    ['POST /:resource/:id/actions/:name', [changes, act(v1)]],
  ])
}

/** Routes of records in Express: those of `handlers`, and what has no direct way. */
export function recordRoutes(router: Router, given: V1, handlers: RecordRoutes): void {
  const v1: Told = { ...given, teller: callersTeller(given.engine) }
  for (const [route, stages] of handlers) {
    const [method, path] = route.split(' ') as ['GET' | 'POST' | 'PATCH', string]
    const before = method === 'GET' ? (path === '/:resource' ? [listCsv(v1)] : [jsonOnly]) : []
    router[method.toLowerCase() as 'get' | 'post' | 'patch'](path, ...before, ...stages)
  }
  router.all('/:resource', wrongMethod(v1, 'GET, HEAD, POST'))
  router.delete('/:resource/:id', takes(PREVIEW_PARAMETER), remove(v1))
  router.all('/:resource/:id', wrongMethod(v1, 'GET, HEAD, PATCH, DELETE'))
  for (const verb of ['submit', 'cancel', 'amend', 'update-submitted']) {
    router.all(`/:resource/:id/${verb}`, wrongMethod(v1, 'POST'))
  }
  router.get('/:resource/:id/explain/:field', reads(...EXPLAIN_PARAMETERS), explainOne(v1))
  router.all('/:resource/:id/explain/:field', wrongMethod(v1, 'GET, HEAD'))
  router.all('/:resource/:id/actions/:name', wrongMethod(v1, 'POST'))
}

/** Answers a list as CSV where that is asked for; what accepts JSON goes on. */
function listCsv({ engine }: V1): ParameterStage {
  const words = createWords()
  const stage: Handler = async (request, response, next) => {
    if (acceptedForm(request, response) === 'json') return next()
    const { definition, context } = callOf(engine, request, response)
    const taken = (name: string) =>
      context.services.registry.fieldOf(definition, name) !== undefined
    const details: Detail[] = []
    const sent = readListParameters(request.url)
    const { form, rest: parameters } = readCsvForm(sent, CSV_OF_LISTS, taken, true, details)
    if (details.length > 0) throw validationError(details)
    const telling = words.telling(context.services, await words.languageOf(context, request))
    return sendListCsv(context, definition, response, { parameters, form, telling })
  }
  return Object.assign(stage as Stage, { parameters: [...LIST_PARAMETERS, ...CSV_OF_LISTS] })
}

/** Refuses who accepts a single record in another form. */
const jsonOnly: Handler = (request, response, next) => {
  acceptedForm(request, response, ['json'])
  next()
}

function list({ engine }: V1): Stage {
  return async (request, response) => {
    response.vary('Accept')
    const { definition, context } = callOf(engine, request, response)
    const parameters = readListParameters(request.url)
    if (asksForGroups(parameters)) {
      const groups = await groupDocuments(context, definition, (known) =>
        readGroupedQuery(context.services, known, parameters),
      )
      return sendJson(response, 200, JSON.stringify(groups))
    }
    const result = await listDocuments(context, definition, (known) =>
      readListQuery(context.services, known, parameters),
    )
    sendJson(response, 200, listJson(result))
  }
}

/** Both list shapes of spec §2: with `meta` by offset, without a count by cursor. */
function listJson({ query: { limit, offset }, data, total, nextCursor }: ListResult): string {
  const meta = total === undefined ? undefined : { total, limit, offset }
  return JSON.stringify({ data, meta, next_cursor: nextCursor })
}

function getOne({ engine, teller }: Told): Stage {
  return async (request, response) => {
    const { definition, context } = callOf(engine, request, response)
    const more = moreOf(request.url)
    const { etag, json, record } = await getWithMore(
      context,
      definition,
      parameter(request, 'id'),
      more,
    )
    response.setHeader('ETag', etag)
    const known = request.headers['if-none-match']
    // What comes with the record may be another one while the record is the same.
    const isWhole = !more.titles && !more.can
    if (isWhole && known !== undefined && hasTag(known, etag)) {
      response.statusCode = 304
      response.end()
      return
    }
    const tell = more.can ? teller(request, response) : undefined
    sendJson(response, 200, tell ? JSON.stringify(toldCan(record, tell)) : json)
  }
}

/** What is asked for beside the record. Throws 422 for other values than 1 and 0. */
function moreOf(url: string): { readonly titles: boolean; readonly can: boolean } {
  const given = new Map(readQuery(url))
  const wrong = [...given].filter(([, value]) => !['0', '1'].includes(value))
  if (wrong.length > 0)
    throw validationError(
      wrong.map(([name, value]) => parameterProblem(name, refusal('1 or 0', value))),
    )
  return { titles: given.get('_titles') === '1', can: given.get('_can') === '1' }
}

function explainOne({ engine }: V1): Handler {
  return async (request, response) => {
    const { definition, context } = callOf(engine, request, response)
    const [id, field] = [parameter(request, 'id'), parameter(request, 'field')]
    assertMay(context, definition, 'read')
    const query = readExplainQuery(readQuery(request.url))
    const explanation = await explainField(context, definition, id, field, query)
    sendJson(response, 200, JSON.stringify(explanation))
  }
}

function create(v1: Told): Stage {
  return async (request, response) => {
    const call = changeOf(v1, request, response, created)
    if (isReplayed(v1, response, call, 'create')) return
    const { definition, context } = call
    const { body } = response.locals
    const run = (as: Context) => createDocument(as, definition, body)
    if (wantsPreview(request.url))
      return showPreview(
        request,
        response,
        v1,
        await previewOperation(context, { definition, body, run }),
      )
    sendAnswer(response, created(definition, await run(context)))
  }
}

function update(v1: Told): Stage {
  return async (request, response) => {
    const call = changeOf(v1, request, response, changed)
    if (isReplayed(v1, response, call, 'update')) return
    const { definition, context } = call
    const { body } = response.locals
    const id = parameter(request, 'id')
    const run = (as: Context) => updateDocument(as, definition, id, body)
    if (wantsPreview(request.url))
      return showPreview(
        request,
        response,
        v1,
        await previewOperation(context, { definition, id, body, run }),
      )
    sendAnswer(response, changed(definition, await run(context)))
  }
}

function remove(v1: Told): Stage {
  return async (request, response) => {
    const { definition, context } = changeOf(v1, request, response, changed)
    const id = parameter(request, 'id')
    const run = (as: Context) => removeDocument(as, definition, id)
    if (wantsPreview(request.url))
      return showPreview(
        request,
        response,
        v1,
        await previewOperation(context, { definition, id, run }),
      )
    await run(context)
    response.statusCode = 204
    response.end()
  }
}

type Transition = (
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  sent: unknown,
) => Promise<DocumentResult>

/** Submit, cancel and amend, and changes after the submit. */
function transition(v1: Told, action: Action, run: Transition, toAnswer: ToAnswer): Stage {
  return async (request, response) => {
    const call = changeOf(v1, request, response, toAnswer)
    if (isReplayed(v1, response, call, action)) return
    const { definition, context } = call
    const id = parameter(request, 'id')
    const one = (as: Context) => run(as, definition, id, response.locals.body)
    if (wantsPreview(request.url))
      return showPreview(
        request,
        response,
        v1,
        await previewOperation(context, { definition, id, run: one }),
      )
    sendAnswer(response, toAnswer(definition, await one(context)))
  }
}

function act(v1: Told): Stage {
  return async (request, response) => {
    const name = parameter(request, 'name')
    const call = changeOf(v1, request, response, changed)
    if (isReplayed(v1, response, call, `action:${name}`)) return
    const { definition, context } = call
    const id = parameter(request, 'id')
    const run = (as: Context) => runAction(as, definition, id, name, response.locals.body)
    if (wantsPreview(request.url))
      return showPreview(
        request,
        response,
        v1,
        await previewOperation(context, { definition, id, run }),
      )
    sendAnswer(response, changed(definition, await run(context)))
  }
}

/** 200 with what an operation would do. */
function showPreview(request: Asked, response: Reply, { teller }: Told, preview: Preview): void {
  const tell = preview.problems.length === 0 ? undefined : teller(request, response)
  sendJson(response, 200, JSON.stringify(tell ? toldPreview(preview, tell) : preview))
}

/** 201 with the record and where it is. */
const created: ToAnswer = ({ slug }, { id, json, etag }) => ({
  status: 201,
  headers: { Location: `/v1/${slug}/${encodeURIComponent(id)}`, ETag: etag },
  body: json,
})

/** 200 with the record. */
const changed: ToAnswer = (_definition, { json, etag }) => ({
  status: 200,
  headers: { ETag: etag },
  body: json,
})

/** 405, after 404 for a resource that is not there. */
function wrongMethod({ engine }: V1, allow: string): Handler {
  const refuse = methodNotAllowed(allow)
  return (request, response, next) => {
    const slug = parameter(request, 'resource')
    if (!engine.services.registry.bySlug(slug)) throw resourceNotFound(slug)
    return refuse(request, response, next)
  }
}
