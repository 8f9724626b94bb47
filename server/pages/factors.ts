import { type AppError, isRefusal } from '../../engine/base/errors.ts'
import { attemptFrom } from '../auth/browser-session.ts'
import {
  beginApp,
  beginPasskey,
  type Enrolment,
  finishEnrolment,
  waitingEnrolment,
} from '../auth/factors/enrol.ts'
import {
  asOneself,
  type OwnAct,
  type OwnFactors,
  ownFactors,
  removeFactor,
  renewCodes,
  type ShownFactor,
} from '../auth/factors/own-factors.ts'
import { type RelyingParty, relyingParty } from '../auth/factors/passkeys.ts'
import { findPerson } from '../auth/people.ts'
import { type Html, html } from '../http/html.ts'
import { workspaceName } from '../site/workspace-name.ts'
import {
  codeField,
  codesShownOnce,
  passkeyForm,
  secretPicture,
  sentPasskey,
} from './factor-parts.ts'
import { alert, field, hidden, notice, problemOf } from './form-parts.ts'
import { csrfField, workspacePage } from './layout.ts'
import { whoseField } from './new-password.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { type FactorSite, factorDeps } from './second-factor.ts'
import { sentence } from './sentence.ts'
import { withTarget } from './target.ts'
import { formAnswer, type PageAnswer, type Visit, type Visitor } from './visit.ts'

const KINDS: Readonly<Record<ShownFactor['kind'], string>> = {
  totp: 'App with codes',
  passkey: 'Passkey',
}

/** What stands above the list. */
interface Above {
  readonly part?: Html | undefined
  readonly error?: AppError
}

/** `/settings/second-factor`: one's own second factors, each with what removes it. */
export function factorsPage(own: FactorSite): Page {
  return {
    parameters: ['done'],
    show: ({ visitor, query }) =>
      visitor
        ? listed(own, visitor, { part: notice(DONE.get(query.get('done') ?? '')) })
        : { goTo: withTarget(PATHS.login, PATHS.factors) },
    actsForVisitor: true,
    async send(visit) {
      const { visitor, form } = visit
      if (!visitor) return { goTo: withTarget(PATHS.login, PATHS.factors) }
      try {
        return await act(own, visit, visitor)
      } catch (error) {
        if (!isRefusal(error)) throw error
        const part = await shownAgain(own, visitor, form.get('ticket'), error)
        return listed(own, visitor, { part, error })
      }
    },
  }
}

const DONE: ReadonlyMap<string, string> = new Map([
  ['added', 'The second factor is set up. Each sign-in asks for it from now on.'],
  ['removed', 'The second factor is removed.'],
])

async function act(own: FactorSite, visit: Visit, visitor: Visitor): Promise<PageAnswer> {
  const { form, request } = visit
  const { site } = own
  const deps = factorDeps(own)
  const party = relyingParty(site.baseUrl())
  const { person } = visitor
  const from = attemptFrom({ request, secretKey: own.secretKey }, person.login)
  const by: OwnAct = { person, proof: form.get('proof') ?? '', from }
  switch (form.get('action')) {
    case 'app': {
      await asOneself(deps, by, async () => undefined)
      const begun = await beginApp(deps, person, await workspaceName(site), 'add')
      return listed(own, visitor, { part: await enrolmentForm(begun, visitor) })
    }
    case 'passkey': {
      if (!party) return listed(own, visitor, {})
      await asOneself(deps, by, async () => undefined)
      const begun = await beginPasskey(deps, person, await workspaceName(site), party)
      return listed(own, visitor, { part: await enrolmentForm(begun, visitor) })
    }
    case 'confirm': {
      const sent = {
        code: form.get('code'),
        passkey: sentPasskey(form.get('passkey')),
        name: form.get('name'),
      }
      const options = { purpose: 'add', party, login: person.login, ...from } as const
      const { codes } = await finishEnrolment(deps, form.get('ticket') ?? '', sent, options)
      if (!codes) return { goTo: `${PATHS.factors}?done=added` }
      return listed(own, visitor, { part: codesShownOnce(codes) })
    }
    case 'remove':
      await removeFactor(deps, by, form.get('id') ?? '')
      return { goTo: `${PATHS.factors}?done=removed` }
    case 'codes':
      return listed(own, visitor, { part: codesShownOnce(await renewCodes(deps, by)) })
    default:
      return listed(own, visitor, {})
  }
}

/** The form of what was begun, after a slip in it. */
async function shownAgain(
  own: FactorSite,
  visitor: Visitor,
  ticket: string | undefined,
  error: AppError,
): Promise<Html | undefined> {
  if (ticket === undefined) return undefined
  const begun = await waitingEnrolment(factorDeps(own), ticket, 'add')
  return begun && enrolmentForm(begun, visitor, error)
}

async function enrolmentForm(
  begun: Enrolment,
  { csrfToken }: Visitor,
  error?: AppError,
): Promise<Html> {
  const fields = html`${csrfField(csrfToken)}${hidden('action', 'confirm')}${hidden('ticket', begun.ticket)}
${field({
  name: 'name',
  label: 'Name',
  autocomplete: 'off',
  optional: true,
  maxlength: 60,
  hint: 'Such as the device it is on.',
})}`
  if (begun.kind === 'passkey')
    return html`<section class="panel">
<h2>New passkey</h2>
${passkeyForm({ action: PATHS.factors, kind: 'create', options: begun.options, button: 'Make a passkey', fields })}
<noscript><p>Passkeys need scripts: set up an app with codes instead.</p></noscript>
</section>`
  return html`<section class="panel">
<h2>New app</h2>
<p>Scan this with an app that shows codes, such as Aegis, 2FAS or your password manager.</p>
${await secretPicture(begun.uri, begun.secret)}
<form method="post" action="${PATHS.factors}">
${fields}
${codeField('Code that the app shows', problemOf(error, 'code'))}
<div class="actions"><button>Set up</button></div>
</form>
</section>`
}

async function listed(
  own: FactorSite,
  visitor: Visitor,
  { part, error }: Above,
): Promise<PageAnswer> {
  const deps = factorDeps(own)
  // As they are now: what was just done may have been the first or the last.
  const person = (await findPerson(deps.services, visitor.person.login)) ?? visitor.person
  const now = await ownFactors(deps, person)
  const party = relyingParty(own.site.baseUrl())
  const page = workspacePage(
    'Second factor',
    visitor,
    html`<p class="crumb"><a href="/">Start</a></p>
<h1>Second factor</h1>
<p class="lead">After the password, each sign-in asks for a code or a passkey.${now.required && ' Your role asks for one.'}</p>
${alert(error && sentence(error.details?.[0]?.message ?? error.message))}
${part}
${table(now, visitor)}
${addForm(visitor, party)}`,
  )
  return formAnswer(page, error)
}

function table({ factors, recovery_codes }: OwnFactors, visitor: Visitor): Html {
  if (factors.length === 0) return html`<p class="empty">You have none yet.</p>`
  return html`<section class="panel" aria-labelledby="factors">
<h2 id="factors">What you have</h2>
<div class="scroll" role="region" aria-labelledby="factors" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Added</th><th scope="col">Last used</th></tr></thead>
<tbody>
${factors.map(
  ({ name, kind, created, last_used }) => html`<tr>
<th scope="row">${name}</th>
<td>${KINDS[kind]}</td>
<td><time datetime="${created}">${created.slice(0, 10)}</time></td>
<td>${last_used === null ? 'Never' : html`<time datetime="${last_used}">${last_used.slice(0, 10)}</time>`}</td>
</tr>
`,
)}</tbody>
</table></div>
</section>
<div class="panel narrow">
<h2>Remove one</h2>
<form method="post" action="${PATHS.factors}">
${csrfField(visitor.csrfToken)}${hidden('action', 'remove')}
<div class="field">
<label for="id">Which</label>
<select id="id" name="id">
${factors.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select>
</div>
${proofField('remove-proof', visitor)}
<div class="actions"><button class="danger">Remove</button></div>
</form>
</div>
<div class="panel narrow">
<h2>Recovery codes</h2>
<p>${recovery_codes} of them are left. New ones end those before.</p>
<form method="post" action="${PATHS.factors}">
${csrfField(visitor.csrfToken)}${hidden('action', 'codes')}
${proofField('codes-proof', visitor)}
<div class="actions"><button>New recovery codes</button></div>
</form>
</div>`
}

function addForm(visitor: Visitor, party: RelyingParty | undefined): Html {
  return html`<div class="panel narrow">
<h2>Add one</h2>
<form method="post" action="${PATHS.factors}">
${csrfField(visitor.csrfToken)}
<div class="field">
<label for="action">Kind</label>
<select id="action" name="action">
<option value="app">App with codes</option>
${party && html`<option value="passkey">Passkey</option>`}</select>
${!party && html`<p class="hint">Passkeys need an address with a name and https.</p>`}
</div>
${proofField('add-proof', visitor)}
<div class="actions"><button>Go on</button></div>
</form>
</div>`
}

/** Field for a password or a code; several stand on the page, so each has an id of its own. */
function proofField(id: string, { person }: Visitor): Html {
  return html`${whoseField(person.login)}<div class="field">
<label for="${id}">Your password, or a code</label>
<input id="${id}" name="proof" type="password" autocomplete="current-password" required>
</div>`
}
