import type { JsonSchema } from '../../fields/field-type.ts'
import { anyObject } from '../shapes/json-schema.ts'
import { answer } from './openapi-answer.ts'
import { READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, pageExample, pageOf, parameter, ref } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const
const WHOLE = { type: 'integer', minimum: 0 } as const

const JOB_EXAMPLE = {
  id: 'job_0mbx3k2qa7r1c9d8e7f6g5h4i',
  kind: 'bulk',
  state: 'done',
  done: 3,
  total: 3,
  failed: [
    { id: 'R-00002', problems: [{ field: 'price', message: 'expected at least 0', code: 'rule' }] },
  ],
  result: { succeeded: 2, failed: 1 },
}

/** Shapes of long work. */
export const JOB_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Job: {
    type: 'object',
    description: 'Work that goes on after its request was answered',
    required: Object.keys(JOB_EXAMPLE),
    properties: {
      id: TEXT,
      kind: { ...TEXT, description: '`bulk`, `import`, `undo`, `export` and others' },
      state: { ...TEXT, enum: ['queued', 'running', 'done', 'failed', 'stopped'] },
      done: { ...WHOLE, description: 'Records that are through, refused ones too' },
      total: WHOLE,
      failed: {
        type: 'array',
        maxItems: 1000,
        description: 'The first thousand that were refused; lists leave them out',
        items: ref('schemas', 'JobProblem'),
      },
      result: {
        ...anyObject('What it came to; null until it has ended'),
        type: ['object', 'null'],
      },
    },
  },
  JobProblem: {
    type: 'object',
    required: ['id', 'problems'],
    properties: {
      id: { type: ['string', 'null'], description: 'The record; null where there is none' },
      row: { ...WHOLE, description: 'Line of the file that it begins in; the head is 1' },
      problems: { type: 'array', items: ref('schemas', 'ErrorDetail') },
    },
  },
  JobAnswer: { type: 'object', required: ['job'], properties: { job: ref('schemas', 'Job') } },
  Bulk: {
    type: 'object',
    description: 'One thing to do with many records: those of `ids`, or those that `filter` finds',
    required: ['do'],
    properties: {
      ids: { type: 'array', minItems: 1, items: TEXT },
      filter: {
        ...anyObject('Filters as lists have them, e.g. `{"status": "Draft", "price__gt": 10}`'),
        minProperties: 1,
      },
      do: { ...TEXT, enum: ['update', 'submit', 'cancel', 'delete', 'action'] },
      data: anyObject('Of `update` the fields to change, of `action` its input'),
      action: { ...TEXT, description: 'Name of the action, where `do` is `action`' },
    },
    additionalProperties: false,
  },
  Export: {
    type: 'object',
    description: 'Which records are written, and how',
    properties: {
      format: { ...TEXT, enum: ['csv', 'json', 'jsonl'], default: 'csv' },
      fields: { type: 'array', minItems: 1, items: TEXT, description: 'All by default' },
      filter: { ...anyObject('Filters as lists have them'), minProperties: 1 },
    },
    additionalProperties: false,
  },
}

/** What a form of an import has, beside what is usual. */
const IMPORT_FORM = {
  type: 'object',
  required: ['file', 'resource'],
  properties: {
    file: { ...TEXT, format: 'binary', description: 'CSV, JSON or JSONL in UTF-8' },
    resource: TEXT,
    format: { ...TEXT, enum: ['csv', 'json', 'jsonl'] },
    mapping: { ...TEXT, description: 'JSON: `{"heading": "field", "other": null}`' },
    dry_run: { type: 'boolean' },
    upsert: { type: 'boolean', description: 'Change the records that are there' },
    key: { ...TEXT, description: 'Field that finds them; else the id, or the unique field' },
    submit: { type: 'boolean' },
  },
} as const

/** The answer of what begins a job. */
function begunJob(): JsonSchema {
  return answer({
    description: 'The job that does it; `Location` tells where it is',
    schema: ref('schemas', 'JobAnswer'),
    headers: [...READ_HEADERS, 'Location', 'Idempotent-Replayed'],
  })
}

function oneJob(description: string): JsonSchema {
  return answer({
    description,
    schema: ref('schemas', 'JobAnswer'),
    example: { job: JOB_EXAMPLE },
  })
}

function importPaths(tags: readonly string[]): Paths {
  return {
    '/v1/imports': {
      post: {
        tags,
        operationId: 'importFile',
        summary: 'Bring in the records of a file',
        description:
          'As a job: each row goes through the same operations as a request. `dry_run` tries all and keeps nothing.',
        parameters: [parameter('IdempotencyKey')],
        requestBody: {
          required: true,
          content: { 'multipart/form-data': { schema: IMPORT_FORM } },
        },
        responses: { '202': begunJob(), ...failures(['NOT_FOUND', 'VALIDATION_ERROR']) },
      },
    },
    '/v1/imports/{id}': {
      parameters: [parameter('Id')],
      get: {
        tags,
        operationId: 'getImport',
        summary: 'Get an import: its job',
        description: 'How far it is, and which rows were refused, by row and column.',
        responses: { '200': oneJob('The job'), ...failures(['NOT_FOUND']) },
      },
    },
    '/v1/imports/{id}/failed.csv': {
      parameters: [parameter('Id')],
      get: {
        tags,
        operationId: 'getFailedRows',
        summary: 'Get the rows that were refused, with why; of JSON the lines',
        description: 'Mended, the file can be sent again.',
        responses: {
          '200': answer({ description: 'The rows', schema: TEXT, type: 'text/csv' }),
          ...failures(['NOT_FOUND']),
        },
      },
    },
    '/v1/imports/{id}/undo': {
      parameters: [parameter('Id')],
      post: {
        tags,
        operationId: 'undoImport',
        summary: 'Delete what an import made, and put back what it changed',
        description:
          'As a job, the last record first; what was changed since then stays and is told.',
        parameters: [parameter('IdempotencyKey')],
        responses: { '202': begunJob(), ...failures(['NOT_FOUND', 'CONFLICT']) },
      },
    },
  }
}

const OF_RESOURCE = {
  name: 'resource',
  in: 'path',
  required: true,
  description: 'Slug of a resource',
  schema: TEXT,
} as const

function exportPaths(tags: readonly string[]): Paths {
  return {
    '/v1/{resource}/_export': {
      parameters: [OF_RESOURCE],
      post: {
        tags,
        operationId: 'exportRecords',
        summary: 'Write all records that match into a file',
        description:
          'As a job; `GET /v1/jobs/{id}/file` is the file once it is done. Needs the right export.',
        parameters: [parameter('IdempotencyKey')],
        requestBody: {
          content: {
            'application/json': {
              schema: ref('schemas', 'Export'),
              example: { format: 'csv', filter: { status: 'Draft' } },
            },
          },
        },
        responses: { '202': begunJob(), ...failures(['NOT_FOUND', 'VALIDATION_ERROR']) },
      },
    },
    '/v1/jobs/{id}/file': {
      parameters: [parameter('Id')],
      get: {
        tags,
        operationId: 'getExportedFile',
        summary: 'Get the file of an export that is done',
        description: '409 until it is; needs the right export still.',
        responses: {
          '200': answer({ description: 'CSV, JSON or JSONL', schema: TEXT, type: 'text/csv' }),
          ...failures(['NOT_FOUND', 'CONFLICT']),
        },
      },
    },
  }
}

function undoPaths(tags: readonly string[]): Paths {
  return {
    '/v1/jobs/{id}/undo': {
      parameters: [parameter('Id')],
      post: {
        tags,
        operationId: 'undoJob',
        summary: 'Take back what a job has changed, its last record first',
        description:
          'As a job of its own; what was changed by others since then stays and is told.',
        parameters: [parameter('IdempotencyKey')],
        responses: { '202': begunJob(), ...failures(['NOT_FOUND', 'CONFLICT']) },
      },
    },
  }
}

/** Routes of long work. */
export function jobPaths(): Paths {
  const tags = ['Jobs']
  return {
    ...importPaths(tags),
    ...exportPaths(tags),
    ...undoPaths(tags),
    '/v1/{resource}/_bulk': {
      parameters: [OF_RESOURCE],
      post: {
        tags,
        operationId: 'doInBulk',
        summary: 'Update, submit, cancel, delete many records, or run an action on them',
        description: 'Each record is a transaction of its own: what is refused stops no other.',
        parameters: [parameter('IdempotencyKey')],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: ref('schemas', 'Bulk'),
              example: { ids: ['R-00001', 'R-00002'], do: 'submit' },
            },
          },
        },
        responses: {
          '202': begunJob(),
          ...failures(['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR']),
        },
      },
    },
    '/v1/jobs': {
      get: {
        tags,
        operationId: 'listJobs',
        summary: 'List your jobs, the newest first; System Managers see all',
        description: 'Of each how far it is and what was refused.',
        parameters: ['limit', 'offset', 'cursor'].map(parameter),
        responses: {
          '200': answer({
            description: 'The jobs',
            schema: pageOf('Job'),
            example: pageExample({ ...JOB_EXAMPLE, failed: [] }),
          }),
          ...failures(['VALIDATION_ERROR']),
        },
      },
    },
    '/v1/jobs/{id}': {
      parameters: [parameter('Id')],
      get: {
        tags,
        operationId: 'getJob',
        summary: 'Get a job: how far it is, and which records were refused',
        description:
          'Its states are queued, running, done, failed and stopped; it goes on after a restart of the server.',
        responses: { '200': oneJob('The job'), ...failures(['NOT_FOUND']) },
      },
    },
    '/v1/jobs/{id}/stop': {
      parameters: [parameter('Id')],
      post: {
        tags,
        operationId: 'stopJob',
        summary: 'Stop a job; what it has done by then stays',
        description: 'It ends after the record it is at; 409 when it has ended already.',
        parameters: [parameter('IdempotencyKey')],
        responses: {
          '200': oneJob('The job, which stops at its next record'),
          ...failures(['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR']),
        },
      },
    },
  }
}
