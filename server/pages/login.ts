import { type AppError, isRefusal } from '../../engine/base/errors.ts'
import { signIn } from '../auth/accounts.ts'
import { attemptFrom, leaveSession } from '../auth/browser-session.ts'
import { html } from '../http/html.ts'
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
  ['out', 'You are signed out.'],
  ['late', 'That took too long. Sign in again.'],
])

/** `/login`. */
export function loginPage(own: FactorSite): Page {
  const { site, secretKey } = own
  return {
    parameters: [TARGET, 'done'],
    show: ({ visitor, query }) =>
      visitor ? { goTo: targetOf(query) ?? '/' } : loginForm(site, query, {}),
    async send(visit) {
      const { form } = visit
      const { services } = site.engine
      try {
        const login = form.get('usr') ?? ''
        const from = attemptFrom({ secretKey, ...visit }, login)
        const person = await signIn(services, login, form.get('pwd') ?? '', from)
        return await signInOrAsk(own, visit, person)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return loginForm(site, form, { error })
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

function loginForm(site: Site, fields: Fields, { error }: { error?: AppError }): PageAnswer {
  const target = targetOf(fields)
  const login = error ? fields.get('usr') : undefined
  const page = cardPage('Sign in', {
    body: html`${alert(error && sentence(error.message))}
${!error && notice(NOTICES.get(fields.get('done') ?? ''))}
<form method="post" action="${PATHS.login}">
${targetField(fields)}
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
<p class="label-row"><a href="${withTarget(PATHS.forgotPassword, target)}">Forgot your password?</a></p>`,
    ...(site.signup && {
      footer: html`New here? <a href="${withTarget(PATHS.signUp, target)}">Create an account</a>`,
    }),
  })
  return formAnswer(page, error)
}
