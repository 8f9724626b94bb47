import type { JsonSchema } from '../../fields/field-type.ts'
import { anyObject } from '../shapes/json-schema.ts'
import { answer } from './openapi-answer.ts'
import { query, READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, pageOf, parameter, ref } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const
const TEXT_OR_NULL = { type: ['string', 'null'] } as const
const MOMENT = { ...TEXT, format: 'date-time' } as const
const TEXTS = { type: 'array', items: TEXT } as const

/** Tag of what people and agents tell each other. */
export const TOGETHER_TAG: JsonSchema = {
  name: 'Working together',
  description: 'Timeline, comments, notifications, changes as they happen',
}

const ENTRY_KINDS = [
  'created',
  'changed',
  'submitted',
  'cancelled',
  'amended',
  'action',
  'comment',
  'mail',
  'file',
  'assigned',
]

const NOTIFICATION_KINDS = ['mention', 'assignment', 'approval', 'job', 'webhook', 'import', 'mail']

/** Shapes of what people and agents tell each other. */
export const TOGETHER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  TimelineEntry: {
    type: 'object',
    required: ['id', 'at', 'actor', 'kind', 'changes'],
    properties: {
      id: { ...TEXT, description: 'Of the event, comment, mail, file or to-do' },
      at: MOMENT,
      actor: {
        type: 'object',
        required: ['name', 'title'],
        properties: { name: TEXT, title: TEXT },
      },
      kind: { ...TEXT, enum: ENTRY_KINDS },
      changes: {
        type: 'array',
        items: ref('schemas', 'FieldChange'),
      },
      text: TEXT,
      events: { ...TEXTS, description: 'Such as `paid`' },
      resource: TEXT,
    },
  },
  FieldChange: {
    type: 'object',
    required: ['field', 'label', 'before', 'after'],
    properties: {
      field: { ...TEXT, description: 'e.g. `items.qty`' },
      label: TEXT,
      before: {},
      after: {},
      row: TEXT,
      computed: { type: 'boolean' },
    },
  },
  Notification: {
    type: 'object',
    required: ['id', 'kind', 'at', 'actor', 'resource', 'record_id', 'title', 'text', 'read'],
    properties: {
      id: TEXT,
      kind: {
        ...TEXT,
        enum: NOTIFICATION_KINDS,
      },
      at: MOMENT,
      actor: TEXT,
      resource: TEXT_OR_NULL,
      record_id: TEXT_OR_NULL,
      title: TEXT,
      text: TEXT_OR_NULL,
      read: { type: 'boolean' },
    },
  },
}

/** Routes of what people and agents tell each other: those of records are one for all resources. */
export function togetherPaths(): Paths {
  const ofRecord = { parameters: ['AnyResource', 'Id'].map(parameter) }
  return {
    '/v1/{resource}/{id}/timeline': { ...ofRecord, get: timelineRoute() },
    '/v1/{resource}/{id}/comments': { ...ofRecord, post: commentRoute() },
    '/v1/{resource}/{id}/assign': { ...ofRecord, post: assignRoute() },
    ...notificationPaths(),
    '/v1/stream': { get: streamRoute() },
  }
}

const common = (operationId: string, summary: string, description: string): JsonSchema => ({
  tags: [TOGETHER_TAG.name],
  operationId,
  summary,
  description,
})

function timelineRoute(): JsonSchema {
  return {
    ...common(
      'readTimeline',
      'The timeline of a record, newest first',
      'What was changed, said, mailed, attached and assigned, read from the event log by cursor.',
    ),
    parameters: [parameter('limit'), parameter('cursor')],
    responses: {
      '200': answer({
        description: 'A page of it',
        schema: {
          type: 'object',
          required: ['data'],
          properties: {
            data: { type: 'array', items: ref('schemas', 'TimelineEntry') },
            next_cursor: TEXT,
          },
        },
      }),
      ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
    },
  }
}

function bodyWith(
  required: readonly string[],
  properties: Readonly<Record<string, JsonSchema>>,
  example: JsonSchema,
): JsonSchema {
  const schema = { type: 'object', required, properties, additionalProperties: false }
  return { required: true, content: { 'application/json': { schema, example } } }
}

const MADE_HEADERS = [...READ_HEADERS, 'Idempotent-Replayed']

function commentRoute(): JsonSchema {
  return {
    ...common(
      'commentRecord',
      'Comment on a record; @login tells who may read it',
      'Needs the right to read the record, and to make comments.',
    ),
    parameters: [parameter('IdempotencyKey')],
    requestBody: bodyWith(
      ['text'],
      { text: { ...TEXT, minLength: 1, maxLength: 20000 } },
      { text: '@ann@example.com please call them' },
    ),
    responses: {
      '201': answer({
        description: 'The comment',
        schema: anyObject(),
        headers: [...MADE_HEADERS, 'ETag', 'Location'],
      }),
      ...failures(['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR']),
    },
  }
}

function assignRoute(): JsonSchema {
  return {
    ...common(
      'assignRecord',
      'Make a to-do about a record for each person',
      'All or none: 422 names who is not there or may not read the record.',
    ),
    parameters: [parameter('IdempotencyKey')],
    requestBody: bodyWith(
      ['to'],
      {
        to: { ...TEXTS, minItems: 1, maxItems: 20, description: 'Logins' },
        description: { ...TEXT, minLength: 1, maxLength: 20000 },
        due: { ...TEXT, format: 'date' },
      },
      { to: ['ann@example.com'], description: 'Call them', due: '2026-01-31' },
    ),
    responses: {
      '201': answer({
        description: 'The to-dos',
        schema: {
          type: 'object',
          required: ['data'],
          properties: { data: { type: 'array', items: anyObject() } },
        },
        headers: MADE_HEADERS,
      }),
      ...failures(['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR']),
    },
  }
}

function notificationPaths(): Paths {
  return {
    '/v1/notifications': {
      get: {
        ...common(
          'listNotifications',
          'List what you were told, newest first',
          'Mentions, assignments, approvals, jobs, imports, webhooks and mails; needs a person.',
        ),
        parameters: [
          query('unread', '`1`: only what you have not read', { ...TEXT, enum: ['0', '1'] }),
          ...['limit', 'offset', 'cursor'].map(parameter),
        ],
        responses: {
          '200': answer({
            description: 'A page of them',
            schema: pageOf('Notification'),
          }),
          ...failures(['VALIDATION_ERROR']),
        },
      },
    },
    '/v1/notifications/read': {
      post: {
        ...common(
          'readNotifications',
          'Mark notifications as read',
          'Those that `ids` names, or `all` of the person.',
        ),
        parameters: [parameter('IdempotencyKey')],
        requestBody: bodyWith(
          [],
          {
            ids: { ...TEXTS, minItems: 1, maxItems: 200 },
            all: { type: 'boolean', enum: [true] },
          },
          { all: true },
        ),
        responses: {
          '200': answer({
            description: 'What is left to read',
            schema: {
              type: 'object',
              required: ['unread'],
              properties: { unread: { type: 'integer' } },
            },
            example: { unread: 0 },
            headers: MADE_HEADERS,
          }),
          ...failures(['CONFLICT', 'VALIDATION_ERROR']),
        },
      },
    },
  }
}

function streamRoute(): JsonSchema {
  return {
    ...common(
      'listen',
      'Listen to changes (Server-Sent Events)',
      '`change`: `{event, resource, id, modified, actor}` of what you may read, of your jobs with `job: {kind, state, done, total, failed}`; `notification`: a Notification of yours; `reset`: read all anew. It goes on behind `Last-Event-ID`, or else behind `_last_event_id`.',
    ),
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        schema: TEXT,
      },
      query(
        '_last_event_id',
        'Place that a first stream goes on behind: `X-Stream-At` of a boot, or the `id` of the last frame another stream has heard',
      ),
    ],
    responses: {
      '200': answer({
        description: 'Events without end',
        schema: TEXT,
        type: 'text/event-stream',
      }),
      ...failures([]),
    },
  }
}
