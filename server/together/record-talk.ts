import type { Router } from 'express'
import { AppError, validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { readDocument } from '../../engine/documents/operations/get.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import { aboutOf } from '../../engine/documents/together/about.ts'
import { readTimeline } from '../../engine/documents/together/timeline.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { type Answer, sendAnswer, sendJson } from '../http/answer.ts'
import { type BodyField, readFields } from '../http/fields-of-body.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { readPaging } from '../http/paging.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler } from '../http/request-state.ts'
import { callOf, parameter, type V1 } from '../v1/call.ts'
import { createWords } from '../v1/catalog-words.ts'
import { assignRecord } from './assign.ts'

/** Longest comment, and longest description of a to-do, in characters. */
const MOST_TEXT = 20_000

/** What people say about a record and to each other: its timeline, comments, and who has to do something (contract §7.4). */
export function talkRoutes(router: Router, v1: V1): void {
  router.get('/:resource/:id/timeline', takes('limit', 'cursor'), timeline(v1))
  router.all('/:resource/:id/timeline', methodNotAllowed('GET, HEAD'))
  router.post('/:resource/:id/comments', takes(), comment(v1))
  router.all('/:resource/:id/comments', methodNotAllowed('POST'))
  router.post('/:resource/:id/assign', takes(), assign(v1))
  router.all('/:resource/:id/assign', methodNotAllowed('POST'))
}

function timeline({ engine }: V1): Handler {
  const words = createWords()
  return async (request, response) => {
    const { definition, context } = callOf(engine, request, response)
    assertMay(context, definition, 'read')
    const details: Parameters<typeof readPaging>[1] = []
    const given = new Map([['cursor', ''], ...readQuery(request.url)])
    const { limit, cursor } = readPaging(given, details)
    if (details.length > 0) throw validationError(details)
    const { label } = words.telling(context.services, await words.languageOf(context, request))
    response.vary('Accept-Language')
    const id = parameter(request, 'id')
    const found = await readTimeline(context, definition, id, { limit, cursor, label })
    sendJson(response, 200, JSON.stringify(found))
  }
}

const A_TEXT: BodyField<string> = {
  expected: `a text of 1 to ${MOST_TEXT} characters`,
  read: (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= MOST_TEXT
      ? value
      : undefined,
}

function comment(v1: V1): Handler {
  return async (request, response) => {
    const { definition, context } = callOf(v1.engine, request, response)
    const comments = servedBy(context, 'comments')
    assertMay(context, comments, 'create')
    const { doc } = await readDocument(context, definition, parameter(request, 'id'))
    if (v1.idempotency.replay(response)) return
    const { text } = readFields(response.locals.body, { text: { ...A_TEXT, required: true } })
    const about = aboutOf(comments)!
    const body = {
      [about.kind]: definition.doctype,
      [about.record]: doc.name,
      [comments.titleField]: text,
    }
    const answerOf = ({ id, json, etag }: { id: string; json: string; etag: string }): Answer => ({
      status: 201,
      headers: { Location: `/v1/${comments.slug}/${encodeURIComponent(id)}`, ETag: etag },
      body: json,
    })
    const made = await createDocument(
      {
        ...context,
        beforeCommit: async (tx, result) => {
          if (result) await v1.idempotency.keep(tx, response, answerOf(result))
        },
      },
      comments,
      body,
    )
    sendAnswer(response, answerOf(made))
  }
}

const ASSIGNMENT = {
  to: {
    expected: 'a list of 1 to 20 logins',
    required: true,
    read: (value: unknown) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= 20 &&
      value.every((login): login is string => typeof login === 'string' && login !== '')
        ? [...new Set(value as readonly string[])]
        : undefined,
  },
  description: A_TEXT,
  due: {
    expected: 'a date such as 2026-01-31',
    read: (value: unknown) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined,
  },
} as const

function assign(v1: V1): Handler {
  return async (request, response) => {
    const { definition, context } = callOf(v1.engine, request, response)
    const todos = servedBy(context, 'todos')
    assertMay(context, todos, 'create')
    const { doc } = await readDocument(context, definition, parameter(request, 'id'))
    if (v1.idempotency.replay(response)) return
    const { to, description, due } = readFields(response.locals.body, ASSIGNMENT)
    const answerOf = (made: readonly string[]): Answer => ({
      status: 201,
      headers: {},
      body: `{"data":[${made.join(',')}]}`,
    })
    const made = await assignRecord(context, todos, {
      definition,
      doc,
      to: to!,
      description,
      due,
      keep: (tx, texts) => v1.idempotency.keep(tx, response, answerOf(texts)),
    })
    sendAnswer(response, answerOf(made))
  }
}

/** The DocType that serves these. Throws 404 where the workspace has none. */
function servedBy({ services }: Context, service: 'comments' | 'todos'): DocTypeDefinition {
  const definition = services.registry.serving(service)
  if (!definition) throw new AppError('NOT_FOUND', `no DocType of this workspace serves ${service}`)
  return definition
}
