import { PROBLEM_CODES } from '../../base/problem-codes.ts'
import type { JsonSchema } from '../../fields/field-type.ts'

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'array', items: TEXT } as const
const RECORD = { type: 'object', additionalProperties: true } as const
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

const PROBLEMS = listOf({
  type: 'object',
  required: ['field', 'message', 'code'],
  properties: {
    field: TEXT,
    message: TEXT,
    code: { type: 'string', enum: Object.keys(PROBLEM_CODES) },
  },
})
const KEYS = 'record problems warnings created changed deleted ledgers events'.split(' ')

/** Parameter of every change of a record. */
export const PREVIEW_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  dryRun: {
    name: '_preview',
    in: 'query',
    description:
      '`1` tries the operation and takes all of it back: the answer is 200 with a `Preview` instead of the record. What would be refused with 422 is answered with its `problems`; what would be 403, 404, 409 or 412 is that',
    schema: { type: 'string', enum: ['0', '1'] },
  },
}

/** Shapes of a preview. */
export const PREVIEW_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Preview: {
    type: 'object',
    description: 'Outcome of an operation with `_preview=1`, as far as the caller may read it',
    required: KEYS,
    properties: {
      record: {
        type: ['object', 'null'],
        additionalProperties: true,
        description:
          'The answer of the operation; of a wrong body what can be computed, null where that is nothing',
      },
      problems: PROBLEMS,
      warnings: {
        ...PROBLEMS,
        description: 'What is odd about the record and refuses nothing',
      },
      created: listOf({
        type: 'object',
        required: ['resource', 'record'],
        properties: { resource: TEXT, record: RECORD },
      }),
      changed: {
        ...listOf({
          type: 'object',
          required: ['resource', 'id', 'title', 'fields'],
          properties: {
            resource: TEXT,
            id: TEXT,
            title: TEXT,
            fields: {
              type: 'object',
              description: 'Field → its value before and after',
              additionalProperties: { type: 'array', items: {}, minItems: 2, maxItems: 2 },
            },
          },
        }),
        description: 'Other records that change',
      },
      deleted: listOf({
        type: 'object',
        required: ['resource', 'id', 'title'],
        properties: { resource: TEXT, id: TEXT, title: TEXT },
      }),
      ledgers: {
        type: 'object',
        description: 'Resource of a ledger → the rows that are posted',
        additionalProperties: listOf(RECORD),
      },
      events: { ...TEXTS, description: 'Full names of the events, in their order' },
    },
  },
}

/** A preview, for the description of the API. */
export function previewExample(): JsonSchema {
  return {
    record: { id: 'SINV-2026-00001', grand_total: 357, docstatus: 1 },
    problems: [],
    warnings: [],
    created: [],
    changed: [
      {
        resource: 'customers',
        id: 'CUST-00001',
        title: 'Acme',
        fields: { outstanding_amount: [0, 357] },
      },
    ],
    deleted: [],
    ledgers: { 'gl-entries': [{ account: 'Debtors', debit: 357, credit: 0 }] },
    events: ['sales-invoices.submitted'],
  }
}
