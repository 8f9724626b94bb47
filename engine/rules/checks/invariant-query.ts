import type { InvariantTerm } from '../../definition/model/ledger.ts'
import type { SqlFragment } from '../../expression/sql/sql-fragment.ts'
import { sqlProblem, toSqlCondition, toSqlValue } from '../../expression/sql/to-sql.ts'
import { assignedNode } from '../../expression/syntax/assign.ts'
import { higherKind } from '../../expression/syntax/promote.ts'
import type { Scope } from '../../expression/tree/scope.ts'
import {
  CONDITION,
  DECIMAL_SCALE,
  isNumeric,
  isText,
  MONEY_SCALE,
  type NumericKind,
  type ValueType,
} from '../../expression/tree/types.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import {
  type CompileContext,
  type Compiled,
  type CompiledRule,
  compilePart,
  type RuleProblem,
  type RuleSite,
} from '../base/compiled-rule.ts'
import { columnsOfSource, type RowOrigin, sourceOf } from '../base/source-rows.ts'
import { joined, sqlOf } from '../base/sql-parts.ts'

/** A sum over records or rows of tables. */
interface TermPlan {
  readonly origin: RowOrigin
  readonly where: CompiledRule | undefined
  readonly value: CompiledRule
  readonly isSubtracted: boolean
  /** Expression for each name of `by`, whose value is a text. */
  readonly keys: readonly CompiledRule[]
}

/** Compiled invariant: terms whose sums over all records must add up to 0 (rules.md §4.1, invariants). */
export interface InvariantPlan {
  readonly name: string
  readonly by: readonly string[]
  /** Type the values of all terms are brought to, row by row, before they are added. */
  readonly type: ValueType
  readonly terms: readonly TermPlan[]
}

/** Compiles the invariants of a DocType. */
export function compileInvariants(site: RuleSite): Compiled<readonly InvariantPlan[]> {
  return compilePart(site, invariantsOf)
}

function invariantsOf(context: CompileContext): readonly InvariantPlan[] {
  const plans: InvariantPlan[] = []
  const { invariants = [] } = context.definition.behaviour
  for (const [index, { name, by = [], terms }] of invariants.entries()) {
    const compiled = terms.flatMap((term, at) => {
      return sourcesOf(context, term, ['invariants', index, 'terms', at]).map((from) =>
        compileTerm(context, { ...term, from }, by, ['invariants', index, 'terms', at]),
      )
    })
    if (terms.length === 0)
      context.problem(['invariants', index, 'terms'], 'needs at least one term')
    if (!compiled.every((plan) => plan !== undefined) || compiled.length === 0) continue
    plans.push({ name, by, type: typeOf(compiled), terms: compiled })
  }
  return plans
}

/** What a term is over: the DocType or table it names, or each DocType that declares what it says. */
function sourcesOf(
  { registry, problem }: CompileContext,
  { from, declaring }: InvariantTerm,
  path: RuleProblem['path'],
): readonly string[] {
  if ((from === undefined) === (declaring === undefined)) {
    problem(path, 'needs either from or declaring')
    return []
  }
  if (from !== undefined) return [from]
  return registry.all
    .filter(({ declares }) => declares?.includes(declaring!))
    .map(({ doctype }) => doctype)
}

/** Money as fields keep it where one term is money, else decimals, else whole numbers. */
function typeOf(terms: readonly TermPlan[]): ValueType {
  const kind = terms
    .map(({ value }) => value.expression.kind as NumericKind)
    .reduce((highest, one) => higherKind(highest, one))
  return { kind, scale: { int: 0, decimal: DECIMAL_SCALE, money: MONEY_SCALE }[kind] }
}

function compileTerm(
  { registry, scopes, compile, problem }: CompileContext,
  term: InvariantTerm & { readonly from: string },
  by: readonly string[],
  path: RuleProblem['path'],
): TermPlan | undefined {
  const [doctype = '', table] = term.from.split('.')
  const source = registry.byDoctype(doctype)
  if (!source || source.isChild) {
    problem([...path, 'from'], `no DocType ${JSON.stringify(doctype)}`)
    return undefined
  }
  const own = scopes.of(source)
  const scope = table === undefined ? own.document : own.rows.get(table)
  if (!scope) {
    problem([...path, 'from'], `${doctype} has no table ${JSON.stringify(table)}`)
    return undefined
  }
  if ((term.add === undefined) === (term.subtract === undefined)) {
    problem(path, 'needs either add or subtract')
    return undefined
  }
  const origin: RowOrigin = { source, sourceTable: table }
  const rule = (
    text: string,
    expected: ValueType | undefined,
    key: RuleProblem['path'],
  ): CompiledRule | undefined => {
    const compiled = compile(text, storedScope(scope), expected, [...path, ...key])
    const refused = compiled && sqlProblem(compiled.expression.tree, columnsOfSource(origin))
    if (refused) problem([...path, ...key], refused.message)
    return refused ? undefined : compiled
  }
  const sign = term.add === undefined ? 'subtract' : 'add'
  const value = rule((term.add ?? term.subtract)!, undefined, [sign])
  if (value && !isNumeric(value.expression.kind))
    problem([...path, sign], `expected a number, got ${value.expression.kind}`)
  const where = term.where === undefined ? undefined : rule(term.where, CONDITION, ['where'])
  const keys = by.flatMap((name) => {
    const given = term.by?.[name]
    const key = rule(given ?? name, undefined, given === undefined ? ['from'] : ['by', name])
    if (!key || isText(key.expression.kind)) return key ? [key] : []
    problem([...path, 'by'], `${name}: expected a text or a link, got ${key.expression.kind}`)
    return []
  })
  for (const name of Object.keys(term.by ?? {}))
    if (!by.includes(name)) problem([...path, 'by', name], `the invariant has no ${name} in its by`)
  const isWhole = keys.length === by.length && (where || term.where === undefined)
  if (!value || !isNumeric(value.expression.kind) || !isWhole) return undefined
  return { origin, where, value, isSubtracted: sign === 'subtract', keys }
}

/** Scope of what is stored with a row: nothing of the write it came from. */
function storedScope(scope: Scope): Scope {
  const parent = scope.records.get('parent')
  return { ...scope, records: new Map(parent ? [['parent', parent]] : []) }
}

/** Value of `by` for which the terms do not add up to 0. */
export interface InvariantBreach {
  /** Values of `by`, as `k0`, `k1`, … in its order. */
  readonly [key: `k${number}`]: string
  /** The sum, at the scale of the invariant; PostgreSQL gives it as text. */
  readonly difference: bigint | string
  /** Number of breaches in all. */
  readonly total: bigint
}

/** Statement that finds where an invariant does not hold: rows of InvariantBreach. */
export function invariantQuery(
  plan: InvariantPlan,
  kind: DatabaseKind,
  limit: number,
): SqlFragment {
  const keys = plan.by.map((_, index) => `k${index}`)
  const places = plan.by.map((_, index) => index + 1).join(', ')
  const terms = plan.terms.map((term) => termSum(term, plan.type, places, kind))
  const grouped = keys.length === 0 ? '' : `group by ${keys.join(', ')}`
  const ordered = keys.length === 0 ? '' : `order by ${keys.join(', ')}`
  const shown = keys.map((key) => `${key}, `).join('')
  return sqlOf`select ${shown}sum(v) as difference, count(*) over () as total
    from (${joined(terms, ' union all ')}) terms ${grouped} having sum(v) <> 0 ${ordered} limit ${limit}`
}

function termSum(
  { origin, where, value, isSubtracted, keys }: TermPlan,
  type: ValueType,
  places: string,
  kind: DatabaseKind,
): SqlFragment {
  const columns = columnsOfSource(origin)
  const shown = keys.map(
    (key, index) => sqlOf`${toSqlValue(key.expression.tree, kind, columns)} as k${index}, `,
  )
  const amount = toSqlValue(assignedNode(value.expression.tree, type), kind, columns)
  const condition = where
    ? sqlOf`where ${toSqlCondition(where.expression.tree, kind, columns)}`
    : sqlOf``
  const grouped = places === '' ? '' : `group by ${places}`
  return sqlOf`select ${joined(shown, '')}${isSubtracted ? '-' : ''}sum(${amount}) as v
    from ${sourceOf(origin)} ${condition} ${grouped}`
}
