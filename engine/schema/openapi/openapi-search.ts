import type { JsonSchema } from '../../fields/field-type.ts'
import { answer } from './openapi-answer.ts'
import { query } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, wholeList } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const

/** Shape of what a search finds. */
export const SEARCH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
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

/** The route that searches all resources. */
export function searchPaths(): Paths {
  return {
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
