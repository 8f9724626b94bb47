import { validationError } from '../../base/errors.ts'
import type { StepRule } from '../../rules/base/compiled-rule.ts'
import { type EachPlan, MOST_RESULTS, type SearchPlan } from '../../rules/steps/search-plan.ts'
import type { RowsPlan } from '../../rules/steps/step-plans.ts'
import { rowsOf } from '../../storage/database/document.ts'
import { lockKey } from '../../storage/database/key-lock.ts'
import {
  environmentOf,
  type RowRecords,
  resultOfRule,
  type StepScope,
  settled,
} from './step-values.ts'

/**
 * Loop sources of a step, one by one: the variables of `outer` and, where it has an `each`, that of each row or
 * found record; `outer` alone without one. Throws VALIDATION_ERROR when a query finds more than may be gone through.
 */
export async function eachOf(
  scope: StepScope,
  each: EachPlan | undefined,
  outer: RowRecords = {},
): Promise<readonly RowRecords[]> {
  if (!each) return [outer]
  const { as, table, search } = each
  const records = search
    ? await findAll(scope, search, outer)
    : rowsOf(scope.entry.current!, table ?? '')
  const sources = records.map((record): RowRecords => ({ ...outer, [as]: record }))
  return meeting(scope, each.if, sources)
}

/** Loop sources of the rows of a ledger or of a new record, without those that the condition of the rows leaves out. */
export async function rowSources(
  scope: StepScope,
  plan: RowsPlan,
  outer: RowRecords = {},
): Promise<readonly RowRecords[]> {
  return meeting(scope, plan.if, await eachOf(scope, plan.each, outer))
}

function meeting(
  scope: StepScope,
  condition: StepRule | undefined,
  sources: readonly RowRecords[],
): Promise<readonly RowRecords[]> | readonly RowRecords[] {
  if (!condition) return sources
  return settled(scope, () =>
    sources.filter((rows) => resultOfRule(scope, condition, rows) === true),
  )
}

async function findAll(
  scope: StepScope,
  plan: SearchPlan,
  outer: RowRecords,
): Promise<readonly RowRecords[string][]> {
  const { tx, context } = scope.work
  const { kind } = context.services.database
  const environment = environmentOf(scope, outer)
  const records = { ...environment.records, this: scope.entry.current! }
  const here = { ...environment, records }
  if (plan.keyOf) await lockKey(tx, kind, plan.keyOf(here))
  const found = await plan.query(kind).find(tx, here)
  if (found.length <= MOST_RESULTS) return found
  const { labelPlural } = plan.source
  throw validationError([
    {
      field: '',
      message: `more than ${MOST_RESULTS} ${labelPlural} meet the condition, which is more than one step goes through; narrow it down`,
      code: 'out_of_range',
    },
  ])
}
