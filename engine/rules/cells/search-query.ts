import { bindParameters, type SqlFragment, sqlText } from '../../expression/sql/sql-fragment.ts'
import { operatorsOf } from '../../expression/sql/sql-operators.ts'
import { toSqlValue } from '../../expression/sql/to-sql.ts'
import { assignedNode } from '../../expression/syntax/assign.ts'
import {
  type Environment,
  isText,
  type ScalarKind,
  unsetValue,
} from '../../expression/tree/types.ts'
import type { Field, Lookup } from '../../fields/field.ts'
import type { ColumnValue, Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import { askedFirst } from '../base/asked-first.ts'
import type { CompiledRule } from '../base/compiled-rule.ts'
import type { RuleReads } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import { sqlOf } from '../base/sql-parts.ts'
import { ownKindKey } from './own-kind.ts'
import {
  conditionFor,
  type RecordSearch,
  searchedColumn,
  speaksOfDocstatus,
} from './record-search.ts'

/** Query for one value of what a condition finds; `this` is among the environment's records. */
export type SearchQuery = (environment: Environment, reads: RuleReads) => Value

/** What is read of a found record or row: one of its fields, or an expression over it that `field` takes. */
export type FoundValue =
  | { readonly name: string; readonly field: Field }
  | { readonly rule: CompiledRule; readonly field: Field }

/** What of several is taken first is decided by: the value of a field, or of an expression over what is found. */
export type Latest = string | CompiledRule

/** Query for a value of the first that meets the condition: the one with the highest `latest`, else the oldest. */
export function firstQuery(
  search: RecordSearch,
  value: FoundValue,
  where: CompiledRule,
  latest: Latest | undefined,
): SearchQuery {
  const head = (kind: DatabaseKind): SqlFragment =>
    sqlOf`select ${foundValue(search, value, kind)} as value`
  return query(search, where, head, firstOf(search, latest), decoderOf(value.field), null)
}

/**
 * Query for several fields of the first that meets the condition, as the text of a JSON array with each value as text:
 * rules read one value at a time, and numbers in texts are not rounded.
 */
export function cellsQuery(
  search: RecordSearch,
  names: readonly string[],
  where: CompiledRule,
  latest: Latest | undefined,
): SearchQuery {
  const cells = names.map((name) => `cast(${searchedColumn(search, name)} as text)`).join(', ')
  const head = (kind: DatabaseKind): SqlFragment =>
    kind === 'postgres'
      ? sqlOf`select cast(json_build_array(${cells}) as text) as value`
      : sqlOf`select json_array(${cells}) as value`
  return query(search, where, head, firstOf(search, latest), String, null)
}

/** End of a statement that takes the first. */
function firstOf(search: RecordSearch, latest: Latest | undefined) {
  return (kind: DatabaseKind): SqlFragment =>
    sqlOf` order by ${firstOrder(search, latest, kind)} limit 1`
}

type Decode = (column: ColumnValue) => Value

function decoderOf(field: Field): Decode {
  return (column) => fieldType(field.type).fromColumn(column, field)
}

/** The order in which the first is taken: the highest `latest`, the newest of those alike; the oldest without it. */
export function firstOrder(
  search: RecordSearch,
  latest: Latest | undefined,
  kind: DatabaseKind,
): SqlFragment {
  const way = latest === undefined ? '' : ' desc'
  const row = search.sourceTable === undefined ? '' : `, c."idx"${way}`
  const first = latest === undefined ? '' : sqlOf`${rankOf(search, latest, kind)}, `
  return sqlOf`${first}d."rid"${way}${row}`
}

/** The value that is read of what is found. */
export function foundValue(
  search: RecordSearch,
  value: FoundValue,
  kind: DatabaseKind,
): SqlFragment {
  if ('name' in value) return sqlOf`${searchedColumn(search, value.name)}`
  const type = valueType(value.field)
  const each = toSqlValue(assignedNode(value.rule.expression.tree, type), kind, search.columns)
  return isText(type.kind as ScalarKind)
    ? sqlOf`nullif(${each}, '')`
    : sqlOf`cast(${each} as bigint)`
}

function rankOf(search: RecordSearch, latest: Latest, kind: DatabaseKind): SqlFragment {
  if (typeof latest === 'string') return sqlOf`${searchedColumn(search, latest)} desc nulls last`
  const { tree } = latest.expression
  const order = isText(tree.kind) ? operatorsOf(kind).bytewise('') : ''
  return sqlOf`(${toSqlValue(tree, kind, search.columns)})${order} desc`
}

/**
 * Query for one value over all that meet the condition. Each is brought to the type of the field first, as the engine
 * does before it adds; a sum or count of nothing is 0, a smallest or largest of nothing is unset.
 */
export function aggregateQuery(
  search: RecordSearch,
  field: Field,
  operation: NonNullable<Lookup['operation']>,
  value: CompiledRule,
  where: CompiledRule,
): SearchQuery {
  const type = valueType(field)
  const isOfText = isText(type.kind as ScalarKind)
  const head = (kind: DatabaseKind): SqlFragment => {
    const each = toSqlValue(assignedNode(value.expression.tree, type), kind, search.columns)
    // An unset date or text is no smallest and no largest one.
    if (isOfText) return sqlOf`select ${operation}(nullif(${each}, '')) as value`
    if (operation === 'min' || operation === 'max')
      return sqlOf`select cast(${operation}(${each}) as bigint) as value`
    return sqlOf`select cast(coalesce(sum(${each}), 0) as bigint) as value`
  }
  const isUnset = isOfText || operation === 'min' || operation === 'max'
  const nothing = isUnset ? null : unsetValue(type.kind as ScalarKind)
  return query(search, where, head, () => sqlOf``, decoderOf(field), nothing)
}

function query(
  search: RecordSearch,
  { expression }: CompiledRule,
  head: (kind: DatabaseKind) => SqlFragment,
  tail: (kind: DatabaseKind) => SqlFragment,
  decode: Decode,
  /** Value where nothing is found. */
  nothing: Value,
): SearchQuery {
  const { source } = search
  const canFind = askedFirst(expression.tree)
  const condition = conditionFor(expression.tree, search.columns)
  const keyOf = search.seeker && ownKindKey(search, search.seeker, expression.tree)
  const made = new Map<SqlFragment, { readonly whole: SqlFragment; readonly text: string }>()
  // A cancelled document is no source of anything, unless somebody asks for it.
  const isAlive =
    source.submittable && !speaksOfDocstatus(expression) ? ' and d."docstatus" < 2' : ''
  return (environment, reads) => {
    if (!canFind(environment)) return nothing
    if (keyOf && !reads.holds(keyOf(environment))) return nothing
    const { kind } = reads
    const where = condition(kind, environment)
    let statement = made.get(where)
    if (!statement) {
      const whole = sqlOf`${head(kind)} from ${search.from} where ${where}${isAlive}${tail(kind)}`
      statement = { whole, text: sqlText(whole, kind) }
      made.set(where, statement)
    }
    const parameters = bindParameters(statement.whole, environment)
    return reads.value(source.doctype, statement.text, parameters, decode)
  }
}
