import type { Express, Request } from 'express'
import { type AppError, isRefusal } from '../../engine/base/errors.ts'
import { assertSameOrigin } from '../auth/forgery.ts'
import { html } from '../http/html.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { assertTaken } from '../limits/rate-limit.ts'
import { alert, type Choice, field, hidden, problemOf, select } from '../pages/form-parts.ts'
import { cardPage } from '../pages/layout.ts'
import { PATHS } from '../pages/page-paths.ts'
import { failedPage, type PageDeps } from '../pages/pages.ts'
import { sendPage } from '../pages/send-page.ts'
import { sentence } from '../pages/sentence.ts'
import {
  type Fields,
  formAnswer,
  type PageAnswer,
  readForm,
  readParameters,
} from '../pages/visit.ts'
import type { SetupDoor } from '../setup-door.ts'
import { workspaceName } from '../site/workspace-name.ts'

type Deps = Pick<PageDeps, 'site' | 'logger' | 'origins' | 'guests'> & {
  readonly door: SetupDoor | undefined
}

/** Choices of a setup, as far as the page shows them (`setup.get_options`). */
interface Options {
  readonly countries: readonly {
    readonly name: string
    readonly currency: string
    readonly chart_of_accounts: string
    readonly has_taxes: boolean
  }[]
  readonly currencies: readonly { readonly code: string; readonly name: string }[]
  readonly charts: readonly { readonly name: string; readonly description: string }[]
}

/** Fields that go on to the setup; the others are the page's own. */
const ASKED = ['email', 'password', 'company', 'country', 'currency', 'chart_of_accounts'] as const

/**
 * `/setup?token=…`: the first page of a workspace that waits for it (`svc serve --wait-for-setup`): the company, its country
 * and the first person; then the sign-in, and behind it the Desk. Without a door there is no such page.
 */
export function setupPage(app: Express, deps: Deps): void {
  const { door } = deps
  if (!door) return
  app.get(
    PATHS.setup,
    takes('token'),
    page(deps, (request) => shown(door, readParameters(request))),
  )
  app.post(
    PATHS.setup,
    takes(),
    page(deps, async (request) => taken(door, await ownForm(deps, request))),
  )
  app.all(PATHS.setup, methodNotAllowed('GET, HEAD, POST'))
  app.use(PATHS.setup, failedPage(deps))
}

function page(
  { site, guests, door }: Deps,
  answer: (request: Request) => PageAnswer | Promise<PageAnswer>,
): Handler {
  return async (request, response) => {
    assertTaken(response, guests.take(request.ip ?? ''), site.engine.services.clock)
    const isOpen = await door?.isOpen()
    const shownPage = isOpen ? await answer(request) : { goTo: PATHS.login }
    sendPage(response, shownPage, await workspaceName(site))
  }
}

async function ownForm({ origins }: Deps, request: Request): Promise<Fields> {
  assertSameOrigin(request, origins)
  return readForm(request)
}

function shown(door: SetupDoor, query: Fields): PageAnswer {
  const token = query.get('token') ?? ''
  return door.accepts(token) ? setupForm(door, token, new Map()) : needsToken()
}

async function taken(door: SetupDoor, form: Fields): Promise<PageAnswer> {
  const token = form.get('token') ?? ''
  if (!door.accepts(token)) return needsToken()
  const given = ASKED.map((name) => [name, form.get(name)?.trim() ?? ''] as const)
  try {
    await door.setUp(Object.fromEntries(given.filter(([, value]) => value !== '')))
    return { goTo: `${PATHS.login}?done=ready` }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return setupForm(door, token, form, error)
  }
}

function setupForm(door: SetupDoor, token: string, form: Fields, error?: AppError): PageAnswer {
  const { countries, currencies, charts } = door.options() as Options
  const first = { value: '', label: 'As usual in the country' }
  const one = (name: (typeof ASKED)[number]) => ({
    name,
    value: form.get(name),
    error: problemOf(error, name),
  })
  const choice = (
    name: 'country' | 'currency' | 'chart_of_accounts',
    label: string,
    all: Choice[],
  ) => select({ name, label, optional: true, error: problemOf(error, name) }, all, form.get(name))
  const card = cardPage('Set up your workspace', {
    intro: html`<p>Your company, its country and you: accounts, taxes, units and number formats follow from them, and can be changed later.</p>`,
    body: html`${alert(error && !error.details ? sentence(error.message) : undefined)}
<form method="post" action="${PATHS.setup}">
${hidden('token', token)}
${field({ ...one('company'), label: 'Your company is called', autocomplete: 'organization', autofocus: true, maxlength: 140 })}
${choice('country', 'Where it is', [
  { value: '', label: 'None of these' },
  ...countries.map(({ name, currency, chart_of_accounts, has_taxes }) => ({
    value: name,
    label: `${name} · ${currency} · ${chart_of_accounts}${has_taxes ? ' · taxes' : ''}`,
  })),
])}
${choice('currency', 'Currency of the accounts', [
  first,
  ...currencies.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` })),
])}
${choice('chart_of_accounts', 'Chart of accounts', [
  first,
  ...charts.map(({ name, description }) => ({
    value: name,
    label: description === '' ? name : `${name}: ${description}`,
  })),
])}
${field({ ...one('email'), label: 'Your e-mail', type: 'email', autocomplete: 'username', maxlength: 140 })}
${field({
  name: 'password',
  label: 'Choose a password',
  type: 'password',
  autocomplete: 'new-password',
  minlength: 8,
  error: problemOf(error, 'password'),
})}
<button>Set up</button>
</form>`,
  })
  return formAnswer(card, error)
}

function needsToken(): PageAnswer {
  return {
    status: 403,
    page: cardPage('This workspace waits for its owner', {
      intro: html`<p>Open the link that its server printed when it started. It stands in <code>first-run.json</code> in the data folder too.</p>`,
      body: html``,
    }),
  }
}
