import { AppError } from '../../engine/base/errors.ts'
import { signIn } from '../auth/accounts.ts'
import type { Person } from '../auth/people.ts'
import { clearSessionCookies, sessionCookie, setSessionCookies } from '../auth/session-cookies.ts'
import { endSession, startSession } from '../auth/sessions.ts'
import { html } from '../html.ts'
import { sameOriginPath } from '../same-origin-path.ts'
import type { Site } from '../site/site.ts'
import { alert, field, hidden, notice } from './form-parts.ts'
import { cardPage } from './layout.ts'
import type { Page } from './pages.ts'
import { sentence } from './sentence.ts'
import type { Fields, PageAnswer, Visit } from './visit.ts'

/** Where to go on after a form: a path of this origin, else the start. */
const TARGET = 'redirect-to'

/** What the page says to who comes from another one, by the parameter `done`. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['password', 'Your new password is set. Sign in with it.'],
  ['out', 'You are signed out.'],
])

/** `/login`. */
export function loginPage(site: Site): Page {
  return {
    show: ({ visitor, query }) =>
      visitor ? { goTo: targetOf(query) ?? '/' } : loginForm(site, query, {}),
    async send(visit) {
      const { form } = visit
      try {
        const { ip = '' } = visit.request
        const login = form.get('usr') ?? ''
        const person = await signIn(site.engine.services, login, form.get('pwd') ?? '', ip)
        await beginSession(site, visit, person)
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error
        return loginForm(site, form, { error })
      }
      return { goTo: targetOf(form) ?? '/' }
    },
  }
}

/** `/logout`: ends the session here and in the database. */
export function logoutPage(site: Site): Page {
  return {
    actsForVisitor: true,
    async send({ request, response }) {
      const cookie = sessionCookie(request)
      if (cookie !== undefined) await endSession(site.engine.services, cookie)
      clearSessionCookies(request, response)
      return { goTo: '/login?done=out' }
    },
  }
}

/** Signs somebody in, in this browser: a session with a new cookie; the one it had ends. */
export async function beginSession(
  { engine: { services } }: Site,
  { request, response }: Visit,
  person: Person,
): Promise<void> {
  const before = sessionCookie(request)
  if (before !== undefined) await endSession(services, before)
  const agent = request.headers['user-agent']
  const { token } = await startSession(services, person, {
    byPage: true,
    address: request.ip,
    agent,
  })
  setSessionCookies(request, response, token, person)
}

/** The path a form or an address asks to go on to. */
export function targetOf(fields: Fields): string | undefined {
  return sameOriginPath(fields.get(TARGET))
}

/** Keeps where to go on in a form. */
export function targetField(fields: Fields): ReturnType<typeof hidden> {
  return hidden(TARGET, targetOf(fields))
}

/** Adds where to go on to a path of ours. */
export function withTarget(path: string, target: string | undefined): string {
  if (target === undefined) return path
  const query = new URLSearchParams({ [TARGET]: target })
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

function loginForm(site: Site, fields: Fields, { error }: { error?: AppError }): PageAnswer {
  const target = targetOf(fields)
  const login = error ? fields.get('usr') : undefined
  const page = cardPage('Sign in', {
    body: html`${alert(error && sentence(error.message))}
${!error && notice(NOTICES.get(fields.get('done') ?? ''))}
<form method="post" action="/login">
${hidden(TARGET, target)}
${field({
  name: 'usr',
  label: 'E-mail or user name',
  value: login,
  autocomplete: 'username',
  autofocus: !login,
  maxlength: 140,
})}
${field({
  name: 'pwd',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  autofocus: Boolean(login),
})}
<button>Sign in</button>
</form>
<p class="label-row"><a href="${withTarget('/forgot-password', target)}">Forgot your password?</a></p>`,
    ...(site.signup && {
      footer: html`New here? <a href="${withTarget('/signup', target)}">Create an account</a>`,
    }),
  })
  return error ? { status: error.status, headers: { ...error.headers }, page } : { page }
}
