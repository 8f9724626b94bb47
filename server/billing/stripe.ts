import type Stripe from 'stripe'
import { BRAND } from '../../engine/base/brand.ts'
import type { PaymentProvider } from './provider.ts'
import { isMissing, providerError } from './stripe-errors.ts'
import { readStripeEvent } from './stripe-events.ts'
import { openCheckout, openPortal } from './stripe-pages.ts'
import { setUpProducts } from './stripe-products.ts'
import { cancelSubscription, changeSubscription, subscriptionOf } from './stripe-subscriptions.ts'

export interface StripeOptions {
  readonly secretKey: string
  /** Signs its events; without it none is believed. */
  readonly webhookSecret: string | undefined
  /** Address of its API; undefined is Stripe's own. */
  readonly apiBase: string | undefined
}

/** One call takes at most this long, in ms, and is tried again once when no answer came. */
const TIMEOUT = 10_000
const RETRIES = 1

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
    checkout: (request, callKey) => call((stripe) => openCheckout(stripe, request, callKey)),
    portal: (request, callKey) => call((stripe) => openPortal(stripe, request, callKey)),
    change: (id, to, callKey) => call((stripe) => changeSubscription(stripe, id, to, callKey)),
    cancel: (id, callKey) => call((stripe) => cancelSubscription(stripe, id, callKey)),
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
