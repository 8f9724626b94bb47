import { type Scope, withRecord } from '../../expression/tree/scope.ts'
import { CONDITION } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { type CompileContext, readsOf } from '../base/compiled-rule.ts'
import { GIVEN, linkPathsOf } from '../base/reads.ts'
import { type DocTypeScopes, valueType } from '../base/scopes.ts'
import type { Step } from './computed-cell.ts'
import { compileCall } from './hook-call.ts'
import { compileDefaultFrom, compileLookup } from './lookup.ts'
import { runningSum } from './running-sum.ts'

/** The computed cells of a DocType in the order they are declared. */
export function stepsOf(context: CompileContext): Step[] {
  const { definition, scopes } = context
  const formulas = scopes.of(definition)
  const moments = scopes.momentOf(definition)
  const steps: Step[] = []
  for (const field of definition.fields) {
    const step = stepOf(context, field, undefined, formulas, moments)
    if (step) steps.push(step)
    for (const column of field.child?.fields ?? []) {
      const inRow = stepOf(context, column, field, formulas, moments)
      if (inRow) steps.push(inRow)
    }
  }
  return steps
}

function stepOf(
  context: CompileContext,
  field: Field,
  tableField: Field | undefined,
  formulas: DocTypeScopes,
  moments: DocTypeScopes,
): Step | undefined {
  const { compile } = context
  const table = tableField?.name
  const scope = (of: DocTypeScopes): Scope =>
    table === undefined ? of.document : of.rows.get(table)!
  const path = table === undefined ? [field.name] : [table, 'fields', field.name]
  const type = valueType(field)
  const formula =
    field.formula === undefined
      ? undefined
      : compile(field.formula, scope(formulas), type, ['fields', ...path, 'formula'])
  const running =
    formula && table !== undefined ? runningSum(formula.expression.tree, table) : undefined
  const lookup = field.lookup && compileLookup(context, field, table, ['fields', ...path])
  const call = field.call && compileCall(context, field, table, ['fields', ...path])
  const initial =
    field.default === undefined || field.defaultValue !== undefined
      ? undefined
      : compile(field.default, withGiven(scope(moments)), type, ['fields', ...path, 'default'])
  const first =
    field.defaultFrom === undefined
      ? undefined
      : compileDefaultFrom(context, field, ['fields', ...path, 'default_from'])
  const renew =
    field.renew === undefined
      ? undefined
      : compile(field.renew, scope(formulas), CONDITION, ['fields', ...path, 'renew'])
  const sources = [formula, lookup, call, initial, first, field.fetch, field.defaultValue]
  if (sources.every((source) => source === undefined)) return undefined
  const siblings = tableField?.child?.fields ?? context.definition.fields
  const initialPaths = initial ? linkPathsOf(initial.expression, siblings) : []
  const cell = (name: string): string => (table === undefined ? name : `${table}.${name}`)
  const reads = [
    ...[formula, initial, renew, lookup?.match, ...(call?.inputs ?? [])].flatMap((rule) =>
      rule ? readsOf(rule.expression, table) : [],
    ),
    ...(lookup?.reads ?? []),
    ...(call?.cells ?? []),
    ...initialPaths.map((link) => cell(link.field)),
    ...(field.fetch ? [cell(field.fetch.link)] : []),
    // Rows that are put into the table have to be there first.
    ...(tableField?.fetch || tableField?.call ? [tableField.name] : []),
  ]
  return {
    path: cell(field.name),
    reads,
    field,
    table,
    type,
    formula,
    running,
    through: field.fetch && siblings.find(({ name }) => name === field.fetch!.link),
    lookup,
    call,
    initial,
    initialPaths,
    first,
    renew,
  }
}

/** Scope of defaults: by `given`, what the caller sent, two fields may stand in for each other without a cycle. */
function withGiven(scope: Scope): Scope {
  return withRecord(scope, GIVEN, scope.fields)
}
