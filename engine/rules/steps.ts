import type { DocTypeDefinition, Field } from '../definition/definition.ts'
import { compileExpression, type Expression } from '../expression/expression.ts'
import type { Scope } from '../expression/scope.ts'
import { type Evaluate, toJs } from '../expression/to-js.ts'
import type { ValueType } from '../expression/types.ts'
import type { GraphNode } from './graph.ts'
import { type DocTypeScopes, valueType } from './scopes.ts'

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

/** One computed cell: what fills it, in this order of precedence: formula, fetch, default. */
export interface Step extends GraphNode {
  readonly field: Field
  /** Table the field is a column of; undefined for the document's own. */
  readonly table: string | undefined
  readonly type: ValueType
  readonly formula: CompiledRule | undefined
  readonly initial: CompiledRule | undefined
}

export type CompileRule = (
  source: string,
  scope: Scope,
  expected: ValueType,
  path: RuleProblem['path'],
) => CompiledRule | undefined

/** A compiler of single rules that collects the mistakes instead of throwing them. */
export function ruleCompiler(problems: RuleProblem[]): CompileRule {
  return (source, scope, expected, path) => {
    const result = compileExpression(source, scope, expected)
    if (!result.ok) {
      problems.push({
        path,
        source,
        offset: result.problem.offset,
        message: result.problem.message,
      })
      return undefined
    }
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

/** The computed cells of a DocType in the order they are declared. */
export function stepsOf(
  definition: DocTypeDefinition,
  scopes: DocTypeScopes,
  compile: CompileRule,
): Step[] {
  const steps: Step[] = []
  for (const field of definition.fields) {
    if (!field.child) {
      const step = stepOf(field, undefined, scopes.document, compile, ['fields', field.name])
      if (step) steps.push(step)
      continue
    }
    const scope = scopes.rows.get(field.name)!
    for (const column of field.child.fields) {
      const step = stepOf(column, field.name, scope, compile, [
        'fields',
        field.name,
        'fields',
        column.name,
      ])
      if (step) steps.push(step)
    }
  }
  return steps
}

function stepOf(
  field: Field,
  table: string | undefined,
  scope: Scope,
  compile: CompileRule,
  path: RuleProblem['path'],
): Step | undefined {
  const type = valueType(field)
  const initialSource = field.defaultValue === undefined ? field.default : undefined
  const formula =
    field.formula === undefined
      ? undefined
      : compile(field.formula, scope, type, [...path, 'formula'])
  const initial =
    initialSource === undefined
      ? undefined
      : compile(initialSource, scope, type, [...path, 'default'])
  if (!formula && !initial && field.defaultValue === undefined && !field.fetch) return undefined
  const reads = [formula, initial].flatMap((rule) => (rule ? readsOf(rule.expression, table) : []))
  if (field.fetch)
    reads.push(table === undefined ? field.fetch.link : `${table}.${field.fetch.link}`)
  return {
    path: table === undefined ? field.name : `${table}.${field.name}`,
    reads,
    field,
    table,
    type,
    formula,
    initial,
  }
}

/** Dependencies as cells of the document: `qty` inside a row of items is `items.qty`, `parent.x` is `x`. */
export function readsOf({ dependencies }: Expression, table: string | undefined): string[] {
  const reads: string[] = []
  for (const name of dependencies) {
    if (name.startsWith('old.') || name.startsWith('user.') || name.startsWith('input.')) continue
    if (name.startsWith('parent.')) reads.push(name.slice('parent.'.length))
    else reads.push(table === undefined ? name : `${table}.${name}`)
  }
  return reads
}
