import { sql } from 'kysely'
import { isoDateTime } from '../../base/clock.ts'
import { type Detail, validationError } from '../../base/errors.ts'
import { suggest } from '../../base/suggest.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { readable } from '../../documents/rights/door.ts'
import type { Context } from '../../documents/work/context.ts'
import type { Expression } from '../../expression/expression.ts'
import { toJs } from '../../expression/run/to-js.ts'
import { toSqlCondition } from '../../expression/sql/to-sql.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import { dependenciesOf } from '../../expression/tree/analyse.ts'
import type { Environment, FieldValues } from '../../expression/tree/types.ts'
import { FieldProblem, type Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { parameterProblem } from '../../fields/problem.ts'
import { columnOfDocument } from '../../rules/base/columns.ts'
import { valueType } from '../../rules/base/scopes.ts'
import { allOf, fragmentSql } from '../../storage/database/fragment.ts'
import type { Parameter, Report } from '../declare/report.ts'

/** The parameters of one run, and what they lead to. */
export interface Parameters {
  readonly values: Readonly<Record<string, Value>>
  readonly environment: Environment
  /** The currency of amounts that name none; undefined where the report does not say. */
  readonly currency: string | undefined
}

/**
 * Reads the parameters of a report and fills in what is not given. Throws VALIDATION_ERROR with every problem at
 * once: unknown ones, wrong values, links to what the caller cannot see, missing ones, checks that do not hold.
 */
export async function readParameters(
  context: Context,
  report: Report,
  given: ReadonlyMap<string, string>,
): Promise<Parameters> {
  const details: Detail[] = []
  const known = report.params.map(({ field }) => field.name)
  for (const name of given.keys())
    if (!known.includes(name))
      details.push({ field: name, message: unknown(name, known), code: 'unknown_field' })
  const now = isoDateTime(context.services.clock)
  const values: Record<string, Value> = {}
  const records: Record<string, FieldValues> = {}
  const environment = { now, today: now.slice(0, 10), records }
  for (const parameter of report.params) {
    const { field } = parameter
    const text = given.get(field.name)
    const target = targetOf(context, parameter)
    values[field.name] =
      text === undefined || text === ''
        ? await initialOf(context, parameter, values, environment)
        : read(parameter, text, details)
    const value = values[field.name]
    const isWrong = details.some((detail) => detail.field === field.name)
    if (field.required && value === null && !isWrong)
      details.push({ field: field.name, message: 'is required', code: 'required' })
    if (typeof value !== 'string' || !target) continue
    const record = await recordOf(context, target, value)
    if (record) records[field.name] = record
    else
      details.push({
        field: field.name,
        message: `there is no ${target.label} ${JSON.stringify(value)}`,
        code: 'no_such_record',
      })
  }
  if (details.length > 0) throw validationError(details)
  for (const { rule, field, message } of report.checks)
    if (toJs(rule.tree)(values, environment) !== true)
      details.push({ field, message, code: 'rule' })
  if (details.length > 0) throw validationError(details)
  const currency = report.currency && toJs(report.currency.tree)(values, environment)
  return {
    values,
    environment: { ...environment, records: {} },
    currency: currency === undefined || currency === '' ? undefined : String(currency),
  }
}

function unknown(name: string, known: readonly string[]): string {
  const near = suggest(name, known)
  const hint = near === undefined ? '' : `, did you mean ${near}?`
  return `unknown parameter${hint}; expected ${[...known, 'limit', 'offset', 'order_by'].join(', ')}`
}

function read({ field }: Parameter, text: string, details: Detail[]): Value {
  try {
    return fieldType(field.type).readText(text, field)
  } catch (problem) {
    if (!(problem instanceof FieldProblem)) throw problem
    details.push(parameterProblem(field.name, problem))
    return null
  }
}

async function initialOf(
  context: Context,
  parameter: Parameter,
  values: FieldValues,
  environment: Environment,
): Promise<Value> {
  const { field, initial, first } = parameter
  if (initial && isReady(initial, values)) {
    const value = toJs(initial.tree)(values, environment)
    return assignValue(value, initial.tree, valueType(field))
  }
  const target = targetOf(context, parameter)
  return first && target ? firstRecord(context, target, first, environment) : null
}

/** Whether the parameters a default is taken from are there: `company.default_currency` of none is nothing. */
function isReady({ tree }: Expression, values: FieldValues): boolean {
  return dependenciesOf(tree).every((name) => {
    const dot = name.indexOf('.')
    return dot < 0 || values[name.slice(0, dot)] !== null
  })
}

async function firstRecord(
  { services, ...rights }: Context,
  target: DocTypeDefinition,
  condition: Expression,
  environment: Environment,
): Promise<string | null> {
  const { read, kind } = services.database
  const where = fragmentSql(toSqlCondition(condition.tree, kind, columnOfDocument), environment)
  const limit = readable({ services, ...rights }, target)
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(target.table)} where ${limit ? allOf([where, limit]) : where}
    order by rid limit 1`.execute(read)
  return rows[0]?.name ?? null
}

/** The record that a link names, for those who may see it. */
async function recordOf(
  context: Context,
  target: DocTypeDefinition,
  name: string,
): Promise<FieldValues | undefined> {
  const { services } = context
  const { read } = services.database
  const limit = readable(context, target)
  if (limit) {
    const { rows } = await sql`
      select 1 from ${sql.table(target.table)} where name = ${name} and ${limit}`.execute(read)
    if (rows.length === 0) return undefined
  }
  return services.partsOf(target).store.find(read, name)
}

function targetOf({ services }: Context, { field }: Parameter): DocTypeDefinition | undefined {
  return field.link === undefined ? undefined : services.registry.byDoctype(field.link)
}
