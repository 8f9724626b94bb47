import type { JsonSchema } from '../../fields/field-type.ts'
import { NAMING_PARAMETERS } from '../shapes/list-parameters.ts'
import { OPERATOR_MEANINGS, standardFilters } from '../shapes/openapi-filters.ts'
import { ERROR_SCHEMAS, errorResponses, headerRefs, RATE_HEADERS } from './openapi-errors.ts'
import { EXPLAIN_PARAMETERS, EXPLAIN_SCHEMAS, explanationExample } from './openapi-explain.ts'
import { PREVIEW_PARAMETERS, PREVIEW_SCHEMAS, previewExample } from './openapi-preview.ts'

const ref = (schema: string): JsonSchema => ({ $ref: `#/components/schemas/${schema}` })

/** A query parameter. */
export function query(
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
): JsonSchema {
  return { name, in: 'query', description, schema }
}

function header(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: 'header', description, schema }
}

/** Parameter of filters whose properties are query parameters of their own. */
function filterObject(schema: string): JsonSchema {
  return {
    name: 'filters',
    in: 'query',
    style: 'form',
    explode: true,
    description:
      'Filters on the fields every record has. Each property is a query parameter of its own: `?modified__gte=2026-01-01T00:00:00Z`',
    schema: ref(schema),
    example: {},
  }
}

const SUFFIXES = Object.entries(OPERATOR_MEANINGS)
  .filter(([operator]) => operator !== 'eq')
  .map(([operator, meaning]) => `\`__${operator}\` ${meaning}`)
  .join(', ')

/** Parameters several operations take. */
export const PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The `id` of the record, percent-encoded',
    schema: { type: 'string', minLength: 1 },
  },
  limit: query('limit', 'Records of a page', {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
  }),
  // No `default`: tools would send it along with a cursor, and both together are refused.
  offset: query('offset', 'Records to skip, 0 when not sent; not together with `cursor`', {
    type: 'integer',
    minimum: 0,
  }),
  cursor: query(
    'cursor',
    'Empty to start walking, then `next_cursor` of the page before. Such pages carry no `meta`',
    { type: 'string' },
  ),
  ...NAMING_PARAMETERS,
  order: query('order', 'Direction of `sort`', {
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'desc',
  }),
  q: query('q', "Finds part of a word in the resource's search fields, whatever the case", {
    type: 'string',
    maxLength: 200,
  }),
  csvLabels: query(
    'labels',
    'Only with `Accept: text/csv`, which answers all that match as CSV: `1` has labels above instead of names',
    {
      type: 'string',
      enum: ['0', '1'],
    },
  ),
  csvMark: query(
    'bom',
    'Only with `Accept: text/csv`: `1` begins with the byte order mark Excel wants',
    {
      type: 'string',
      enum: ['0', '1'],
    },
  ),
  titled: query('_titles', '`1` adds `_titles`: the titles of the records each row links to', {
    type: 'string',
    enum: ['0', '1'],
  }),
  withCan: query(
    '_can',
    '`1` adds `_can: {update, delete, submit, cancel, amend, actions, flow}`: each operation is `true` or the sentence that its refusal would say, null where there is none; `flow` are the states the caller may move to',
    { type: 'string', enum: ['0', '1'] },
  ),
  ...EXPLAIN_PARAMETERS,
  ...PREVIEW_PARAMETERS,
  StandardFilters: filterObject('StandardFilters'),
  SubmittableFilters: filterObject('SubmittableFilters'),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes repeating safe: the same request under the same key within 24 hours gets the first answer again and changes nothing',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  ),
  IfMatch: header(
    'If-Match',
    'The ETag that was read; the write is refused with 412 when the record has changed since',
    { type: 'string' },
  ),
  IfNoneMatch: header('If-None-Match', 'The ETag that is at hand; 304 when it still holds', {
    type: 'string',
  }),
}

function headerObject(description: string, schema: JsonSchema): JsonSchema {
  return { description, schema }
}

const TEXT = { type: 'string' } as const
/** Of no type: compiled languages have none that is one of several. */
const WHY = {
  description: 'True, the sentence of a refusal, or null where there is no such operation',
} as const
const WHOLE = { type: 'integer' } as const

/** Headers of answers. */
export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': headerObject('Names the request in the logs; quote it to support', TEXT),
  'X-RateLimit-Limit': headerObject('Requests a minute of the plan', WHOLE),
  'X-RateLimit-Remaining': headerObject('Requests left in this window', WHOLE),
  'X-RateLimit-Reset': headerObject('When the window ends, in Unix seconds', WHOLE),
  'X-Work-Limit': headerObject(
    'Database time a minute of one person for writes and long reads, in ms',
    WHOLE,
  ),
  'X-Work-Remaining': headerObject('Of that, what is left in this minute, in ms', WHOLE),
  'X-Work-Reset': headerObject('When that minute ends, in Unix seconds', WHOLE),
  'Retry-After': headerObject('Seconds after which to try again', WHOLE),
  'Idempotent-Replayed': headerObject(
    '`true` when this is the stored answer of the first request',
    TEXT,
  ),
  'WWW-Authenticate': headerObject('The scheme to authenticate with', TEXT),
  ETag: headerObject('Version of what is answered, for If-Match and If-None-Match', TEXT),
  Location: headerObject('Address of the record that was made; only with 201', TEXT),
  'X-Stream-At': headerObject(
    'Place in the log of events before what is answered was read: `_last_event_id` of a stream that misses nothing since',
    TEXT,
  ),
  Allow: headerObject('The methods the path has', TEXT),
}

/**
 * Headers of a successful answer, and of a record. The id of the request and those of the limits, which all
 * answers have, are not repeated for each resource: they are a tenth of what is said of one.
 */
export const READ_HEADERS: readonly string[] = ['X-Request-Id', ...RATE_HEADERS]
export const RECORD_HEADERS: readonly string[] = ['ETag', 'Location', 'Idempotent-Replayed']

/** Responses several operations give: one for each error code, and those without a body. */
export function sharedResponses(): Record<string, JsonSchema> {
  return {
    ...errorResponses(),
    Explanation: explanationResponse(),
    Preview: previewResponse(),
    NoContent: { description: 'Done', headers: headerRefs(READ_HEADERS) },
    NotModified: {
      description: 'What the ETag of If-None-Match names still holds',
      headers: headerRefs([...READ_HEADERS, 'ETag']),
    },
  }
}

function explanationResponse(): JsonSchema {
  return {
    description: 'Why the field has its value',
    headers: headerRefs(READ_HEADERS),
    content: { 'application/json': { schema: ref('Explanation'), example: explanationExample() } },
  }
}

function previewResponse(): JsonSchema {
  return {
    description: 'Only with `_preview=1`: what the operation would do',
    headers: headerRefs(READ_HEADERS),
    content: { 'application/json': { schema: ref('Preview'), example: previewExample() } },
  }
}

/** Shapes that belong to no DocType. */
export function sharedSchemas(): Record<string, JsonSchema> {
  return {
    ...ERROR_SCHEMAS,
    ...EXPLAIN_SCHEMAS,
    ...PREVIEW_SCHEMAS,
    ListMeta: {
      type: 'object',
      description: 'Offset paging only',
      required: ['total', 'limit', 'offset'],
      properties: {
        total: { type: 'integer', description: 'Records that match, exactly' },
        limit: WHOLE,
        offset: WHOLE,
      },
    },
    Page: {
      type: 'object',
      description:
        'What a page of a list has beside its `data`: `meta` when paged by offset, none when walked by cursor',
      properties: {
        meta: ref('ListMeta'),
        next_cursor: { type: 'string', description: 'Absent on the last page' },
      },
    },
    Titles: {
      type: 'object',
      description: 'Field → title of the record it links to; only with `_titles=1`',
      additionalProperties: TEXT,
    },
    Can: {
      type: 'object',
      description: 'What the caller may do with the record; only with `_can=1`',
      required: ['update', 'delete', 'submit', 'cancel', 'amend', 'actions', 'flow'],
      properties: {
        update: WHY,
        delete: WHY,
        submit: WHY,
        cancel: WHY,
        amend: WHY,
        actions: { type: 'object', additionalProperties: WHY },
        flow: { type: 'array', items: TEXT },
      },
    },
    StandardFilters: described(standardFilters(false)),
    SubmittableFilters: described(standardFilters(true)),
  }
}

function described(filters: JsonSchema): JsonSchema {
  return { ...filters, description: `Filters on the fields of every record: ${SUFFIXES}` }
}

/** Ways a request says who sends it (spec §5). */
export const SECURITY_SCHEMES: Readonly<Record<string, JsonSchema>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer svc_live_…`',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same API key in a header of its own',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sid',
    description:
      'The session of somebody who is signed in; one that our own page started sends its token in `X-CSRF-Token` with every change',
  },
}
