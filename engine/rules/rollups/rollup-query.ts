import type { SqlFragment } from '../../expression/sql/sql-fragment.ts'
import { operatorsOf } from '../../expression/sql/sql-operators.ts'
import { toSqlCondition, toSqlValue } from '../../expression/sql/to-sql.ts'
import { assignedNode } from '../../expression/syntax/assign.ts'
import { isText, type ScalarKind } from '../../expression/tree/types.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import { columnsOfSource, sourceOf } from '../base/source-rows.ts'
import { joined, sqlOf } from '../base/sql-parts.ts'
import type { RollupPlan } from './rollup-plan.ts'

/** A target of a rollup that does not hold what its source rows add up to. */
export interface RollupDifference {
  /** Name of the record. */
  readonly record: string
  /** Place of the child row, from 1; null where the record itself is the target. */
  readonly idx: bigint | null
  readonly stored: bigint | string | null
  readonly expected: bigint | string | null
  /** Number of differences in all. */
  readonly total: bigint
}

/** A key that source rows name and no record of the target has. */
export interface MissingTarget {
  readonly key: string
  readonly expected: bigint | string | null
  /** `rid` of the first source document with this key. */
  readonly first: bigint
  readonly total: bigint
}

/** SQL of one rollup, from the same expressions that keep it by deltas (rules.md §4.2). */
export interface RollupQueries {
  /** `key`, `value` and `first` for every key that source rows name; an empty key never counts. */
  readonly grouped: SqlFragment
  /** The targets that differ, oldest first: rows of RollupDifference. */
  differences(limit: number): SqlFragment
  /** Keys without a record, for a DocType whose records its source makes: rows of MissingTarget. */
  missing(limit: number): SqlFragment
  /** Sets the targets that differ; returns `record`, the rid of each one's record. */
  readonly rebuild: SqlFragment
}

/**
 * Compiles the statements of a rollup; with `from`, over the keys alone that rows of the source have which were written
 * at that moment (ISO) or later, and those of targets that were. Throws ExpressionProblem for what no database can
 * compute.
 */
export function rollupQueries(plan: RollupPlan, kind: DatabaseKind, from?: string): RollupQueries {
  const { target, targetTable, field } = plan
  const keys = from === undefined ? undefined : writtenKeys(plan, kind, from)
  const grouped = groupedSource(plan, kind, keys)
  const table = targetTable === undefined ? target.table : `${target.table}__${targetTable}`
  const [key, own] = targetTable === undefined ? ['name', 'rid'] : ['row_id', 'parent']
  const expected = isAdded(plan) ? 'coalesce(s.value, 0)' : 's.value'
  const compared = sqlOf`"${table}" t left join (${grouped}) s on s.key = t."${key}"`
  const ofKeys = keys ? sqlOf` and t."${key}" in (${keys})` : sqlOf``
  const differs = sqlOf`t."${field.name}" is distinct from ${expected}${ofKeys}`
  const [record, idx, owner, order] =
    targetTable === undefined
      ? ['t."name"', 'null', '', 't."rid"']
      : [
          'o."name"',
          't."idx"',
          `join "${target.table}" o on o."rid" = t."parent"`,
          'o."rid", t."idx"',
        ]
  return {
    grouped,
    differences: (limit) =>
      sqlOf`select ${record} as record, ${idx} as idx, t."${field.name}" as stored, ${expected} as expected,
        count(*) over () as total from ${compared} ${owner} where ${differs} order by ${order} limit ${limit}`,
    missing: (limit) =>
      sqlOf`select s.key as key, s.value as expected, s.first as first, count(*) over () as total
        from (${grouped}) s left join "${table}" t on t."${key}" = s.key where t."${key}" is null
        order by s.first limit ${limit}`,
    rebuild: sqlOf`update "${table}" as u set "${field.name}" = x.value
      from (select t."${key}" as target, ${expected} as value from ${compared} where ${differs}) x
      where u."${key}" = x.target returning "${own}" as record`,
  }
}

/** Whether a rollup adds up: sum and count of nothing are 0, min and max of nothing are unset. */
function isAdded({ operation }: RollupPlan): boolean {
  return operation === 'sum' || operation === 'count'
}

function groupedSource(
  plan: RollupPlan,
  kind: DatabaseKind,
  keys: SqlFragment | undefined,
): SqlFragment {
  const columns = columnsOfSource(plan)
  const key = toSqlValue(plan.match.expression.tree, kind, columns)
  const value = rowValue(plan, kind)
  const conditions = [
    ...(plan.where ? [sqlOf`(${toSqlCondition(plan.where.expression.tree, kind, columns)})`] : []),
    ...(keys ? [sqlOf`${key} in (${keys})`] : []),
  ]
  const where = conditions.length === 0 ? sqlOf`` : sqlOf`where ${joined(conditions, ' and ')}`
  return sqlOf`select r.key as key, ${aggregate(plan, kind)} as value, min(r.rid) as first
    from (select ${key} as key, ${value} as value, d."rid" as rid from ${sourceOf(plan)} ${where}) r
    where r.key <> '' group by r.key`
}

/** Statement of the keys of which a row or a target was written at a moment or later. */
function writtenKeys(plan: RollupPlan, kind: DatabaseKind, from: string): SqlFragment {
  const { target, targetTable } = plan
  const moment: SqlFragment = { parts: ['', ''], parameters: [{ from: 'constant', text: from }] }
  const key = toSqlValue(plan.match.expression.tree, kind, columnsOfSource(plan))
  const targets =
    targetTable === undefined
      ? `select o."name" from "${target.table}" o`
      : `select w."row_id" from "${target.table}__${targetTable}" w join "${target.table}" o on o."rid" = w."parent"`
  return sqlOf`select ${key} from ${sourceOf(plan)} where d."modified" >= ${moment}
    union ${targets} where o."modified" >= ${moment}`
}

/** The value of one row, rounded to the target's scale as the engine rounds it before it adds. */
export function rowValue(plan: RollupPlan, kind: DatabaseKind): SqlFragment {
  if (!plan.value) return sqlOf`1`
  const assigned = assignedNode(plan.value.expression.tree, plan.type)
  const value = toSqlValue(assigned, kind, columnsOfSource(plan))
  // An unset date or text is no smallest and no largest one.
  return isText(plan.type.kind as ScalarKind) ? sqlOf`nullif(${value}, '')` : value
}

function aggregate({ operation, type }: RollupPlan, kind: DatabaseKind): string {
  if (operation === 'count') return 'count(*)'
  if (isText(type.kind as ScalarKind))
    return `${operation}(${operatorsOf(kind).bytewise('r.value')})`
  // PostgreSQL adds up bigint as numeric; SQLite raises an error where a sum would leave 64 bits.
  return kind === 'postgres' ? `${operation}(r.value)::bigint` : `${operation}(r.value)`
}
