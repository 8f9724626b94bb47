import type { JsonSchema } from '../../fields/field-type.ts'
import { anyObject } from '../shapes/json-schema.ts'
import { COUNT_BY } from '../shapes/list-parameters.ts'
import { answer } from './openapi-answer.ts'
import { query } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, parameter, ref, wholeList } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const

const SUMS = { type: 'object', additionalProperties: { type: 'number', format: 'double' } } as const

/** Shapes of what a search finds, and of a list in groups. */
export const SEARCH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Groups: {
    type: 'object',
    required: ['groups', 'total', 'sums'],
    properties: {
      groups: {
        type: 'array',
        items: {
          type: 'object',
          required: ['value', 'label', 'count', 'sums'],
          properties: { value: {}, label: TEXT, count: { type: 'integer' }, sums: SUMS },
        },
      },
      total: { type: 'integer' },
      sums: SUMS,
    },
  },
  SearchHit: {
    type: 'object',
    required: ['resource', 'doctype', 'id', 'title', 'subtitle', 'status'],
    properties: {
      resource: TEXT,
      doctype: TEXT,
      id: TEXT,
      title: TEXT,
      subtitle: { ...TEXT, description: 'One more value of it; empty where there is none' },
      status: { type: ['string', 'null'], description: 'Its state' },
    },
  },
}

/** A list in groups, once for all resources: what is asked for decides about the answer, which a path cannot say. */
function groupRoute(): JsonSchema {
  return {
    tags: ['Workspace'],
    operationId: 'groupRecords',
    summary: 'Count the records of a list by a field, and add up others; filters as in the list',
    description:
      'The largest group comes first, at most 1,000. `_sum` alone adds up all that match.',
    // Without it a list answers a page, which has another shape; sums alone are told of where lists are.
    parameters: [{ ...COUNT_BY, required: true }, ...['sum', 'q'].map(parameter)],
    responses: {
      '200': answer({ description: 'The groups', schema: ref('schemas', 'Groups') }),
      ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
    },
  }
}

/** A create that is only tried, once for all resources: beside the record, each create would answer one of two. */
function previewRoute(): JsonSchema {
  const wanted = query('_preview', 'Does it and takes it back', { type: 'string', enum: ['1'] })
  return {
    tags: ['Workspace'],
    operationId: 'previewRecord',
    summary: 'Tell what a create would do; `_preview=1` on every other change answers the same',
    description:
      'The operation is run and taken back: no number is used, no event told. What would be a 422 is answered with its `problems`.',
    parameters: [{ ...wanted, required: true }],
    requestBody: { required: true, content: { 'application/json': { schema: anyObject() } } },
    responses: {
      '200': ref('responses', 'Preview'),
      ...failures(['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR']),
    },
  }
}

/** The routes that search all resources, and that group the records of one. */
export function searchPaths(): Paths {
  return {
    '/v1/{resource}': {
      parameters: [parameter('AnyResource')],
      get: groupRoute(),
      post: previewRoute(),
    },
    '/v1/search': {
      get: {
        tags: ['Workspace'],
        operationId: 'search',
        summary: 'Find records of all resources by their search fields, the best first',
        description: "Within the caller's rights; a change is found by the next request.",
        parameters: [
          { ...query('q', 'Words to look for, parts of words too'), required: true },
          query('limit', 'Most hits', { type: 'integer', minimum: 1, maximum: 50, default: 8 }),
          query('resources', 'Only these resources, with commas', {
            type: 'string',
            pattern: '^[a-z0-9-]+(,[a-z0-9-]+)*$',
          }),
        ],
        responses: {
          '200': answer({
            description: 'The hits',
            schema: wholeList('SearchHit'),
            example: {
              data: [
                {
                  resource: 'records',
                  doctype: 'Record',
                  id: 'REC-00001',
                  title: 'Acme',
                  subtitle: 'Large',
                  status: null,
                },
              ],
            },
          }),
          ...failures(['VALIDATION_ERROR']),
        },
      },
    },
  }
}
