import type { ApiRequest } from './request.ts'

/** Outcome of one attempt: the status and headers of an answer, or that the connection was lost. */
export type Outcome = { readonly status: number; readonly headers: Headers } | 'lost'

/** Waits before the second, third and fourth attempt, in ms (spec §7). */
const BACKOFF = [1000, 2000, 4000] as const

/** Most attempts after the first, whatever the API says. */
const MOST_WAITS = BACKOFF.length

/**
 * Wait before another attempt, in ms; undefined when the outcome stands (spec §7; docs/errors.md). `earlier` is
 * how many attempts were made again already.
 */
export function waitBefore(
  { method }: Pick<ApiRequest, 'method'>,
  outcome: Outcome,
  earlier: number,
): number | undefined {
  if (earlier >= MOST_WAITS) return undefined
  const backoff = BACKOFF[earlier]
  // A DELETE has no idempotency key: when nobody knows whether it was done, the next would answer 404.
  const canRepeatBlindly = method !== 'DELETE'
  if (outcome === 'lost') return canRepeatBlindly ? backoff : undefined
  const asked = retryAfter(outcome.headers)
  const { status } = outcome
  if (status === 429 || status === 503) return asked ?? backoff
  if (status === 500) return backoff
  if (status === 502 || status === 504) return canRepeatBlindly ? backoff : undefined
  // A request of the same idempotency key, our own last attempt, is still running.
  if (status === 409) return asked
  return undefined
}

/** `Retry-After` in ms; undefined when there is none in seconds. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined
}
