import { SYSTEM_MANAGER } from '../../engine/access/roles.ts'
import { AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { isEmail } from '../../engine/fields/text-format.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { peopleOf } from '../auth/people.ts'
import { selectEmailsOf } from '../auth/person-store.ts'
import { enqueueMail } from '../mail/mail.ts'
import { countInHour } from './hourly-limit.ts'
import { contactLetter } from './letters.ts'
import { FORM_ACTOR, type Site } from './site.ts'
import { workspaceName } from './workspace-name.ts'

/** Message that somebody wrote in a public form (spec §2, Contact message). */
export interface ContactMessage {
  readonly full_name: string
  readonly email: string
  readonly message: string
}

/** The longest text of each, in characters. */
const LONGEST: Readonly<Record<keyof ContactMessage, number>> = {
  full_name: 140,
  email: 140,
  message: 10_000,
}

/** Reads what was sent; further fields are ignored. Throws 422 with all problems. */
export function readContactMessage(args: Readonly<Record<string, unknown>>): ContactMessage {
  const details: Detail[] = []
  const read = (field: keyof ContactMessage): string => {
    const value = args[field]
    const text = typeof value === 'string' ? value.trim() : ''
    const most = LONGEST[field]
    if (text === '' || text.length > most)
      details.push({
        field,
        message: `expected a text of 1 to ${most} characters`,
        code: text === '' ? 'required' : 'out_of_range',
      })
    else if (field === 'email' && !isEmail(text))
      details.push({
        field,
        message: 'expected an e-mail address such as ann@example.com',
        code: 'wrong_type',
      })
    return text
  }
  const message = { full_name: read('full_name'), email: read('email'), message: read('message') }
  if (details.length > 0) throw validationError(details)
  return message
}

/**
 * Keeps a message, and mails it to who runs the workspace where mail goes out. `form` names the form it came
 * through; each has its own limit by address (`network`), of accepted messages an hour. Throws RATE_LIMITED.
 */
export async function keepContactMessage(
  site: Site,
  form: string,
  message: ContactMessage,
  network: string,
): Promise<void> {
  const { engine } = site
  const { services } = engine
  const definition = services.registry.serving('contact_messages')
  if (!definition)
    throw new AppError(
      'NOT_FOUND',
      'this workspace keeps no messages: no DocType serves contact_messages',
    )
  const limit = {
    what: `messages by ${form}`,
    of: network,
    limit: services.plans.contact_messages_per_hour,
  }
  const readers = site.sendsMail ? await managers(site) : []
  const letter = contactLetter(await workspaceName(site), message)
  const context = {
    ...engine.context(FORM_ACTOR, await engine.tier()),
    async beforeCommit(tx: Db) {
      await countInHour(tx, services, limit)
      for (const to of readers) await enqueueMail(tx, services, { to, kind: 'contact', ...letter })
    },
  }
  const source = definition.fields.some(({ name }) => name === 'source') ? { source: form } : {}
  await createDocument(context, definition, { ...message, ...source })
}

/** Addresses of those who run the workspace. */
async function managers({ engine: { services } }: Site): Promise<readonly string[]> {
  const people = peopleOf(services)
  const found = await selectEmailsOf(services.database.read, people, SYSTEM_MANAGER)
  return found.filter(isEmail)
}
