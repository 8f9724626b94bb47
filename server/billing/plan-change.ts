import { type Plan, type Plans, planOf, unlocks } from '../../engine/access/plans.ts'
import { AppError, validationError } from '../../engine/base/errors.ts'
import type { TierState } from '../../engine/storage/workspace/tier.ts'
import { isCharged, waitsForPayment } from './subscription-states.ts'

/** Way in which a wish for a tier comes true. */
export type PlanChange =
  /** Nothing has to be done: it is so already. */
  | { readonly kind: 'nothing' }
  /** Nobody has to pay: the workspace writes it down. */
  | { readonly kind: 'apply'; readonly seats: number | null }
  /** A first payment is needed. */
  | { readonly kind: 'checkout'; readonly seats: number }
  /** The subscription will cost more: the customer confirms that in the portal. */
  | { readonly kind: 'confirm'; readonly seats: number; readonly subscription: string }
  /** An open payment comes first. */
  | { readonly kind: 'settle' }
  /** The subscription will cost the same or less. */
  | { readonly kind: 'change'; readonly seats: number; readonly subscription: string }
  | { readonly kind: 'cancel'; readonly subscription: string }

/** State of the workspace that decides how a wish for a tier comes true. */
export interface PlanScene {
  readonly plans: Plans
  readonly state: TierState
  /** Whether a payment provider is configured. */
  readonly hasProvider: boolean
  /** Number of people who are enabled. */
  readonly users: number
}

/**
 * Decides what has to happen for a workspace to get a tier (ADR 23). Throws NOT_FOUND for a tier that is none,
 * CONFLICT where the operator or a provider that is gone decides, VALIDATION_ERROR for fewer seats than users.
 */
export function planChange(
  { plans, state, hasProvider, users }: PlanScene,
  tier: string,
  wanted: number | undefined,
): PlanChange {
  const plan = plans.plans.find(({ slug }) => slug === tier)
  if (!plan) throw unknownTier(plans, tier)
  const { override, subscription } = state
  if (!hasProvider) {
    if (isCharged(subscription)) throw providerGone()
    return { kind: 'apply', seats: isPaid(plan) ? (wanted ?? null) : null }
  }
  if (override !== undefined) throw operatorDecides(override)
  if (isCharged(subscription)) {
    const { subscription: id } = subscription
    if (!isPaid(plan)) return { kind: 'cancel', subscription: id }
    if (waitsForPayment(subscription)) return { kind: 'settle' }
    const paid = subscription.seats ?? 1
    const seats = enough(wanted ?? paid, users)
    const isSame = subscription.tier === tier && paid === seats
    if (isSame && !subscription.cancel_at_period_end) return { kind: 'nothing' }
    const before = planOf(plans, subscription.tier).price_per_user_month * paid
    const costsMore = plan.price_per_user_month * seats > before
    return { kind: costsMore ? 'confirm' : 'change', seats, subscription: id }
  }
  // What somebody has without paying, from before there was a provider, stays theirs.
  if (!isPaid(plan) || unlocks(plans, state.tier, tier))
    return { kind: 'apply', seats: isPaid(plan) ? (wanted ?? null) : null }
  return { kind: 'checkout', seats: enough(wanted ?? Math.max(users, 1), users) }
}

function isPaid({ price_per_user_month }: Plan): boolean {
  return price_per_user_month > 0
}

function enough(seats: number, users: number): number {
  if (seats >= users) return seats
  const message = `expected at least ${users}, one for each enabled user, got ${seats}; disable users or take more seats`
  throw validationError([{ field: 'seats', message, code: 'out_of_range' }])
}

/** 404 for the slug of a tier that plans.yaml lacks. */
function unknownTier({ plans }: Plans, tier: string): AppError {
  const known = plans.map(({ slug }) => slug).join(', ')
  return new AppError('NOT_FOUND', `there is no tier ${JSON.stringify(tier)}; there are ${known}`)
}

function operatorDecides(override: string): AppError {
  return new AppError(
    'CONFLICT',
    `whoever runs this workspace has set its tier to ${override}, nothing is to be paid; \`svc tier clear\` leaves it to the subscription again`,
  )
}

function providerGone(): AppError {
  return new AppError(
    'CONFLICT',
    'this workspace is charged by a payment provider that is not configured any more, so its plan cannot be changed here; nothing was changed',
  )
}
