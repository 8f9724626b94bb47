import { AppError, isRefusal, validationError } from '../../../engine/base/errors.ts'
import type { Db } from '../../../engine/storage/database/database.ts'
import { signIn } from '../accounts.ts'
import type { Person } from '../people.ts'
import { logSecurity } from '../security-log.ts'
import type { Attempt } from '../throttle.ts'
import { actorFrom } from './actor-from.ts'
import {
  countCodes,
  deleteCodesOf,
  deleteFactor,
  type FactorKind,
  hasCode,
  selectFactors,
} from './factor-store.ts'
import { withFactor } from './prove.ts'
import { codeHash, issueCodes } from './recovery-codes.ts'
import type { FactorDeps } from './tickets.ts'
import { looksLikeTotp } from './totp.ts'

/** A second factor as its owner sees it. */
export interface ShownFactor {
  readonly id: string
  readonly kind: FactorKind
  readonly name: string
  /** ISO 8601, UTC. */
  readonly created: string
  readonly last_used: string | null
}

/** Second factors of somebody as they see them. */
export interface OwnFactors {
  readonly factors: readonly ShownFactor[]
  /** Recovery codes that are left. */
  readonly recovery_codes: number
  /** Whether a role of theirs asks for a second factor. */
  readonly required: boolean
}

/** The second factors of somebody, without their secrets. */
export async function ownFactors(
  { services: { database } }: FactorDeps,
  { login, needsFactor }: Person,
): Promise<OwnFactors> {
  const rows = await selectFactors(database.read, login)
  return {
    factors: rows.map(({ id, kind, name, created, last_used }) => ({
      id,
      kind,
      name,
      created,
      last_used,
    })),
    recovery_codes: await countCodes(database.read, login),
    required: needsFactor,
  }
}

/** Who acts on their own factors, and what they prove themselves by: their password, a code of an app or a recovery code. */
export interface OwnAct {
  readonly person: Person
  readonly proof: string
  /** Where the request comes from. */
  readonly from: Pick<Attempt, 'address' | 'device'>
}

/**
 * Runs `change` for somebody who has just proven who they are. Throws 422 for a wrong proof, RATE_LIMITED after too
 * many of them.
 */
export async function asOneself<T>(
  deps: FactorDeps,
  { person, proof, from }: OwnAct,
  change: (tx: Db) => Promise<T>,
): Promise<T> {
  const { services } = deps
  try {
    if (person.hasFactor && (await isCode(deps, person, proof)))
      return await withFactor(deps, { person, from }, { code: proof }, undefined, change)
    await signIn(services, person.login, proof, from)
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'UNAUTHORIZED') throw error
    const message = 'this is not your password, nor a code that was not used yet'
    throw validationError([{ field: 'proof', message, code: 'rule' }])
  }
  const result = await services.database.write(change)
  services.eventsCommitted()
  return result
}

/** Whether this is meant as a code. A password may look like a recovery code, and nobody hits one of those by chance. */
async function isCode(
  { services: { database } }: FactorDeps,
  { login }: Person,
  proof: string,
): Promise<boolean> {
  if (looksLikeTotp(proof)) return true
  const hash = codeHash(proof)
  return hash !== undefined && hasCode(database.read, login, hash)
}

/**
 * Removes a factor of somebody. With the last one the recovery codes go. Throws 422 for a wrong proof, CONFLICT for
 * the last one of who needs one, NOT_FOUND.
 */
export async function removeFactor(deps: FactorDeps, act: OwnAct, id: string): Promise<void> {
  const { person, from } = act
  const { login, needsFactor } = person
  await asOneself(deps, act, async (tx) => {
    const factors = await selectFactors(tx, login)
    const gone = factors.find((factor) => factor.id === id)
    if (!gone || !(await deleteFactor(tx, login, id)))
      throw new AppError('NOT_FOUND', 'there is no such second factor: it may be removed already')
    const more = { kind: gone.kind, name: gone.name }
    const event = { kind: 'factor_removed', id, person: login, more } as const
    await logSecurity(tx, deps.services, actorFrom(person, from), event)
    const left = await selectFactors(tx, login)
    if (left.length > 0) return
    if (needsFactor)
      throw new AppError(
        'CONFLICT',
        'a role of yours asks for a second factor: add another one before you remove this one',
      )
    await deleteCodesOf(tx, login)
  })
}

/** Ten new recovery codes in place of those before. Throws 422 for a wrong proof, CONFLICT for who has no factor. */
export function renewCodes(deps: FactorDeps, act: OwnAct): Promise<readonly string[]> {
  if (!act.person.hasFactor)
    throw new AppError('CONFLICT', 'recovery codes come with the first second factor')
  const { person, from } = act
  const { login } = person
  return asOneself(deps, act, async (tx) => {
    const event = { kind: 'recovery_codes_made', id: login, person: login } as const
    await logSecurity(tx, deps.services, actorFrom(person, from), event)
    return issueCodes(tx, login)
  })
}
