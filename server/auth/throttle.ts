import { hash } from 'node:crypto'
import { AppError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import { lockKey } from '../../engine/storage/database/key-lock.ts'
import { addressNetwork } from './address-network.ts'
import { deleteAttempts, selectAttempts, writeAttempts } from './attempt-store.ts'

/** Attempts without a success before an account or an address has to wait, and how long, in ms. */
const MOST_BY_ACCOUNT = 5
const MOST_BY_ADDRESS = 30
const LOCK = 5 * 60 * 1000

/** Attempts longer ago than this are forgotten. */
const ATTEMPT_MEMORY = 15 * 60 * 1000

type ThrottleServices = Pick<Services, 'database' | 'clock'>

interface Attempt {
  readonly login: string
  readonly address: string
}

/**
 * Counts an attempt to sign in before its password is looked at, so that many at once are counted too
 * (reliability.md S8). Throws RATE_LIMITED while the account or the address has to wait.
 */
export async function countAttempt(services: ThrottleServices, attempt: Attempt): Promise<void> {
  const { database, clock } = services
  const now = clock.now()
  const { account, address } = keysOf(attempt)
  const limits = [
    { key: account, most: MOST_BY_ACCOUNT },
    { key: address, most: MOST_BY_ADDRESS },
  ]
  const lockedUntil = await database.write(async (tx) => {
    let until = 0
    for (const { key, most } of limits) {
      await lockKey(tx, database.kind, `sign-in:${key}`)
      const kept = await selectAttempts(tx, key)
      if (kept && kept.locked_until > now) {
        until = Math.max(until, kept.locked_until)
        continue
      }
      const isRecent = kept !== undefined && Math.abs(now - kept.last) < ATTEMPT_MEMORY
      const attempts = isRecent && kept.locked_until === 0 ? kept.attempts + 1 : 1
      const locked_until = attempts >= most ? now + LOCK : 0
      await writeAttempts(tx, { key, attempts, last: now, locked_until })
    }
    return until
  })
  if (lockedUntil > now) throw mustWait(lockedUntil - now)
}

/**
 * Forgets the attempts of an account that has signed in, and this one of its address: an office with one
 * address may sign in as often as it likes, and who has one account cannot go on guessing others for free.
 */
export async function forgetAttempts(
  { database }: ThrottleServices,
  attempt: Attempt,
): Promise<void> {
  const { account, address } = keysOf(attempt)
  await database.write(async (tx) => {
    await deleteAttempts(tx, account)
    await lockKey(tx, database.kind, `sign-in:${address}`)
    const kept = await selectAttempts(tx, address)
    if (kept) await writeAttempts(tx, { ...kept, attempts: kept.attempts - 1, locked_until: 0 })
  })
}

/** An account is kept as a hash: people type their password where their name belongs. */
function keysOf({ login, address }: Attempt) {
  return {
    account: `account:${hash('sha256', login.normalize('NFKC').trim().toLowerCase())}`,
    address: `address:${addressNetwork(address)}`,
  }
}

function mustWait(milliseconds: number): AppError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  return new AppError(
    'RATE_LIMITED',
    `too many attempts to sign in; try again in ${seconds} seconds`,
    { headers: { 'Retry-After': String(seconds) } },
  )
}
