import type {
  Subscription,
  SubscriptionChange,
} from '../../engine/storage/workspace/subscription.ts'
import type { ProviderSubscription } from './provider.ts'

/** Effect of a state of the provider's subscription on the workspace. */
type Effect = 'grants' | 'ends' | 'waits'

/**
 * The states of a subscription at the provider (docs/billing.md). `past_due` keeps the tier: the provider tries
 * the payment again for as long as it is set up to, then says `unpaid` or `canceled`. A state we do not know
 * changes nothing.
 */
const EFFECT_OF_STATUS: Readonly<Record<string, Effect>> = {
  active: 'grants',
  trialing: 'grants',
  past_due: 'grants',
  unpaid: 'ends',
  paused: 'ends',
  canceled: 'ends',
  incomplete_expired: 'ends',
  incomplete: 'waits',
}

/** States in which the provider still has the subscription, to be changed or paid, though it may grant nothing. */
const RUNNING: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])

/** Subscription of a workspace that pays for nothing; `lowest` is the tier without payment. */
export function unpaid(lowest: string, status: string): SubscriptionChange {
  return {
    tier: lowest,
    status,
    seats: null,
    current_period_end: null,
    cancel_at_period_end: false,
  }
}

/**
 * Change of the workspace's subscription when the provider has `found`. One that ends takes away only what it
 * gave: a purchase that was never finished takes nothing.
 */
export function followed(
  row: Subscription,
  found: ProviderSubscription | undefined,
  lowest: string,
): SubscriptionChange {
  if (!found) return row.subscription === null ? {} : unpaid(lowest, 'canceled')
  const effect = EFFECT_OF_STATUS[found.status] ?? 'waits'
  if (effect === 'waits') return {}
  if (effect === 'ends') return row.subscription === found.id ? unpaid(lowest, found.status) : {}
  return {
    tier: found.tier,
    status: found.status,
    seats: found.seats,
    subscription: found.id,
    current_period_end: found.currentPeriodEnd,
    cancel_at_period_end: found.cancelAtPeriodEnd,
  }
}

/** True when the provider charges for the workspace, or would when an open payment is made. */
export function isCharged(
  row: Subscription | undefined,
): row is Subscription & { readonly subscription: string; readonly customer: string } {
  return (
    row !== undefined &&
    row.subscription !== null &&
    row.customer !== null &&
    RUNNING.has(row.status)
  )
}

/** True when a subscription is there that grants nothing until an open payment is made. */
export function waitsForPayment({ status }: Subscription): boolean {
  return RUNNING.has(status) && EFFECT_OF_STATUS[status] === 'ends'
}
