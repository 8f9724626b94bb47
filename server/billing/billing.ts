import type { Actor } from '../../engine/access/actor.ts'
import { assertManager } from '../../engine/access/can.ts'
import { STRANGER_ROLE } from '../../engine/access/roles.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { countSeats } from '../../engine/storage/workspace/people.ts'
import type { PaymentProvider } from './provider.ts'

/** Services that payment needs of the process. */
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

/** Number of seats in use: people who are enabled. */
export async function seatsUsed({ registry }: Services, db: Db): Promise<number> {
  const users = registry.serving('users')
  return users ? countSeats(db, users, STRANGER_ROLE) : 0
}

/**
 * Refuses all but System Managers with a credential of scope admin, and demo accounts: those see a tier of
 * their own and decide nothing about that of the workspace (spec §5). Throws 401 or 403.
 */
export function assertMayBuy(actor: Actor): void {
  assertManager(actor, 'admin', 'change the plan of the workspace')
  if (actor.user?.demoTier === undefined) return
  throw new AppError('FORBIDDEN', 'a demo account may not change the plan of the workspace')
}
