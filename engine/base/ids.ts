import { randomUUID } from 'node:crypto'

/** Prefixes of system ids; a prefix tells the reader of a log what an id is. */
export type IdPrefix =
  | 'evt'
  | 'dlv'
  | 'att'
  | 'whk'
  | 'key'
  | 'req'
  | 'usr'
  | 'ses'
  | 'fac'
  | 'job'
  | 'lnk'
  | 'mail'
  | 'bil'
  | 'call'
  | 'viw'
  | 'ntf'
  | 'pub'

/**
 * A new prefixed id such as `evt_0mbx3k…`: 9 characters of time (ms, base 36, sortable) and 20 random ones
 * (80 bits), so that ids made later sort later and are never reused.
 */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  return `${idsFrom(prefix, now)}${random80()}`
}

/** Beginning of the first id of this prefix made at a moment (ms) or later: the time in ids sorts. */
export function idsFrom(prefix: IdPrefix, moment: number): string {
  return `${prefix}_${Math.max(0, moment).toString(36).padStart(9, '0')}`
}

/** UUID version 7 (RFC 9562 §5.7): 48 bits of time in ms, then random. */
export function uuidV7(now: number): string {
  const time = now.toString(16).padStart(12, '0')
  // Node draws randomUUID from a pool of random bytes, which costs a tenth of asking for them each time.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** A new id of a child row: 80 random bits, never reused. */
export function newRowId(): string {
  return random80()
}

/** 20 hexadecimal digits: those of a UUID that are all chance. */
function random80(): string {
  const random = randomUUID()
  return random.slice(24) + random.slice(0, 8)
}
