import { bindParameters, type SqlFragment, sqlText } from '../../expression/sql/sql-fragment.ts'
import { toSqlCondition, toSqlValue } from '../../expression/sql/to-sql.ts'
import { assignedNode } from '../../expression/syntax/assign.ts'
import { isText } from '../../expression/tree/types.ts'
import type { Value } from '../../fields/field-type.ts'
import type { DatabaseKind, Db } from '../../storage/database/database.ts'
import { runSql } from '../../storage/database/statements.ts'
import { columnsOfSource, sourceOf } from '../base/source-rows.ts'
import { NO_ENVIRONMENT } from '../base/sql-parts.ts'
import type { RollupPlan } from './rollup-plan.ts'

/**
 * Makes the query for the value of one key from the rows themselves, which deltas cannot know once the smallest or
 * largest has gone, or for a record that is younger than its rows. The text is made once for each rollup and
 * database.
 */
export function createRollupOfKey(): (
  tx: Db,
  kind: DatabaseKind,
  plan: RollupPlan,
  key: string,
) => Promise<Value> {
  const made = new Map<
    string,
    { readonly text: string; readonly before: unknown[]; readonly after: unknown[] }
  >()
  return async (tx, kind, plan, key) => {
    const id = `${kind} ${plan.target.doctype}.${plan.targetTable ?? ''}.${plan.field.name}`
    let query = made.get(id)
    if (!query) {
      query = queryOf(plan, kind)
      made.set(id, query)
    }
    const parameters = [...query.before, key, ...query.after]
    const rows = await runSql<{ value: bigint | string | null }>(tx, query.text, parameters)
    const value = rows[0]?.value ?? null
    if (value === null && (plan.operation === 'sum' || plan.operation === 'count'))
      return plan.type.kind === 'int' ? 0 : 0n
    if (value === null || isText(plan.type.kind as 'str')) return value as Value
    return plan.type.kind === 'int' ? Number(value) : BigInt(value)
  }
}

function queryOf(
  plan: RollupPlan,
  kind: DatabaseKind,
): { readonly text: string; readonly before: unknown[]; readonly after: unknown[] } {
  const columns = columnsOfSource(plan)
  const value: SqlFragment = plan.value
    ? toSqlValue(assignedNode(plan.value.expression.tree, plan.type), kind, columns)
    : { parts: ['1'], parameters: [] }
  const match = toSqlValue(plan.match.expression.tree, kind, columns)
  const where = plan.where && toSqlCondition(plan.where.expression.tree, kind, columns)
  let index = 1
  const text = (fragment: SqlFragment): string => {
    const written = sqlText(fragment, kind, index)
    index += fragment.parameters.length
    return written
  }
  const shown = isText(plan.type.kind as 'str') ? `nullif(${text(value)}, '')` : text(value)
  const keyed = text(match)
  const mark = kind === 'sqlite' ? '?' : `$${index}`
  index += 1
  const condition = where ? ` and ${text(where)}` : ''
  const bound = (fragment: SqlFragment | undefined): unknown[] =>
    fragment ? bindParameters(fragment, NO_ENVIRONMENT) : []
  return {
    // A sum of whole numbers is of another type on PostgreSQL, where only bigint is read exactly.
    text: `select cast(${plan.operation}(${shown}) as ${isText(plan.type.kind as 'str') ? 'text' : 'bigint'}) as value from ${sourceOf(plan)} where ${keyed} = ${mark}${condition}`,
    before: [...bound(value), ...bound(match)],
    after: bound(where),
  }
}
