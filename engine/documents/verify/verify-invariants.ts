import { isoDateTime } from '../../base/clock.ts'
import { decimalToNumber } from '../../base/money.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { runFragment } from '../../rules/base/sql-parts.ts'
import {
  type InvariantBreach,
  type InvariantPlan,
  invariantQuery,
} from '../../rules/checks/invariant-query.ts'
import type { Services } from '../work/context.ts'
import type { Check, Difference } from './verify-report.ts'

/** Check of a declared invariant, in one statement over all its terms. */
export async function checkInvariant(
  { database, clock }: Services,
  { doctype }: DocTypeDefinition,
  plan: InvariantPlan,
  limit: number,
): Promise<Check> {
  const now = isoDateTime(clock)
  const breaches = await runFragment<InvariantBreach>(
    database.read,
    database.kind,
    invariantQuery(plan, database.kind, limit),
    { today: now.slice(0, 10), now, records: {} },
  )
  const found = breaches.map(
    (breach): Difference => ({
      doctype,
      id: plan.by.map((name, index) => `${name}=${breach[`k${index}`]}`).join(', '),
      field: '',
      stored: decimalToNumber(BigInt(breach.difference), plan.type.scale),
      expected: 0,
    }),
  )
  const differences = Number(breaches[0]?.total ?? 0)
  return { kind: 'invariant', name: `${doctype}: ${plan.name}`, differences, found }
}
