import { lowestTier, type Plans, planOf } from '../../access/plans.ts'
import type { DatabaseKind, Db } from '../database/database.ts'
import { readSetting, removeSetting, writeSetting } from './settings.ts'
import { readSubscription, SUBSCRIPTION_ID, type Subscription } from './subscription.ts'

/** The operator's override in `svc_settings` (`svc tier set`). */
const TIER_SETTING = 'tier'

/** Why a workspace has the tier it has, highest right first. */
export type TierSource = 'override' | 'subscription' | 'default'

/** The tier of a workspace, and what it comes from. */
export interface TierState {
  readonly tier: string
  readonly source: TierSource
  readonly override: string | undefined
  readonly subscription: Subscription | undefined
}

/** The tier of the workspace as `db` sees it: the operator's override, else the subscription's, else the lowest. */
export async function readTier(db: Db, plans: Plans): Promise<string> {
  return (await readTierState(db, plans)).tier
}

/** The same, with where it comes from. */
export async function readTierState(db: Db, plans: Plans): Promise<TierState> {
  const override = await readSetting(db, TIER_SETTING)
  const subscription = await readSubscription(db)
  if (override !== undefined) return { tier: override, source: 'override', override, subscription }
  if (subscription && subscription.status !== '')
    return { tier: subscription.tier, source: 'subscription', override, subscription }
  return { tier: lowestTier(plans), source: 'default', override, subscription }
}

/**
 * Users that may be enabled in a workspace of this tier: those that are paid for, else those of the plan; null
 * is no limit.
 */
export function seatsOf(plans: Plans, { tier, source, subscription }: TierState): number | null {
  const paid = source === 'subscription' ? (subscription?.seats ?? null) : null
  return paid ?? planOf(plans, tier).seats
}

/** Sets the operator's override; undefined takes it away. */
export async function writeOverride(tx: Db, tier: string | undefined): Promise<void> {
  if (tier === undefined) await removeSetting(tx, TIER_SETTING)
  else await writeSetting(tx, TIER_SETTING, tier)
}

/** Tables that the tier is read of. */
export const TIER_TABLES = ['svc_settings', 'svc_subscription'] as const

/**
 * Subselect of what `readTier` reads, for the one query every request begins with: null where nobody has chosen a
 * tier. `first` is the place of its first parameter on PostgreSQL.
 */
export function tierSubselect(
  kind: DatabaseKind,
  first: number,
): { readonly sql: string; readonly parameters: readonly string[] } {
  const at = (offset: number): string => (kind === 'sqlite' ? '?' : `$${first + offset}`)
  return {
    sql: `coalesce((select value from svc_settings where key = ${at(0)}),
      (select tier from svc_subscription where id = ${at(1)}))`,
    parameters: [TIER_SETTING, SUBSCRIPTION_ID],
  }
}
