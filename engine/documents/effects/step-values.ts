import { validationError } from '../../base/errors.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import type { Environment, FieldValues } from '../../expression/tree/types.ts'
import type { Value } from '../../fields/field-type.ts'
import { isPublic } from '../../fields/public-fields.ts'
import type { StepRule } from '../../rules/base/compiled-rule.ts'
import { linkRecords } from '../../rules/base/reads.ts'
import { assigned } from '../../rules/cells/fill.ts'
import type { Assignment } from '../../rules/steps/step-plans.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { Touched } from '../work/touched.ts'
import type { Work } from '../work/work.ts'

/** Loop variables around an expression: the row or record that each `each` is at, by its `as`. */
export type RowRecords = Readonly<Record<string, FieldValues>>

/** Scope of the expressions of steps: one document, what the caller sent, what was created so far. */
export interface StepScope {
  readonly work: Work
  readonly entry: Touched
  readonly records: Record<string, FieldValues>
}

/** Runs a job that reads other records, again and again until nothing it asks for is missing. */
export async function settled<T>({ work }: StepScope, run: () => T): Promise<T> {
  for (;;) {
    const result = run()
    if (!(await work.reads.fill())) return result
  }
}

/** The value of an expression. */
export function resultOfRule(
  scope: StepScope,
  rule: StepRule,
  rows: RowRecords = {},
): ReturnType<ReturnType<StepRule['evaluate']>> {
  return evaluated(scope, rule, environmentOf(scope, rows))
}

/** Environment of a step's expressions: what they may read beside the document. */
export function environmentOf({ work, entry, records }: StepScope, rows: RowRecords): Environment {
  const { today, now, user } = work.environment
  return { today, now, records: { old: entry.start, user, ...records, ...rows } }
}

function evaluated(
  { work, entry }: StepScope,
  rule: StepRule,
  environment: Environment,
): ReturnType<ReturnType<StepRule['evaluate']>> {
  const doc = entry.current!
  try {
    if (rule.paths.length === 0) return rule.evaluate()(doc, environment)
    const records = { ...linkRecords(rule.paths, doc, work.reads), ...environment.records }
    return rule.evaluate()(doc, { ...environment, records })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const message = `${rule.expression.source}: ${error.message}`
    throw validationError([{ field: '', message, code: 'expression' }])
  }
}

/**
 * Values for the fields of a target. Amounts of the document itself (`own`) are rounded to its currency as a
 * formula is; for another record they come from fields that were.
 */
export function assignments(
  scope: StepScope,
  set: readonly Assignment[],
  rows: RowRecords = {},
  own?: Doc,
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>()
  const environment = environmentOf(scope, rows)
  for (const { field, type, rule } of set) {
    const result = evaluated(scope, rule, environment)
    try {
      const value = own
        ? assigned(rule, field, type, own, own, result)
        : assignValue(result, rule.expression, type)
      values.set(field.name, value)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      throw validationError([
        { field: isPublic(field) ? field.name : '', message: error.message, code: 'expression' },
      ])
    }
  }
  return values
}
