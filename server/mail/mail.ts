import { type Clock, isoDateTime } from '../../engine/base/clock.ts'
import { newId } from '../../engine/base/ids.ts'
import { open, seal } from '../../engine/base/seal.ts'
import { isEmail } from '../../engine/fields/text-format.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { type ClaimedMail, insertMail } from './store.ts'

/** Text of a mail. */
export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Further people it goes to, beside the one of the outbox. */
  readonly also?: { readonly to: readonly string[]; readonly cc: readonly string[] }
  /** Record it is about: mail about the same one is one thread. */
  readonly about?: { readonly resource: string; readonly record: string }
  /** Login of who sent it: they are told when it comes back. */
  readonly sentBy?: string
  readonly replyTo?: string
  readonly attachments?: readonly MailAttachment[]
}

/** A file that goes with a mail. */
export interface MailAttachment {
  readonly name: string
  readonly type: string
  readonly base64: string
}

/** A mail to one person. */
export interface Mail extends MailText {
  /** One e-mail address, without a name. */
  readonly to: string
  /** Subject matter, for logs and counts: `password-reset`. */
  readonly kind: string
  /** Time for which it is of any use, in ms, such as that of a link in it; always, where it is absent. */
  readonly lifetimeMs?: number
}

/** Services of the engine that are needed to put a mail into the outbox. */
export interface Outbox {
  readonly clock: Clock
  seal(purpose: string, text: string): string
}

/** Longest subject; longer ones are cut, as mail programs show far less. */
const MAX_SUBJECT = 200

/**
 * Puts a mail into the outbox in the transaction of the change it tells of: it goes out after the commit, or
 * never. Returns its id. What it says is sealed, so that a copy of the database gives no link away. Throws Error for what is
 * no address; in a subject a line break, which could begin another header, becomes a space.
 */
export async function enqueueMail(
  tx: Db,
  { clock, seal: sealed }: Outbox,
  mail: Mail,
): Promise<string> {
  const { to, kind, lifetimeMs, ...said } = mail
  if (!isEmail(to))
    throw new Error('expected one e-mail address to send mail to, got something else')
  const id = newId('mail', clock.now())
  const content: MailText = { ...said, subject: oneLine(said.subject) }
  await insertMail(tx, {
    id,
    kind,
    recipient: to,
    content: sealed(purposeOf(id), JSON.stringify(content)),
    due: clock.now(),
    created: isoDateTime(clock),
    expires: lifetimeMs === undefined ? null : new Date(clock.now() + lifetimeMs).toISOString(),
  })
  return id
}

/** Text of a mail from the outbox. Throws Error when it was sealed with another key. */
export function openMail(
  secretKey: Buffer,
  { id, content }: Pick<ClaimedMail, 'id' | 'content'>,
): MailText {
  return JSON.parse(open(secretKey, purposeOf(id), content)) as MailText
}

/** What is kept of a mail that went out, sealed: which record it was about, so that its return can be told there; none of its text. */
export function remainsOf(secretKey: Buffer, mail: Pick<ClaimedMail, 'id' | 'content'>): string {
  const {
    text: _text,
    html: _html,
    attachments: _attachments,
    also: _also,
    ...rest
  } = openMail(secretKey, mail)
  return rest.about
    ? seal(secretKey, purposeOf(mail.id), JSON.stringify({ ...rest, text: '' }))
    : ''
}

function purposeOf(id: string): string {
  return `mail ${id}`
}

function oneLine(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_SUBJECT)
}
