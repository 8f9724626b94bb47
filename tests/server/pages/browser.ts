import supertest from 'supertest'
import { open } from '../../../engine/base/seal.ts'
import type { MailText } from '../../../server/mail/mail.ts'
import { PASSWORD } from '../auth/people.ts'
import type { TestApp } from '../test-app.ts'

export interface PageSeen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Where it leads on, for a redirection. */
  readonly goTo: string | undefined
}

/** A browser without scripts: it keeps cookies and sends the hidden fields of forms. */
export interface Browser {
  get(path: string): Promise<PageSeen>
  /** Fills in the form of the page it looks at that has this action, and sends it. */
  submit(action: string, fields?: Readonly<Record<string, string>>): Promise<PageSeen>
  /** Sends a form no page of ours has shown. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<PageSeen>
  signIn(login: string, password?: string): Promise<PageSeen>
  readonly cookies: ReadonlyMap<string, string>
}

/** A new browser, with these cookies. */
export function openBrowser(
  { app }: Pick<TestApp, 'app'>,
  had: Readonly<Record<string, string>> = {},
): Browser {
  const cookies = new Map(Object.entries(had))
  let shown = ''

  const seen = (response: supertest.Response): PageSeen => {
    const { status, headers, text } = response
    for (const line of (headers['set-cookie'] as unknown as string[] | undefined) ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Expires=Thu, 01 Jan 1970/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    if (status < 300 || status >= 400) shown = text
    return { status, headers, text, goTo: headers.location }
  }
  const cookieHeader = (): string =>
    [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const browser: Browser = {
    cookies,
    get: async (path) => seen(await supertest(app).get(path).set('Cookie', cookieHeader())),
    post: async (path, fields, headers = {}) =>
      seen(
        await supertest(app)
          .post(path)
          .set('Cookie', cookieHeader())
          .set(headers)
          .type('form')
          .send(new URLSearchParams(fields).toString()),
      ),
    submit: (action, fields = {}) => {
      const form = formsOf(shown).find((one) => one.action === action)
      if (!form) throw new Error(`the page has no form to ${action}:\n${shown}`)
      return browser.post(
        action,
        { ...form.hidden, ...fields },
        { 'Sec-Fetch-Site': 'same-origin' },
      )
    },
    signIn: async (login, password = PASSWORD) => {
      await browser.get('/login')
      return browser.submit('/login', { usr: login, pwd: password })
    },
  }
  return browser
}

function formsOf(page: string): { action: string; hidden: Record<string, string> }[] {
  return [...page.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs)].map(
    ([, action = '', body = '']) => ({
      action,
      hidden: Object.fromEntries(
        [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
          ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
        ),
      ),
    }),
  )
}

/** Mail in the outbox, as it would be sent, the oldest first. */
export async function outbox({
  engine,
  secretKey,
  afterwards,
}: TestApp): Promise<(MailText & { readonly to: string; readonly kind: string })[]> {
  await afterwards()
  const rows = await engine.services.database.read
    .selectFrom('svc_mails')
    .selectAll()
    .orderBy('id')
    .execute()
  return rows.map(({ id, kind, recipient, content }) => ({
    to: String(recipient),
    kind: String(kind),
    ...(JSON.parse(open(secretKey, `mail ${id}`, String(content))) as MailText),
  }))
}

/** The path of the link in a mail, and where it leads. */
export function linkIn({ text }: MailText): { readonly origin: string; readonly path: string } {
  const [link = ''] = /https?:\/\/\S+/.exec(text) ?? []
  const { origin, pathname, search } = new URL(link)
  return { origin, path: `${pathname}${search}` }
}
