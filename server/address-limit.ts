import { isIPv6 } from 'node:net'
import type { Clock } from '../engine/base/clock.ts'
import { unmapped } from './auth/allow-list.ts'
import { type Taken, WINDOW } from './rate-windows.ts'

/** Counts an event of one address a minute. */
export interface AddressLimit {
  take(address: string): Taken
}

export interface AddressLimitOptions {
  readonly clock: Clock
  /** Events a minute and address. */
  readonly limit: number
  /** Addresses counted one by one; all further ones of a minute share a counter. */
  readonly maxAddresses?: number
}

const OTHERS = 'others'

/** A limit by address whose memory is bounded (reliability.md W3). An IPv6 network of 64 bits counts as one address. */
export function addressLimit({
  clock,
  limit,
  maxAddresses = 10_000,
}: AddressLimitOptions): AddressLimit {
  const counts = new Map<string, number>()
  let start = 0
  return {
    take(address) {
      const now = clock.now()
      const current = now - (now % WINDOW)
      if (current !== start) {
        counts.clear()
        start = current
      }
      const own = network(address)
      const key = counts.has(own) || counts.size < maxAddresses ? own : OTHERS
      const used = counts.get(key) ?? 0
      const allowed = used < limit
      if (allowed) counts.set(key, used + 1)
      return { allowed, limit, remaining: allowed ? limit - used - 1 : 0, resetsAt: start + WINDOW }
    },
  }
}

function network(address: string): string {
  const plain = unmapped(address)
  return isIPv6(plain) ? firstGroups(plain) : plain
}

/** The first four of the eight groups, with `::` written out. */
function firstGroups(address: string): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':')
    while (groups.length + last.length < 8) groups.push('0')
    groups.push(...last)
  }
  return groups.slice(0, 4).join(':')
}
