import type { JsonSchema } from '../../fields/field-type.ts'
import { answer } from './openapi-answer.ts'
import { failures } from './openapi-errors.ts'
import type { Paths } from './openapi-paths.ts'

const MOMENT = { type: 'string', format: 'date-time' } as const
const COUNT = { type: 'integer', minimum: 0 } as const

/** Last proof of the books, or null. */
const PROOF: JsonSchema = {
  type: ['object', 'null'],
  description: 'The last result of `svc verify`; null where nothing was ever verified',
  required: ['proven_at', 'documents', 'checks', 'differences', 'took_ms', 'whole'],
  properties: {
    proven_at: { ...MOMENT, description: 'When it began: it speaks of what was written before' },
    documents: { ...COUNT, description: 'Records it looked at' },
    checks: { ...COUNT, description: 'Checks it made' },
    differences: { ...COUNT, description: '0 where the books are right' },
    took_ms: { ...COUNT, description: 'Time it took' },
    whole: {
      type: 'object',
      description:
        'The last verification of everything; one of what was written since goes on from it',
      required: ['proven_at', 'documents'],
      properties: { proven_at: MOMENT, documents: COUNT },
    },
  },
}

/** The route about the proof of the books. */
export function proofPaths(): Paths {
  return {
    '/v1/proof': {
      get: {
        tags: ['Workspace'],
        operationId: 'readProof',
        summary: 'When the books were proven last; for System Managers',
        description:
          'The last run of `svc verify` or of the nightly proof, and what it found; null where there was none.',
        responses: {
          '200': answer({
            description: 'The last proof',
            schema: { type: 'object', required: ['data'], properties: { data: PROOF } },
            example: {
              data: {
                proven_at: '2026-11-23T02:00:00.000Z',
                documents: 1204,
                checks: 311,
                differences: 0,
                took_ms: 2150,
                whole: { proven_at: '2026-11-20T02:00:00.000Z', documents: 120_412 },
              },
            },
          }),
          ...failures([]),
        },
      },
    },
  }
}
