import { type AppError, isRefusal } from '../../engine/base/errors.ts'
import { signIn } from '../auth/accounts.ts'
import { attemptFrom, leaveSession } from '../auth/browser-session.ts'
import { html } from '../http/html.ts'
import type { BrowserWords } from '../site/browser-words.ts'
import type { Site } from '../site/site.ts'
import { alert, field, notice } from './form-parts.ts'
import { cardPage } from './layout.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { type FactorSite, signInOrAsk } from './second-factor.ts'
import { sentence } from './sentence.ts'
import { TARGET, targetField, targetOf, withTarget } from './target.ts'
import { type Fields, formAnswer, type PageAnswer } from './visit.ts'

/** Messages for those who come from another page, by the parameter `done`. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['password', 'Your new password is set. Sign in with it.'],
  ['spent', 'This workspace is set up already: its link is spent. Sign in.'],
  ['out', 'You are signed out.'],
  ['late', 'That took too long. Sign in again.'],
])

/** `/login`. */
export function loginPage(own: FactorSite): Page {
  const { site, secretKey } = own
  return {
    parameters: [TARGET, 'done'],
    show: ({ visitor, query, words }) =>
      visitor ? { goTo: targetOf(query) ?? '/' } : loginForm(site, words, query, {}),
    async send(visit) {
      const { form, words } = visit
      const { services } = site.engine
      try {
        const login = form.get('usr') ?? ''
        const from = attemptFrom({ secretKey, ...visit }, login)
        const person = await signIn(services, login, form.get('pwd') ?? '', from)
        return await signInOrAsk(own, visit, person)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return loginForm(site, words, form, { error })
      }
    },
  }
}

/** `/logout`: ends the session here and in the database. */
export function logoutPage(site: Site): Page {
  return {
    actsForVisitor: true,
    async send({ request, response }) {
      await leaveSession({ services: site.engine.services, request, response })
      return { goTo: `${PATHS.login}?done=out` }
    },
  }
}

function loginForm(
  site: Site,
  { tell, language }: BrowserWords,
  fields: Fields,
  { error }: { error?: AppError },
): PageAnswer {
  const done = NOTICES.get(fields.get('done') ?? '')
  const target = targetOf(fields)
  const login = error ? fields.get('usr') : undefined
  const page = cardPage(tell('Sign in'), {
    language,
    body: html`${alert(error && sentence(tell(error.message)))}
${!error && notice(done && tell(done))}
<form method="post" action="${PATHS.login}">
${targetField(fields)}
${field({
  name: 'usr',
  label: tell('E-mail or user name'),
  value: login,
  autocomplete: 'username',
  autofocus: !login,
  maxlength: 140,
})}
${field({
  name: 'pwd',
  label: tell('Password'),
  type: 'password',
  autocomplete: 'current-password',
  autofocus: Boolean(login),
})}
<button>${tell('Sign in')}</button>
</form>
<p class="label-row"><a href="${withTarget(PATHS.forgotPassword, target)}">${tell('Forgot your password?')}</a></p>`,
    ...(site.signup && {
      footer: html`${tell('New here?')} <a href="${withTarget(PATHS.signUp, target)}">${tell('Create an account')}</a>`,
    }),
  })
  return formAnswer(page, error)
}
