import { hash, randomBytes } from 'node:crypto'

/** Prefixes of keys, by environment (contract §3). */
export const KEY_PREFIXES = { live: 'svc_live_', test: 'svc_test_' } as const

export type KeyEnvironment = keyof typeof KEY_PREFIXES

export const KEY_ENVIRONMENTS = Object.keys(KEY_PREFIXES) as readonly KeyEnvironment[]

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 36 characters of 62 are 214 bits (reliability.md K1 asks for 192). */
const SECRET_LENGTH = 36

/** Characters of a key that may be shown, so that people can tell theirs apart. */
const SHOWN_AFTER_PREFIX = 3

/** A new key in plain text. It is shown once and never kept. */
export function newKeyText(env: KeyEnvironment): string {
  let secret = ''
  while (secret.length < SECRET_LENGTH) {
    for (const byte of randomBytes(SECRET_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte: a remainder of more would favour the first letters.
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET[byte % 62]
    }
  }
  return KEY_PREFIXES[env] + secret
}

/** False for a text that cannot be one of our keys: it needs no look-up. */
export function looksLikeKey(text: string): boolean {
  return (
    text.length === KEY_PREFIXES.live.length + SECRET_LENGTH &&
    (text.startsWith(KEY_PREFIXES.live) || text.startsWith(KEY_PREFIXES.test))
  )
}

/** Hash of a key (SHA-256): all that is kept to find it by. */
export function keyHash(key: string): string {
  return hash('sha256', key)
}

/** The part of a key that is shown in lists: prefix and first characters, and the last four. */
export function shownParts(key: string): { readonly prefix: string; readonly last4: string } {
  const prefix = key.startsWith(KEY_PREFIXES.live) ? KEY_PREFIXES.live : KEY_PREFIXES.test
  return { prefix: key.slice(0, prefix.length + SHOWN_AFTER_PREFIX), last4: key.slice(-4) }
}
