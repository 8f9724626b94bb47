import type { Registry } from '../../definition/model/registry.ts'
import {
  bindParameters,
  type ColumnOf,
  type SqlFragment,
  sqlText,
} from '../../expression/sql/sql-fragment.ts'
import { operatorsOf } from '../../expression/sql/sql-operators.ts'
import { toSqlCondition, toSqlValue } from '../../expression/sql/to-sql.ts'
import { assignedNode } from '../../expression/syntax/assign.ts'
import { isText, type ScalarKind } from '../../expression/tree/types.ts'
import type { ColumnValue, Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import { runSql } from '../../storage/database/statements.ts'
import { column } from '../base/columns.ts'
import { sourceOf } from '../base/source-rows.ts'
import { joined, sqlOf } from '../base/sql-parts.ts'
import { speaksOfDocstatus } from '../cells/record-search.ts'
import {
  type EachQuery,
  MOST_RESULTS,
  RECORD_OF_ROW,
  type SearchPlan,
  type SearchValue,
} from './search-plan.ts'

/** A value of the answer: its SQL beside what reads it. */
interface Shown {
  readonly name: string
  readonly sql: SqlFragment
  readonly isText: boolean
  decode(column: ColumnValue): Value
}

export type Query = Omit<SearchPlan, 'query' | 'keyOf'>

/** Writes the query of a plan that has been checked. */
export function eachQuery(plan: Query, kind: DatabaseKind, registry: Registry): EachQuery {
  const columns = columnsOf(plan)
  const shown = plan.values
    ? plan.values.map((value) => shownValue(value, kind, columns))
    : shownFields(plan, registry, columns)
  const fragment = plan.values
    ? groupedQuery(plan, plan.values, shown, kind, registry)
    : plainQuery(plan, shown, kind, registry)
  const text = sqlText(fragment, kind)
  return {
    async find(tx, environment) {
      const parameters = bindParameters(fragment, environment)
      const rows = await runSql<Record<string, ColumnValue>>(tx, text, parameters)
      return rows.map((row) =>
        Object.fromEntries(
          shown.map(({ name, decode }, index) => [name, decode(row[`v${index}`]!)]),
        ),
      )
    },
  }
}

/** Columns of what is found (`c` a row, `d` the record), and of the records its links name (`l0`, `l1`, …). */
function columnsOf({ sourceTable, links }: Query): ColumnOf {
  const own = sourceTable === undefined ? 'd.' : 'c.'
  return (of, name) => {
    if (of === 'document') return column('d.', name)
    if (of !== 'doc') {
      const index = links.findIndex(({ field }) => field === of)
      return index < 0 ? undefined : { ...column(`l${index}.`, name), nullable: true }
    }
    return sourceTable === undefined ? column(own, name) : { sql: `c."${name}"`, nullable: true }
  }
}

/** FROM and WHERE. A cancelled document counts only for a condition that speaks of its state. */
function body(plan: Query, kind: DatabaseKind, registry: Registry): SqlFragment {
  const { source, sourceTable, where, links } = plan
  const own = sourceTable === undefined ? 'd' : 'c'
  const joins = links.map(({ field, of, doctype }, index) => {
    const from = of === undefined ? own : `l${links.findIndex((link) => link.field === of)}`
    const link = of === undefined ? field : field.slice(of.length + 1)
    return `left join "${registry.byDoctype(doctype)!.table}" l${index} on l${index}."name" = ${from}."${link}"`
  })
  const isLive = source.submittable && !(where && speaksOfDocstatus(where.expression))
  const condition = where
    ? toSqlCondition(where.expression.tree, kind, columnsOf(plan))
    : sqlOf`(1 = 1)`
  const live = isLive ? ' and d."docstatus" < 2' : ''
  return sqlOf`from ${sourceOf({ source, sourceTable })} ${joins.join(' ')} where ${condition}${live}`
}

function plainQuery(
  plan: Query,
  shown: readonly Shown[],
  kind: DatabaseKind,
  registry: Registry,
): SqlFragment {
  const list = joined(
    // Nothing that the expressions name may be left to read.
    shown.length === 0 ? [sqlOf`1 as n`] : shown.map(({ sql }, at) => sqlOf`${sql} as v${at}`),
    ', ',
  )
  const order = orderOf(plan, shown, kind, (index) => shown[index]!.sql.parts[0]!)
  const oldest = plan.sourceTable === undefined ? 'd."rid"' : 'd."rid", c."idx"'
  return sqlOf`select ${list} ${body(plan, kind, registry)} order by ${[...order, oldest].join(', ')} limit ${limitOf(plan)}`
}

function groupedQuery(
  plan: Query,
  values: readonly SearchValue[],
  shown: readonly Shown[],
  kind: DatabaseKind,
  registry: Registry,
): SqlFragment {
  const inner = joined(
    shown.map(({ sql }, at) => sqlOf`${sql} as v${at}`),
    ', ',
  )
  const outer = values.map((value, at) => `${totalOf(value, at, kind)} as v${at}`)
  const keys = values.flatMap(({ operation }, at) => (operation === undefined ? [at] : []))
  const grouped = keys.length === 0 ? '' : `group by ${keys.map((at) => `r.v${at}`).join(', ')}`
  const totals = sqlOf`select ${outer.join(', ')} from (select ${inner} ${body(plan, kind, registry)}) r ${grouped}`
  const named = (at: number): string => `g.v${at}`
  const rest = keys.map((at) => (shown[at]!.isText ? bytewise(kind, named(at)) : named(at)))
  const order = [...orderOf(plan, shown, kind, named), ...rest]
  return sqlOf`select * from (${totals}) g ${order.length === 0 ? '' : `order by ${order.join(', ')}`} limit ${limitOf(plan)}`
}

function totalOf({ operation, type }: SearchValue, index: number, kind: DatabaseKind): string {
  if (operation === undefined) return `r.v${index}`
  if (isText(type.kind as ScalarKind)) return `${operation}(${bytewise(kind, `r.v${index}`)})`
  const total = `coalesce(${operation}(r.v${index}), 0)`
  // PostgreSQL adds up bigint as numeric; SQLite raises an error where a sum would leave 64 bits.
  return kind === 'postgres' ? `${total}::bigint` : total
}

function bytewise(kind: DatabaseKind, sql: string): string {
  return operatorsOf(kind).bytewise(sql)
}

/** Order of the rows: unset values come first, or last when it is turned round, on both databases. */
function orderOf(
  { order }: Query,
  shown: readonly Shown[],
  kind: DatabaseKind,
  sqlAt: (index: number) => string,
): readonly string[] {
  return order.map(({ name, isDown }) => {
    const index = shown.findIndex((one) => one.name === name)
    const text = shown[index]!.isText ? bytewise(kind, sqlAt(index)) : sqlAt(index)
    return `${text} ${isDown ? 'desc nulls last' : 'asc nulls first'}`
  })
}

function limitOf({ limit }: Query): number {
  return limit ?? MOST_RESULTS + 1
}

function shownValue(
  { name, type, operation, rule }: SearchValue,
  kind: DatabaseKind,
  columns: ColumnOf,
): Shown {
  const value = toSqlValue(assignedNode(rule.expression.tree, type), kind, columns)
  const isString = isText(type.kind as ScalarKind)
  return {
    name,
    // An unset date or text is no smallest and no largest one.
    sql: isString && operation !== undefined ? sqlOf`nullif(${value}, '')` : value,
    isText: isString,
    decode: (found) => decoded(type.kind as ScalarKind, found),
  }
}

function decoded(kind: ScalarKind, found: ColumnValue): Value {
  if (isText(kind)) return found === null || found === '' ? null : String(found)
  if (kind === 'bool') return Number(found ?? 0) !== 0
  return kind === 'int' ? Number(found ?? 0) : BigInt(found ?? 0)
}

/** The fields of the variable that expressions name, as columns of what is found. */
function shownFields(
  { source, sourceTable, used }: Query,
  registry: Registry,
  columns: ColumnOf,
): readonly Shown[] {
  const rowFields = source.fields.find(({ name }) => name === sourceTable)?.child?.fields
  return [...used].map((name): Shown => {
    if (sourceTable !== undefined && name === RECORD_OF_ROW)
      return { name, sql: sqlOf`d."name"`, isText: true, decode: (found) => found as Value }
    const field = rowFields
      ? rowFields.find((candidate) => candidate.name === name)
      : registry.fieldOf(source, name)
    const { sql } = columns('doc', name)!
    const kind = field && fieldType(field.type).kind
    return {
      name,
      sql: sqlOf`${sql}`,
      isText: kind === undefined ? name !== 'idx' : isText(kind),
      decode: (found) => {
        if (found === null) return null
        if (field) return fieldType(field.type).fromColumn(found, field)
        return name === 'idx' || name === 'docstatus' ? Number(found) : (found as Value)
      },
    }
  })
}
