import type { QueryScope } from '../../../engine/documents/lists/query-scope.ts'
import { FieldProblem } from '../../../engine/fields/field-type.ts'
import { filterValue } from '../../../engine/fields/filter-value.ts'
import { storableText } from '../../../engine/fields/storable-text.ts'
import type { TreeRelation } from '../../../engine/storage/finding/tree.ts'
import type { Comparison } from '../../../engine/storage/query/query-condition.ts'
import type { QueryColumn } from '../../../engine/storage/query/query-source.ts'
import { shortened } from '../data-error.ts'
import { invalidParameter, textOf } from './list-parameter.ts'
import { type DaySpan, PERIODS, TIMESPANS, timespanDays } from './timespan.ts'

/** Place of an operator in a filter: the column it compares, the query it stands in, and the day it is today. */
export interface Condition {
  readonly scope: QueryScope
  readonly column: QueryColumn
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string
}

/** The comparison of a column with what the client gave. Throws FieldProblem for what means nothing. */
export type ReadOperator = (condition: Condition, given: unknown) => Comparison

/** Characters of a pattern that stand for themselves, and all of it: each is compared with each of a text. */
const MAX_LITERAL = 140
const MAX_PATTERN = 300

/** The operators of Frappe's filters (erp-semantics.md §1.1). */
const OPERATORS: ReadonlyMap<string, ReadOperator> = new Map([
  ...(['=', '!=', '>', '<', '>=', '<='] as const).map((is) => [is, compared(is)] as const),
  ['like', like(false)],
  ['not like', like(true)],
  ['in', oneOf(false)],
  ['not in', oneOf(true)],
  ['is', isSet],
  ['between', between],
  ['timespan', timespan],
  ['previous', period('last')],
  ['next', period('next')],
  ['ancestors of', inTree('ancestors', false)],
  ['descendants of', inTree('descendants', false)],
  ['descendants of (inclusive)', inTree('descendants or self', false)],
  ['not ancestors of', inTree('ancestors', true)],
  ['not descendants of', inTree('descendants', true)],
])

/** Other spellings clients send. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['=<', '<='],
  ['=>', '>='],
  ['==', '='],
  ['<>', '!='],
])

/** Throws 422 in Frappe's words for a name that is no operator. */
export function operatorNamed(name: string): ReadOperator {
  const operator = OPERATORS.get(normalName(name))
  if (operator) return operator
  const known = [...OPERATORS.keys()].join(', ')
  throw invalidParameter('filters', `Operator must be one of ${known}; got ${shortened(name)}`)
}

export function isOperator(name: unknown): boolean {
  return typeof name === 'string' && OPERATORS.has(normalName(name))
}

function normalName(name: string): string {
  const words = name.slice(0, MAX_PATTERN).trim().toLowerCase().split(/\s+/).join(' ')
  return SPELLINGS.get(words) ?? words
}

function compared(is: '=' | '!=' | '>' | '<' | '>=' | '<='): ReadOperator {
  return ({ column }, given) => ({
    is,
    column,
    value: filterValue(column.type, column.field, given),
  })
}

function like(negated: boolean): ReadOperator {
  return ({ column }, given) => {
    if (typeof given === 'object' && given !== null)
      throw new FieldProblem('expected a text with % and _ as wildcards')
    const pattern = storableText(String(given ?? '')) ?? ''
    const literal = pattern.replace(/[%_]/g, '').length
    if (literal > MAX_LITERAL || pattern.length > MAX_PATTERN)
      throw new FieldProblem(
        `expected a pattern of at most ${MAX_LITERAL} characters beside its wildcards, got ${literal}`,
        'out_of_range',
      )
    return { is: 'like', negated, column, pattern }
  }
}

function oneOf(negated: boolean): ReadOperator {
  return ({ column }, given) => {
    const values = listOf(given).map((value) => filterValue(column.type, column.field, value))
    return { is: 'in', negated, column, values }
  }
}

/** A list, or its values with commas between. */
function listOf(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given
  return typeof given === 'string' ? given.split(',').map((part) => part.trim()) : [given]
}

function isSet({ column }: Condition, given: unknown): Comparison {
  const words = textOf(given).trim().toLowerCase()
  if (words !== 'set' && words !== 'not set')
    throw new FieldProblem(`expected set or not set, got ${shortened(textOf(given))}`)
  return { is: 'set', negated: words === 'not set', column }
}

function between({ column }: Condition, given: unknown): Comparison {
  const [from, to, ...more] = listOf(given)
  if (to === undefined || more.length > 0)
    throw new FieldProblem('expected two values, as [from, to]')
  return {
    is: 'between',
    column,
    from: filterValue(column.type, column.field, from),
    to: filterValue(column.type, column.field, endOfDay(column, to)),
  }
}

/** A day as the end of a span of moments has all its moments in it. */
function endOfDay({ type }: QueryColumn, to: unknown): unknown {
  const isDay = typeof to === 'string' && /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(to)
  return isDay && type.kind === 'datetime' ? `${to.trim()} 23:59:59.999` : to
}

function timespan(condition: Condition, given: unknown): Comparison {
  const words = textOf(given).trim().toLowerCase()
  return inDays(condition, timespanDays(words, condition.today), TIMESPANS, given)
}

function period(which: 'last' | 'next'): ReadOperator {
  return (condition, given) => {
    const unit = PERIODS.get(textOf(given).trim().toLowerCase())
    const span = unit === undefined ? undefined : timespanDays(`${which} ${unit}`, condition.today)
    return inDays(condition, span, [...PERIODS.keys()], given)
  }
}

function inDays(
  condition: Condition,
  span: DaySpan | undefined,
  known: readonly string[],
  given: unknown,
): Comparison {
  if (!span) {
    const got = shortened(textOf(given))
    throw new FieldProblem(`expected one of ${known.join(', ')}, got ${got}`)
  }
  const { kind } = condition.column.type
  if (kind !== 'date' && kind !== 'datetime')
    throw new FieldProblem('has no days; timespan, previous and next are for dates')
  return between(condition, span)
}

function inTree(is: TreeRelation, negated: boolean): ReadOperator {
  return ({ scope, column }, given) => {
    const tree = scope.treeOf(column)
    if (!tree)
      throw new FieldProblem(
        'is no link into a tree: a DocType is one when it links to itself by a field parent_…',
      )
    if (typeof given !== 'string' && typeof given !== 'number')
      throw new FieldProblem('expected the name of a record of the tree')
    return { is, negated, column, tree, of: storableText(String(given)) ?? '' }
  }
}
