import type { JsonSchema } from '../../fields/field-type.ts'
import { failures } from './openapi-errors.ts'

const TEXT = { type: 'string' } as const
const ref = (schema: string): JsonSchema => ({ $ref: `#/components/schemas/${schema}` })

function query(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: 'query', description, schema }
}

/** Parameters of `GET /v1/{resource}/{id}/explain/{field}`. */
export const EXPLAIN_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  ExplainedField: {
    name: 'field',
    in: 'path',
    required: true,
    description:
      'Name of a field; of a column of a row `items.{row_id}.amount`, or `items[0].amount` as inputs are named',
    schema: { type: 'string', minLength: 1 },
  },
  explainDepth: query(
    'depth',
    'Levels: 1 explains the field alone, 2 its inputs too, and so on; at most 200 inputs of an answer are explained',
    { type: 'integer', minimum: 1, maximum: 5, default: 1 },
  ),
  explainLimit: query(
    'limit',
    'Most `records`, or `inputs` where there are no records, of a page',
    {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    },
  ),
  explainCursor: query('cursor', '`next_cursor` of the page before', TEXT),
}

const HOW = [
  'entered',
  'default',
  'formula',
  'fetch',
  'lookup',
  'rollup',
  'status',
  'call',
  'series',
]

/** Tag of what is the same for every resource. */
export const EXPLAIN_TAG: JsonSchema = {
  name: 'Explanations',
  description: 'Why a value of a record is what it is',
}

/** The path of explanations: one for all resources, since each is answered in the same shape. */
export function explainPaths(): Readonly<Record<string, JsonSchema>> {
  const parameter = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` })
  return {
    '/v1/{resource}/{id}/explain/{field}': {
      parameters: [parameter('AnyResource'), parameter('Id'), parameter('ExplainedField')],
      get: {
        tags: [EXPLAIN_TAG.name],
        operationId: 'explainValue',
        summary: 'Explain a value of a record',
        description:
          'Where it stands in the definition, what it was made of, and the records behind it, as far as the caller may read them.',
        parameters: ['explainDepth', 'explainLimit', 'explainCursor'].map(parameter),
        responses: {
          '200': { $ref: '#/components/responses/Explanation' },
          ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
    },
  }
}

/** Shapes of an explanation. */
export const EXPLAIN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Explanation: {
    type: 'object',
    description: 'Why a field has its value',
    required: ['field', 'label', 'value', 'how', 'inputs'],
    properties: {
      field: { type: 'string', description: 'As it was asked for' },
      label: TEXT,
      value: { description: 'The value, as the record shows it' },
      how: {
        type: 'string',
        enum: HOW,
        description:
          '`rollup` adds up records, `lookup` found one or some, `call` is a function of the program, `series` the naming',
      },
      where: ref('ExplainedWhere'),
      at: {
        type: 'string',
        format: 'date-time',
        description: 'When the value was taken, of what does not follow every change',
      },
      inputs: { type: 'array', items: ref('ExplainedInput') },
      records: { type: 'array', items: ref('ExplainedRecord') },
      next_cursor: {
        type: 'string',
        description: 'For the next page of `records`, or of `inputs`; absent on the last',
      },
    },
  },
  ExplainedWhere: {
    type: 'object',
    description: 'Where the YAML says so',
    required: ['file', 'line', 'text'],
    properties: {
      file: { type: 'string', description: 'Below its folder of DocTypes; that of a block' },
      line: {
        type: ['integer', 'null'],
        description: 'From 1; null where the file has changed since it was loaded',
      },
      text: { type: 'string', description: 'What is written there' },
    },
  },
  ExplainedInput: {
    type: 'object',
    description: 'A value that went in',
    required: ['field', 'label', 'value'],
    properties: {
      field: { type: 'string', description: '`currency`, `items[0].amount`, `customer.territory`' },
      label: TEXT,
      value: { description: 'The value, as the record shows it' },
      explain: ref('Explanation'),
    },
  },
  ExplainedRecord: {
    type: 'object',
    description:
      'A record that went in, and what it gave. Those that the caller may not read stand last, as one, without resource and id',
    required: ['resource', 'id', 'title', 'value'],
    properties: {
      resource: { type: ['string', 'null'] },
      id: { type: ['string', 'null'] },
      title: TEXT,
      value: { description: 'What it gave' },
    },
  },
}

/** An explanation, for the description of the API. */
export function explanationExample(): JsonSchema {
  return {
    field: 'outstanding_amount',
    label: 'Outstanding',
    value: 80,
    how: 'formula',
    where: {
      file: 'billing/sales-invoice.yaml',
      line: 223,
      text: 'rounded_total - paid_amount',
    },
    inputs: [
      { field: 'rounded_total', label: 'Rounded Total', value: 100 },
      { field: 'paid_amount', label: 'Paid', value: 20 },
    ],
  }
}
