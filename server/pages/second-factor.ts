import { type AppError, isRefusal } from '../../engine/base/errors.ts'
import { attemptFrom, beginSession } from '../auth/browser-session.ts'
import { beginApp, finishEnrolment, waitingEnrolment } from '../auth/factors/enrol.ts'
import { relyingParty } from '../auth/factors/passkeys.ts'
import {
  finishSignIn,
  type SecondStep,
  secondStep,
  waitingStep,
} from '../auth/factors/second-step.ts'
import type { FactorDeps } from '../auth/factors/tickets.ts'
import type { Person } from '../auth/people.ts'
import { clearTicketCookie, setTicketCookie, ticketCookie } from '../auth/session-cookies.ts'
import { html } from '../http/html.ts'
import type { BrowserWords } from '../site/browser-words.ts'
import type { Site } from '../site/site.ts'
import { workspaceName } from '../site/workspace-name.ts'
import {
  codeField,
  codesShownOnce,
  passkeyForm,
  secretPicture,
  sentPasskey,
} from './factor-parts.ts'
import { alert, problemOf } from './form-parts.ts'
import { cardPage } from './layout.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { sentence } from './sentence.ts'
import { TARGET, targetField, targetOf, withTarget } from './target.ts'
import { type Fields, formAnswer, type PageAnswer, type Visit } from './visit.ts'

/** Site with the key that seals second factors. */
export interface FactorSite {
  readonly site: Site
  readonly secretKey: Buffer
}

/** What second factors of a site stand on. */
export function factorDeps({ site, secretKey }: FactorSite): FactorDeps {
  return { services: site.engine.services, secretKey }
}

/**
 * Signs somebody in whose password was right: with a session, or, where there is or has to be a second factor, with a
 * ticket for `/second-factor`. Returns where to go on.
 */
export async function signInOrAsk(
  own: FactorSite,
  { request, response, form }: Visit,
  person: Person,
): Promise<PageAnswer> {
  const { site, secretKey } = own
  const { services } = site.engine
  const deps = factorDeps(own)
  const party = relyingParty(site.baseUrl())
  const step =
    (await secondStep(deps, person, party)) ??
    (person.needsFactor
      ? await beginApp(deps, person, await workspaceName(site), 'enrol')
      : undefined)
  if (step) {
    setTicketCookie(request, response, PATHS.secondFactor, step.ticket)
    return { goTo: withTarget(PATHS.secondFactor, targetOf(form)) }
  }
  await beginSession({ services, secretKey, request, response }, person, { byPage: true })
  return { goTo: targetOf(form) ?? '/' }
}

/** `/second-factor`: the second step of a sign-in, or the first factor of who has to have one. */
export function secondFactorPage(own: FactorSite): Page {
  const deps = factorDeps(own)
  return {
    parameters: [TARGET],
    show: ({ request, query, words }) => waiting(own, words, ticketCookie(request) ?? '', query),
    async send(visit) {
      const { request, response, form, words } = visit
      const ticket = ticketCookie(request) ?? ''
      const browser = { ...deps, ...visit }
      const party = relyingParty(own.site.baseUrl())
      try {
        if (await waitingEnrolment(deps, ticket, 'enrol')) {
          const sent = { code: form.get('code') }
          const options = { purpose: 'enrol', party, address: request.ip ?? '' } as const
          const { person, codes } = await finishEnrolment(deps, ticket, sent, options)
          await beginSession(browser, person, { byPage: true })
          clearTicketCookie(request, response, PATHS.secondFactor)
          return enrolled(words, codes ?? [], form)
        }
        const proof = { code: form.get('code'), passkey: sentPasskey(form.get('passkey')) }
        const from = (login: string) => attemptFrom(browser, login)
        const person = await finishSignIn(deps, ticket, proof, { party, from })
        await beginSession(browser, person, { byPage: true })
      } catch (error) {
        if (!isRefusal(error)) throw error
        return waiting(own, words, ticket, form, error)
      }
      clearTicketCookie(request, response, PATHS.secondFactor)
      return { goTo: targetOf(form) ?? '/' }
    },
  }
}

/** The form that a ticket waits for; without one, the way back to the sign-in. */
async function waiting(
  own: FactorSite,
  words: BrowserWords,
  ticket: string,
  fields: Fields,
  error?: AppError,
): Promise<PageAnswer> {
  const deps = factorDeps(own)
  const step = await waitingStep(deps, ticket)
  if (step) return codePage(words, step, fields, error)
  const begun = await waitingEnrolment(deps, ticket, 'enrol')
  if (begun?.kind === 'totp') return enrolPage(words, begun, fields, error)
  return { goTo: withTarget(`${PATHS.login}?done=late`, targetOf(fields)) }
}

function codePage(
  { tell, language }: BrowserWords,
  { methods, passkey }: SecondStep,
  fields: Fields,
  error: AppError | undefined,
): PageAnswer {
  const hasApp = methods.includes('totp')
  const page = cardPage(tell('One more step'), {
    language,
    intro: html`<p>${tell(hasApp ? 'Type the code that your app shows.' : 'Use your passkey, or type a recovery code.')}</p>`,
    body: html`${alert(error && sentence(tell(error.message)))}
${
  passkey &&
  passkeyForm({
    action: PATHS.secondFactor,
    kind: 'get',
    options: passkey,
    button: tell('Use a passkey'),
    fields: html`${targetField(fields)}`,
  })
}
<form method="post" action="${PATHS.secondFactor}">
${targetField(fields)}
${codeField(
  tell(hasApp ? 'Code' : 'Recovery code'),
  undefined,
  hasApp ? tell('Or one of your recovery codes, if you have lost the device.') : undefined,
)}
<button>${tell('Sign in')}</button>
</form>`,
    footer: html`<a href="${withTarget(PATHS.login, targetOf(fields))}">${tell('Back to sign in')}</a>`,
  })
  return formAnswer(page, error)
}

async function enrolPage(
  { tell, language }: BrowserWords,
  { uri, secret }: { readonly uri: string; readonly secret: string },
  fields: Fields,
  error: AppError | undefined,
): Promise<PageAnswer> {
  const problem = problemOf(error, 'code')
  const picture = await secretPicture(uri, secret)
  const page = cardPage(tell('Set up a second factor'), {
    language,
    intro: html`<p>${tell('Your role asks for one. Scan this with an app that shows codes, such as Aegis, 2FAS or your password manager.')}</p>`,
    body: html`${alert(error && !error.details ? sentence(tell(error.message)) : undefined)}
${picture}
<form method="post" action="${PATHS.secondFactor}">
${targetField(fields)}
${codeField(tell('Code that the app shows'), problem && tell(problem))}
<button>${tell('Go on')}</button>
</form>`,
    footer: html`<a href="${withTarget(PATHS.login, targetOf(fields))}">${tell('Back to sign in')}</a>`,
  })
  return formAnswer(page, error)
}

function enrolled(
  { tell, language }: BrowserWords,
  codes: readonly string[],
  fields: Fields,
): PageAnswer {
  const page = cardPage(tell('You are signed in'), {
    language,
    body: html`${codesShownOnce(codes)}
<p><a class="button" href="${targetOf(fields) ?? '/'}">${tell('Go on')}</a></p>`,
  })
  return { page }
}
