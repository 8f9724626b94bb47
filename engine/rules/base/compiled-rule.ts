import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Expression } from '../../expression/expression.ts'
import { allOf, type CompileResult, compileExpression } from '../../expression/expression.ts'
import { type Evaluate, toJs } from '../../expression/run/to-js.ts'
import type { ColumnOf } from '../../expression/sql/sql-fragment.ts'
import { sqlProblem } from '../../expression/sql/to-sql.ts'
import type { Parse } from '../../expression/syntax/parse.ts'
import { OLD_PARENT, type Scope } from '../../expression/tree/scope.ts'
import type { TargetType } from '../../expression/tree/types.ts'
import type { LinkPath } from './reads.ts'
import { GIVEN } from './reads.ts'
import type { Scopes } from './scopes.ts'

/** A mistake in an expression; `path` leads to its text in the YAML, `offset` into that text. */
export interface RuleProblem {
  readonly path: readonly (string | number)[]
  readonly source: string
  readonly offset: number
  /** Letters that it is about, where that is known. */
  readonly length?: number
  readonly message: string
}

/** An expression of a rule, turned into a function at its first use: most rules of most DocTypes never run. */
export interface CompiledRule {
  readonly expression: Expression
  evaluate(): Evaluate
}

export type CompileRule = (
  /** The expression; of a condition also a list of those that must all hold. */
  source: string | readonly string[],
  scope: Scope,
  /** Type the value is assigned to; undefined where any will do. */
  expected: TargetType | undefined,
  path: RuleProblem['path'],
  /** Columns of the stored records it reads, where only the database ever computes it. */
  runsIn?: ColumnOf,
) => CompiledRule | undefined

/** A part of a DocType's behaviour, with every mistake in it; where there is one, the plan must not run. */
export interface Compiled<Plan> {
  readonly plan: Plan
  readonly problems: readonly RuleProblem[]
}

/** The DocType whose rules are compiled, and what their names mean. */
export interface RuleSite {
  readonly definition: DocTypeDefinition
  readonly registry: Registry
  readonly scopes: Scopes
}

/** What the parts of a DocType's behaviour are compiled with: mistakes are collected, nothing is thrown. */
export interface CompileContext extends RuleSite {
  readonly compile: CompileRule
  /** Tells a mistake; `source` is the expression it is in, where it is in one. */
  problem(path: RuleProblem['path'], message: string, source?: string, offset?: number): void
}

/** Compiles a part of a DocType's behaviour. */
export function compilePart<Plan>(
  site: RuleSite,
  compile: (context: CompileContext) => Plan,
): Compiled<Plan> {
  const problems: RuleProblem[] = []
  const plan = compile(compileContext(site, problems))
  return { plan, problems }
}

/** A context whose mistakes are added to `problems`. */
export function compileContext(site: RuleSite, problems: RuleProblem[]): CompileContext {
  return {
    ...site,
    compile: ruleCompiler(problems, site.scopes.parse),
    problem(path, message, source = '', offset = 0) {
      problems.push({ path, source, offset, message })
    },
  }
}

function ruleCompiler(problems: RuleProblem[], parse: Parse): CompileRule {
  const one = (
    source: string,
    scope: Scope,
    expected: TargetType | undefined,
    path: RuleProblem['path'],
    runsIn: ColumnOf | undefined,
  ): Expression | undefined => {
    const result = compiledIn(scope, source, expected, parse)
    const problem = result.ok
      ? runsIn && sqlProblem(result.expression.tree, runsIn)
      : result.problem
    if (problem) {
      const { offset, length, message } = problem
      problems.push({ path, source, offset, length, message })
    }
    return problem || !result.ok ? undefined : result.expression
  }
  return (source, scope, expected, path, runsIn) => {
    if (typeof source === 'string') return runnable(one(source, scope, expected, path, runsIn))
    const parts = source.map((part, at) => one(part, scope, expected, [...path, at], runsIn))
    const [first, ...others] = parts.filter((part) => part !== undefined)
    const isWhole = first && others.length === source.length - 1
    return runnable(isWhole ? allOf([first, ...others]) : undefined)
  }
}

function runnable(expression: Expression | undefined): CompiledRule | undefined {
  if (!expression) return undefined
  let compiled: Evaluate | undefined
  return {
    expression,
    evaluate: () => {
      compiled ??= toJs(expression.tree)
      return compiled
    },
  }
}

/** Dependencies as cells of the document: `qty` inside a row of items is `items.qty`, `parent.x` is `x`. */
export function readsOf({ dependencies }: Expression, table: string | undefined): string[] {
  const computed = dependencies.filter(
    (name) => !NOT_COMPUTED.has(name.slice(0, name.indexOf('.'))),
  )
  return computed.map((name) => {
    if (name.startsWith('parent.')) return name.slice('parent.'.length)
    return table === undefined ? name : `${table}.${name}`
  })
}

/** An expression together with the links it looks through. */
export interface StepRule extends CompiledRule {
  readonly paths: readonly LinkPath[]
}

/** Result in the first of a scope and its guesses where the expression compiles, else the one that got furthest. */
function compiledIn(
  scope: Scope,
  source: string,
  expected: TargetType | undefined,
  parse: Parse,
): CompileResult {
  const result = compileExpression(source, scope, expected, parse)
  if (result.ok || !scope.guesses) return result
  return scope.guesses
    .map((guess) => compiledIn(guess, source, expected, parse))
    .reduce(further, result)
}

/** Records an expression reads that nothing computes in this write. */
const NOT_COMPUTED: ReadonlySet<string> = new Set(['old', OLD_PARENT, 'user', 'input', GIVEN])

function further(a: CompileResult, b: CompileResult): CompileResult {
  if (a.ok || b.ok) return a.ok ? a : b
  return b.problem.offset > a.problem.offset ? b : a
}
