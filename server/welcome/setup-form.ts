import type { AppError } from '../../engine/base/errors.ts'
import { type Html, html } from '../http/html.ts'
import {
  alert,
  type Choice,
  field,
  fileChoice,
  hidden,
  problemOf,
  select,
} from '../pages/form-parts.ts'
import { cardPage } from '../pages/layout.ts'
import { PATHS } from '../pages/page-paths.ts'
import { sentence } from '../pages/sentence.ts'
import { type Fields, formAnswer, type PageAnswer } from '../pages/visit.ts'
import type { BrowserWords } from '../site/browser-words.ts'

/** Choices of a setup, as far as the page shows them (`setup.get_options`). */
export interface SetupChoices {
  readonly countries: readonly {
    readonly name: string
    readonly code: string
    readonly currency: string
    readonly chart_of_accounts: string
    readonly taxes: string | null
  }[]
  readonly currencies: readonly { readonly code: string; readonly name: string }[]
  readonly charts: readonly { readonly name: string; readonly description: string }[]
}

/** What a page of the setup is drawn of. */
export interface Drawing {
  readonly words: BrowserWords
  readonly token: string
  readonly choices: SetupChoices
  readonly form: Fields
  readonly error?: AppError
}

/** Fields that go on to the setup; the others are the page's own. */
export const ASKED = [
  'company',
  'country',
  'currency',
  'chart_of_accounts',
  'full_name',
  'email',
  'password',
] as const

type Asked = (typeof ASKED)[number]

/** Seconds after which a page that waits is asked for again. */
const AGAIN_AFTER = '2'

/** The form: the company and its country, from which the rest follows, and the first person; or a demo company. */
export function setupForm(drawing: Drawing): PageAnswer {
  const { words, token, error } = drawing
  const { tell, language } = words
  const problem = (name: string): string | undefined => {
    const found = problemOf(error, name)
    return found === undefined ? undefined : tell(found)
  }
  const card = cardPage(tell('Set up your workspace'), {
    language,
    isWide: true,
    intro: html`<p>${tell('Accounts, taxes, units and number formats follow from the country, and can be changed later.')}</p>`,
    body: html`${alert(error && !error.details ? sentence(tell(error.message)) : undefined)}
<form method="post" action="${PATHS.setup}" enctype="multipart/form-data">
${hidden('token', token)}
${companyFields(drawing, problem)}
${personFields(drawing, problem)}
<button>${tell('Set up')}</button>
<div class="instead">
<p id="demo-hint">${tell('Only looking around? An invented company with three months behind it, in this workspace, with your e-mail and password. Your own company gets a workspace of its own then.')}</p>
<button class="quiet" name="begin" value="demo" formnovalidate aria-describedby="demo-hint">${tell('Begin with a demo company')}</button>
</div>
</form>`,
  })
  return formAnswer(card, error)
}

type Problem = (name: string) => string | undefined

function companyFields({ words, choices, form }: Drawing, problem: Problem): Html {
  const { tell } = words
  const optional = tell('optional')
  const { countries, currencies, charts } = choices
  const chosen = form.get('country') ?? countries.find(({ code }) => code === words.region)?.name
  const choice = (name: Asked, label: string, all: readonly Choice[], value = form.get(name)) =>
    select({ name, label: tell(label), optional, error: problem(name) }, all, value)
  const usual = { value: '', label: tell('As usual in the country') }
  const byLabel = (one: Choice, other: Choice): number =>
    one.label.localeCompare(other.label, words.language)
  return html`${field({
    name: 'company',
    label: tell('Your company is called'),
    value: form.get('company'),
    error: problem('company'),
    autocomplete: 'organization',
    autofocus: true,
    maxlength: 140,
  })}
${choice(
  'country',
  'Where it is',
  [
    { value: '', label: tell('None of these') },
    ...countries
      .map(({ name, code, currency, chart_of_accounts, taxes }) => ({
        value: name,
        label: [
          words.country(code, name),
          currency,
          chart_of_accounts,
          ...(taxes === null ? [] : [taxes.replace(/^VAT\b/, tell('VAT'))]),
        ].join(' · '),
      }))
      .sort(byLabel),
  ],
  chosen,
)}
<div class="pair">
${choice('currency', 'Currency of the accounts', [
  usual,
  ...currencies.map(({ code, name }) => ({
    value: code,
    label: `${code} · ${words.currency(code, name)}`,
  })),
])}
${choice('chart_of_accounts', 'Chart of Accounts', [
  usual,
  ...charts.map(({ name, description }) => ({
    value: name,
    label: description === '' ? name : `${name}: ${tell(description)}`,
  })),
])}
</div>
${fileChoice({
  name: 'logo',
  label: tell('Logo'),
  optional,
  accept: 'image/png,image/jpeg',
  hint: tell('PNG or JPEG, at most 2 MB; it stands on your papers.'),
  error: problem('logo'),
})}`
}

function personFields({ words: { tell }, form }: Drawing, problem: Problem): Html {
  return html`${field({
    name: 'full_name',
    label: tell('Your name'),
    optional: tell('optional'),
    value: form.get('full_name'),
    error: problem('full_name'),
    autocomplete: 'name',
    maxlength: 140,
  })}
<div class="pair">
${field({
  name: 'email',
  label: tell('Your e-mail'),
  type: 'email',
  value: form.get('email'),
  error: problem('email'),
  autocomplete: 'username',
  maxlength: 140,
})}
${field({
  name: 'password',
  label: tell('Choose a password'),
  type: 'password',
  autocomplete: 'new-password',
  minlength: 8,
  error: problem('password'),
})}
</div>`
}

/** The page while the demo company is played, which asks for itself again; then the way in, or what went wrong. */
export function demoPage(
  { tell, language }: BrowserWords,
  token: string,
  state: 'playing' | 'ready' | 'failed',
): PageAnswer {
  if (state === 'playing')
    return {
      // By the header, so that who needs longer to read than that is not interrupted by the page itself.
      headers: { Refresh: AGAIN_AFTER },
      page: cardPage(tell('The demo company is being played'), {
        language,
        intro: html`<p role="status">${tell('Three months of orders, invoices, stock and pay: half a minute. This page goes on by itself.')}</p>`,
        body: html`<progress aria-label="${tell('The demo company is being played')}"></progress>`,
      }),
    }
  if (state === 'failed')
    return {
      status: 500,
      page: cardPage(tell('The demo company could not be played'), {
        language,
        intro: html`<p role="alert">${tell('The log of the server says why. Begin again with an empty data folder.')}</p>`,
        body: html``,
      }),
    }
  return {
    page: cardPage(tell('Your workspace is ready'), {
      language,
      intro: html`<p role="status">${tell('The demo company is in it, with three months behind it.')}</p>`,
      body: html`<form method="post" action="${PATHS.setup}">
${hidden('token', token)}
<button name="begin" value="enter" autofocus>${tell('Look around')}</button>
</form>`,
    }),
  }
}

/** The page for who has no link, or one that is not this workspace's. */
export function needsToken({ tell, language }: BrowserWords): PageAnswer {
  return {
    status: 403,
    page: cardPage(tell('This workspace waits for its owner'), {
      language,
      intro: html`<p>${tell('Open the link that its server printed when it started. It stands in first-run.json in the data folder too; each start makes another one.')}</p>`,
      body: html``,
    }),
  }
}
