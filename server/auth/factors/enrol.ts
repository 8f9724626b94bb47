import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import { isoDateTime } from '../../../engine/base/clock.ts'
import { validationError } from '../../../engine/base/errors.ts'
import { newId } from '../../../engine/base/ids.ts'
import { findPerson, type Person } from '../people.ts'
import { logSecurity } from '../security-log.ts'
import { actorFrom } from './actor-from.ts'
import { countCodes, type FactorRow, insertFactor } from './factor-store.ts'
import { knownFactors, sealedSecret } from './known-factors.ts'
import { creationOptions, madePasskey, type RelyingParty } from './passkeys.ts'
import { issueCodes } from './recovery-codes.ts'
import {
  type FactorDeps,
  findTicket,
  makeTicket,
  type Ticket,
  type TicketPurpose,
  ticketIsOver,
  useTicket,
} from './tickets.ts'
import { newTotpSecret, totpStep } from './totp.ts'

/** What a person has begun to set up. */
export type Begun =
  | { readonly kind: 'totp'; readonly secret: string; readonly uri: string }
  | { readonly kind: 'passkey'; readonly options: PublicKeyCredentialCreationOptionsJSON }

/** A factor that is being set up, under its ticket. */
export type Enrolment<Kind extends Begun['kind'] = Begun['kind']> = Extract<
  Begun,
  { readonly kind: Kind }
> & { readonly ticket: string }

/** A factor that was set up. */
export interface Enrolled {
  readonly person: Person
  /** Recovery codes, seen this once: with the first factor. */
  readonly codes: readonly string[] | undefined
}

const MAX_NAME = 60
const MOST_FACTORS = 20

/** Begins to set up an app that shows codes; `issuer` is the workspace. Nothing is kept but the ticket. */
export async function beginApp(
  deps: FactorDeps,
  person: Person,
  issuer: string,
  purpose: Exclude<TicketPurpose, 'sign-in'>,
): Promise<Enrolment<'totp'>> {
  const begun = { kind: 'totp', ...(await newTotpSecret(issuer, person)) } as const
  return { ...begun, ticket: await makeTicket(deps, person, purpose, begun) }
}

/** Begins to make a passkey. */
export async function beginPasskey(
  deps: FactorDeps,
  person: Person,
  issuer: string,
  party: RelyingParty,
): Promise<Enrolment<'passkey'>> {
  const { passkeys } = await knownFactors(deps, person.login)
  const options = await creationOptions(party, issuer, person, passkeys)
  const begun = { kind: 'passkey', options } as const
  return { ...begun, ticket: await makeTicket(deps, person, 'add', begun) }
}

/** Reads what was begun with a ticket; undefined where that is over. */
export async function waitingEnrolment(
  deps: FactorDeps,
  ticket: string,
  purpose: Exclude<TicketPurpose, 'sign-in'>,
): Promise<Enrolment | undefined> {
  const found = await findTicket<Begun>(deps, ticket, purpose)
  return found && { ...found.data, ticket }
}

/**
 * Sets a factor up that proves itself: by a code of the app, or by what the browser says of the new passkey. The first
 * one brings ten recovery codes. Throws `ticketIsOver` for a ticket that is over or of somebody else than `login`, 422
 * for what proves nothing.
 */
export async function finishEnrolment(
  deps: FactorDeps,
  ticket: string,
  sent: {
    readonly code?: string | undefined
    readonly passkey?: unknown
    readonly name?: string | undefined
  },
  {
    purpose,
    party,
    address,
    login,
  }: {
    readonly purpose: Exclude<TicketPurpose, 'sign-in'>
    readonly party: RelyingParty | undefined
    /** Address of the request. */
    readonly address: string
    /** Whose ticket it has to be, where somebody is signed in. */
    readonly login?: string
  },
): Promise<Enrolled> {
  const { services } = deps
  const found = await findTicket<Begun>(deps, ticket, purpose)
  if (!found || (login !== undefined && found.person.login !== login)) throw ticketIsOver(purpose)
  const row = await provenRow(deps, found, sent, party)
  const codes = await services.database.write(async (tx) => {
    await useTicket(tx, found, purpose)
    const known = await countCodes(tx, row.login)
    await insertFactor(tx, row)
    const { id, kind, name } = row
    const event = { kind: 'factor_added', id, person: row.login, more: { kind, name } } as const
    await logSecurity(tx, services, actorFrom(found.person, { address }), event)
    return found.person.hasFactor && known > 0 ? undefined : issueCodes(tx, row.login)
  })
  services.eventsCommitted()
  return { person: (await findPerson(services, row.login))!, codes }
}

async function provenRow(
  deps: FactorDeps,
  { person, data }: Ticket<Begun>,
  {
    code = '',
    passkey,
    name = '',
  }: { code?: string | undefined; passkey?: unknown; name?: string | undefined },
  party: RelyingParty | undefined,
): Promise<FactorRow> {
  const { services, secretKey } = deps
  const { clock } = services
  const known = await knownFactors(deps, person.login)
  if (known.apps.length + known.passkeys.length >= MOST_FACTORS)
    throw refused('name', `expected at most ${MOST_FACTORS} of them; remove one first`)
  const id = newId('fac', clock.now())
  const base = { id, login: person.login, created: isoDateTime(clock), last_used: null }
  const named = (usual: string): string => name.trim().slice(0, MAX_NAME) || usual
  if (data.kind === 'totp') {
    const counter = await totpStep(data.secret, code, clock.now())
    if (counter === undefined)
      throw refused('code', 'this is not the code of now: is the clock of the device right?')
    const secret = sealedSecret(secretKey, id, data.secret)
    return { ...base, kind: 'totp', name: named('App'), secret, credential: null, counter }
  }
  const made = party && (await madePasskey(party, data.options, passkey))
  if (!made) throw refused('passkey', 'the device has not made a passkey for this workspace')
  const { credential, counter, ...kept } = made
  const secret = sealedSecret(secretKey, id, JSON.stringify(kept))
  return { ...base, kind: 'passkey', name: named('Passkey'), secret, credential, counter }
}

function refused(field: string, message: string) {
  return validationError([{ field, message, code: 'rule' }])
}
