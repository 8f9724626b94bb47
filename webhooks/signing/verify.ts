import { timingSafeEqual } from 'node:crypto'
import { HEADER_NAMES } from './header-names.ts'
import { signatureOf } from './signature.ts'

/** Headers as Node's HTTP server hands them over, in lower case, or as they were sent. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A delivery as it came in. */
export interface ReceivedDelivery {
  readonly headers: ReceivedHeaders
  /** The raw body, before anything has parsed it. */
  readonly body: string | Uint8Array
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Largest distance of the timestamp from now, before or after, in seconds (spec §6). */
  readonly toleranceSeconds?: number
}

/** `problem` says why it was not verified and what to look at. */
export type Verification =
  | { readonly verified: true }
  | { readonly verified: false; readonly problem: string }

/**
 * Verifies `X-Svc-Signature` as a receiver should: any `v1` counts, compared in constant time, and the
 * timestamp that was signed is not more than 300 s away (spec §6). Spaces in the header make no difference.
 */
export function verifyDelivery(delivery: ReceivedDelivery): Verification {
  const { headers, body, secret, now, toleranceSeconds = 300 } = delivery
  const header = headerOf(headers, HEADER_NAMES.signature)
  if (header === undefined) return no(`there is no header ${HEADER_NAMES.signature}`)
  const { timestamp, signatures } = partsOf(header)
  if (timestamp === undefined || signatures.length === 0)
    return no(`expected ${HEADER_NAMES.signature} as "t=<unix seconds>, v1=<64 hex digits>"`)
  const expected = signatureOf(secret, timestamp, body)
  if (!signatures.some((signature) => timingSafeEqual(signature, expected)))
    return no('no v1 matches: it was signed with another secret, or the body was changed')
  const age = Math.floor(now / 1000) - Number(timestamp)
  if (Math.abs(age) <= toleranceSeconds) return { verified: true }
  const off = age > 0 ? `${age} s old` : `${-age} s ahead`
  return no(
    `the timestamp is ${off}, at most ${toleranceSeconds} s are taken: a replay, or a clock is wrong`,
  )
}

function no(problem: string): Verification {
  return { verified: false, problem }
}

/** The value of a header by its full name; several of one name are joined as HTTP does. */
export function headerOf(headers: ReceivedHeaders, name: string): string | undefined {
  const found = headers[name.toLowerCase()] ?? headers[name]
  if (found === undefined) return undefined
  return typeof found === 'string' ? found : found.join(', ')
}

/** The one `t` as it was written, and each `v1` that is a SHA-256; other parts are of versions to come. */
function partsOf(header: string): {
  readonly timestamp: string | undefined
  readonly signatures: readonly Buffer[]
} {
  const parts = header.split(',').map((part) => {
    const [name = '', value = ''] = part.split('=', 2)
    return { name: name.trim(), value: value.trim() }
  })
  const valuesOf = (wanted: string, form: RegExp): string[] =>
    parts.filter(({ name, value }) => name === wanted && form.test(value)).map(({ value }) => value)
  const [timestamp, ...others] = valuesOf('t', /^\d{1,12}$/)
  return {
    // Two would leave open which of them was signed.
    timestamp: others.length === 0 ? timestamp : undefined,
    signatures: valuesOf('v1', /^[0-9a-f]{64}$/i).map((hex) => Buffer.from(hex, 'hex')),
  }
}
