import type { AppError } from '../../engine/base/errors.ts'
import { newPassword, setPassword } from '../auth/accounts.ts'
import { cameFrom } from '../auth/address-came-from.ts'
import { peekLink, useLink } from '../auth/one-time-links.ts'
import { actorOf, findPersonWithin } from '../auth/people.ts'
import { html } from '../http/html.ts'
import { sameOriginPath } from '../http/same-origin-path.ts'
import type { BrowserWords } from '../site/browser-words.ts'
import type { Site } from '../site/site.ts'
import { hidden } from './form-parts.ts'
import { cardPage } from './layout.ts'
import { newPasswordFields, passwordProblemOf, whoseField } from './new-password.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { withTarget } from './target.ts'
import { type Fields, formAnswer, type PageAnswer } from './visit.ts'

/** `/reset-password?token=…`: where the link of a mail leads. Looking at it does not use it up. */
export function resetPasswordPage(site: Site): Page {
  const { services } = site.engine
  return {
    parameters: ['token'],
    async show({ query, words }) {
      const token = query.get('token') ?? ''
      const owner = await peekLink(services.database.read, services.clock, token, 'password')
      return owner === undefined ? linkIsOver(words) : passwordForm(words, query, owner.login)
    },
    async send({ form, request, words }) {
      const token = form.get('token') ?? ''
      const owner = await peekLink(services.database.read, services.clock, token, 'password')
      if (owner === undefined) return linkIsOver(words)
      const problem = passwordProblemOf(form)
      if (problem !== undefined) return passwordForm(words, form, owner.login, problem)
      const hashed = await newPassword(form.get('password') ?? '')
      const changed = await services.database.write(async (tx) => {
        const used = await useLink(tx, services.clock, token, 'password')
        const person = used && (await findPersonWithin(services, used.login, tx))
        if (!person?.enabled || person.email !== used?.address) return undefined
        const actor = cameFrom(request, actorOf(person))
        await setPassword(tx, services, person.login, hashed, actor)
        return used
      })
      if (!changed) return linkIsOver(words)
      services.eventsCommitted()
      const target = sameOriginPath(changed.go_on_to)
      return { goTo: withTarget(`${PATHS.login}?done=password`, target) }
    },
  }
}

function passwordForm(
  words: BrowserWords,
  fields: Fields,
  login: string,
  problem?: AppError,
): PageAnswer {
  const { tell, language } = words
  const page = cardPage(tell('Choose a password'), {
    language,
    intro: html`<p>${tell(`For ${login}.`)}</p>`,
    body: html`<form method="post" action="${PATHS.resetPassword}">
${hidden('token', fields.get('token'))}
${whoseField(login)}
${newPasswordFields(words, problem)}
<button>${tell('Set the password')}</button>
</form>`,
  })
  return formAnswer(page, problem)
}

function linkIsOver({ tell, language }: BrowserWords): PageAnswer {
  const page = cardPage(tell('This link works no more'), {
    language,
    intro: html`<p>${tell('Links set a password once, and not for long. A newer one ends those before it.')}</p>`,
    body: html`<p><a class="button" href="${PATHS.forgotPassword}">${tell('Send me a new link')}</a></p>`,
    footer: html`<a href="${PATHS.login}">${tell('Back to sign in')}</a>`,
  })
  return { status: 410, page }
}
