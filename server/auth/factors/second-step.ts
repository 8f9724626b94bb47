import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Person } from '../people.ts'
import type { Attempt } from '../throttle.ts'
import { knownFactors } from './known-factors.ts'
import { type RelyingParty, requestOptions } from './passkeys.ts'
import { type FactorProof, withFactor } from './prove.ts'
import { type FactorDeps, findTicket, makeTicket, ticketIsOver, useTicket } from './tickets.ts'

/** Ways in which somebody can prove their second factor. */
export type FactorMethod = 'totp' | 'passkey' | 'recovery'

/** What a sign-in ticket holds. */
interface SignInData {
  readonly methods: readonly FactorMethod[]
  readonly passkey?: PublicKeyCredentialRequestOptionsJSON
}

/** Second step of a sign-in: its ticket, and what may be sent with it. */
export interface SecondStep extends SignInData {
  readonly ticket: string
}

/**
 * The second step of a sign-in whose password was right; undefined for who has no second factor. `party`: where
 * passkeys work.
 */
export async function secondStep(
  deps: FactorDeps,
  person: Person,
  party: RelyingParty | undefined,
): Promise<SecondStep | undefined> {
  if (!person.hasFactor) return undefined
  const { apps, passkeys } = await knownFactors(deps, person.login)
  const passkey = party && passkeys.length > 0 ? await requestOptions(party, passkeys) : undefined
  const data: SignInData = {
    methods: [
      ...(apps.length > 0 ? (['totp'] as const) : []),
      ...(passkey ? (['passkey'] as const) : []),
      'recovery',
    ],
    ...(passkey ? { passkey } : {}),
  }
  return { ...data, ticket: await makeTicket(deps, person, 'sign-in', data) }
}

/** Reads what a sign-in waits for; undefined for a ticket that works no more. */
export async function waitingStep(
  deps: FactorDeps,
  ticket: string,
): Promise<SecondStep | undefined> {
  const found = await findTicket<SignInData>(deps, ticket, 'sign-in')
  return found && { ...found.data, ticket }
}

/** Where a sign-in goes on. */
export interface SignInPlace {
  /** The workspace, where passkeys work. */
  readonly party: RelyingParty | undefined
  /** Where the attempt comes from, and whether its browser is known to this login. */
  readonly from: (login: string) => Pick<Attempt, 'address' | 'device'>
}

/**
 * Ends a sign-in: the person of a ticket who has proven a second factor, whose session may begin. Throws UNAUTHORIZED
 * for a ticket that is over and for a wrong proof, RATE_LIMITED after five of them.
 */
export async function finishSignIn(
  deps: FactorDeps,
  ticket: string,
  proof: FactorProof,
  { party, from }: SignInPlace,
): Promise<Person> {
  const found = await findTicket<SignInData>(deps, ticket, 'sign-in')
  if (!found) throw ticketIsOver('sign-in')
  const { person, data } = found
  const asked = party && data.passkey ? { party, options: data.passkey } : undefined
  const proving = { person, from: from(person.login) }
  await withFactor(deps, proving, proof, asked, (tx) => useTicket(tx, found, 'sign-in'))
  return person
}
