import type { Clock } from '../../engine/base/clock.ts'
import { addressNetwork } from '../auth/address-network.ts'
import type { Handler } from '../http/request-state.ts'
import { assertTaken } from './rate-limit.ts'
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
      const own = addressNetwork(address)
      const key = counts.has(own) || counts.size < maxAddresses ? own : OTHERS
      const used = counts.get(key) ?? 0
      const allowed = used < limit
      if (allowed) counts.set(key, used + 1)
      return { allowed, limit, remaining: allowed ? limit - used - 1 : 0, resetsAt: start + WINDOW }
    },
  }
}

/** Stage that counts requests by address, whoever sends them: for what is answered before anybody is asked for. Throws 429. */
export function limitAddresses(options: AddressLimitOptions): Handler {
  const { take } = addressLimit(options)
  return function addressLimitStage(request, response, next) {
    assertTaken(response, take(request.ip ?? ''), options.clock)
    next()
  }
}
