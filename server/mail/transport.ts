import { hash } from 'node:crypto'
import type { MailText } from './mail.ts'

/** Letter as it is handed to the mail server. */
export interface Letter extends MailText {
  /** The mail's own id: the same at each try, so that a receiver can tell a repetition. */
  readonly id: string
  readonly to: string
}

/** Outcome of an attempt to send. `final`: it would be refused the same way again. */
export type Sent = { readonly ok: true } | { readonly ok: false; final: boolean; error: string }

/** Something that sends mail. Never rejects. */
export interface Transport {
  send(letter: Letter): Promise<Sent>
  close(): void
}

export interface SmtpOptions {
  /** `smtp(s)://user:password@host:port`. */
  readonly smtpUrl: string
  readonly from: string
}

/** Time after which a server that says nothing is given up, in ms. */
const SILENCE = 20_000

const MAX_ERROR = 300

/** Sends by SMTP, with STARTTLS where the server has it. Loads its library at the first call. */
export async function smtpTransport({ smtpUrl, from }: SmtpOptions): Promise<Transport> {
  const { createTransport } = await import('nodemailer')
  const mailer = createTransport({
    url: smtpUrl,
    connectionTimeout: SILENCE,
    greetingTimeout: SILENCE,
    socketTimeout: SILENCE,
    // What a mail says never names a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = from.slice(from.lastIndexOf('@') + 1)
  return {
    async send({ id, to, subject, text, html, also, about, replyTo, attachments = [] }) {
      const named = (address: string) => ({ name: '', address })
      const { to: others = [], cc = [] } = also ?? {}
      // Nobody wrote a first mail of the thread: programs gather what refers to the same one.
      const thread = about && `<${threadOf(about)}@${host}>`
      try {
        await mailer.sendMail({
          messageId: `<${id}@${host}>`,
          from: named(from),
          to: [to, ...others].map(named),
          cc: cc.map(named),
          envelope: { from, to: [to, ...others, ...cc] },
          ...(thread === undefined
            ? { headers: { 'Auto-Submitted': 'auto-generated' } }
            : { inReplyTo: thread, references: thread }),
          ...(replyTo === undefined ? {} : { replyTo: named(replyTo) }),
          subject,
          text,
          ...(html && { html }),
          attachments: attachments.map(({ name, type, base64 }) => ({
            filename: name,
            contentType: type,
            content: Buffer.from(base64, 'base64'),
          })),
        })
        return { ok: true }
      } catch (error) {
        return { ok: false, final: isFinal(error), error: shownError(error) }
      }
    },
    close: () => mailer.close(),
  }
}

/** Name of the thread of a record: the same for each mail about it, and nothing that tells of it. */
function threadOf({ resource, record }: NonNullable<MailText['about']>): string {
  return `thread.${hash('sha256', `${resource}/${record}`).slice(0, 32)}`
}

/**
 * Sender of mail: as set, else the user of the mail server, else an address at the workspace's own host
 * (docs/configuration.md).
 */
export function senderOf({
  mailFrom,
  smtpUrl,
  baseUrl,
}: {
  readonly mailFrom?: string | undefined
  readonly smtpUrl?: string | undefined
  readonly baseUrl?: string | undefined
}): string {
  if (mailFrom !== undefined) return mailFrom
  const user = smtpUrl === undefined ? '' : decodeURIComponent(new URL(smtpUrl).username)
  if (user.includes('@')) return user
  return `svc@${baseUrl === undefined ? 'localhost' : new URL(baseUrl).hostname}`
}

/** 5xx to the recipient or the message is for good (RFC 5321 §4.2.1); a refused password can be mended. */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) >= 500
}

/** The server's own words, on one line. */
function shownError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error))
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_ERROR)
}
