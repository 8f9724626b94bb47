import { isObject } from '../../../engine/base/json-text.ts'
import { HEADER_NAMES } from '../../../webhooks/signing/header-names.ts'
import { headerOf, type ReceivedHeaders, verifyDelivery } from '../../../webhooks/signing/verify.ts'
import { printable } from '../../terminal/printable.ts'
import type { Forwarded } from './forward.ts'

/** A delivery as the developer of a receiver wants to see it; what was not there is null. */
export interface Received {
  /** Moment it came in, ISO 8601. */
  readonly at: string
  readonly event: string | null
  readonly delivery_id: string | null
  readonly verified: boolean
  /** Reason why it is not verified. */
  readonly problem: string | null
  /** A delivery of this id came in before. */
  readonly duplicate: boolean
  /** Moment of the event, ISO 8601. */
  readonly timestamp: string | null
  readonly data: unknown
  /** The whole body as text, JSON indented. */
  readonly body: string
}

/** Delivery as it comes from the network, with the time in ms since the epoch. */
interface RawDelivery {
  readonly headers: ReceivedHeaders
  readonly body: Buffer
  readonly now: number
}

/** Ids that are remembered; a receiver of your own keeps them as long as retries may come, 24 hours. */
const MOST_IDS = 10_000

/** Reads deliveries signed with this secret, and remembers their ids to know duplicates. */
export function createReader({
  secret,
  isGenerated,
}: {
  readonly secret: string
  /** True where nobody gave the secret, so that the sender may well have another one. */
  readonly isGenerated: boolean
}): (delivery: RawDelivery) => Received {
  const seen = new Set<string>()

  function isDuplicate(id: string | null): boolean {
    if (id === null) return false
    if (seen.has(id)) return true
    seen.add(id)
    const [oldest] = seen
    if (seen.size > MOST_IDS && oldest !== undefined) seen.delete(oldest)
    return false
  }

  return ({ headers, body, now }) => {
    const verification = verifyDelivery({ headers, body, secret, now })
    const because = isGenerated ? ' (no --secret given: expected the one shown at the start)' : ''
    const text = body.toString()
    const parsed = parse(text)
    const envelope = isObject(parsed) ? parsed : {}
    const id = textOf(envelope.delivery_id) ?? headerOf(headers, HEADER_NAMES.delivery) ?? null
    return {
      at: new Date(now).toISOString(),
      event: textOf(envelope.event) ?? headerOf(headers, HEADER_NAMES.event) ?? null,
      delivery_id: id,
      verified: verification.verified,
      problem: verification.verified ? null : verification.problem + because,
      duplicate: isDuplicate(id),
      timestamp: textOf(envelope.timestamp),
      data: envelope.data ?? null,
      body: parsed === undefined ? text : JSON.stringify(parsed, null, 2),
    }
  }
}

/** One line of JSON for programs. */
export function asLine(
  { at: _at, body: _body, ...received }: Received,
  forwarded?: Forwarded,
): string {
  return JSON.stringify(forwarded === undefined ? received : { ...received, forwarded })
}

/** One line and the body below it, for people. */
export function asText(received: Received): string {
  const { at, event, delivery_id, problem, duplicate, body } = received
  const line = [
    at,
    event ?? 'no event',
    delivery_id ?? 'no delivery id',
    problem === null ? 'verified' : `not verified: ${problem}`,
    ...(duplicate ? ['duplicate'] : []),
  ].join('  ')
  return `${printable(line.replaceAll('\n', ' '))}\n${printable(body)}`
}

/** undefined when the text is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
