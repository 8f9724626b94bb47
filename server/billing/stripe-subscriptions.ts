import type Stripe from 'stripe'
import type { ProviderSubscription, Purchase } from './provider.ts'
import { isMissing } from './stripe-errors.ts'
import { priceOf, TIER_MARK } from './stripe-products.ts'

/** Subscriptions looked at; the newest come first. */
const MOST_SUBSCRIPTIONS = 100

/** Order in which a customer's subscriptions count: one that runs before one that waits, ended ones last. */
const RANK_OF_STATUS: Readonly<Record<string, number>> = {
  active: 0,
  trialing: 0,
  past_due: 0,
  unpaid: 1,
  paused: 1,
  incomplete: 2,
}
const ENDED = 3

/** The subscription of a customer that counts, as it is now; undefined when there never was one. */
export async function subscriptionOf(
  stripe: Stripe,
  customer: string,
): Promise<ProviderSubscription | undefined> {
  const found = await stripe.subscriptions
    .list({ customer, status: 'all', limit: MOST_SUBSCRIPTIONS })
    .catch((error: unknown) => {
      if (isMissing(error)) return { data: [] }
      throw error
    })
  const rankOf = ({ status }: Stripe.Subscription): number => RANK_OF_STATUS[status] ?? ENDED
  const [first] = found.data
    .filter((one) => tierOf(one) !== undefined)
    .sort((a, b) => rankOf(a) - rankOf(b) || b.created - a.created)
  return first && shown(first)
}

/** Prices of ours say which tier they are of; another product of the same customer is none of our business. */
function tierOf(subscription: Stripe.Subscription): string | undefined {
  return subscription.items.data[0]?.price.metadata[TIER_MARK]
}

function shown(subscription: Stripe.Subscription): ProviderSubscription {
  const { id, status, cancel_at_period_end } = subscription
  const { quantity, current_period_end } = itemOf(subscription)
  return {
    id,
    status,
    tier: tierOf(subscription) ?? '',
    seats: quantity ?? 1,
    currentPeriodEnd: current_period_end ? new Date(current_period_end * 1000).toISOString() : null,
    cancelAtPeriodEnd: cancel_at_period_end,
  }
}

/** The one item of a subscription of ours. */
export function itemOf({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data
  if (!item) throw new Error(`the subscription ${id} has no items`)
  return item
}

/** Changes a subscription at once; what was paid and not used is credited. */
export async function changeSubscription(
  stripe: Stripe,
  id: string,
  { tier, seats }: Purchase,
  callKey: string,
): Promise<ProviderSubscription> {
  const price = await priceOf(stripe, tier)
  const item = itemOf(await stripe.subscriptions.retrieve(id))
  const changed = await stripe.subscriptions.update(
    id,
    {
      items: [{ id: item.id, price, quantity: seats }],
      cancel_at_period_end: false,
      proration_behavior: 'create_prorations',
    },
    { idempotencyKey: `${callKey}:change` },
  )
  return { ...shown(changed), tier }
}

/** Ends a subscription at once; what was paid and not used is credited. */
export async function cancelSubscription(
  stripe: Stripe,
  id: string,
  callKey: string,
): Promise<ProviderSubscription> {
  const ended = await stripe.subscriptions
    .cancel(id, { prorate: true }, { idempotencyKey: `${callKey}:cancel` })
    .catch((error: unknown) => {
      // It has ended already, which we only have not heard of yet.
      if (isMissing(error)) return stripe.subscriptions.retrieve(id)
      throw error
    })
  return shown(ended)
}
