import { isoDateTime } from '../../../engine/base/clock.ts'
import { validationError } from '../../../engine/base/errors.ts'
import type { QueryScope } from '../../../engine/documents/lists/query-scope.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import { FieldProblem } from '../../../engine/fields/field-type.ts'
import { parameterProblem } from '../../../engine/fields/problem.ts'
import type { Comparison } from '../../../engine/storage/query/query-condition.ts'
import { shortened } from '../data-error.ts'
import { filteredColumn } from './list-columns.ts'
import { isOperator, operatorNamed } from './list-operators.ts'
import { invalidParameter, type Params, structured, textOf } from './list-parameter.ts'

/** Conditions of one parameter, and values of its lists: enough for every client, and both databases bear it. */
const MAX_FILTERS = 200
const MAX_VALUES = 10_000

/** Patterns of one request, and those for long texts. */
const MAX_PATTERNS = 20
const MAX_PATTERNS_OF_LONG = 3

type FilterParameter = 'filters' | 'or_filters'

/** A condition as it was sent, in whichever form. */
export interface Written {
  readonly doctype?: string
  readonly field: string
  readonly operator: string
  readonly value: unknown
}

/**
 * The conditions of `filters` or `or_filters` in any of Frappe's forms (erp-semantics.md §1.1): an object, a
 * list of tuples, the text of either, or the bare name of a record. Throws DataError for a field there is
 * none of, 422 for an operator or a value that means nothing.
 */
export function readFilters(
  { services }: Context,
  scope: QueryScope,
  params: Params,
  parameter: FilterParameter,
): Comparison[] {
  const written = writtenFilters(params, parameter)
  if (written.length > MAX_FILTERS)
    throw invalidParameter(
      parameter,
      `expected at most ${MAX_FILTERS}, got ${written.length}`,
      'out_of_range',
    )
  const today = isoDateTime(services.clock).slice(0, 10)
  const comparisons = written.map((one) => comparison(scope, today, one))
  const values = comparisons.flatMap((one) => (one.is === 'in' ? one.values : []))
  if (values.length > MAX_VALUES)
    throw invalidParameter(
      parameter,
      `expected at most ${MAX_VALUES} values, got ${values.length}`,
      'out_of_range',
    )
  return comparisons
}

/**
 * Throws 422 for more patterns than one request may have, of all its conditions: a text is gone through for each, and
 * long ones take long.
 */
export function assertFewPatterns(comparisons: readonly Comparison[]): void {
  const patterns = comparisons.filter(({ is }) => is === 'like')
  const ofLong = patterns.filter(({ column }) => !column.type.inList)
  if (patterns.length > MAX_PATTERNS)
    throw invalidParameter(
      'filters',
      `expected at most ${MAX_PATTERNS} patterns (like), got ${patterns.length}`,
      'out_of_range',
    )
  if (ofLong.length > MAX_PATTERNS_OF_LONG)
    throw invalidParameter(
      'filters',
      `expected at most ${MAX_PATTERNS_OF_LONG} patterns (like) for long texts, got ${ofLong.length}`,
      'out_of_range',
    )
}

/** The conditions of a parameter before anything is made of them. Throws 422 for what has none of the forms. */
export function writtenFilters(params: Params, parameter: FilterParameter): Written[] {
  const given = structured(params, parameter)
  if (given === undefined) return []
  if (typeof given === 'string' && !/^\s*[[{]/.test(given))
    return [{ field: 'name', operator: '=', value: given }]
  if (Array.isArray(given)) {
    const isOne = typeof given[0] === 'string' && isOperator(given[1])
    return (isOne ? [given] : given).map((tuple: unknown) => writtenTuple(parameter, tuple))
  }
  if (typeof given === 'object' && given !== null)
    return Object.entries(given).map(([field, value]) => withOperator(field, value))
  throw invalidParameter(parameter, 'expected JSON: an object of fields or a list of conditions')
}

function writtenTuple(parameter: string, tuple: unknown): Written {
  if (typeof tuple === 'object' && tuple !== null && !Array.isArray(tuple)) {
    const [only, ...more] = Object.entries(tuple)
    if (only && more.length === 0) return withOperator(...only)
  }
  if (Array.isArray(tuple)) {
    const [first, second, third, fourth] = tuple
    if (tuple.length === 2) return withOperator(fieldName(parameter, first), second)
    if (tuple.length === 3)
      return { field: fieldName(parameter, first), operator: textOf(second), value: third }
    if (tuple.length === 4 || tuple.length === 5) {
      const doctype = decoded(fieldName(parameter, first))
      const field = fieldName(parameter, second)
      return { doctype, field, operator: textOf(third), value: fourth }
    }
  }
  throw invalidParameter(
    parameter,
    'expected each condition as [field, value], [field, operator, value] or [DocType, field, operator, value]',
  )
}

/** A value alone means "equals", a list is an operator and its value. */
function withOperator(field: string, value: unknown): Written {
  return Array.isArray(value)
    ? { field, operator: textOf(value[0]), value: value[1] }
    : { field, operator: '=', value }
}

function fieldName(parameter: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw invalidParameter(parameter, 'expected the name of a field as text')
}

/** n8n encodes the DocType, and then once more with the whole parameter. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function comparison(
  scope: QueryScope,
  today: string,
  { doctype, field, operator, value }: Written,
): Comparison {
  const read = operatorNamed(operator)
  const column = filteredColumn(scope, doctype, field)
  try {
    return read({ scope, today, column }, value)
  } catch (problem) {
    if (problem instanceof FieldProblem)
      throw validationError([parameterProblem(shortened(field), problem)])
    throw problem
  }
}
