import { type Detail, validationError } from '../../engine/base/errors.ts'
import { yamlLibrary } from '../../engine/base/lazy-libraries.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { kebab } from '../../engine/definition/normalise/slug.ts'
import { isMap } from '../../engine/definition/yaml/source.ts'
import { knownParts } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { type ListReport, listReportText } from '../../engine/reports/declare/list-report.ts'
import { REPORT_NAME } from '../../engine/reports/declare/report-schema.ts'
import { isDated, isSortable, listedFields } from '../../engine/schema/shapes/list-parameters.ts'
import { type BodyField, readFields } from '../http/fields-of-body.ts'
import { readGroupedQuery } from '../http/list-params.ts'
import { readQuery } from '../http/query-string.ts'
import { resourceNotFound } from '../v1/call.ts'

const NAMED = 'expected letters of English and digits, with single spaces between words'

const CHARTS = ['bar', 'line', 'pie'] as const

const text = <const Required extends boolean>(
  expected: string,
  most: number,
  required: Required,
): BodyField<string> & { readonly required: Required } => ({
  expected,
  required,
  read: (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= most
      ? value.trim()
      : undefined,
})

const RULES = {
  label: text('what the report is called: letters and digits, at most 100', 100, true),
  description: text('what it answers, in one sentence of at most 300 characters', 300, false),
  resource: text('the slug of a resource', 100, true),
  query: text(
    'the parameters of a grouped list as in an address: status=Open&_count_by=customer&_sum=grand_total',
    4_000,
    true,
  ),
  then_by: text('a second field that groups are made by', 140, false),
  days: text('the day by which the report asks for a span of time', 140, false),
  chart: {
    expected: `one of ${CHARTS.join(', ')}`,
    read: (value: unknown) => CHARTS.find((one) => one === value),
  },
} as const

const WRITTEN = {
  definition: {
    expected: 'a report in the words of its YAML',
    required: true,
    read: (value: unknown) => (isMap(value) ? value : undefined),
  },
} as const

/** A report as it is to be made. */
export interface NewReport {
  readonly slug: string
  /** Its file, as YAML. */
  readonly yaml: string
  /** Parameter that says what it reads: what is wrong with its file is told of that. */
  readonly from: 'query' | 'definition'
}

/**
 * Reads what is to be a report (`POST /v1/reports`): a grouped list, or all of it in the words of its YAML. Throws 422 with everything
 * that is wrong.
 */
export function readNewReport(context: Context, body: unknown): NewReport {
  return isMap(body) && 'definition' in body ? writtenReport(body) : reportOfList(context, body)
}

/** A report in the words of its YAML; whether they make one is found out where its file is read. */
function writtenReport(body: object): NewReport {
  const { definition } = readFields(body, WRITTEN)
  const label = definition!.report
  if (typeof label !== 'string' || !REPORT_NAME.test(label))
    throw validationError([{ field: 'definition', message: `report: ${NAMED}`, code: 'rule' }])
  const { Document } = yamlLibrary()
  const yaml = new Document(definition).toString({ lineWidth: 120, flowCollectionPadding: false })
  return { slug: kebab(label), yaml, from: 'definition' }
}

/** A grouped list as a report: of which resource, and the parameters by which that list is asked for. */
function reportOfList(context: Context, body: unknown): NewReport {
  const { services } = context
  const given = readFields(body, RULES)
  const definition = services.registry.bySlug(given.resource!)
  if (!definition) throw resourceNotFound(given.resource!)
  const known = knownParts(context, services.partsOf(definition)).definition
  const { by, part, sum, filters, q } = readGroupedQuery(
    services,
    known,
    readQuery(`?${given.query}`),
  )
  const details: Detail[] = []
  const refuse = (field: string, message: string): void => {
    details.push({ field, message, code: 'out_of_range' })
  }
  if (q !== undefined) refuse('query', 'a report has no q; filter by fields')
  const like = filters.find(({ operator }) => operator === 'like')
  if (like) refuse('query', `a report has no ${like.field}__like; filter by whole values`)
  if (!by) refuse('query', 'expected _count_by with the field that groups are made by')
  if (part !== undefined && part !== 'month')
    refuse('query', `a report groups days by month, got ${part}`)
  const thenBy = named(known, given.then_by, 'then_by', isSortable, details)
  const days = named(known, given.days, 'days', isDated, details)
  const slug = kebab(given.label!)
  if (!REPORT_NAME.test(given.label!)) refuse('label', NAMED)
  if (details.length > 0) throw validationError(details)
  const report: ListReport = {
    label: given.label!,
    description: given.description ?? `${known.labelPlural} by ${by!.label}.`,
    definition: known,
    filters: filters.flatMap(({ field, operator, values }) =>
      operator === 'like'
        ? []
        : [{ field: services.registry.fieldOf(known, field)!, operator, values }],
    ),
    groups: [by!, ...(thenBy ? [thenBy] : [])],
    sums: sum,
    ...(days ? { days } : {}),
    ...(given.chart === undefined ? {} : { chart: given.chart }),
  }
  return { slug, yaml: listReportText(report, services.registry), from: 'query' }
}

function named(
  definition: DocTypeDefinition,
  name: string | undefined,
  parameter: string,
  fits: (field: Field) => boolean,
  details: Detail[],
): Field | undefined {
  if (name === undefined) return undefined
  const fields = listedFields(definition).filter(fits)
  const found = fields.find((field) => field.name === name)
  if (found) return found
  const expected = fields.map((field) => field.name).join(', ')
  const message = `no such field ${JSON.stringify(name.slice(0, 60))}; expected one of ${expected}`
  details.push({ field: parameter, message, code: 'unknown_field' })
  return undefined
}
