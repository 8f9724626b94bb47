import { AppError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { reserveIn } from '../limits/rate-store.ts'

const HOUR = 60 * 60 * 1000

/** Limit of what one address or login may do in an hour. */
export interface HourlyLimit {
  /** Thing that is counted, in words such as `messages`; it names the counter too. */
  readonly what: string
  /** Address or login it is counted for. */
  readonly of: string
  readonly limit: number
}

/**
 * Counts one in the transaction of what it counts, so that only what was accepted counts, whichever process
 * accepted it. Throws RATE_LIMITED when the hour is used up.
 */
export async function countInHour(
  tx: Db,
  { clock }: Pick<Services, 'clock'>,
  { what, of, limit }: HourlyLimit,
): Promise<void> {
  const now = clock.now()
  const start = now - (now % HOUR)
  const block = { key: `hour:${what}:${of}`, start, next: start + HOUR, size: 1, limit }
  const { granted } = await reserveIn(tx, block)
  if (granted === 1) return
  const wait = Math.max(1, Math.ceil((start + HOUR - now) / 1000))
  throw new AppError(
    'RATE_LIMITED',
    `expected at most ${limit} ${what} an hour from one address; try again in ${Math.ceil(wait / 60)} minutes`,
    { headers: { 'Retry-After': String(wait) } },
  )
}
