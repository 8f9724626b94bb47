import { ENGINE_FIELD } from '../../definition/model/engine-field.ts'
import type { Field } from '../../fields/field.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { answer } from '../../schema/openapi/openapi-answer.ts'
import { failures } from '../../schema/openapi/openapi-errors.ts'
import type { Paths } from '../../schema/openapi/openapi-paths.ts'
import { nullable } from '../../schema/shapes/json-schema.ts'
import { known } from '../../schema/shapes/resource-field.ts'
import type { Reports } from '../compile/load.ts'
import type { ColumnPlan, Parameter, Report } from '../declare/report.ts'
import { makeOperation } from './openapi-making.ts'

const TAG = 'Reports'

/** Part of the reports in the description of surface B (`openApiDocument`). */
export interface ReportDescription {
  readonly paths: Paths
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly parameters: Readonly<Record<string, JsonSchema>>
  readonly tag: JsonSchema
}

/** The routes of the reports, each with its parameters and columns. */
export function describeReports({ all }: Pick<Reports, 'all'>): ReportDescription {
  return {
    tag: { name: TAG, description: 'Questions about many records at once, answered as tables' },
    schemas: SCHEMAS,
    parameters: PARAMETERS,
    paths: {
      '/v1/reports': { get: listOperation(), post: makeOperation(TAG) },
      ...Object.fromEntries(
        all.map((report) => [`/v1/reports/${report.slug}`, { get: operation(report) }]),
      ),
    },
  }
}

function listOperation(): JsonSchema {
  return {
    tags: [TAG],
    operationId: 'listReports',
    summary: 'List the reports and their parameters',
    parameters: [
      {
        name: 'brief',
        in: 'query',
        description: '`1` tells only the names of the parameters: some KB instead of 100',
        schema: { type: 'string', enum: ['0', '1'], default: '0' },
      },
    ],
    responses: {
      '200': answer({
        description: 'Every report the key may know of',
        schema: {
          type: 'object',
          properties: { data: { type: 'array', items: schemaRef('ReportEntry') } },
          required: ['data'],
        },
      }),
      ...failures([]),
    },
  }
}

function operation(report: Report): JsonSchema {
  const { slug, label, description, params, main } = report
  const shown = main.columns.filter(({ hidden }) => !hidden)
  const row = {
    type: 'object',
    properties: Object.fromEntries(
      shown.filter(({ isPeriodic }) => !isPeriodic).map((column) => [column.name, cell(column)]),
    ),
  }
  return {
    tags: [TAG],
    operationId: `report_${slug.replaceAll('-', '_')}`,
    summary: label,
    description: about(description, shown),
    parameters: [...params.map(parameterOf), ...sharedBeside(params), orderBy(shown)],
    responses: {
      '200': {
        ...answer({
          description: 'The rows, and what they come to',
          schema: {
            allOf: [
              schemaRef('ReportAnswer'),
              { type: 'object', properties: { data: { type: 'array', items: row } } },
            ],
          },
        }),
      },
      ...failures(['VALIDATION_ERROR']),
    },
  }
}

function about(description: string, columns: readonly ColumnPlan[]): string {
  const periodic = columns.filter(({ isPeriodic }) => isPeriodic).map(({ name }) => `\`${name}_…\``)
  if (periodic.length === 0) return description
  const each = columns.some(({ period }) => period === 'each') ? 'value' : 'period'
  return `${description} There is a column for each ${each}: ${periodic.join(', ')}.`
}

function cell({ field }: ColumnPlan): JsonSchema {
  const { description: _told, ...schema } = fieldType(field.type).schema(bare(field))
  return nullable(schema)
}

/** Field without what only matters where a value is entered. */
function bare({ name, type, label, scale, options }: Field): Field {
  return { ...ENGINE_FIELD, name, type, label, ...known({ scale, options }) }
}

function parameterOf({ field, initial, first }: Parameter): JsonSchema {
  const { name, label, description, required } = field
  const hasDefault =
    initial !== undefined || first !== undefined || field.defaultValue !== undefined
  const { description: _told, ...schema } = fieldType(field.type).schema(field)
  return {
    name,
    in: 'query',
    ...(required && !hasDefault ? { required: true } : {}),
    description: description ?? label,
    schema: field.defaultValue === undefined ? schema : { ...schema, default: field.defaultValue },
  }
}

const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Parameter of a column to sort by; one for each period has the period behind its name. */
function orderBy(columns: readonly ColumnPlan[]): JsonSchema {
  const names = columns.map(({ name, isPeriodic }) => (isPeriodic ? `${name}_\\w+` : name))
  return {
    name: 'order_by',
    in: 'query',
    description: 'A column to sort by; `-` before it turns the order round',
    schema: { type: 'string', pattern: `^-?(${names.join('|')})$` },
  }
}

/** Parameters of every report, by their names among the shared ones. */
const PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  reportLimit: {
    name: 'limit',
    in: 'query',
    description: 'Most rows of the answer; trees come whole',
    schema: { type: 'integer', minimum: 1, maximum: 5000, default: 100 },
  },
  reportOffset: {
    name: 'offset',
    in: 'query',
    description: 'Rows to leave out before them',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  csvTotals: {
    name: 'totals',
    in: 'query',
    description: 'Only with `Accept: text/csv`: `0` leaves the line of totals out',
    schema: { type: 'string', enum: ['0', '1'] },
  },
}

/** References to those a report has; one of its own that is called so comes first. */
function sharedBeside(params: readonly Parameter[]): readonly JsonSchema[] {
  const own = new Set(params.map(({ field }) => field.name))
  const shared = [
    ...Object.entries(PARAMETERS).map(
      ([name, parameter]) => [name, String(parameter.name)] as const,
    ),
    ['csvMark', 'bom'] as const,
  ]
  return shared
    .filter(([, called]) => !own.has(called))
    .map(([name]) => ({ $ref: `#/components/parameters/${name}` }))
}

const COLUMN: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    label: { type: 'string' },
    type: { type: 'string', description: 'As of a field' },
    description: { type: 'string' },
    // Of no type: generators of compiled languages make none of a text that may be a list.
    options: {
      description:
        'A text, the DocType of a link or the column that names it; a list of texts, the values of a select',
    },
    currency: { type: 'string', description: 'Column that names the currency of its amounts' },
    link: schemaRef('ReportLink'),
  },
  required: ['name', 'label', 'type'],
}

const LINK: JsonSchema = {
  type: 'object',
  description: 'The list that the numbers of a column add up',
  properties: {
    resource: { type: 'string', description: 'Slug of the resource' },
    filter: { type: 'string', description: 'Parameters of the list, as in an address' },
    by: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Field of the list, and the column whose value it has in the list of a row; in a tree those of the rows below it too',
    },
    sums: {
      type: 'object',
      additionalProperties: { type: 'number', format: 'double' },
      description: 'Fields that are added up, each with its factor',
    },
    counts: { type: 'boolean', description: 'Whether the records are counted' },
    either_sign: { type: 'boolean', description: 'Whether the sign depends on the row' },
    table: { type: 'string', description: 'Table whose rows have the fields of sums' },
    total: {
      type: 'boolean',
      description: 'Whether the total of the column adds up the list without `by`',
    },
  },
  required: ['resource', 'filter', 'total'],
}

const NUMBER_ABOUT: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    label: { type: 'string' },
    type: { type: 'string' },
    value: { type: ['number', 'null'], format: 'double' },
  },
  required: ['name', 'label', 'type', 'value'],
}

const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ReportColumn: COLUMN,
  ReportLink: LINK,
  ReportEntry: {
    type: 'object',
    properties: {
      slug: { type: 'string' },
      label: { type: 'string' },
      module: { type: 'string' },
      description: { type: 'string' },
      icon: { type: 'string' },
      allowed: { type: 'boolean', description: 'Whether the key may run it as things are' },
      params: {
        type: 'array',
        description: 'As fields of a resource; has_default where one is filled in by itself',
        items: { type: 'object' },
      },
    },
    required: ['slug', 'label', 'module', 'description', 'allowed', 'params'],
  },
  ReportAnswer: {
    type: 'object',
    properties: {
      report: { type: 'string' },
      label: { type: 'string' },
      columns: { type: 'array', items: schemaRef('ReportColumn') },
      data: { type: 'array', items: { type: 'object' } },
      totals: {
        type: ['object', 'null'],
        description: 'Column → sum over all rows, not of the page alone',
      },
      total_label: { type: 'string' },
      summary: { type: 'array', items: NUMBER_ABOUT },
      chart: {
        type: 'object',
        properties: {
          type: { type: 'string' },
          x: { description: 'A column, or a list of columns: one for each period' },
          y: { type: 'array', items: { type: 'string' } },
        },
      },
      meta: {
        type: 'object',
        properties: {
          total: { type: 'integer' },
          limit: { type: 'integer' },
          offset: { type: 'integer' },
          currency: { type: 'string', description: 'Of amounts whose column names none' },
          params: { type: 'object', description: 'The parameters with their defaults filled in' },
        },
        required: ['total', 'limit', 'offset', 'params'],
      },
    },
    required: ['report', 'label', 'columns', 'data', 'totals', 'summary', 'meta'],
  },
}
