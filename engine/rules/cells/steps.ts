import type { DocTypeDefinition, Field } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import {
  type CompileResult,
  compileExpression,
  type Expression,
} from '../../expression/expression.ts'
import { type Evaluate, toJs } from '../../expression/run/to-js.ts'
import type { ColumnOf } from '../../expression/sql/sql-fragment.ts'
import { sqlProblem } from '../../expression/sql/to-sql.ts'
import { type Scope, withRecord } from '../../expression/tree/scope.ts'
import { CONDITION, type TargetType, type ValueType } from '../../expression/tree/types.ts'
import type { GraphNode } from '../base/graph.ts'
import { GIVEN, type LinkPath, linkPathsOf } from '../base/reads.ts'
import { type DocTypeScopes, type Scopes, valueType } from '../base/scopes.ts'
import { type CallRule, compileCall } from './hook-call.ts'
import { compileDefaultFrom, compileLookup, type FirstRecord, type LookupRule } from './lookup.ts'
import { type RunningSum, runningSum } from './running-sum.ts'

/** A mistake in an expression; `path` leads to its text in the YAML, `offset` into that text. */
export interface RuleProblem {
  readonly path: readonly (string | number)[]
  readonly source: string
  readonly offset: number
  readonly message: string
}

/** An expression of a rule, turned into a function at its first use: most rules of most DocTypes never run. */
export interface CompiledRule {
  readonly expression: Expression
  evaluate(): Evaluate
}

/** One computed cell: what fills it, in this order of precedence. */
export interface Step extends GraphNode {
  readonly field: Field
  /** Table the field is a column of; undefined for the document's own. */
  readonly table: string | undefined
  readonly type: ValueType
  readonly formula: CompiledRule | undefined
  /** The same formula carried along from row to row, where it adds up earlier rows. */
  readonly running: RunningSum | undefined
  /** The link a fetch goes through. */
  readonly through: Field | undefined
  readonly lookup: LookupRule | undefined
  readonly call: CallRule | undefined
  readonly initial: CompiledRule | undefined
  /** Links that `initial` looks through. */
  readonly initialPaths: readonly LinkPath[]
  readonly first: FirstRecord | undefined
  /** When the value of a draft is taken anew. */
  readonly renew: CompiledRule | undefined
}

export type CompileRule = (
  source: string,
  scope: Scope,
  /** What the value is assigned to; undefined where any will do. */
  expected: TargetType | undefined,
  path: RuleProblem['path'],
  /** Columns of the stored records it is about, where the database alone ever computes it. */
  runsIn?: ColumnOf,
) => CompiledRule | undefined

/** What the parts of a DocType's behaviour are compiled with. */
export interface CompileContext {
  readonly definition: DocTypeDefinition
  readonly registry: Registry
  readonly scopes: Scopes
  readonly compile: CompileRule
}

/** A compiler of single rules that collects the mistakes instead of throwing them. */
export function ruleCompiler(problems: RuleProblem[]): CompileRule {
  return (source, scope, expected, path, runsIn) => {
    const result = compiledIn(scope, source, expected)
    const problem = result.ok
      ? runsIn && sqlProblem(result.expression.tree, runsIn)
      : result.problem
    if (problem) problems.push({ path, source, offset: problem.offset, message: problem.message })
    if (problem || !result.ok) return undefined
    let compiled: Evaluate | undefined
    return {
      expression: result.expression,
      evaluate: () => {
        compiled ??= toJs(result.expression.tree)
        return compiled
      },
    }
  }
}

/** The expression in the first of a scope and its guesses that it is right in, else the one that got furthest. */
function compiledIn(scope: Scope, source: string, expected: TargetType | undefined): CompileResult {
  const result = compileExpression(source, scope, expected)
  if (result.ok || !scope.guesses) return result
  return scope.guesses.map((guess) => compiledIn(guess, source, expected)).reduce(further, result)
}

function further(a: CompileResult, b: CompileResult): CompileResult {
  if (a.ok || b.ok) return a.ok ? a : b
  return b.problem.offset > a.problem.offset ? b : a
}

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

/** Records an expression reads that nothing computes in this write. */
const NOT_COMPUTED: ReadonlySet<string> = new Set(['old', 'user', 'input', GIVEN])

/** What the caller sent, for defaults: two fields may stand in for each other, which reading the fields would not do. */
function withGiven(scope: Scope): Scope {
  return withRecord(scope, GIVEN, scope.fields)
}

/** Dependencies as cells of the document: `qty` inside a row of items is `items.qty`, `parent.x` is `x`. */
export function readsOf({ dependencies }: Expression, table: string | undefined): string[] {
  const reads: string[] = []
  for (const name of dependencies) {
    if (NOT_COMPUTED.has(name.slice(0, name.indexOf('.')))) continue
    if (name.startsWith('parent.')) reads.push(name.slice('parent.'.length))
    else reads.push(table === undefined ? name : `${table}.${name}`)
  }
  return reads
}
