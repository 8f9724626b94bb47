import type { JsonSchema } from '../../fields/field-type.ts'
import { A_SLUG } from '../shapes/webhook-shapes.ts'
import { answer } from './openapi-answer.ts'
import { query, READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, parameter, ref, wholeList } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const
const TEXT_OR_NULL = { type: ['string', 'null'] } as const
const MOMENT = { ...TEXT, format: 'date-time' } as const

const VIEW_PROPERTIES = {
  resource: { ...TEXT, description: 'Slug of the resource' },
  title: { ...TEXT, maxLength: 140 },
  query: { ...TEXT, maxLength: 4000, description: 'Parameters of the list, as in an address' },
  columns: {
    type: 'array',
    maxItems: 100,
    items: {
      type: 'object',
      required: ['field'],
      properties: { field: TEXT, width: { type: ['number', 'null'], format: 'double' } },
    },
  },
  layout: { ...TEXT, enum: ['table', 'board', 'calendar', 'tree'] },
  shared_with: { ...TEXT_OR_NULL, description: 'Role whose people see it too, one of your own' },
  is_default: { type: 'boolean' },
}

const VIEW_EXAMPLE = {
  id: 'viw_0mbx3k2qa7r1c9d8e7f6g5h4i',
  resource: 'sales-invoices',
  title: 'Overdue',
  query: 'status=Overdue&sort=due_date,-grand_total',
  columns: [{ field: 'customer', width: 240 }, { field: 'grand_total' }],
  layout: 'table',
  shared_with: null,
  is_default: false,
  owner: 'ann@example.com',
  own: true,
  created: '2026-01-15T09:30:00.000Z',
  modified: '2026-01-15T09:30:00.000Z',
}

/** Shapes of what people keep for their screens. */
export const SCREEN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ListView: {
    type: 'object',
    required: Object.keys(VIEW_EXAMPLE),
    properties: {
      id: TEXT,
      ...VIEW_PROPERTIES,
      owner: TEXT,
      own: { type: 'boolean', description: 'Whether it is yours' },
      created: MOMENT,
      modified: MOMENT,
    },
  },
  ListViewCreate: {
    type: 'object',
    required: ['resource', 'title'],
    properties: VIEW_PROPERTIES,
    additionalProperties: false,
  },
  ListViewUpdate: { type: 'object', properties: VIEW_PROPERTIES, additionalProperties: false },
}

/** Routes of what people keep for their screens. */
export function screenPaths(): Paths {
  return { ...viewPaths(), ...settingPaths() }
}

function viewPaths(): Paths {
  const { query: parameters, title, resource } = VIEW_EXAMPLE
  const body = (schema: string): JsonSchema => ({
    required: true,
    content: {
      'application/json': {
        schema: ref('schemas', schema),
        example: { title, query: parameters, ...(schema === 'ListViewCreate' ? { resource } : {}) },
      },
    },
  })
  const one = (description: string): JsonSchema =>
    answer({
      description,
      schema: ref('schemas', 'ListView'),
      example: VIEW_EXAMPLE,
      headers: [...READ_HEADERS, 'Idempotent-Replayed'],
    })
  return {
    '/v1/list-views': {
      get: {
        tags: ['People'],
        operationId: 'listListViews',
        summary: 'List your views of lists, and those shared with a role of yours',
        description: 'With their query, columns and layout; needs a person.',
        parameters: [query('resource', 'Only those of this resource', A_SLUG)],
        responses: {
          '200': answer({
            description: 'The views',
            schema: wholeList('ListView'),
            example: { data: [VIEW_EXAMPLE] },
          }),
          ...failures([]),
        },
      },
      post: {
        tags: ['People'],
        operationId: 'createListView',
        summary: 'Save a view of a list',
        description: 'A private one, or shared with a role that one has.',
        parameters: [parameter('IdempotencyKey')],
        requestBody: body('ListViewCreate'),
        responses: { '201': one('The view'), ...failures(['CONFLICT', 'VALIDATION_ERROR']) },
      },
    },
    '/v1/list-views/{id}': {
      parameters: [parameter('Id')],
      patch: {
        tags: ['People'],
        operationId: 'updateListView',
        summary: 'Change a view of yours; for System Managers any that is shared',
        description: 'What the body names; the rest stays.',
        parameters: [parameter('IdempotencyKey')],
        requestBody: body('ListViewUpdate'),
        responses: {
          '200': one('The view'),
          ...failures(['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
      delete: {
        tags: ['People'],
        operationId: 'deleteListView',
        summary: 'Delete a view',
        description: 'Your own; System Managers any that is shared.',
        responses: { '204': ref('responses', 'NoContent'), ...failures(['NOT_FOUND']) },
      },
    },
  }
}

function settingPaths(): Paths {
  const value = (description: string): JsonSchema =>
    answer({ description, schema: {}, example: { theme: 'dark' } })
  return {
    '/v1/me/settings/{key}': {
      parameters: [
        {
          name: 'key',
          in: 'path',
          required: true,
          description: 'Letters, digits, `-`, `_`, `.` and `:`',
          schema: { ...TEXT, minLength: 1, maxLength: 140 },
        },
      ],
      get: {
        tags: ['People'],
        operationId: 'readOwnSetting',
        summary: 'Read a setting of yours',
        description: 'Bare JSON as it was put; 404 where there is none. Needs a person.',
        responses: {
          '200': value('The setting, any JSON'),
          ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
      put: {
        tags: ['People'],
        operationId: 'writeOwnSetting',
        summary: 'Set a setting of yours: any JSON of at most 16 KB',
        description: 'Programs keep here what a person chose. Needs a person.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: {}, example: { theme: 'dark' } } },
        },
        responses: {
          '200': value('The setting as it is now'),
          ...failures(['CONFLICT', 'VALIDATION_ERROR']),
        },
      },
      delete: {
        tags: ['People'],
        operationId: 'deleteOwnSetting',
        summary: 'Delete a setting of yours',
        description: '404 where there is none. Needs a person.',
        responses: {
          '204': ref('responses', 'NoContent'),
          ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
    },
  }
}
