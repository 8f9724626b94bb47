/** What a mail server tells about a mail that it could not deliver (RFC 3464). */
export interface ReturnedMail {
  /** Ids of mails of ours that it names, by their Message-ID. */
  readonly ids: readonly string[]
  /** To whom it did not go; empty where it does not say. */
  readonly recipient: string
  /** In its own words, on one line. */
  readonly reason: string
}

/** Most bytes of a report that are read: what follows is the mail itself, sent back. */
const MOST = 256 * 1024

const LONGEST_REASON = 300

/** Ids of our mails, as they stand before the @ of a Message-ID (`mail.ts`). */
const OWN_ID = /^Message-ID:\s*<(mail_[0-9a-z]+)@[^>\s]+>/gim

/**
 * Reads a report that came back. Undefined for any other mail, and for a report of what is only delayed or was delivered. What
 * it says is text for people: nothing in it is believed but which of our own mails it names.
 */
export function readReturned(message: Buffer): ReturnedMail | undefined {
  const text = message
    .subarray(0, MOST)
    .toString('latin1')
    .replace(/\r\n/g, '\n')
    // A header goes on in lines that begin with a blank.
    .replace(/\n[ \t]+/g, ' ')
  const head = text.slice(0, text.indexOf('\n\n'))
  if (!/^Content-Type:\s*multipart\/report\b/im.test(head)) return undefined
  if (!/^Action:\s*failed\b/im.test(text)) return undefined
  const ids = [...text.matchAll(OWN_ID)].map(([, id = '']) => id)
  const said = (name: string): string =>
    (new RegExp(`^${name}:[^;\\n]*;([^\\n]*)`, 'im').exec(text)?.[1] ?? '')
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, LONGEST_REASON)
  const status = /^Status:\s*([\d.]+)/im.exec(text)?.[1] ?? ''
  return {
    ids: [...new Set(ids)],
    recipient: said('Final-Recipient'),
    reason: said('Diagnostic-Code') || status || 'the mail server does not say why',
  }
}
