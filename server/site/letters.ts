import { type Html, html } from '../http/html.ts'
import type { MailText } from '../mail/mail.ts'

interface Letter {
  readonly subject: string
  /** Paragraphs before the link. */
  readonly before: readonly string[]
  readonly link?: { readonly label: string; readonly url: string }
  readonly after: readonly string[]
}

/**
 * Letter to somebody who has forgotten their password. Without `fullName` it greets nobody by name: that of who has
 * not proven the address is whatever a stranger has typed.
 */
export function passwordLetter(
  workspace: string,
  { fullName, url, hours }: { fullName: string | undefined; url: string; hours: number },
): MailText {
  return letter({
    subject: `Set a new password for ${workspace}`,
    before: [
      fullName === undefined ? 'Hello,' : `Hello ${fullName},`,
      `somebody asked for a new password for your account at ${workspace}. This link sets one:`,
    ],
    link: { label: 'Set a new password', url },
    after: [
      `It works once, within ${inHours(hours)}. If it was not you who asked, there is nothing to do: your password stays as it is.`,
    ],
  })
}

/** Letter to an address somebody has just signed up with: nothing in it is what they typed (safety D21). */
export function welcomeLetter(
  workspace: string,
  { url, hours }: { url: string; hours: number },
): MailText {
  return letter({
    subject: `Welcome to ${workspace}`,
    before: [
      'Hello,',
      `your account at ${workspace} is ready. One step is left: choose a password.`,
    ],
    link: { label: 'Choose a password', url },
    after: [
      `The link works once, within ${inHours(hours)}. If it was not you who signed up, ignore this: without a password nobody can use the account.`,
    ],
  })
}

/** Letter to somebody who signed up, but has an account. */
export function knownLetter(
  workspace: string,
  { fullName, url }: { fullName: string; url: string },
): MailText {
  return letter({
    subject: `Your account at ${workspace}`,
    before: [
      `Hello ${fullName},`,
      `somebody signed up at ${workspace} with your address, which has an account already. You can sign in, or ask for a new password:`,
    ],
    link: { label: 'Sign in', url },
    after: ['If it was not you, there is nothing to do.'],
  })
}

/** What happened to somebody's second factors: kinds of `security.*` that they are written to about. */
export type FactorChange = keyof typeof FACTOR_CHANGES

const FACTOR_CHANGES = {
  factor_added: {
    subject: 'You have a new second factor',
    what: 'was set up: each sign-in can be proven by it from now on.',
  },
  factor_removed: { subject: 'A second factor was removed', what: 'was removed.' },
  recovery_code_used: {
    subject: 'A recovery code was used',
    what: 'One of your recovery codes was used. It works no more.',
  },
  factors_reset: {
    subject: 'Your second factor was reset',
    what: 'A System Manager has removed your second factors and recovery codes, and ended your sessions. Your password alone signs you in now; set a new second factor up then.',
  },
} as const

/** Whether a kind of event is one of these. */
export function isFactorChange(kind: string): kind is FactorChange {
  return Object.hasOwn(FACTOR_CHANGES, kind)
}

/** Letter to somebody whose second factors have changed; `name` is that of the factor, where it is one. */
export function factorLetter(
  workspace: string,
  {
    fullName,
    change,
    name,
  }: {
    readonly fullName: string
    readonly change: FactorChange
    readonly name: string | undefined
  },
): MailText {
  const { subject, what } = FACTOR_CHANGES[change]
  return letter({
    subject: `${subject} at ${workspace}`,
    before: [
      `Hello ${fullName},`,
      name === undefined ? what : `Your second factor “${name}” ${what}`,
    ],
    after: [
      'If it was not you, and you did not ask for it, change your password and tell who runs the workspace at once.',
    ],
  })
}

/** Letter to who runs the workspace, about a message of the contact form. */
export function contactLetter(
  workspace: string,
  { full_name, email, message }: { full_name: string; email: string; message: string },
): MailText {
  return letter({
    subject: `Message from ${full_name}`,
    before: [`${full_name} <${email}> wrote through the contact form of ${workspace}:`],
    after: [message],
  })
}

function letter({ subject, before, link, after }: Letter): MailText {
  const paragraphs = [...before, ...(link ? [link.url] : []), ...after]
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: asHtml(before, link, after).html }
}

/** Mail programs know styles in attributes only. */
function asHtml(before: readonly string[], link: Letter['link'], after: readonly string[]): Html {
  const paragraph = (text: string): Html =>
    html`<p style="margin:0 0 16px;white-space:pre-line">${text}</p>`
  return html`<!doctype html>
<html lang="en"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#16181d">
<div style="max-width:480px;margin:0 auto">
${before.map(paragraph)}
${
  link &&
  html`<p style="margin:0 0 16px"><a href="${link.url}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#3f60e8;color:#ffffff;font-weight:600;text-decoration:none">${link.label}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#5b6070;word-break:break-all">${link.url}</p>`
}
${after.map(paragraph)}
</div>
</body></html>
`
}

function inHours(hours: number): string {
  return hours === 1 ? 'an hour' : `${hours} hours`
}
