import { type Actor, SYSTEM_ACTOR } from '../../access/actor.ts'
import type { Plans } from '../../access/plans.ts'
import { isoDateTime } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Db } from '../../storage/database/database.ts'
import { readTier, writeOverride } from '../../storage/workspace/tier.ts'
import type { Services } from '../work/context.ts'
import { logEvents } from '../work/log-events.ts'

/**
 * Runs what may change the tier of the workspace, in its transaction, and logs `tiers.changed` when it did. The
 * caller calls `services.eventsCommitted()` after the commit.
 */
export async function noteTierChange<T>(
  tx: Db,
  services: Services,
  actor: Actor,
  change: () => Promise<T>,
): Promise<T> {
  const before = await readTier(tx, services.plans)
  const result = await change()
  const after = await readTier(tx, services.plans)
  if (after !== before) {
    const data = JSON.stringify({ id: after, tier: after, previous_tier: before })
    const line = { resource: 'tiers', kind: 'changed', record_id: after, data }
    await logEvents(tx, { services, actor }, isoDateTime(services.clock), [line])
  }
  return result
}

/**
 * Sets the operator's override of the tier; undefined takes it away. Throws VALIDATION_ERROR for a tier that
 * plans.yaml lacks.
 */
export async function setOverride(services: Services, tier: string | undefined): Promise<void> {
  if (tier !== undefined) assertTier(services.plans, tier)
  await services.database.write((tx) =>
    noteTierChange(tx, services, SYSTEM_ACTOR, () => writeOverride(tx, tier)),
  )
  services.eventsCommitted()
}

function assertTier({ plans }: Plans, tier: string): void {
  if (plans.some(({ slug }) => slug === tier)) return
  const known = plans.map(({ slug }) => slug).join(', ')
  throw new AppError(
    'VALIDATION_ERROR',
    `expected one of the tiers ${known}, got ${JSON.stringify(tier)}`,
  )
}
