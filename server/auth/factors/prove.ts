import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { isoDateTime } from '../../../engine/base/clock.ts'
import { AppError } from '../../../engine/base/errors.ts'
import type { Db } from '../../../engine/storage/database/database.ts'
import type { Person } from '../people.ts'
import { logSecurity } from '../security-log.ts'
import { type Attempt, countAttempt, forgetAttempts } from '../throttle.ts'
import { actorFrom } from './actor-from.ts'
import { countCodes, markFactorUsed, takeCode } from './factor-store.ts'
import { knownFactors } from './known-factors.ts'
import { provenPasskey, type RelyingParty } from './passkeys.ts'
import { codeHash } from './recovery-codes.ts'
import type { FactorDeps } from './tickets.ts'
import { looksLikeTotp, totpStep } from './totp.ts'

/** Proof that somebody sends of a second factor: a code of their app or a recovery code, or what a passkey has signed. */
export interface FactorProof {
  readonly code?: string | undefined
  /** `PublicKeyCredential.toJSON()` of the browser. */
  readonly passkey?: unknown
}

/** Who proves their second factor, and from where. */
export interface Proving {
  readonly person: Person
  readonly from: Pick<Attempt, 'address' | 'device'>
}

/** What a passkey was asked, and for which address. */
export interface AskedPasskey {
  readonly party: RelyingParty
  readonly options: PublicKeyCredentialRequestOptionsJSON
}

/** Uses a proof up in the transaction of what it is for; false where that was done meanwhile. */
type UseUp = (tx: Db) => Promise<boolean>

/**
 * Runs `change` in one transaction with the use of a second factor of somebody. Each code counts once, and guesses are
 * counted like those of passwords: five, then five minutes of waiting. Throws UNAUTHORIZED, RATE_LIMITED, and what
 * `change` throws; nothing was used up then.
 */
export async function withFactor<T>(
  deps: FactorDeps,
  { person, from }: Proving,
  proof: FactorProof,
  asked: AskedPasskey | undefined,
  change: (tx: Db) => Promise<T>,
): Promise<T> {
  const { services } = deps
  const { login } = person
  const attempt = { login, ...from, step: 'second_factor' } as const
  await countAttempt(services, attempt)
  const useUp = await findProof(deps, { person, from }, proof, asked)
  if (!useUp) throw notProven()
  const result = await services.database.write(async (tx) => {
    if (!(await useUp(tx))) throw notProven()
    return change(tx)
  })
  services.eventsCommitted()
  await forgetAttempts(services, attempt)
  return result
}

async function findProof(
  deps: FactorDeps,
  { person, from }: Proving,
  { code = '', passkey }: FactorProof,
  asked: AskedPasskey | undefined,
): Promise<UseUp | undefined> {
  const { services } = deps
  const { clock } = services
  const { login } = person
  const at = isoDateTime(clock)
  const hash = codeHash(code)
  if (hash !== undefined)
    return async (tx) => {
      if (!(await takeCode(tx, login, hash))) return false
      const more = { left: await countCodes(tx, login) }
      const event = { kind: 'recovery_code_used', id: login, person: login, more } as const
      await logSecurity(tx, services, actorFrom(person, from), event)
      return true
    }
  const { apps, passkeys } = await knownFactors(deps, login)
  if (passkey !== undefined) {
    const proven = asked && (await provenPasskey(asked.party, asked.options, passkeys, passkey))
    const id = passkeys.find(({ credential }) => credential === proven?.credential)?.id
    if (!proven || id === undefined) return undefined
    return (tx) => markFactorUsed(tx, { id, counter: proven.counter, at })
  }
  if (!looksLikeTotp(code)) return undefined
  for (const { id, secret } of apps) {
    const counter = await totpStep(secret, code, clock.now())
    if (counter !== undefined) return (tx) => markFactorUsed(tx, { id, counter, at })
  }
  return undefined
}

function notProven(): AppError {
  return new AppError('UNAUTHORIZED', 'this is not a valid code or key, or it was used already')
}
