import { DATACENTER_FIELD } from '../../engine/base/brand.ts'
import { type AppError, isRefusal } from '../../engine/base/errors.ts'
import { html } from '../http/html.ts'
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
    show: ({ visitor, query }) => {
      if (visitor) return { goTo: targetOf(query) ?? '/' }
      return site.signup ? signUpForm(query) : closed()
    },
    async send({ request, form }) {
      if (!site.signup) return closed()
      try {
        const args = { ...Object.fromEntries(form), redirect_to: targetOf(form) }
        const wanted = readSignUp(args, { needsDatacenter: true })
        await signUp(site, wanted, networkOf(request))
        // Whether there was an account is told by mail, to who has it.
        return lookIntoMail(wanted.email)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return signUpForm(form, error)
      }
    },
  }
}

function signUpForm(fields: Fields, error?: AppError): PageAnswer {
  const page = cardPage('Create an account', {
    body: html`${alert(error && !error.details ? sentence(error.message) : undefined)}
<form method="post" action="${PATHS.signUp}">
${targetField(fields)}
${field({
  name: 'full_name',
  label: 'Full name',
  value: fields.get('full_name'),
  autocomplete: 'name',
  autofocus: true,
  maxlength: 140,
  error: problemOf(error, 'full_name'),
})}
${field({
  name: 'email',
  label: 'E-mail',
  type: 'email',
  value: fields.get('email'),
  autocomplete: 'email',
  maxlength: 140,
  error: problemOf(error, 'email'),
})}
${select(
  { name: DATACENTER_FIELD, label: 'Where your data should be kept' },
  DATACENTERS.map((value) => ({ value, label: DATACENTER_LABELS[value] })),
  fields.get(DATACENTER_FIELD) ?? 'eu',
)}
<button>Create account</button>
</form>`,
    footer: html`You have one? <a href="${withTarget(PATHS.login, targetOf(fields))}">Sign in</a>`,
  })
  return formAnswer(page, error)
}

function lookIntoMail(email: string): PageAnswer {
  const page = cardPage('Look into your mail', {
    intro: html`<p>We have written to <strong>${email}</strong>: the link in it lets you choose a password.</p>`,
    body: html`<p class="hint">Nothing came? Look into your spam folder.</p>`,
    footer: html`<a href="${PATHS.login}">Back to sign in</a>`,
  })
  return { page }
}

function closed(): PageAnswer {
  const page = cardPage('Sign-up is closed', {
    intro: html`<p>Accounts of this workspace are made by its System Managers. Ask one of them.</p>`,
    body: html`<p><a class="button" href="${PATHS.login}">Sign in</a></p>`,
  })
  return { status: 403, page }
}
