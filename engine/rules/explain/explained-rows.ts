import type { SqlFragment } from '../../expression/sql/sql-fragment.ts'
import { toSqlCondition, toSqlValue } from '../../expression/sql/to-sql.ts'
import type { Environment } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import { askedFirst } from '../base/asked-first.ts'
import { columnsOfSource, type RowOrigin, sourceOf } from '../base/source-rows.ts'
import { sqlOf } from '../base/sql-parts.ts'
import type { Found } from '../cells/lookup.ts'
import { conditionFor, speaksOfDocstatus } from '../cells/record-search.ts'
import { firstOrder, foundValue } from '../cells/search-query.ts'
import type { RollupPlan } from '../rollups/rollup-plan.ts'
import { rowValue } from '../rollups/rollup-query.ts'

/*
 * What a value was made of, as a SELECT of the columns rid and name of the record, idx and row_id of its row (0 and
 * null where there is none) and value: what the record adds, or what is compared.
 */

/** What adds up to a rollup of this key: a record's name, or the `row_id` of a row. */
export function rollupRows(plan: RollupPlan, kind: DatabaseKind, key: string): SqlFragment {
  const columns = columnsOfSource(plan)
  const match = toSqlValue(plan.match.expression.tree, kind, columns)
  const where = plan.where
    ? sqlOf` and ${toSqlCondition(plan.where.expression.tree, kind, columns)}`
    : sqlOf``
  const bound: SqlFragment = { parts: ['', ''], parameters: [{ from: 'constant', text: key }] }
  return sqlOf`select ${identity(plan)}, ${rowValue(plan, kind)} as value from ${sourceOf(plan)} where ${match} = ${bound}${where}`
}

/**
 * What a look-up by a condition finds now: the one record that it takes its value from, or all that it is over;
 * undefined where the values that it is asked with can find nothing.
 */
export function lookupRows(
  { search, where, value, latest }: Found,
  field: Field,
  kind: DatabaseKind,
  environment: Environment,
): SqlFragment | undefined {
  const { tree } = where.expression
  if (!askedFirst(tree)(environment)) return undefined
  const condition = conditionFor(tree, search.columns)(kind, environment)
  const isAlive =
    search.source.submittable && !speaksOfDocstatus(where.expression)
      ? ' and d."docstatus" < 2'
      : ''
  const order =
    field.lookup!.operation === undefined
      ? sqlOf` order by ${firstOrder(search, latest, kind)} limit 1`
      : ''
  const taken = foundValue(search, value, kind)
  return sqlOf`select ${identity(search)}, ${taken} as value from ${search.from} where ${condition}${isAlive}${order}`
}

function identity({ sourceTable }: RowOrigin): string {
  const row =
    sourceTable === undefined
      ? '0 as idx, cast(null as text) as row_id'
      : 'c."idx" as idx, c."row_id" as row_id'
  return `d."rid" as rid, d."name" as name, ${row}`
}
