import type Stripe from 'stripe'
import { BRAND } from '../../engine/base/brand.ts'
import { AppError } from '../../engine/base/errors.ts'
import {
  type CheckoutRequest,
  type PaymentProvider,
  type PortalRequest,
  ProviderError,
  type ProviderSubscription,
} from './provider.ts'
import { isMissing, providerError } from './stripe-errors.ts'
import { readStripeEvent } from './stripe-events.ts'
import { lookupKey, PORTAL_MARK, setUpProducts, TIER_MARK } from './stripe-products.ts'

export interface StripeOptions {
  readonly secretKey: string
  /** Signs its events; without it none is believed. */
  readonly webhookSecret: string | undefined
  /** Where its API is; undefined is Stripe's own. */
  readonly apiBase: string | undefined
}

/** One call takes at most this long, in ms, and is tried again once when no answer came. */
const TIMEOUT = 10_000
const RETRIES = 1

/** Subscriptions looked at; the newest come first. */
const MOST_SUBSCRIPTIONS = 100

/** Which of a customer's subscriptions counts: one that runs goes before one that waits, ended ones last. */
const RANK_OF_STATUS: Readonly<Record<string, number>> = {
  active: 0,
  trialing: 0,
  past_due: 0,
  unpaid: 1,
  paused: 1,
  incomplete: 2,
}
const ENDED = 3

/** Stripe as payment provider; the only place that knows its library, which is loaded at the first call. */
export function stripeProvider({
  secretKey,
  webhookSecret,
  apiBase,
}: StripeOptions): PaymentProvider {
  let loading: Promise<Stripe> | undefined

  function client(): Promise<Stripe> {
    loading ??= import('stripe').then(
      ({ default: Library }) =>
        new Library(secretKey, {
          timeout: TIMEOUT,
          maxNetworkRetries: RETRIES,
          telemetry: false,
          appInfo: { name: BRAND.toLowerCase() },
          ...(apiBase === undefined ? {} : hostOf(apiBase)),
        }),
    )
    return loading
  }

  async function call<T>(job: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await client()
    try {
      return await job(stripe)
    } catch (error) {
      throw providerError(error)
    }
  }

  return {
    name: 'stripe',
    hearsEvents: webhookSecret !== undefined,
    customer: (reference, known) => call((stripe) => customerOf(stripe, reference, known)),
    checkout: (request, callKey) => call((stripe) => checkout(stripe, request, callKey)),
    portal: (request, callKey) => call((stripe) => portal(stripe, request, callKey)),
    change: (id, { tier, seats }, callKey) =>
      call(async (stripe) => {
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
      }),
    cancel: (id, callKey) =>
      call(async (stripe) => {
        const ended = await stripe.subscriptions
          .cancel(id, { prorate: true }, { idempotencyKey: `${callKey}:cancel` })
          .catch((error: unknown) => {
            // It has ended already, which we only have not heard of yet.
            if (isMissing(error)) return stripe.subscriptions.retrieve(id)
            throw error
          })
        return shown(ended)
      }),
    subscriptionOf: (customer) => call((stripe) => subscriptionOf(stripe, customer)),
    async readEvent(body, signature, now) {
      if (webhookSecret === undefined) throw new Error('there is no secret to read events with')
      return readStripeEvent(await client(), { body, signature, secret: webhookSecret, now })
    },
    setUp: (plans, options) => call((stripe) => setUpProducts(stripe, plans, options)),
  }
}

function hostOf(apiBase: string): Stripe.StripeConfig {
  const { protocol, hostname, port } = new URL(apiBase)
  return {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
  }
}

async function customerOf(
  stripe: Stripe,
  reference: string,
  known: string | null,
): Promise<string> {
  if (known !== null && (await isThere(stripe, known))) return known
  const { id } = await stripe.customers.create(
    {
      description: 'Business workspace',
      metadata: { [`${BRAND.toLowerCase()}_reference`]: reference },
    },
    { idempotencyKey: `${reference}:customer:${known ?? 'first'}` },
  )
  return id
}

/** A customer can be deleted at the provider, or belong to an account or mode of before. */
async function isThere(stripe: Stripe, customer: string): Promise<boolean> {
  try {
    const found = await stripe.customers.retrieve(customer)
    return !('deleted' in found && found.deleted)
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function checkout(
  stripe: Stripe,
  { customer, reference, tier, seats, successUrl, cancelUrl }: CheckoutRequest,
  callKey: string,
): Promise<string> {
  const price = await priceOf(stripe, tier)
  const { url } = await stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer,
      client_reference_id: reference,
      line_items: [{ price, quantity: seats }],
      subscription_data: { metadata: { [TIER_MARK]: tier } },
      success_url: successUrl,
      cancel_url: cancelUrl,
    },
    { idempotencyKey: `${callKey}:checkout` },
  )
  return addressOf(url)
}

async function portal(
  stripe: Stripe,
  { customer, returnUrl, change }: PortalRequest,
  callKey: string,
): Promise<string> {
  const configuration = await portalOf(stripe)
  const flow = change && {
    type: 'subscription_update_confirm',
    after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
    subscription_update_confirm: {
      subscription: change.subscription,
      items: [
        {
          id: itemOf(await stripe.subscriptions.retrieve(change.subscription)).id,
          price: await priceOf(stripe, change.tier),
          quantity: change.seats,
        },
      ],
    },
  }
  const { url } = await stripe.billingPortal.sessions.create(
    { customer, configuration, return_url: returnUrl, ...(flow ? { flow_data: flow } : {}) },
    { idempotencyKey: `${callKey}:portal` },
  )
  return addressOf(url)
}

async function priceOf(stripe: Stripe, tier: string): Promise<string> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey(tier)], active: true })
  const [price] = data
  if (!price) throw notSetUp(`has no price for the tier ${tier}`)
  return price.id
}

async function portalOf(stripe: Stripe): Promise<string> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  const own = data.find(({ metadata }) => metadata?.[PORTAL_MARK] !== undefined)
  if (!own) throw notSetUp('has no customer portal for this workspace')
  return own.id
}

function notSetUp(problem: string): ProviderError {
  return new ProviderError(
    'CONFLICT',
    `the payment provider ${problem} yet; whoever runs the workspace runs \`svc billing setup\` once`,
    { answered: true },
  )
}

async function subscriptionOf(
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

function itemOf({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data
  if (!item) throw new Error(`the subscription ${id} has no items`)
  return item
}

function addressOf(url: string | null): string {
  if (url === null)
    throw new AppError('UNAVAILABLE', 'the payment provider gave no address; try again')
  return url
}
