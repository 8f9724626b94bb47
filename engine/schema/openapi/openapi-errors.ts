import {
  type Detail,
  type ErrorCode,
  type LinkedDocument,
  STATUS_OF_CODE,
} from '../../base/errors.ts'
import { PROBLEM_CODES } from '../../base/problem-codes.ts'
import type { JsonSchema } from '../../fields/field-type.ts'

interface ErrorExample {
  readonly message: string
  readonly details?: readonly Detail[]
  readonly linked?: readonly LinkedDocument[]
}

interface ErrorText {
  /** Sentence about when it is answered. */
  readonly description: string
  readonly example: ErrorExample
  /** Headers of this error beside those of every answer. */
  readonly headers?: readonly string[]
}

/** Every code with when it comes and a body as the server writes it. */
const ERRORS: Readonly<Record<ErrorCode, ErrorText>> = {
  BAD_REQUEST: {
    description:
      'The body is not a JSON object in UTF-8, or the path is not valid percent-encoding',
    example: { message: 'expected a JSON object, got a list' },
  },
  UNAUTHORIZED: {
    description: 'The API key is missing, unknown, revoked, expired or of the other environment',
    example: {
      message:
        'expected a valid API key: send it as "Authorization: Bearer <key>" or "X-API-Key: <key>"',
    },
    headers: ['WWW-Authenticate'],
  },
  FORBIDDEN: {
    description:
      'The scope of the key is too low, its allowlist does not hold the address, the plan lacks the resource, or only the workspace itself writes it',
    example: {
      message: 'a key of scope read may not create Records; it needs scope draft or write',
    },
  },
  NOT_FOUND: {
    description: 'The resource or the record does not exist',
    example: { message: 'Record "R-00042" does not exist' },
  },
  METHOD_NOT_ALLOWED: {
    description: 'The path exists, the method does not; `Allow` lists those that do',
    example: { message: 'expected one of GET, HEAD, PATCH, DELETE here, got PUT' },
    headers: ['Allow'],
  },
  NOT_ACCEPTABLE: {
    description:
      '`Accept` names no form that the answer has: records are JSON, lists and reports JSON or CSV',
    example: { message: 'expected Accept: application/json or text/csv, got application/xml' },
  },
  CONFLICT: {
    description:
      'The state of the record (also the condition of an action), other records (`linked` lists them), a taken value or a request still running under the same Idempotency-Key stand in the way',
    example: {
      message: 'cannot delete Record "R-00042": other documents link to it',
      details: [{ field: 'parent_record', message: 'Record R-00043 links to it', code: 'linked' }],
      linked: [{ resource: 'records', doctype: 'Record', id: 'R-00043', field: 'parent_record' }],
    },
    headers: ['Retry-After'],
  },
  GONE: {
    description:
      'What the request goes on from was removed by its age: the event log is kept for a limited time',
    example: {
      message:
        'the event log no longer has what followed "evt_0mbx3k…": events up to 2026-01-15T08:00:00.000Z were removed by their age; read on with since, and read what you keep of the records anew',
    },
  },
  PRECONDITION_FAILED: {
    description: 'The record has changed since the ETag of `If-Match` was read',
    example: {
      message:
        'Record "R-00042" has changed: expected ETag "2a-3-mm7p6yo0", it is "2a-4-mm7p6yo0" now; read it again',
    },
  },
  PAYLOAD_TOO_LARGE: {
    description: 'The body is larger than 1 MB',
    example: { message: 'expected a body of at most 1048576 bytes (1 MB); send less at once' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    description: 'The body is not uncompressed `application/json`',
    example: { message: 'expected Content-Type: application/json, got text/plain' },
  },
  VALIDATION_ERROR: {
    description: 'Fields of the body or parameters are not valid; `details` names every one',
    example: {
      message: 'title: is required (and 2 more, see details)',
      details: [
        { field: 'title', message: 'is required', code: 'required' },
        {
          field: 'items[2].qty',
          message: 'expected a number, got "three"',
          code: 'wrong_type',
        },
        {
          field: 'parent_record',
          message: 'expected an existing Record, got "Spare"; did you mean R-00042 (Spare wheel)?',
          code: 'no_such_record',
          suggestions: [{ id: 'R-00042', title: 'Spare wheel' }],
        },
      ],
    },
  },
  RATE_LIMITED: {
    description: 'The requests a minute of the plan are used up',
    example: { message: 'expected at most 1200 requests a minute; try again in 12 seconds' },
    headers: ['Retry-After'],
  },
  INTERNAL_ERROR: {
    description: 'Something went wrong in the server; it is logged under the X-Request-Id',
    example: { message: 'something went wrong here; quote the X-Request-Id to support' },
  },
  UNAVAILABLE: {
    description:
      'The database or the payment provider cannot answer now, or the server is stopping',
    example: { message: 'the database cannot answer at the moment; try again' },
    headers: ['Retry-After'],
  },
}

const CODES = Object.keys(STATUS_OF_CODE) as ErrorCode[]

/** What a code means, in a sentence. */
export function errorMeaning(code: ErrorCode): string {
  return ERRORS[code].description
}

/** The body of an error of this code, as an example (spec §7). */
export function errorExample(code: ErrorCode): JsonSchema {
  const { message, ...more } = ERRORS[code].example
  return { error: { code, message, status: STATUS_OF_CODE[code], ...more } }
}

/** Name of the shared response of a code: `NOT_FOUND` → `NotFound`. */
function errorResponseName(code: ErrorCode): string {
  return code
    .split('_')
    .map((word) => word[0] + word.slice(1).toLowerCase())
    .join('')
}

/** Errors that any request may get, whatever it asks: described once, under `default`, for every operation. */
const OF_ANY_REQUEST: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_ACCEPTABLE',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  ...CODES.filter((code) => STATUS_OF_CODE[code] >= 500),
]

/** The shared responses: one for each code that means something of its own to an operation, and one for the rest. */
export function errorResponses(): Record<string, JsonSchema> {
  const own = CODES.filter((code) => !OF_ANY_REQUEST.includes(code))
  return {
    ...Object.fromEntries(own.map((code) => [errorResponseName(code), oneError(code)])),
    AnyError: anyError(OF_ANY_REQUEST),
  }
}

function oneError(code: ErrorCode): JsonSchema {
  const { description, headers = [] } = ERRORS[code]
  return {
    description: `${code}: ${description}`,
    headers: headerRefs(['X-Request-Id', ...RATE_HEADERS, ...headers]),
    content: { 'application/json': { schema: ERROR_REF, example: errorExample(code) } },
  }
}

function anyError(codes: readonly ErrorCode[]): JsonSchema {
  const told = codes.map((code) => `${STATUS_OF_CODE[code]} ${code}: ${ERRORS[code].description}`)
  return {
    description: `What every request may get. ${told.join('. ')}`,
    headers: headerRefs([
      'X-Request-Id',
      'Retry-After',
      ...RATE_HEADERS,
      ...WORK_HEADERS,
      'WWW-Authenticate',
    ]),
    content: {
      'application/json': {
        schema: ERROR_REF,
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
    },
  }
}

const ERROR_REF = { $ref: '#/components/schemas/Error' }

/** Headers that tell what is left of the plan's requests a minute. */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Headers that tell what is left of the person's time of the database, once some of it is used. */
const WORK_HEADERS = ['X-Work-Limit', 'X-Work-Remaining', 'X-Work-Reset']

/** References to shared headers by name. */
export function headerRefs(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The error responses of an operation: its own (`{ '404': {$ref}, … }`), and those that any may give. */
export function failures(codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const response = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` })
  return {
    ...Object.fromEntries(
      codes.map((code) => [String(STATUS_OF_CODE[code]), response(errorResponseName(code))]),
    ),
    // Tools want to see one that is the caller's fault.
    ...(codes.length === 0 ? { '401': response('AnyError') } : {}),
    default: response('AnyError'),
  }
}

/** Shape of `suggestions` in a detail, the same on both surfaces. */
export const SUGGESTIONS_SCHEMA: JsonSchema = {
  type: 'array',
  description:
    'Only of a link to nothing: the records that are most like what it names, the nearest first',
  minItems: 1,
  maxItems: 3,
  items: {
    type: 'object',
    required: ['id', 'title'],
    properties: {
      id: { type: 'string', description: 'What the link takes' },
      title: { type: 'string', description: 'Its title; its id where it has none' },
    },
  },
}

/** Shapes of the error body. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'Every error, of whatever status',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: {
          code: { type: 'string', enum: CODES },
          message: { type: 'string', description: 'What was expected, what came, what to do' },
          status: { type: 'integer', description: 'The HTTP status' },
          details: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
          linked: {
            type: 'array',
            description: 'The documents that stand in the way of a delete or a cancel',
            items: { $ref: '#/components/schemas/LinkedDocument' },
          },
        },
      },
    },
  },
  ErrorDetail: {
    type: 'object',
    required: ['field', 'message', 'code'],
    properties: {
      field: { type: 'string', description: 'Field or parameter, as `items[2].qty` in rows' },
      message: { type: 'string' },
      code: {
        type: 'string',
        enum: Object.keys(PROBLEM_CODES),
        description: 'What is wrong, for programs; docs/errors.md says what each means',
      },
      suggestions: SUGGESTIONS_SCHEMA,
    },
  },
  LinkedDocument: {
    type: 'object',
    required: ['resource', 'doctype', 'id', 'field'],
    properties: {
      resource: { type: 'string', description: 'Slug of its resource' },
      doctype: { type: 'string' },
      id: { type: 'string' },
      field: { type: 'string', description: 'The field that links' },
    },
  },
}
