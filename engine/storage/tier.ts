import { type Plans, planOf } from '../access/plans.ts'
import type { Db } from './database.ts'
import { readSetting } from './settings.ts'

/** The operator's override in `svc_settings` (`svc tier set`). */
export const TIER_SETTING = 'tier'

/** The tier of a workspace that nobody has chosen one for (contract §3, Tiers). */
export const DEFAULT_TIER = 'free'

/** The tier of a workspace. */
export interface TierState {
  readonly tier: string
}

/** The effective tier of the workspace. */
export async function readTier(db: Db): Promise<string> {
  return (await readTierState(db)).tier
}

export async function readTierState(db: Db): Promise<TierState> {
  return { tier: (await readSetting(db, TIER_SETTING)) ?? DEFAULT_TIER }
}

/** Users that may be enabled in a workspace of this tier; null is no limit. */
export function seatsOf(plans: Plans, { tier }: TierState): number | null {
  return planOf(plans, tier).seats
}
