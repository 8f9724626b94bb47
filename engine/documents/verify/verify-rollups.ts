import { once } from '../../base/once.ts'
import { runFragment } from '../../rules/base/sql-parts.ts'
import { isMadeBy } from '../../rules/rollups/made-record.ts'
import type { RollupPlan } from '../../rules/rollups/rollup-plan.ts'
import {
  type MissingTarget,
  type RollupDifference,
  rollupQueries,
} from '../../rules/rollups/rollup-query.ts'
import type { Services } from '../work/context.ts'
import { type Check, type Difference, shownColumn } from './verify-report.ts'
import { isTouched, type Scope } from './verify-scope.ts'

/** Name of a rollup: `Shelf.total`, `Tool Kit.items.billed_qty`. */
export function rollupName({ target, targetTable, field }: RollupPlan): string {
  return [target.doctype, ...(targetTable === undefined ? [] : [targetTable]), field.name].join('.')
}

/**
 * Check of every stored value of a rollup against the rows it is kept from, in one statement; in none where the
 * scope says that there is nothing to compare. Of what was written since a moment it compares the keys that this may
 * concern: those of a ledger's new rows, of targets that were written, and all where rows may have left a key.
 */
export async function checkRollup(
  { database }: Services,
  plan: RollupPlan,
  scope: Scope,
  limit: number,
): Promise<Check> {
  const { target, targetTable, source, field } = plan
  const isWhole = scope.from === undefined || mayLeaveKeys(plan, scope)
  const queries = once(() => rollupQueries(plan, database.kind, isWhole ? undefined : scope.from))
  const hasTargets =
    scope.filled.has(target.table) || (scope.from !== undefined && isTouched(scope, source.table))
  const differing = hasTargets
    ? await runFragment<RollupDifference>(
        database.read,
        database.kind,
        queries().differences(limit),
      )
    : []
  const found = differing.map(
    ({ record, idx, stored, expected }): Difference => ({
      doctype: target.doctype,
      id: record,
      field:
        targetTable === undefined ? field.name : `${targetTable}[${Number(idx) - 1}].${field.name}`,
      stored: shownColumn(field, stored),
      expected: shownColumn(field, expected),
    }),
  )
  const missing =
    makesRecords(plan) && scope.filled.has(source.table)
      ? await runFragment<MissingTarget>(database.read, database.kind, queries().missing(limit))
      : []
  const without = missing.map(
    ({ key, expected }): Difference => ({
      doctype: target.doctype,
      id: key,
      field: field.name,
      stored: null,
      expected: shownColumn(field, expected),
      message: 'there is no such record',
    }),
  )
  return {
    kind: 'rollup',
    name: rollupName(plan),
    differences: Number(differing[0]?.total ?? 0) + Number(missing[0]?.total ?? 0),
    found: [...found, ...without].slice(0, limit),
  }
}

/** Whether rows of the source may have counted for a key they no longer name: those of a ledger stay as they are. */
function mayLeaveKeys({ source }: RollupPlan, scope: Scope): boolean {
  return isTouched(scope, source.table) && !source.behaviour.ledger
}

/** Whether a key without a record gets one from this source (rules.md §4.1, upsert_from, made_by). */
export function makesRecords({ target, targetTable, source }: RollupPlan): boolean {
  return targetTable === undefined && isMadeBy(target, source)
}
