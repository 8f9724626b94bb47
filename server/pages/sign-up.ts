import { DATACENTER_FIELD } from '../../engine/base/brand.ts'
import { type AppError, isRefusal } from '../../engine/base/errors.ts'
import { html } from '../http/html.ts'
import type { BrowserWords } from '../site/browser-words.ts'
import { DATACENTERS, type Datacenter, readSignUp, signUp } from '../site/sign-up.ts'
import { networkOf, type Site } from '../site/site.ts'
import { alert, field, problemOf, select } from './form-parts.ts'
import { cardPage } from './layout.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { sentence } from './sentence.ts'
import { TARGET, targetField, targetOf, withTarget } from './target.ts'
import { type Fields, formAnswer, type PageAnswer } from './visit.ts'

const DATACENTER_LABELS: Readonly<Record<Datacenter, string>> = {
  india: 'India',
  eu: 'European Union',
  us: 'United States',
}

/** `/signup`: an account for whoever asks, where that is open. Says the same for an address that has one (reliability.md S7). */
export function signUpPage(site: Site): Page {
  return {
    parameters: [TARGET],
    show: ({ visitor, query, words }) => {
      if (visitor) return { goTo: targetOf(query) ?? '/' }
      return site.signup ? signUpForm(words, query) : closed(words)
    },
    async send({ request, form, words }) {
      if (!site.signup) return closed(words)
      try {
        const args = { ...Object.fromEntries(form), redirect_to: targetOf(form) }
        const wanted = readSignUp(args, { needsDatacenter: true })
        await signUp(site, wanted, networkOf(request))
        // Whether there was an account is told by mail, to who has it.
        return lookIntoMail(words, wanted.email)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return signUpForm(words, form, error)
      }
    },
  }
}

function signUpForm(
  { tell, language }: BrowserWords,
  fields: Fields,
  error?: AppError,
): PageAnswer {
  const problem = (name: string): string | undefined => {
    const found = problemOf(error, name)
    return found && tell(found)
  }
  const page = cardPage(tell('Create an account'), {
    language,
    body: html`${alert(error && !error.details ? sentence(tell(error.message)) : undefined)}
<form method="post" action="${PATHS.signUp}">
${targetField(fields)}
${field({
  name: 'full_name',
  label: tell('Full name'),
  value: fields.get('full_name'),
  autocomplete: 'name',
  autofocus: true,
  maxlength: 140,
  error: problem('full_name'),
})}
${field({
  name: 'email',
  label: tell('E-mail'),
  type: 'email',
  value: fields.get('email'),
  autocomplete: 'email',
  maxlength: 140,
  error: problem('email'),
})}
${select(
  { name: DATACENTER_FIELD, label: tell('Where your data should be kept') },
  DATACENTERS.map((value) => ({ value, label: tell(DATACENTER_LABELS[value]) })),
  fields.get(DATACENTER_FIELD) ?? 'eu',
)}
<button>${tell('Create account')}</button>
</form>`,
    footer: html`${tell('You have one?')} <a href="${withTarget(PATHS.login, targetOf(fields))}">${tell('Sign in')}</a>`,
  })
  return formAnswer(page, error)
}

function lookIntoMail({ tell, language }: BrowserWords, email: string): PageAnswer {
  const page = cardPage(tell('Look into your mail'), {
    language,
    intro: html`<p>${tell(`We have written to ${email}: the link in it lets you choose a password.`)}</p>`,
    body: html`<p class="hint">${tell('Nothing came? Look into your spam folder.')}</p>`,
    footer: html`<a href="${PATHS.login}">${tell('Back to sign in')}</a>`,
  })
  return { page }
}

function closed({ tell, language }: BrowserWords): PageAnswer {
  const page = cardPage(tell('Sign-up is closed'), {
    language,
    intro: html`<p>${tell('Accounts of this workspace are made by its System Managers. Ask one of them.')}</p>`,
    body: html`<p><a class="button" href="${PATHS.login}">${tell('Sign in')}</a></p>`,
  })
  return { status: 403, page }
}
