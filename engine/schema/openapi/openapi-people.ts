import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { answer } from './openapi-answer.ts'
import { READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, pageExample, pageOf, parameter, ref } from './openapi-paths.ts'
import { KEY_EXAMPLE } from './openapi-workspace-shapes.ts'

const TEXT = { type: 'string' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const MOMENT = { ...TEXT, format: 'date-time' }
const COUNT = { type: 'integer' }

const SESSION_EXAMPLE = {
  id: 'ses_0mbx3k2qa7r1c9d8e7f6g5h4i',
  created: '2026-01-15T09:30:00.000Z',
  last_seen: '2026-01-15T10:05:00.000Z',
  expires: '2026-02-14T09:30:00.000Z',
  address: '203.0.113.7',
  agent: 'Mozilla/5.0',
  current: true,
}

const LEFT_EXAMPLE = {
  sessions: 2,
  pairs: 1,
  keys: [KEY_EXAMPLE.id],
  links: 0,
  webhooks: [{ id: 'whk_0mbx3k2qa7r1c9d8e7f6g5h4i', action: 'paused' }],
  records: { notes: ['NOTE-00001'] },
}

const SESSION: Readonly<Record<string, JsonSchema>> = {
  Session: {
    type: 'object',
    required: Object.keys(SESSION_EXAMPLE),
    properties: {
      id: TEXT,
      created: MOMENT,
      last_seen: MOMENT,
      expires: MOMENT,
      address: TEXT_OR_NULL,
      agent: TEXT_OR_NULL,
      current: { type: 'boolean', description: 'Whether this request came with it' },
    },
  },
}

const LEAVING: Readonly<Record<string, JsonSchema>> = {
  Left: {
    type: 'object',
    required: Object.keys(LEFT_EXAMPLE),
    properties: {
      sessions: COUNT,
      pairs: COUNT,
      keys: { type: 'array', items: TEXT, description: 'Ids of the API keys that ended' },
      links: { ...COUNT, description: 'Mailed links that work no more' },
      webhooks: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'action'],
          properties: { id: TEXT, action: { ...TEXT, enum: ['handed_over', 'paused'] } },
        },
      },
      records: {
        type: 'object',
        additionalProperties: { type: 'array', items: TEXT },
        description: 'Ids of the records that went to the successor, by resource',
      },
    },
  },
  Leaving: {
    type: 'object',
    properties: {
      hand_over_to: {
        ...TEXT,
        maxLength: 140,
        description:
          'Login of the successor: gets what is still to be done, and, as a System Manager, the webhooks',
      },
    },
    additionalProperties: false,
  },
}

/** Shapes of what people are signed in with, and of what ends when somebody leaves. */
export function peopleSchemas(
  users: DocTypeDefinition | undefined,
): Readonly<Record<string, JsonSchema>> {
  return { ...SESSION, ...(users ? LEAVING : {}) }
}

/** Routes about people; `users` is the DocType whose records they are. */
export function peoplePaths(users: DocTypeDefinition | undefined): Paths {
  return {
    ...ownPaths('sessions', 'Session', SESSION_EXAMPLE, 'session'),
    ...ownPaths('pairs', 'ApiKey', { ...KEY_EXAMPLE, type: 'pair' }, 'pair of key and secret'),
    ...(users ? leavePath(users.slug) : {}),
  }
}

function ownPaths(list: string, schema: string, example: JsonSchema, one: string): Paths {
  const name = `Own${list[0]!.toUpperCase()}${list.slice(1)}`
  return {
    [`/v1/me/${list}`]: {
      get: {
        tags: ['People'],
        operationId: `list${name}`,
        summary: `List the ${list} you are signed in with`,
        description: 'With when each was begun and used last, and from where.',
        parameters: ['limit', 'offset', 'cursor'].map(parameter),
        responses: {
          '200': answer({
            description: `Your ${list}, the newest first`,
            schema: pageOf(schema),
            example: pageExample(example),
          }),
          ...failures(['VALIDATION_ERROR']),
        },
      },
    },
    [`/v1/me/${list}/{id}`]: {
      parameters: [parameter('Id')],
      delete: {
        tags: ['People'],
        operationId: `end${name}`,
        summary: `End one ${one} of yours`,
        description: 'It can be used no more from the next request on.',
        responses: { '204': ref('responses', 'NoContent'), ...failures(['NOT_FOUND']) },
      },
    },
  }
}

function leavePath(slug: string): Paths {
  return {
    [`/v1/${slug}/{id}/leave`]: {
      parameters: [parameter('Id')],
      post: {
        tags: ['People'],
        operationId: 'leaveWorkspace',
        summary: 'Somebody leaves: all they could get in with ends',
        description:
          'Disables them and ends their sessions, pairs, keys and mailed links; their webhooks pause or are handed over, and what they still had to do goes to the successor. 409 for oneself and for the last System Manager.',
        parameters: [parameter('IdempotencyKey')],
        requestBody: {
          content: {
            'application/json': {
              schema: ref('schemas', 'Leaving'),
              example: { hand_over_to: 'ann@example.com' },
            },
          },
        },
        responses: {
          '200': answer({
            description: 'Everything that ended',
            schema: ref('schemas', 'Left'),
            example: LEFT_EXAMPLE,
            headers: [...READ_HEADERS, 'Idempotent-Replayed'],
          }),
          ...failures(['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
    },
  }
}
