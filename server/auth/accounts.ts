import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError, validationError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { deleteLinksOf } from './link-store.ts'
import { hashPassword, isOutdated, passwordProblem, verifyPassword } from './passwords.ts'
import { findPerson, findPersonByApiKey, type Person } from './people.ts'
import { writeAccount } from './person-store.ts'
import { deleteSessionsOf } from './session-store.ts'
import { countAttempt, forgetAttempts } from './throttle.ts'

/** Longest name anybody can have; what is longer needs no look-up and makes no row. */
const MAX_LOGIN = 140

type AccountServices = Pick<Services, 'registry' | 'database' | 'clock'>

/**
 * The person who signs in with this name (or e-mail address) and password. One and the same refusal, after the
 * same work, for an unknown name, a wrong password, no password and a disabled person (reliability.md S7). Throws
 * UNAUTHORIZED, and RATE_LIMITED after too many attempts.
 */
export async function signIn(
  services: AccountServices,
  login: string,
  password: string,
  address: string,
): Promise<Person> {
  const name = login.trim()
  if (name === '' || password === '') throw refused('Incomplete login details')
  // No name has NUL, and PostgreSQL does not even take it.
  if (name.length > MAX_LOGIN || name.includes('\0')) throw refused()
  const attempt = { login: name, address }
  await countAttempt(services, attempt)
  const person =
    (await findPerson(services, name)) ?? (await findPerson(services, name.toLowerCase()))
  const isRight = await verifyPassword(password, person?.password)
  if (!person || !isRight || !person.enabled) throw refused()
  await forgetAttempts(services, attempt)
  if (person.password !== null && isOutdated(person.password)) {
    const rehashed = await hashPassword(password)
    await services.database.write((tx) => writeAccount(tx, person.login, { password: rehashed }))
  }
  return person
}

/**
 * Gives somebody a password and ends all their sessions, their pair of key and secret, and the links that would set
 * yet another one: who has taken one of them over is out.
 * `hashed` comes from `newPassword`: hashing takes too long for a transaction.
 */
export async function setPassword(
  tx: Db,
  { clock }: Pick<Services, 'clock'>,
  login: string,
  hashed: string,
): Promise<void> {
  await writeAccount(tx, login, {
    password: hashed,
    password_changed: isoDateTime(clock),
    unconfirmed: null,
    api_key: null,
    api_secret: null,
  })
  await deleteSessionsOf(tx, login)
  await deleteLinksOf(tx, login, 'password')
}

/** The hash of a new password. Throws 422 for one that is too short or too long. */
export async function newPassword(password: string, field = 'password'): Promise<string> {
  const message = passwordProblem(password)
  if (message !== undefined) throw validationError([{ field, message, code: 'out_of_range' }])
  return hashPassword(password)
}

/** A new pair for `Authorization: token key:secret`; the one before ends. The secret is seen this once. */
export async function issueApiKey(
  tx: Db,
  login: string,
): Promise<{ readonly api_key: string; readonly api_secret: string }> {
  const pair = {
    api_key: randomBytes(12).toString('hex'),
    api_secret: randomBytes(24).toString('hex'),
  }
  await writeAccount(tx, login, { ...pair, api_secret: hash('sha256', pair.api_secret) })
  return pair
}

/** The person a pair of surface A belongs to; undefined for a wrong pair and for a disabled person. */
export async function personOfApiKey(
  services: AccountServices,
  apiKey: string,
  apiSecret: string,
): Promise<Person | undefined> {
  if (apiKey.length > MAX_LOGIN || apiKey.includes('\0')) return undefined
  const person = await findPersonByApiKey(services, apiKey)
  const given = hash('sha256', apiSecret)
  // Both are hashes of one length; the comparison is made also where there is nothing to compare with.
  const kept = person?.apiSecret ?? hash('sha256', '')
  const isRight = timingSafeEqual(Buffer.from(kept), Buffer.from(given))
  return person?.enabled && person.apiSecret !== null && isRight ? person : undefined
}

function refused(message = 'Invalid login credentials'): AppError {
  return new AppError('UNAUTHORIZED', message)
}
