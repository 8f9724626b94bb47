import { type Actor, SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError, validationError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { deleteLinksOf } from './link-store.ts'
import { hashPassword, isOutdated, passwordProblem, verifyPassword } from './passwords.ts'
import { findPerson, findPersonWithin, type Person } from './people.ts'
import { writeAccount } from './person-store.ts'
import { logSecurity } from './security-log.ts'
import { deleteSessionsOf } from './session-store.ts'
import { revokeKeysOf } from './store.ts'
import { type Attempt, countAttempt, forgetAttempts } from './throttle.ts'

/** Longest name anybody can have; what is longer needs no look-up and makes no row. */
const MAX_LOGIN = 140

/**
 * The person who signs in with this name (or e-mail address) and password. One and the same refusal, after the
 * same work, for an unknown name, a wrong password, no password and a disabled person (reliability.md S7). Throws
 * UNAUTHORIZED, and RATE_LIMITED after too many attempts.
 */
export async function signIn(
  services: Services,
  login: string,
  password: string,
  from: Pick<Attempt, 'address' | 'device'>,
): Promise<Person> {
  const name = login.trim()
  if (name === '' || password === '') throw refused('Incomplete login details')
  // No name has NUL, and PostgreSQL does not even take it.
  if (name.length > MAX_LOGIN || name.includes('\0')) throw refused()
  const attempt = { login: name, ...from }
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
 * Gives somebody a password and ends all their sessions, their pairs of key and secret, and the links that would set
 * yet another one: who has taken one of them over is out. `hashed` comes from `newPassword`: hashing takes too long for
 * a transaction. `by` is who did it.
 */
export async function setPassword(
  tx: Db,
  services: Services,
  login: string,
  hashed: string,
  by: Actor = SYSTEM_ACTOR,
): Promise<void> {
  const at = isoDateTime(services.clock)
  const before = await findPersonWithin(services, login, tx)
  await writeAccount(tx, login, { password: hashed, password_changed: at, unconfirmed: null })
  await deleteSessionsOf(tx, login)
  await deleteLinksOf(tx, login, 'password')
  await revokeKeysOf(tx, login, at, { onlyPairs: true })
  // The first password of somebody changes nothing.
  if (before?.password == null) return
  await logSecurity(tx, services, by, { kind: 'password_changed', id: login, person: login })
}

/** The hash of a new password. Throws 422 for one that is too short or too long. */
export async function newPassword(password: string, field = 'password'): Promise<string> {
  const message = passwordProblem(password)
  if (message !== undefined) throw validationError([{ field, message, code: 'out_of_range' }])
  return hashPassword(password)
}

function refused(message = 'Invalid login credentials'): AppError {
  return new AppError('UNAUTHORIZED', message)
}
