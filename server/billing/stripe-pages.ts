import type Stripe from 'stripe'
import { type CheckoutRequest, type PortalRequest, ProviderError } from './provider.ts'
import { findPortal, notSetUp, priceOf, TIER_MARK } from './stripe-products.ts'
import { itemOf } from './stripe-subscriptions.ts'

/** Starts a purchase; returns the address where it is paid. Throws ProviderError before `svc billing setup`. */
export async function openCheckout(
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

/**
 * Opens the customer's own pages, or only the one that confirms a change; returns their address. Throws
 * ProviderError before `svc billing setup`.
 */
export async function openPortal(
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

async function portalOf(stripe: Stripe): Promise<string> {
  const own = await findPortal(stripe)
  if (!own) throw notSetUp('has no customer portal for this workspace')
  return own.id
}

function addressOf(url: string | null): string {
  if (url !== null) return url
  const message = 'the payment provider gave no address; try again'
  throw new ProviderError('UNAVAILABLE', message, { answered: true })
}
