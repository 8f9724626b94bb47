import type { JsonSchema } from '../../fields/field-type.ts'
import { answer } from '../../schema/openapi/openapi-answer.ts'
import { failures } from '../../schema/openapi/openapi-errors.ts'
import { anyObject } from '../../schema/shapes/json-schema.ts'
import { REPORT_NAME } from '../declare/report-schema.ts'

/** `POST /v1/reports`. */
export function makeOperation(tag: string): JsonSchema {
  const made = { type: 'object', properties: { slug: TEXT, label: TEXT, yaml: TEXT } }
  return {
    tags: [tag],
    operationId: 'createReport',
    summary: 'Make a report',
    description:
      'Saves it as a file of the definitions of the workspace, and it answers at once. For System Managers and admin keys.',
    parameters: [
      {
        name: 'dry_run',
        in: 'query',
        description:
          '`1` saves nothing, and answers the file as `yaml` beside what the report says',
        schema: { type: 'string', enum: ['0', '1'], default: '0' },
      },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: NEW_REPORT, example: NEW_REPORT_EXAMPLE } },
    },
    responses: {
      '200': answer({
        description: 'What the report would answer, and its file',
        schema: { allOf: [{ $ref: '#/components/schemas/ReportAnswer' }, made] },
      }),
      '201': answer({ description: 'The report', schema: made }),
      ...failures(['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR']),
    },
  }
}

const TEXT: JsonSchema = { type: 'string' }

const NEW_REPORT_EXAMPLE = {
  label: 'Invoices by Customer',
  resource: 'sales-invoices',
  query: 'docstatus=1&_count_by=customer&_sum=base_grand_total',
  days: 'posting_date',
  chart: 'bar',
}

const NEW_REPORT: JsonSchema = {
  type: 'object',
  properties: {
    label: { type: 'string', maxLength: 100, pattern: REPORT_NAME.source },
    description: {
      type: 'string',
      maxLength: 300,
      description: 'What it answers, in one sentence',
    },
    resource: TEXT,
    query: {
      type: 'string',
      maxLength: 4000,
      description:
        'Parameters of the grouped list, as in an address: filters, `_count_by` and `_sum`',
    },
    then_by: { type: 'string', description: 'A second field that groups are made by' },
    days: { type: 'string', description: 'The day by which the report asks for a span of time' },
    chart: { type: 'string', enum: ['bar', 'line', 'pie'] },
    definition: anyObject('Or all of it in the words of its YAML, and nothing beside'),
  },
  additionalProperties: false,
}
