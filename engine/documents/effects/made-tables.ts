import type { TablesPlan } from '../../rules/steps/step-plans.ts'
import { rowSources } from './each-source.ts'
import { wireOf } from './step-input.ts'
import { assignments, type RowRecords, type StepScope, settled } from './step-values.ts'

/** The `rows` of a step as a body: table → rows as callers send them. `outer` is what is gone through around them. */
export async function madeTables(
  scope: StepScope,
  tables: TablesPlan,
  outer: RowRecords,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  for (const { field, rows } of tables) {
    const made: Record<string, unknown>[] = []
    for (const plan of rows) {
      const sources = await rowSources(scope, plan, outer)
      made.push(
        ...(await settled(scope, () =>
          sources.map((row) => wireOf(assignments(scope, plan.set, row), plan.set)),
        )),
      )
    }
    body[field.name] = made
  }
  return body
}
