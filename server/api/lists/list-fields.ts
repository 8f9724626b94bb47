import type { QueryScope } from '../../../engine/documents/lists/query-scope.ts'
import type { Selected } from '../../../engine/storage/query/query.ts'
import { DataError, fieldNotPermitted, shortened } from '../data-error.ts'
import { everyColumn, isEverything, namedColumn } from './list-columns.ts'
import { commaParts, type Params, structured } from './list-parameter.ts'

/** A value asked for. */
export interface AskedValue {
  /** Its name in the answer. */
  readonly key: string
  readonly selected: Selected
  /** Wire form of the selected value → surface A's. */
  readonly show: (wire: unknown) => unknown
}

/** One of the fields asked for; of a table the answer has the rows. */
export type Asked = AskedValue | { readonly key: string; readonly table: string }

const MAX_FIELDS = 500
const MAX_LENGTH = 300

/** Names under which one field may be asked for: clients take it as a value and as its label. */
const MAX_NAMES = 2
const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const
type Aggregate = (typeof AGGREGATES)[number]

const ALIAS = /^(.+)\s+as\s+[`'"]?([A-Za-z][\w ]{0,63})[`'"]?$/i
const FUNCTION = /^(\w+)\s*\((.*)\)$/
const DISTINCT = /^distinct\s+/i

/**
 * The fields of a list in any of Frappe's forms: a list or its text, with commas, `*`, `name as n`,
 * `count(name) as n` and `{"COUNT": "*", "as": "n"}`; `name` alone where none are asked for. Throws DataError
 * for a field there is none of or that may not be read.
 */
export function readFields(scope: QueryScope, params: Params): Asked[] {
  const fields = structured(params, 'fields')
  const list =
    typeof fields === 'string'
      ? commaParts(fields)
      : Array.isArray(fields)
        ? fields
        : [fields ?? 'name']
  if (list.length > MAX_FIELDS)
    throw new DataError(`fields: expected at most ${MAX_FIELDS}, got ${list.length}`)
  const asked = onceEach(list.flatMap((field: unknown) => askedFields(scope, field)))
  return asked.length > 0 ? asked : askedFields(scope, 'name')
}

/**
 * Fields without those that say the same again, as `["name", "*"]` does. Throws DataError for one field under many
 * names: it would stand in every row that often.
 */
function onceEach(asked: readonly Asked[]): Asked[] {
  const kept = new Map<string, Asked>()
  const names = new Map<string, number>()
  for (const one of asked) {
    const field = identityOf(one)
    const known = kept.get(one.key)
    if (known && identityOf(known) === field) continue
    const count = (names.get(field) ?? 0) + 1
    if (count > MAX_NAMES)
      throw new DataError(
        `fields: expected each field under at most ${MAX_NAMES} names, got ${shortened(one.key)} as one more of the same`,
      )
    names.set(field, count)
    // A name that comes twice means its last field, at the place of the first.
    kept.set(one.key, one)
  }
  return [...kept.values()]
}

function identityOf(one: Asked): string {
  if ('table' in one) return `table ${one.table}`
  const { selected } = one
  const isDistinct = selected.is === 'count' && selected.distinct
  return `${selected.is}${isDistinct ? ' distinct' : ''} ${selected.column?.key ?? '*'}`
}

function askedFields(scope: QueryScope, field: unknown): Asked[] {
  if (typeof field === 'string') return askedByText(scope, field.trim())
  if (typeof field === 'object' && field !== null && !Array.isArray(field))
    return [askedByObject(scope, field)]
  throw new DataError('fields: expected each as text, or as {"COUNT": "*", "as": "n"}')
}

function askedByText(scope: QueryScope, text: string): Asked[] {
  if (text.length > MAX_LENGTH) throw fieldNotPermitted(text)
  if (isEverything(scope, text)) return everyColumn(scope).map(plain)
  const [, expression = text, alias] = ALIAS.exec(text) ?? []
  const [, name, argument] = FUNCTION.exec(expression.trim()) ?? []
  if (name !== undefined && argument !== undefined)
    return [aggregate(scope, name, argument.trim(), alias ?? text)]
  const [table] = /^`?\w+`?$/.test(expression) ? scope.tables(expression.replaceAll('`', '')) : []
  if (table !== undefined) return [{ key: alias ?? table, table }]
  const column = namedColumn(scope, expression)
  return [plain({ ...column, key: alias ?? column.key })]
}

function plain({ key, column }: ReturnType<typeof namedColumn>): Asked {
  return { key, selected: { is: 'column', column }, show: column.type.frappe.show }
}

/** Field asked for by an object, as the query builder of Frappe 16 sends it. */
function askedByObject(scope: QueryScope, field: object): Asked {
  const { as, ...rest } = field as Readonly<Record<string, unknown>>
  const [[name, argument] = ['', ''], ...more] = Object.entries(rest)
  if (more.length > 0 || typeof argument !== 'string' || argument.length > MAX_LENGTH)
    throw new DataError('fields: expected one function in an object, as {"COUNT": "*", "as": "n"}')
  const key = as ?? `${name}(${argument})`
  if (typeof key !== 'string' || key === '__proto__' || key.length > MAX_LENGTH)
    throw new DataError('fields: expected the name after "as" as text')
  return aggregate(scope, name, argument.trim(), key)
}

function aggregate(scope: QueryScope, name: string, argument: string, key: string): Asked {
  const is = AGGREGATES.find((one) => one === name.toLowerCase())
  if (!is)
    throw new DataError(
      `Function not permitted in query: ${shortened(name)}; expected one of ${AGGREGATES.join(', ')}`,
    )
  return { key, ...aggregated(scope, is, argument) }
}

function aggregated(
  scope: QueryScope,
  is: Aggregate,
  argument: string,
): Pick<AskedValue, 'selected' | 'show'> {
  const asItIs = (value: unknown): unknown => value
  if (is === 'count') {
    if (argument === '*') return { selected: { is }, show: asItIs }
    const distinct = DISTINCT.test(argument)
    const { column } = namedColumn(scope, argument.replace(DISTINCT, ''))
    return { selected: { is, column, distinct }, show: asItIs }
  }
  const { column } = namedColumn(scope, argument)
  if (is === 'min' || is === 'max')
    return { selected: { is, column }, show: column.type.frappe.show }
  if (column.type.storage !== 'integer')
    throw new DataError(`${is}: expected a field of numbers, got ${shortened(argument)}`)
  return { selected: { is, column }, show: asItIs }
}
