import type Stripe from 'stripe'
import { BRAND } from '../../engine/base/brand.ts'
import { ProviderError } from './provider.ts'

type Failed = Pick<
  Stripe.errors.StripeError,
  'type' | 'code' | 'statusCode' | 'requestId' | 'param'
>

/**
 * Error the caller is told of for a failed call of Stripe. Its own messages stay out of answers and logs: they
 * quote what was sent. The cause, which is only logged, names the kind of error and Stripe's request id.
 */
export function providerError(error: unknown): Error {
  if (!isStripeError(error)) return error as Error
  const { type, code, statusCode, requestId, param } = error
  const cause = new Error(
    ['stripe:', type, code, statusCode, param && `param ${param}`, requestId]
      .filter((part) => part !== undefined && part !== null)
      .join(' '),
  )
  if (type === 'StripeConnectionError')
    return new ProviderError(...DOWN, { answered: false, cause })
  if (type === 'StripeAuthenticationError' || type === 'StripePermissionError') {
    const message = `the payment provider does not accept the key of this workspace; whoever runs it sets ${BRAND.toUpperCase()}_STRIPE_SECRET_KEY. Nothing was changed`
    return new ProviderError('UNAVAILABLE', message, { answered: true, cause })
  }
  if (type === 'StripeCardError') {
    const message =
      'the payment was declined, nothing was changed; change the way you pay in the customer portal'
    return new ProviderError('CONFLICT', message, { answered: true, cause })
  }
  const passes = statusCode === undefined || statusCode >= 500 || [409, 429].includes(statusCode)
  if (passes) return new ProviderError(...DOWN, { answered: true, cause })
  const why = code === undefined ? '' : ` (${code})`
  const message = `the payment provider refused the request${why}; nothing was changed`
  return new ProviderError('CONFLICT', message, { answered: true, cause })
}

/** True when Stripe says that what was asked for does not exist, or is of another account or mode. */
export function isMissing(error: unknown): boolean {
  return isStripeError(error) && error.code === 'resource_missing'
}

const DOWN = [
  'UNAVAILABLE',
  'the payment provider cannot be reached at the moment; nothing was changed, try again',
] as const

function isStripeError(error: unknown): error is Failed {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
}
