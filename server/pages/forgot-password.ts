import { html } from '../http/html.ts'
import type { BrowserWords } from '../site/browser-words.ts'
import { requestPasswordReset } from '../site/password-reset.ts'
import { networkOf, type Site } from '../site/site.ts'
import { field } from './form-parts.ts'
import { cardPage } from './layout.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { TARGET, targetField, targetOf, withTarget } from './target.ts'
import type { Fields, PageAnswer } from './visit.ts'

/**
 * `/forgot-password`: says the same whoever it is asked for (reliability.md S7). Where no mail can go out it says
 * so, before anybody types a name.
 */
export function forgotPasswordPage(site: Site): Page {
  return {
    parameters: [TARGET],
    show({ query, words }) {
      if (!site.sendsMail) return noMail(words, query)
      const { tell, language } = words
      const page = cardPage(tell('Forgot your password?'), {
        language,
        intro: html`<p>${tell('We send you a link that sets a new one.')}</p>`,
        body: html`<form method="post" action="${PATHS.forgotPassword}">
${targetField(query)}
${field({
  name: 'usr',
  label: tell('E-mail or user name'),
  autocomplete: 'username',
  autofocus: true,
  maxlength: 140,
})}
<button>${tell('Send the link')}</button>
</form>`,
        footer: html`<a href="${withTarget(PATHS.login, targetOf(query))}">${tell('Back to sign in')}</a>`,
      })
      return { page }
    },
    async send({ request, form, words }) {
      if (!site.sendsMail) return noMail(words, form)
      const { tell, language } = words
      const login = form.get('usr') ?? ''
      await requestPasswordReset(site, login, networkOf(request), targetOf(form))
      const page = cardPage(tell('Look into your mail'), {
        language,
        intro: html`<p>${tell('If there is an account for that name, a link is on its way. It works once, for an hour.')}</p>`,
        body: html`<p class="hint">${tell('Nothing came? Look into your spam folder, and whether the name was right.')}</p>`,
        footer: html`<a href="${PATHS.login}">${tell('Back to sign in')}</a>`,
      })
      return { page }
    },
  }
}

/** Page that says what can be done without mail; the same for everybody who asks. */
function noMail({ tell, language }: BrowserWords, fields: Fields): PageAnswer {
  const page = cardPage(tell('Ask for a new password'), {
    language,
    intro: html`<p>${tell('This workspace cannot send mail, so no link can reach you. Ask who runs it for a new password: they set one with svc user passwd.')}</p>`,
    body: html`<p><a class="button" href="${withTarget(PATHS.login, targetOf(fields))}">${tell('Back to sign in')}</a></p>`,
  })
  return { page }
}
