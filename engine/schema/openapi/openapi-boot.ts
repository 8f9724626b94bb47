import type { JsonSchema } from '../../fields/field-type.ts'
import { anyObject } from '../shapes/json-schema.ts'
import { answer } from './openapi-answer.ts'
import { READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, ref } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const TEXT_OR_NULL = { type: ['string', 'null'] } as const
const TEXTS = { type: 'array', items: TEXT } as const

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties }
}

const listOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'array',
  items: object(properties),
})

/** Parts of a workspace that name a list or a report: what of it there is follows from which. */
function partsOf(...names: readonly string[]): JsonSchema {
  return {
    type: 'array',
    items: {
      type: 'object',
      required: ['label'],
      properties: Object.fromEntries(['label', ...names].map((name) => [name, TEXT])),
    },
  }
}

const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: ['object', 'null'] })

const PERSON = orNull(
  object({
    name: TEXT,
    full_name: TEXT,
    email: TEXT,
    image: TEXT_OR_NULL,
    roles: TEXTS,
    language: TEXT_OR_NULL,
    time_zone: TEXT_OR_NULL,
  }),
)

const RESOURCE = {
  slug: TEXT,
  doctype: TEXT,
  label: TEXT,
  label_plural: TEXT,
  module: TEXT,
  icon: TEXT_OR_NULL,
  tier: TEXT,
  locked: { ...FLAG, description: 'Above the tier of the workspace' },
  submittable: FLAG,
  title_field: TEXT,
  can: {
    ...TEXTS,
    description: 'read, create, update, delete, submit, cancel, amend, export, import',
  },
}

const BOOT = object({
  person: {
    ...PERSON,
    description: 'Who asks, or whose key does; null for a key of the workspace',
  },
  workspace: object({
    label: TEXT,
    tier: TEXT,
    env: TEXT,
    version: TEXT,
    company: TEXT_OR_NULL,
    demo: FLAG,
  }),
  csrf: { ...TEXT_OR_NULL, description: 'Token for `X-CSRF-Token`; null without a session' },
  formats: object({
    date: { ...TEXT, description: 'Such as `dd.mm.yyyy`' },
    time: TEXT,
    number: { ...TEXT, description: 'Separators around digits: `#.###,##`' },
    first_day: { type: 'integer', description: '1 is Monday' },
    currency: TEXT_OR_NULL,
  }),
  notifications: object({
    unread: { type: 'integer' },
  }),
  modules: listOf({ name: TEXT, label: TEXT, icon: TEXT_OR_NULL }),
  workspaces: listOf({
    name: TEXT,
    label: TEXT,
    icon: TEXT_OR_NULL,
    modules: TEXTS,
    used: { ...FLAG, description: 'Whether there is a record that one of its numbers is about' },
    cards: {
      ...partsOf('resource', 'filter', 'sum', 'report', 'value'),
      description:
        '`waits` (true): records that wait for the caller. Numbers: how many records of `resource` there are by `filter`, or what their `sum` is (`_sum`); or the `value` of the summary of `report`',
    },
    shortcuts: partsOf('resource', 'filter', 'report'),
    charts: {
      ...partsOf('report', 'resource', 'by', 'sum', 'filter'),
      description:
        'Those of reports; or of `resource` by `filter`, counted by `by` (`_count_by`), or with their `sum`',
    },
    steps: {
      ...partsOf('resource', 'filter', 'on'),
      description:
        'First steps of a new workspace: each is done once there is a record of `resource` by `filter`; it is made on the newest of `on`',
    },
    pages: {
      ...listOf({ page: TEXT, label: TEXT, icon: TEXT, parts: anyObject() }),
      description:
        'Pages of work: which one, and for each of its parts the `resource`, its `filter`, the `fields` by their roles and the values that are `set`',
    },
  }),
  resources: listOf(RESOURCE),
  reports: listOf({ slug: TEXT, label: TEXT, module: TEXT }),
  colors: {
    type: 'object',
    additionalProperties: TEXT,
    description: 'Value of a select → the name of its colour; what is not there is gray',
  },
  desk: {
    ...orNull(anyObject()),
    description: 'The setting `desk` of the person; null where they have none',
  },
  proof: {
    ...orNull(
      object({
        at: { ...TEXT, format: 'date-time' },
        checks: { type: 'integer' },
        ok: FLAG,
        differences: { type: 'integer' },
      }),
    ),
    description: 'The last proof of the books, for System Managers',
  },
})

/** The route that a screen begins with. */
export function bootPaths(): Paths {
  return {
    '/v1/boot': {
      get: {
        tags: ['Workspace'],
        operationId: 'readBoot',
        summary: 'All that a screen needs to begin with: who asks, what there is, what they may do',
        description: "Labels are in the caller's language. It has an ETag; a stranger is 401.",
        parameters: [ref('parameters', 'IfNoneMatch')],
        responses: {
          '200': answer({
            description: 'The workspace for the caller',
            schema: BOOT,
            headers: [...READ_HEADERS, 'ETag', 'X-Stream-At'],
          }),
          '304': ref('responses', 'NotModified'),
          ...failures([]),
        },
      },
    },
  }
}
