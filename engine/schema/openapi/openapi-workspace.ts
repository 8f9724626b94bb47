import type { JsonSchema } from '../../fields/field-type.ts'
import { anyObject } from '../shapes/json-schema.ts'
import { accessPaths } from './openapi-access.ts'
import { answer } from './openapi-answer.ts'
import { bootPaths } from './openapi-boot.ts'
import { READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, pageExample, pageOf, ref, wholeList } from './openapi-paths.ts'
import { proofPaths } from './openapi-proof.ts'
import { screenPaths } from './openapi-screens.ts'
import { searchPaths } from './openapi-search.ts'
import { studioPaths } from './openapi-studio.ts'
import { tierPaths } from './openapi-tiers.ts'
import { webhookPaths } from './openapi-webhooks.ts'
import { ENTRY_EXAMPLE, KEY_EXAMPLE } from './openapi-workspace-shapes.ts'

/** Tags of the routes that belong to no resource. */
export const WORKSPACE_TAGS: readonly JsonSchema[] = [
  {
    name: 'Workspace',
    description: 'What this workspace has: resources, their fields, this description',
  },
  { name: 'API keys', description: 'The keys of the workspace; for keys of scope admin' },
  { name: 'People', description: 'What people are signed in with, and how they leave' },
  {
    name: 'Jobs',
    description: 'Work on many records, which goes on after its request was answered',
  },
  { name: 'Plans', description: 'Tiers, what they include, and how the workspace gets another' },
  { name: 'Health', description: 'For whoever runs and watches the server' },
]

const CACHED = [...READ_HEADERS, 'ETag']
const NOT_MODIFIED = { '304': ref('responses', 'NotModified') }

/** Parameter of the catalogue. */
const LOCKED = {
  name: '_locked',
  in: 'query',
  description: '`1` shows what only a higher tier has too, with `locked: true`',
  schema: { type: 'string', enum: ['0', '1'] },
}

/** The routes of the server itself, by path. */
export function workspacePaths(): Paths {
  return {
    ...bootPaths(),
    ...searchPaths(),
    ...screenPaths(),
    ...cataloguePaths(),
    ...keyPaths(),
    ...tierPaths(),
    ...accessPaths(),
    ...proofPaths(),
    ...studioPaths(),
    ...webhookPaths(),
    ...healthPaths(),
  }
}

function cataloguePaths(): Paths {
  return {
    '/v1/resources': wholeCatalogue(),
    '/v1/resources/{slug}': catalogueEntry(),
    '/v1/openapi.json': thisDescription(),
  }
}

function wholeCatalogue(): JsonSchema {
  return {
    get: {
      tags: ['Workspace'],
      operationId: 'readCatalogue',
      summary: 'List the resources the key can address',
      description:
        'Aliases are entries of their own. Those above the tier of the workspace are listed with `_locked=1`.',
      parameters: [
        ref('parameters', 'OneModule'),
        {
          name: 'brief',
          in: 'query',
          description: '`1` for an overview: without `fields` and `doctype`',
          schema: { type: 'string', enum: ['0', '1'] },
        },
        LOCKED,
        ref('parameters', 'IfNoneMatch'),
      ],
      responses: {
        '200': answer({
          description: 'Every resource with its fields',
          schema: wholeList('CatalogueEntry'),
          example: { data: [ENTRY_EXAMPLE] },
          headers: CACHED,
        }),
        ...NOT_MODIFIED,
        ...failures(['VALIDATION_ERROR']),
      },
    },
  }
}

function catalogueEntry(): JsonSchema {
  return {
    parameters: [
      {
        name: 'slug',
        in: 'path',
        required: true,
        description: 'Slug or alias of the resource',
        schema: { type: 'string' },
      },
    ],
    get: {
      tags: ['Workspace'],
      operationId: 'readCatalogueEntry',
      summary: 'Everything about one resource: fields, actions, events, hints for forms and lists',
      description:
        "Labels are in the caller's language: the person's, else one of `Accept-Language`, else the company's.",
      parameters: [
        {
          name: 'for',
          in: 'query',
          description:
            '`write` answers only what may be sent, in few words: `{"customer": "link customers, required", …}`',
          schema: { type: 'string', enum: ['write'] },
        },
        LOCKED,
        ref('parameters', 'IfNoneMatch'),
      ],
      responses: {
        '200': answer({
          description: 'The resource',
          schema: ref('schemas', 'ResourceDetail'),
          headers: CACHED,
        }),
        ...NOT_MODIFIED,
        ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
      },
    },
  }
}

function thisDescription(): JsonSchema {
  return {
    get: {
      tags: ['Workspace'],
      operationId: 'readOpenApi',
      summary: 'This description',
      description:
        'Of all resources, or a slice of some that is whole by itself and says more of each: the fields to sort by and to ask for, and whole examples. No key is needed; with one it has what the key may read.',
      security: [],
      parameters: [
        ref('parameters', 'IfNoneMatch'),
        ref('parameters', 'SlugsOfSlice'),
        ref('parameters', 'ModulesOfSlice'),
      ],
      responses: {
        '200': answer({
          description: 'OpenAPI 3.1 of all loaded resources',
          schema: anyObject(),
          headers: ['X-Request-Id', 'ETag'],
        }),
        ...NOT_MODIFIED,
        ...failures(['METHOD_NOT_ALLOWED', 'VALIDATION_ERROR']),
      },
    },
  }
}

function keyPaths(): Paths {
  return {
    '/v1/api-keys': {
      get: {
        tags: ['API keys'],
        operationId: 'listApiKeys',
        summary: 'List the API keys and pairs; none of them can be used from here',
        description:
          'With how each begins and ends, its scope, and when it was used last; for keys of scope admin.',
        parameters: ['limit', 'offset', 'cursor'].map((name) => ref('parameters', name)),
        responses: {
          '200': answer({
            description: 'The keys',
            schema: pageOf('ApiKey'),
            example: pageExample(KEY_EXAMPLE),
          }),
          ...failures(['VALIDATION_ERROR']),
        },
      },
      post: {
        tags: ['API keys'],
        operationId: 'createApiKey',
        summary: 'Create an API key or a pair; it is shown in this answer only',
        description: 'It has the roles of its creator at every moment, and at most this scope.',
        parameters: [ref('parameters', 'IdempotencyKey')],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: ref('schemas', 'ApiKeyCreate'),
              example: { scope: 'write', label: 'Web shop' },
            },
          },
        },
        responses: {
          '201': answer({
            description: 'The key, once',
            schema: ref('schemas', 'ApiKeyCreated'),
            example: { ...KEY_EXAMPLE, key: 'svc_live_EXAMPLE0000000000000000' },
            headers: [...READ_HEADERS, 'Idempotent-Replayed'],
          }),
          ...failures(['CONFLICT', 'VALIDATION_ERROR']),
        },
      },
    },
    '/v1/api-keys/{id}': {
      parameters: [ref('parameters', 'Id')],
      delete: {
        tags: ['API keys'],
        operationId: 'deleteApiKey',
        summary: 'Revoke an API key or a pair',
        description: 'At once. 409 for the key in use, and for the last admin key.',
        responses: {
          '204': ref('responses', 'NoContent'),
          ...failures(['CONFLICT', 'NOT_FOUND']),
        },
      },
    },
  }
}

function healthPaths(): Paths {
  const probe = (
    operationId: string,
    summary: string,
    description: string,
    answered: string,
  ): JsonSchema => ({
    get: {
      tags: ['Health'],
      operationId,
      summary,
      description,
      security: [],
      responses: {
        '200': answer({
          description: answered,
          schema: ref('schemas', 'Health'),
          headers: ['X-Request-Id'],
        }),
        ...failures(['METHOD_NOT_ALLOWED']),
      },
    },
  })
  return {
    '/healthz': probe(
      'readHealth',
      'Is the process alive?',
      'For whoever restarts it; it asks nothing of the database.',
      'It is',
    ),
    '/readyz': probe(
      'readReadiness',
      'Can it answer requests?',
      'For whoever sends it requests: 503 while the database does not answer or the server is stopping.',
      'The database answers',
    ),
    '/metrics': {
      get: {
        tags: ['Health'],
        operationId: 'readMetrics',
        summary:
          'Counters in the text format of Prometheus; from this machine or with a key of scope admin',
        description: 'Requests, their time, the write queue, the outbox and jobs.',
        responses: {
          '200': answer({
            description: 'Text format 0.0.4',
            schema: { type: 'string' },
            headers: ['X-Request-Id'],
            type: 'text/plain',
          }),
          ...failures([]),
        },
      },
    },
  }
}
