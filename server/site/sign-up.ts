import { STRANGER_ROLE } from '../../engine/access/roles.ts'
import { DATACENTER_FIELD } from '../../engine/base/brand.ts'
import { AppError, type Detail, isRefusal, validationError } from '../../engine/base/errors.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import type { BeforeCommit } from '../../engine/documents/work/context.ts'
import { isEmail } from '../../engine/fields/text-format.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { makeLink } from '../auth/one-time-links.ts'
import { findPerson, findPersonByEmail, type Person, peopleOf } from '../auth/people.ts'
import { writeAccount } from '../auth/person-store.ts'
import { ensureStrangerRole, removeOverdue } from '../auth/unconfirmed.ts'
import { sameOriginPath } from '../http/same-origin-path.ts'
import { enqueueMail } from '../mail/mail.ts'
import { PATHS } from '../pages/page-paths.ts'
import { countInHour } from './hourly-limit.ts'
import { knownLetter, welcomeLetter } from './letters.ts'
import { passwordLink } from './password-reset.ts'
import { FORM_ACTOR, type Site } from './site.ts'
import { workspaceName } from './workspace-name.ts'

/** Places where somebody may ask for their data to be kept (spec §2, Signup request). */
export const DATACENTERS = ['india', 'eu', 'us'] as const
export type Datacenter = (typeof DATACENTERS)[number]

/** Wish for an account. */
export interface SignUp {
  readonly email: string
  readonly fullName: string
  /** Place they chose; unset where a form of Frappe's asks, which knows of none. */
  readonly datacenter: Datacenter | undefined
  /** Path of this origin to go on to once the password is set. */
  readonly redirectTo: string | undefined
}

/** Outcome of a sign-up: an account; or none, for there is one, which may be disabled. */
export type SignUpOutcome = 'made' | 'known' | 'disabled'

/** Message to the person for each outcome, in Frappe's words (erp-semantics.md §1.2). */
export const SIGN_UP_MESSAGES: Readonly<Record<SignUpOutcome, string>> = {
  made: 'Please check your email for verification',
  known: 'Already Registered',
  disabled: 'Registered but disabled',
}

/** Lifetime of a new account's link, in hours: a weekend. */
const LINK_HOURS = 72
const HOUR = 60 * 60 * 1000

/** New accounts from one address an hour, and mails to one person who has one. */
const MOST_BY_ADDRESS = 10
const MOST_BY_PERSON = 3

const MAX_TEXT = 140

/** Reads what was sent. `needsDatacenter`: this form asks for one. Throws 422 with all problems. */
export function readSignUp(
  args: Readonly<Record<string, unknown>>,
  { needsDatacenter }: { readonly needsDatacenter: boolean },
): SignUp {
  const details: Detail[] = []
  const { email, full_name, redirect_to, [DATACENTER_FIELD]: wanted } = args
  const address = typeof email === 'string' ? email.trim().toLowerCase() : ''
  if (!isEmail(address) || address.length > MAX_TEXT)
    details.push({
      field: 'email',
      message: 'expected an e-mail address such as ann@example.com',
      code: 'wrong_type',
    })
  const fullName = typeof full_name === 'string' ? full_name.trim() : ''
  if (fullName === '' || fullName.length > MAX_TEXT)
    details.push({
      field: 'full_name',
      message: `expected a name of 1 to ${MAX_TEXT} characters`,
      code: fullName === '' ? 'required' : 'out_of_range',
    })
  const datacenter = DATACENTERS.find((known) => known === wanted)
  const isMissing = wanted === undefined || wanted === null || wanted === ''
  if (!datacenter && (needsDatacenter || !isMissing))
    details.push({
      field: DATACENTER_FIELD,
      message: `expected one of ${DATACENTERS.join(', ')}`,
      code: isMissing ? 'required' : 'not_an_option',
    })
  const redirectTo = sameOriginPath(redirect_to)
  if (redirectTo === undefined && typeof redirect_to === 'string' && redirect_to !== '')
    details.push({
      field: 'redirect_to',
      message: 'expected a path of this site such as /orders',
      code: 'wrong_type',
    })
  if (details.length > 0) throw validationError(details)
  return { email: address, fullName, datacenter, redirectTo }
}

/**
 * Makes an account without a password and with the role of strangers, and mails the link that sets the password:
 * nobody has it before its address is proven (reliability.md S10), and it ends with the link. Who has an account is
 * told by mail too, and gets another link while the address is not proven. Throws
 * FORBIDDEN where sign-up is closed and RATE_LIMITED for an address (`network`) that makes too many.
 */
export async function signUp(site: Site, wanted: SignUp, network: string): Promise<SignUpOutcome> {
  if (!site.signup) {
    throw new AppError(
      'FORBIDDEN',
      'sign-up is closed on this workspace: ask one of its System Managers for an account',
    )
  }
  const { services } = site.engine
  const limit = { what: 'sign-ups', of: network, limit: MOST_BY_ADDRESS }
  await services.database.write((tx) => countInHour(tx, services, limit))
  await removeOverdue(site.engine)
  const known = await findKnown(site, wanted.email)
  if (known) return alreadyKnown(site, known, wanted.redirectTo)
  await ensureStrangerRole(site.engine)
  try {
    await create(site, wanted)
  } catch (error) {
    return refusalOf(site, wanted, error)
  }
  return 'made'
}

async function findKnown(
  { engine: { services } }: Site,
  email: string,
): Promise<Person | undefined> {
  return (await findPerson(services, email)) ?? (await findPersonByEmail(services, email))
}

async function create(site: Site, { email, fullName, datacenter, redirectTo }: SignUp) {
  const { engine } = site
  const { services } = engine
  const definition = peopleOf(services)
  const workspace = await workspaceName(site)
  const beforeCommit: BeforeCommit = async (tx, result) => {
    const login = result?.id ?? email
    await welcome(site, tx, { login, email, workspace, redirectTo })
  }
  const context = { ...engine.context(FORM_ACTOR, await engine.tier()), beforeCommit }
  const residency = datacenter === undefined ? {} : { data_residency: datacenter }
  await createDocument(context, definition, {
    email,
    full_name: fullName,
    enabled: true,
    roles: [{ role: STRANGER_ROLE }],
    ...residency,
  })
}

interface Welcome {
  readonly login: string
  readonly email: string
  readonly workspace: string
  readonly redirectTo: string | undefined
}

/** Mails a new link that proves an address; the account ends with it. */
async function welcome(
  site: Site,
  tx: Db,
  { login, email, workspace, redirectTo }: Welcome,
): Promise<void> {
  const { services } = site.engine
  const lifetimeMs = LINK_HOURS * HOUR
  const unconfirmed = new Date(services.clock.now() + lifetimeMs).toISOString()
  await writeAccount(tx, login, { unconfirmed })
  const token = await makeLink(
    tx,
    services.clock,
    { login, address: email, go_on_to: redirectTo ?? null },
    'password',
    lifetimeMs,
  )
  const url = passwordLink(site, token)
  const text = welcomeLetter(workspace, { url, hours: LINK_HOURS })
  await enqueueMail(tx, services, { to: email, kind: 'sign-up', lifetimeMs, ...text })
}

function alreadyKnown(
  site: Site,
  { login, email, fullName, enabled, unconfirmed }: Person,
  redirectTo: string | undefined,
): SignUpOutcome {
  if (!enabled) return 'disabled'
  const { services } = site.engine
  site.background.run(async () => {
    const workspace = await workspaceName(site)
    await services.database.write(async (tx) => {
      await countInHour(tx, services, { what: 'reminders', of: login, limit: MOST_BY_PERSON })
      if (unconfirmed !== null) return welcome(site, tx, { login, email, workspace, redirectTo })
      const text = knownLetter(workspace, { fullName, url: `${site.baseUrl()}${PATHS.login}` })
      if (isEmail(email)) await enqueueMail(tx, services, { to: email, kind: 'sign-up', ...text })
    })
  })
  return 'known'
}

/** Outcome where somebody else took the address meanwhile: that is no error of the form. */
async function refusalOf(
  site: Site,
  { email, redirectTo }: SignUp,
  error: unknown,
): Promise<SignUpOutcome> {
  if (!isRefusal(error)) throw error
  const known = await findKnown(site, email)
  if (known) return alreadyKnown(site, known, redirectTo)
  throw error
}
