import { randomBytes, randomUUID } from 'node:crypto'

/** Prefixes of system ids; a prefix tells the reader of a log what an id is. */
export type IdPrefix = 'evt' | 'dlv' | 'att' | 'whk' | 'key' | 'req' | 'usr' | 'ses' | 'job'

const RANDOM_CHARACTERS = 20

/**
 * A new prefixed id such as `evt_0mbx3k…`: 9 characters of time (ms, base 36, sortable) and 20 of a random
 * UUID (74 random bits and more), so that ids made later sort later and are never reused.
 */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  const random = randomUUID().replaceAll('-', '').slice(0, RANDOM_CHARACTERS)
  return `${prefix}_${now.toString(36).padStart(9, '0')}${random}`
}

/** UUID version 7 (RFC 9562 §5.7): 48 bits of time in ms, then random. */
export function uuidV7(now: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}

/** A new id of a child row: 80 random bits, never reused. */
export function newRowId(): string {
  return randomBytes(10).toString('hex')
}
