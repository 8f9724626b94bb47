import { isEmail } from '../../engine/fields/text-format.ts'
import { makeLink } from '../auth/one-time-links.ts'
import { findPerson, findPersonByEmail, type Person } from '../auth/people.ts'
import { enqueueMail } from '../mail/mail.ts'
import { PATHS } from '../pages/page-paths.ts'
import { countInHour } from './hourly-limit.ts'
import { passwordLetter } from './letters.ts'
import type { Site } from './site.ts'
import { workspaceName } from './workspace-name.ts'

const HOUR = 60 * 60 * 1000

/** Lifetime of a link for a forgotten password, in hours. */
const LINK_HOURS = 1

/** Requests one address may make an hour, and mails one person gets. */
const MOST_BY_ADDRESS = 20
const MOST_BY_PERSON = 5

/** The longest name that is worth looking up. */
const MAX_LOGIN = 140

/**
 * Mails a link that sets a new password to whom this login or e-mail address belongs. Who asked learns nothing,
 * not from the answer and not from its time: whether there is such a person is looked up after it
 * (reliability.md S7). Throws RATE_LIMITED for an address (`network`) that asks too often.
 */
export async function requestPasswordReset(
  site: Site,
  login: string,
  network: string,
  redirectTo?: string,
): Promise<void> {
  const { services } = site.engine
  await services.database.write((tx) =>
    countInHour(tx, services, {
      what: 'requests for a password',
      of: network,
      limit: MOST_BY_ADDRESS,
    }),
  )
  site.background.run(async () => {
    const name = login.trim()
    const person = name === '' || name.length > MAX_LOGIN ? undefined : await findByName(site, name)
    if (person?.enabled && isEmail(person.email)) await mailLink(site, person, redirectTo)
  })
}

/** The address a one-time link leads to. */
export function passwordLink(site: Site, token: string): string {
  const query = new URLSearchParams({ token })
  return `${site.baseUrl()}${PATHS.resetPassword}?${query}`
}

async function findByName(
  { engine: { services } }: Site,
  name: string,
): Promise<Person | undefined> {
  return (
    (await findPerson(services, name)) ??
    (await findPerson(services, name.toLowerCase())) ??
    (await findPersonByEmail(services, name))
  )
}

async function mailLink(site: Site, person: Person, redirectTo: string | undefined): Promise<void> {
  const { services } = site.engine
  const { login, email, unconfirmed } = person
  const fullName = unconfirmed === null ? person.fullName : undefined
  const workspace = await workspaceName(site)
  await services.database.write(async (tx) => {
    await countInHour(tx, services, { what: 'passwords', of: login, limit: MOST_BY_PERSON })
    const lifetimeMs = LINK_HOURS * HOUR
    const token = await makeLink(
      tx,
      services.clock,
      { login, address: email, go_on_to: redirectTo ?? null },
      'password',
      lifetimeMs,
    )
    const url = passwordLink(site, token)
    const text = passwordLetter(workspace, { fullName, url, hours: LINK_HOURS })
    await enqueueMail(tx, services, { to: email, kind: 'password-reset', lifetimeMs, ...text })
  })
}
