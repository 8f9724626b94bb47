import { createHash } from 'node:crypto'

/** PostgreSQL cuts names after 63 bytes; ours are ASCII. */
const MAX_BYTES = 63

/** A name both databases keep whole: a longer one ends in a checksum, so that two never become one. */
export function identifierFor(name: string): string {
  if (name.length <= MAX_BYTES) return name
  const checksum = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, MAX_BYTES - checksum.length - 1)}_${checksum}`
}
