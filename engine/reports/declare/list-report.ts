import { yamlLibrary } from '../../base/lazy-libraries.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Field } from '../../fields/field.ts'
import type { Operator, Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'

/** A list as a report: what of it counts, what its groups are made by, what is added up. Amounts of several currencies have no total. */
export interface ListReport {
  readonly label: string
  readonly description: string
  readonly definition: DocTypeDefinition
  /** Conditions of the list; null is unset. */
  readonly filters: readonly {
    readonly field: Field
    readonly operator: Exclude<Operator, 'like'>
    readonly values: readonly Value[]
  }[]
  /** What groups are made by: a field, of a day or moment its month. */
  readonly groups: readonly Field[]
  readonly sums: readonly Field[]
  /** Day by which the report asks for a span of time. */
  readonly days?: Field
  readonly chart?: 'bar' | 'line' | 'pie'
}

/** The days a report is about: this month and the eleven before it, unless others are asked for. */
const SPAN = {
  params: {
    from_date: { type: 'date', required: true, default: 'add_months(month_start(today()), -11)' },
    to_date: { type: 'date', required: true, default: 'today()' },
  },
  validate: [
    {
      check: 'from_date <= to_date',
      field: 'to_date',
      message: 'must not be before the first day, {from_date}',
    },
  ],
}

/**
 * The file of a report that counts and adds up the records of a list in groups: what `_count_by` and `_sum` of the same list say, as a
 * report that is asked for other days, drawn, pinned and changed by hand.
 *
 *     report: Invoices by Customer
 *     module: billing
 *     description: …
 *     from: Sales Invoice
 *     where: docstatus == 1
 *     columns: {customer: {}, records: {count: true, label: Sales Invoices}, grand_total: {sum: grand_total}}
 */
export function listReportText(report: ListReport, registry: Registry): string {
  const { label, description, definition, filters, groups, sums, days, chart } = report
  const conditions = [
    ...filters.map((filter) => conditionText(filter)),
    ...(days ? [spanText(days)] : []),
  ]
  const moneyOf = new Set(sums.flatMap(({ currencyField }) => currencyField ?? []))
  const currencies = [...moneyOf].flatMap((name) => registry.fieldOf(definition, name) ?? [])
  const grouped = [...groups, ...currencies.filter((one) => !groups.includes(one))]
  const taken = new Set(grouped.map(columnOf))
  const free = (name: string): string => (taken.has(name) ? `${name}_sum` : name)
  const records = free('records')
  const columns = Object.fromEntries([
    ...grouped.map((field) => [columnOf(field), groupColumn(field)] as const),
    [records, { count: true, label: definition.labelPlural }] as const,
    ...sums.map((field) => [free(field.name), sumColumn(field)] as const),
  ])
  const [first] = groups
  const added = sums.filter(({ currencyField }) => currencyField === undefined)
  const text = {
    report: label,
    module: definition.module,
    description,
    ...(days ? SPAN : {}),
    from: definition.doctype,
    ...(conditions.length === 0
      ? {}
      : { where: conditions.length === 1 ? conditions[0] : conditions }),
    columns,
    order: first && isDay(first) ? [columnOf(first)] : [`-${records}`],
    totals: [records, ...added.map(({ name }) => free(name))],
    ...(chart && first
      ? { chart: { type: chart, x: columnOf(first), y: [sums[0] ? free(sums[0].name) : records] } }
      : {}),
  }
  const { Document } = yamlLibrary()
  return new Document(text).toString({ lineWidth: 120, flowCollectionPadding: false })
}

/** Whether groups are made by the month of a field. */
function isDay({ type }: Field): boolean {
  const { kind } = fieldType(type)
  return kind === 'date' || kind === 'datetime'
}

function columnOf(field: Field): string {
  return isDay(field) ? `${field.name}_month` : field.name
}

function groupColumn(field: Field): object {
  if (!isDay(field)) return {}
  const label = `${field.label} (Month)`
  return { value: `month_start(${dayOf(field)})`, type: 'date', label }
}

/** The day of a field: of a moment the one that it is on. */
function dayOf({ name, type }: Field): string {
  return fieldType(type).kind === 'datetime' ? `date(${name})` : name
}

function sumColumn({ name, label, currencyField }: Field): object {
  return { sum: name, label, ...(currencyField === undefined ? {} : { currency: currencyField }) }
}

function spanText(days: Field): string {
  return `${dayOf(days)} >= param.from_date && ${dayOf(days)} <= param.to_date`
}

const SIGNS = { eq: '==', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/**
 * A filter of a list as an expression: `status__in=Paid,Overdue` → `status in ["Paid", "Overdue"]`. Unset is 0 or an empty text to an expression,
 * and neither less nor more than anything to a list, which takes it for another value than any.
 */
function conditionText({ field, operator, values }: ListReport['filters'][number]): string {
  const { name, type } = field
  const [first, second] = values.map((value) => literal(field, value))
  if (operator === 'in')
    return `${name} in [${values.map((one) => literal(field, one)).join(', ')}]`
  if (operator === 'between') return `has(${name}) && ${name} >= ${first} && ${name} <= ${second}`
  if (values[0] === null) return operator === 'eq' ? `!has(${name})` : `has(${name})`
  if (fieldType(type).kind === 'bool')
    return (values[0] === true) === (operator === 'eq') ? name : `!${name}`
  const compared = `${name} ${SIGNS[operator]} ${first}`
  return operator === 'eq' || operator === 'ne' ? compared : `has(${name}) && ${compared}`
}

function literal(field: Field, value: Value): string {
  return value === null ? '""' : JSON.stringify(fieldType(field.type).toWire(value, field))
}
