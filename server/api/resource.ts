import type { Request, Router } from 'express'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import type { Engine } from '../../engine/index.ts'
import { sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { inputOf, runDocumentMethod } from './act.ts'
import { sendData, sendRows } from './answer.ts'
import { type Args, argsOf, documentArg, textArg } from './args.ts'
import { assertSignedIn, contextOf, listedNamed, recordDoctype, recordName } from './call.ts'
import { isMetaDoctype } from './doctype-meta.ts'
import { describeDoctype, listDoctypes } from './doctypes.ts'
import { expandLinks } from './expand-links.ts'
import { FrappeError } from './frappe-error.ts'
import { assertKnownQuery } from './known-parameters.ts'
import { eachListed } from './lists/list.ts'
import { insertDocument, saveDocument } from './save.ts'
import { shownFor } from './shown-record.ts'

/**
 * `/resource/{DocType}` and `/resource/{DocType}/{name}` (erp-semantics.md §1.1). A name may contain `/`, sent
 * plainly or encoded; DocTypes are named as they are written.
 */
export function resourceRoutes(router: Router, engine: Engine): void {
  router.get('/resource/:doctype', list(engine))
  router.post('/resource/:doctype', create(engine))
  router.all('/resource/:doctype', methodNotAllowed('GET, HEAD, POST'))
  router.get('/resource/:doctype/*name', getOne(engine))
  router.put('/resource/:doctype/*name', update(engine))
  router.patch('/resource/:doctype/*name', update(engine))
  router.delete('/resource/:doctype/*name', remove(engine))
  router.post('/resource/:doctype/*name', run(engine))
  router.all('/resource/:doctype/*name', methodNotAllowed('GET, HEAD, PUT, PATCH, DELETE, POST'))
}

function list(engine: Engine): Handler {
  return async (request, response) => {
    const context = callerOf(engine, response)
    const { args } = argsOf(response)
    const doctype = parameter(request, 'doctype')
    if (isMetaDoctype(context, doctype)) {
      sendData(response, listDoctypes(context, args))
      return
    }
    const listed = listedNamed(context, response, doctype)
    await sendRows(response, 'data', (take, begin) =>
      eachListed(context, listed, args, take, begin),
    )
  }
}

function create(engine: Engine): Handler {
  return async (request, response) => {
    const { context, definition } = callOf(engine, request, response)
    assertKnownQuery(response, definition, publicFields(definition))
    const result = await insertDocument(context, definition, documentArg(argsOf(response).args))
    sendRecord(response, context, definition, result)
  }
}

function getOne(engine: Engine): Handler {
  return async (request, response) => {
    const context = callerOf(engine, response)
    const sent = argsOf(response)
    const doctype = parameter(request, 'doctype')
    if (isMetaDoctype(context, doctype)) {
      sendData(response, describeDoctype(context, nameIn(request)))
      return
    }
    const definition = recordDoctype(context, response, doctype)
    if (textArg(sent, 'run_method') !== undefined)
      throw new AppError('FORBIDDEN', 'Not permitted: methods change documents, send POST')
    const { record } = await getDocument(context, definition, idOf(request, definition))
    const shown = shownFor(context, definition, record, { omitUnset: true })
    sendData(
      response,
      isOn(sent.args.expand_links) ? await expandLinks(context, definition, shown) : shown,
    )
  }
}

function update(engine: Engine): Handler {
  return async (request, response) => {
    const { context, definition } = callOf(engine, request, response)
    assertKnownQuery(response, definition, publicFields(definition))
    const body = documentArg(argsOf(response).args)
    const id = idOf(request, definition)
    sendRecord(response, context, definition, await saveDocument(context, definition, id, body))
  }
}

/** 202, and what clients of older and newer Frappe look for (erp-semantics.md §0.5). */
function remove(engine: Engine): Handler {
  return async (request, response) => {
    const { context, definition } = callOf(engine, request, response)
    assertKnownQuery(response, definition)
    await removeDocument(context, definition, idOf(request, definition))
    sendJson(response, 202, JSON.stringify({ message: 'ok', data: 'ok' }))
  }
}

function run(engine: Engine): Handler {
  return async (request, response) => {
    const { context, definition } = callOf(engine, request, response)
    const sent = argsOf(response)
    const method = textArg(sent, 'run_method')
    if (method === undefined)
      throw new FrappeError(
        'ValidationError',
        'expected run_method to name what to do with the document, such as submit',
      )
    assertKnownQuery(response, definition, inputOf(definition, method))
    const id = idOf(request, definition)
    const result = await runDocumentMethod(context, definition, id, method, sent.args)
    sendRecord(response, context, definition, result)
  }
}

interface Call {
  readonly context: Context
  readonly definition: DocTypeDefinition
}

function callOf(engine: Engine, request: Request, response: ApiResponse): Call {
  const context = callerOf(engine, response)
  const doctype = parameter(request, 'doctype')
  if (isMetaDoctype(context, doctype))
    throw new AppError('FORBIDDEN', 'DocTypes are files of the workspace: change those')
  return { context, definition: recordDoctype(context, response, doctype) }
}

function callerOf(engine: Engine, response: ApiResponse): Context {
  const context = contextOf(engine, response)
  assertSignedIn(context, 'this')
  return context
}

function idOf(request: Request, definition: DocTypeDefinition): string {
  return recordName(definition, nameIn(request))
}

function parameter(request: Request, name: string): string {
  return String(request.params[name])
}

/** The rest of the path behind the DocType, each part decoded; one `/` at the end is no part of it. */
function nameIn({ params: { name } }: Request): string {
  const parts = Array.isArray(name) ? name : [String(name)]
  return (parts.length > 1 && parts.at(-1) === '' ? parts.slice(0, -1) : parts).join('/')
}

function sendRecord(
  response: ApiResponse,
  context: Context,
  definition: DocTypeDefinition,
  { record }: DocumentResult,
): void {
  sendData(response, shownFor(context, definition, record, { omitUnset: true }))
}

/** A switch as clients send it: `1`, `"1"`, `true`, `"true"`. */
function isOn(value: Args[string]): boolean {
  return value === 1 || value === true || value === '1' || value === 'true' || value === 'True'
}
