import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { HEADER_NAMES } from './header-names.ts'

/** Prefix of a secret whose key is the base64 after it (standardwebhooks.com). */
const SECRET_PREFIX = 'whsec_'
const NEW_SECRET_BYTES = 32
/** Key lengths that Standard Webhooks allows, in bytes. */
const LEAST_KEY = 24
const MOST_KEY = 64

/** Content that is signed, and the secrets it is signed with. */
export interface Signing {
  readonly deliveryId: string
  /** The exact bytes that are sent; text is taken as UTF-8. */
  readonly body: string | Uint8Array
  /** Moment of this attempt, in Unix seconds; receivers refuse one that is 300 s old (spec §6). */
  readonly timestamp: number
  /** Newest first, at least one; during a rotation the old ones too. Who signs often keeps their keys. */
  readonly secrets: readonly (string | SigningKeys)[]
}

/** The keys of a secret: to make them costs as much as to sign with them. */
export interface SigningKeys {
  readonly own: KeyObject
  /** Key for the headers of Standard Webhooks. */
  readonly standard: KeyObject
}

/** Makes the keys of a secret. */
export function signingKeys(secret: string): SigningKeys {
  return { own: ownKey(secret), standard: createSecretKey(standardKey(secret)) }
}

/**
 * The headers that prove who sent a delivery (spec §6, contract §3): `X-Svc-Signature: t=<s>, v1=<hex>` with
 * one `v1` for each secret, `X-Svc-Signature-256` with that of the newest, and those of Standard Webhooks,
 * which sign the delivery id too. Throws RangeError without a secret.
 */
export function signatureHeaders(signing: Signing): Record<string, string> {
  const { deliveryId, timestamp, secrets } = signing
  if (secrets.length === 0) throw new RangeError('expected at least one secret to sign with')
  const body = typeof signing.body === 'string' ? Buffer.from(signing.body) : signing.body
  const keys = secrets.map((each) => (typeof each === 'string' ? signingKeys(each) : each))
  const ours = keys.map(({ own }) => hmac(own, `${timestamp}.`, body).toString('hex'))
  const theirs = keys.map(({ standard }) =>
    hmac(standard, `${deliveryId}.${timestamp}.`, body).toString('base64'),
  )
  return {
    [HEADER_NAMES.timestamp]: String(timestamp),
    [HEADER_NAMES.signature]: [`t=${timestamp}`, ...ours.map((hex) => `v1=${hex}`)].join(', '),
    [HEADER_NAMES.signature256]: `sha256=${ours[0]}`,
    [HEADER_NAMES.standardId]: deliveryId,
    [HEADER_NAMES.standardTimestamp]: String(timestamp),
    [HEADER_NAMES.standardSignature]: theirs.map((base64) => `v1,${base64}`).join(' '),
  }
}

/** HMAC-SHA256 of `<timestamp>.<body>`; the key is the text of the secret, `whsec_` included (contract §3). */
export function signatureOf(
  secret: string,
  timestamp: number | string,
  body: string | Uint8Array,
): Buffer {
  return hmac(ownKey(secret), `${timestamp}.`, body)
}

function hmac(key: KeyObject, before: string, body: string | Uint8Array): Buffer {
  // Handed over as a bare buffer, a key costs createHmac four times what all the rest costs.
  return createHmac('sha256', key).update(before).update(body).digest()
}

function ownKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret))
}

/** The libraries take any other secret as it stands when they are told `{format: 'raw'}`. */
function standardKey(secret: string): Buffer {
  return decodedSecret(secret) ?? Buffer.from(secret)
}

/** The bytes of a `whsec_` secret; undefined when it is none, or what follows is not base64. */
function decodedSecret(secret: string): Buffer | undefined {
  if (!secret.startsWith(SECRET_PREFIX)) return undefined
  const base64 = secret.slice(SECRET_PREFIX.length)
  const key = Buffer.from(base64, 'base64')
  // Node skips what is no base64; of what it takes, some libraries refuse all but the padded form.
  return key.length > 0 && key.toString('base64') === base64 ? key : undefined
}

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(NEW_SECRET_BYTES).toString('base64')
}

/**
 * Problem of a secret that a caller supplies; undefined for 16 to 255 visible ASCII characters, with a key that the
 * libraries take where it says `whsec_`. The message never repeats the secret.
 */
export function secretProblem(text: string): string | undefined {
  if (!/^[!-~]*$/.test(text))
    return 'expected visible ASCII characters only, got a space, a control character or a letter beyond ASCII'
  if (text.length < 16 || text.length > 255)
    return `expected 16 to 255 characters, got ${text.length}`
  if (!text.startsWith(SECRET_PREFIX)) return undefined
  const key = decodedSecret(text)
  const expected = `expected base64 of ${LEAST_KEY} to ${MOST_KEY} bytes after ${SECRET_PREFIX}`
  if (key === undefined)
    return `${expected}, padded with =, got something else; a secret of your own wording begins otherwise`
  if (key.length < LEAST_KEY || key.length > MOST_KEY) return `${expected}, got ${key.length}`
  return undefined
}
