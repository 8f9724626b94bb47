import type { Actor } from '../../engine/access/actor.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/context.ts'
import type { Db } from '../../engine/storage/database.ts'
import type { PaymentProvider } from './provider.ts'
import { countEnabled } from './store.ts'

/** What payment needs of the process. */
export interface Billing {
  /** undefined: plans change without payment. */
  readonly provider: PaymentProvider | undefined
  /** Addresses people reach the workspace under, the one they come back to first. */
  readonly addresses: () => readonly string[]
}

/** Throws CONFLICT where no provider is configured. */
export function providerOf({ provider }: Billing): PaymentProvider {
  if (provider) return provider
  throw new AppError(
    'CONFLICT',
    'no payment provider is configured here, so nothing is to be paid: POST /v1/tiers/{slug}/subscribe changes the plan at once',
  )
}

/** People who are enabled: how many seats are in use. */
export async function seatsUsed({ registry }: Services, db: Db): Promise<number> {
  const users = registry.serving('users')
  return users ? countEnabled(db, users.table) : 0
}

/** A demo account sees a tier of its own and decides nothing about that of the workspace (spec §5). */
export function isDemo({ user }: Actor): boolean {
  const demoTier = user && 'demoTier' in user ? user.demoTier : undefined
  return demoTier !== undefined && demoTier !== null
}
