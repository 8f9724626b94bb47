import type { JsonSchema } from '../../fields/field-type.ts'
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
    parameters: ['countBy', 'sum', 'q'].map(parameter),
    responses: {
      '200': answer({ description: 'The groups', schema: ref('schemas', 'Groups') }),
      ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
    },
  }
}

/** The routes that search all resources, and that group the records of one. */
export function searchPaths(): Paths {
  return {
    '/v1/{resource}': { parameters: [parameter('AnyResource')], get: groupRoute() },
    '/v1/search': {
      get: {
        tags: ['Workspace'],
        operationId: 'search',
        summary: 'Find records of all resources by their search fields, the best first',
        parameters: [
          { ...query('q', 'Words to look for, parts of words too'), required: true },
          query('limit', 'Most hits', { type: 'integer', minimum: 1, maximum: 50, default: 8 }),
          query('resources', 'Only these resources, with commas'),
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
