import type Stripe from 'stripe'
import { AppError } from '../../engine/base/errors.ts'
import type { ProviderEvent } from './provider.ts'

interface SignedBody {
  readonly body: Buffer
  /** The `Stripe-Signature` header. */
  readonly signature: string | undefined
  readonly secret: string
  /** ms */
  readonly now: number
}

/** Largest distance of the moment of signing from ours, in seconds. */
const TOLERANCE = 300

/** Events that tell of subscriptions and their payment; all others are none of our business. */
const ABOUT_SUBSCRIPTIONS =
  /^(customer\.subscription\.|customer\.deleted$|checkout\.session\.|invoice\.)/

/**
 * Reads an event after its signature held: over the raw bytes, compared in constant time by the library, signed
 * within five minutes. Throws BAD_REQUEST without saying what was wrong.
 */
export function readStripeEvent(
  stripe: Stripe,
  { body, signature, secret, now }: SignedBody,
): ProviderEvent {
  // The library looks at the past only; a moment far ahead would let an event be replayed until then (W4).
  if (signature === undefined || signedAt(signature) > now / 1000 + TOLERANCE) throw notGenuine()
  let event: Stripe.Event
  try {
    event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE, undefined, now)
  } catch {
    throw notGenuine()
  }
  const { id, type } = event
  if (typeof id !== 'string' || typeof type !== 'string') throw notGenuine()
  return { id, type, customer: ABOUT_SUBSCRIPTIONS.test(type) ? customerOf(event) : undefined }
}

/** The moment that is part of what was signed: the last `t=`, as the library reads it. */
function signedAt(header: string): number {
  const moments = header.split(',').filter((part) => part.startsWith('t='))
  return Number.parseInt(moments.at(-1)?.slice(2) ?? '', 10) || 0
}

function customerOf({ data }: Stripe.Event): string | undefined {
  const object = data?.object as { id?: unknown; object?: unknown; customer?: unknown } | undefined
  const customer = object?.object === 'customer' ? object : object?.customer
  const id =
    typeof customer === 'object' && customer !== null ? (customer as { id?: unknown }).id : customer
  return typeof id === 'string' ? id : undefined
}

function notGenuine(): AppError {
  return new AppError('BAD_REQUEST', 'expected a signed event of the payment provider')
}
