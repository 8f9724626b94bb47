import type { Clock } from '../../engine/base/clock.ts'
import { open, seal } from '../../engine/base/seal.ts'
import type { Answer } from '../http/answer.ts'
import type { IdempotentRequest } from '../http/request-state.ts'
import type { StoredAnswer } from './idempotency-store.ts'

/** How long an answer is repeated (spec §8), in ms. */
const TIME_TO_LIVE = 24 * 60 * 60 * 1000

/** What begins the stored body of an answer that holds a one-time secret; JSON never begins so. */
const SEALED = 'sealed:'

/** Answers made at this moment (ISO) or before are no longer repeated. */
export function oldestKept(clock: Clock): string {
  return new Date(clock.now() - TIME_TO_LIVE).toISOString()
}

/** An answer as it is kept, its body sealed with `secretKey` when one is given. */
export function toStored(
  { key, fingerprint }: IdempotentRequest,
  { status, headers, body = '' }: Answer,
  clock: Clock,
  secretKey?: Buffer,
): StoredAnswer {
  return {
    key,
    fingerprint,
    status,
    headers: JSON.stringify(headers),
    body: secretKey ? SEALED + seal(secretKey, purposeOf(key), body) : body,
    created: new Date(clock.now()).toISOString(),
  }
}

export function fromStored(
  { key, status, headers, body }: StoredAnswer,
  secretKey: Buffer,
): Answer {
  const text = body.startsWith(SEALED)
    ? open(secretKey, purposeOf(key), body.slice(SEALED.length))
    : body
  return {
    status,
    headers: JSON.parse(headers) as Record<string, string>,
    body: text === '' ? undefined : text,
  }
}

function purposeOf(key: string): string {
  return `idempotency:${key}`
}
