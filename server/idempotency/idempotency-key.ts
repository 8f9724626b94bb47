import { validationError } from '../../engine/base/errors.ts'

const MAX_LENGTH = 255

/** The header's name, as details of a 422 call it. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key'

/**
 * Reads the header: 1 to 255 visible ASCII characters, also as a Structured Field string in quotes (IETF
 * draft). Throws 422. Two headers arrive joined by a comma and a space, and are refused for the space.
 */
export function readIdempotencyKey(header: string): string {
  const key = unquoted(header)
  if (key.length === 0 || key.length > MAX_LENGTH || !isVisibleAscii(key)) {
    throw validationError([
      {
        field: IDEMPOTENCY_KEY,
        message: `expected one key of 1 to ${MAX_LENGTH} visible ASCII characters without spaces, got ${key.length} characters`,
        code: 'wrong_type',
      },
    ])
  }
  return key
}

function unquoted(header: string): string {
  const isQuoted = header.length >= 2 && header.startsWith('"') && header.endsWith('"')
  return isQuoted ? header.slice(1, -1).replace(/\\(["\\])/g, '$1') : header
}

function isVisibleAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code <= 0x20 || code >= 0x7f) return false
  }
  return true
}
