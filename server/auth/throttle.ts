import { hash } from 'node:crypto'
import { GUEST_ACTOR } from '../../engine/access/actor.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { lockKey } from '../../engine/storage/database/key-lock.ts'
import { accountName } from './account-name.ts'
import { neighbourhood } from './address-network.ts'
import { unmapped } from './allow-list.ts'
import { deleteAttempts, selectAttempts, writeAttempts } from './attempt-store.ts'
import { findPersonWithin } from './people.ts'
import { logSecurity } from './security-log.ts'

const MINUTE = 60 * 1000
const HOUR = 60 * MINUTE

/** Attempts without a success before somebody has to wait; how long, and how long each is remembered, in ms. */
interface Bound {
  readonly most: number
  readonly lock: number
  readonly memory: number
}

const BRIEF = { lock: 5 * MINUTE, memory: 15 * MINUTE } as const

const BOUNDS = {
  /** At one account, from one network. */
  account: { most: 5, ...BRIEF },
  /** At one account, with a browser it was signed in to before: strangers do not use these up. */
  device: { most: 5, ...BRIEF },
  /** At one account, from anywhere with other browsers: who has many networks guesses no more than this. */
  everywhere: { most: 50, ...BRIEF },
  /** At any account, from one network. */
  network: { most: 30, ...BRIEF },
} as const satisfies Readonly<Record<string, Bound>>

/** Of guesses at a second factor: a code has six digits, and who gets so far has the password. */
const OF_FACTOR: Readonly<Record<Bucket, Bound>> = {
  ...BOUNDS,
  everywhere: { most: 10, lock: HOUR, memory: 24 * HOUR },
}

/** Attempts at an account that are told of (`security.sign_in_failed`) before it is locked. */
const BURST = 3

type Bucket = keyof typeof BOUNDS

/** Somebody who tries a name: from where, and with which browser, where that is known to the account. */
export interface Attempt {
  readonly login: string
  readonly address: string
  readonly device?: string | undefined
  /** What is guessed at: the password, or the second factor of who has given the right one. */
  readonly step?: 'password' | 'second_factor'
}

interface Counted {
  readonly of: Bucket
  readonly key: string
}

/**
 * Counts an attempt to sign in before its password is looked at, so that many at once are counted too
 * (reliability.md S8). Throws RATE_LIMITED while the account, the network or the browser has to wait. Whether there is
 * such an account changes neither the answer nor the work.
 */
export async function countAttempt(services: Services, attempt: Attempt): Promise<void> {
  const { database, clock } = services
  const now = clock.now()
  const lockedUntil = await database.write(async (tx) => {
    let until = 0
    for (const bucket of bucketsOf(attempt)) {
      const { key, of } = bucket
      await lockKey(tx, database.kind, `sign-in:${key}`)
      const kept = await selectAttempts(tx, key)
      if (kept && kept.locked_until > now) {
        until = Math.max(until, kept.locked_until)
        continue
      }
      const { most, lock, memory } = (attempt.step === 'second_factor' ? OF_FACTOR : BOUNDS)[of]
      const isRecent = kept !== undefined && Math.abs(now - kept.last) < memory
      const attempts = isRecent && kept.locked_until === 0 ? kept.attempts + 1 : 1
      const locked_until = attempts >= most ? now + lock : 0
      await writeAttempts(tx, { key, attempts, last: now, locked_until })
      await tellOf(tx, services, attempt, { of, attempts, locked_until })
    }
    return until
  })
  if (lockedUntil > now) throw mustWait(lockedUntil - now)
}

/**
 * Forgets the attempts of who has signed in, and this one where others are counted too: an office with one address may
 * sign in as often as it likes, and who has one account cannot go on guessing others for free.
 */
export async function forgetAttempts(
  { database }: Pick<Services, 'database'>,
  attempt: Attempt,
): Promise<void> {
  await database.write(async (tx) => {
    for (const { of, key } of bucketsOf(attempt)) {
      if (of === 'account' || of === 'device') {
        await deleteAttempts(tx, key)
        continue
      }
      await lockKey(tx, database.kind, `sign-in:${key}`)
      const kept = await selectAttempts(tx, key)
      if (kept) await writeAttempts(tx, { ...kept, attempts: kept.attempts - 1, locked_until: 0 })
    }
  })
}

/** An account is kept as a hash: people type their password where their name belongs. */
function bucketsOf({ login, address, device, step }: Attempt): readonly Counted[] {
  const name = hash('sha256', accountName(login))
  // Counted apart, under a name that nobody can type: a right password forgets none of these.
  const account = step === 'second_factor' ? `factor:${name}` : name
  const network = neighbourhood(address)
  if (device !== undefined) return [{ of: 'device', key: `device:${account}:${device}` }]
  return [
    { of: 'account', key: `account:${account}:${network}` },
    { of: 'everywhere', key: `everywhere:${account}` },
    { of: 'network', key: `network:${network}` },
  ]
}

interface Reached {
  readonly of: Bucket
  readonly attempts: number
  readonly locked_until: number
}

/** Tells of a lock, and of the attempts before it. The name that was typed stands there only if it is somebody's. */
async function tellOf(
  tx: Db,
  services: Services,
  { login, address, step = 'password' }: Attempt,
  { of, attempts, locked_until }: Reached,
): Promise<void> {
  const isBurst = attempts === BURST && (of === 'account' || of === 'device')
  if (locked_until === 0 && !isBurst) return
  // Both are looked up whatever the first one finds, so that a name takes as long as any other.
  const names = of === 'network' ? [] : [login, accountName(login)]
  const found = []
  for (const name of names) found.push(await findPersonWithin(services, name, tx))
  const person = found.find((one) => one !== undefined)?.login ?? null
  const id = person ?? neighbourhood(address)
  const actor = { ...GUEST_ACTOR, address: unmapped(address) }
  const more =
    locked_until === 0
      ? { step, attempts }
      : { step, of, until: new Date(locked_until).toISOString() }
  const kind = locked_until === 0 ? 'sign_in_failed' : 'locked_out'
  await logSecurity(tx, services, actor, { kind, id, person, more })
}

function mustWait(milliseconds: number): AppError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  return new AppError(
    'RATE_LIMITED',
    `too many attempts to sign in; try again in ${seconds} seconds`,
    { headers: { 'Retry-After': String(seconds) } },
  )
}
