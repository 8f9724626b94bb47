import { type Actor, isManager, SCOPES, type Scope } from '../../engine/access/actor.ts'
import { hasFeature } from '../../engine/access/plans.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import { issueApiKey } from '../auth/accounts.ts'
import {
  ALLOW_LIST_FEATURE,
  assertMayCreate,
  createKey,
  readKeyRequest,
  type ShownKey,
  shownKey,
} from '../auth/api-keys.ts'
import { KEY_ENVIRONMENTS, type KeyEnvironment } from '../auth/key-text.ts'
import { actorOf } from '../auth/people.ts'
import { markRevoked, selectKeys } from '../auth/store.ts'
import { type Html, html } from '../html.ts'
import type { Site } from '../site/site.ts'
import { alert, type Choice, field, hidden, notice, select } from './form-parts.ts'
import { csrfField, workspacePage } from './layout.ts'
import { withTarget } from './login.ts'
import type { Page } from './pages.ts'
import { sentence } from './sentence.ts'
import type { Fields, PageAnswer, Visitor } from './visit.ts'

const PATH = '/settings/developer'

/** Keys the page lists, the newest; /v1/api-keys pages through all. */
const MAX_SHOWN = 200

const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  read: 'Read: look at records',
  write: 'Write: also change them',
  admin: 'Admin: also delete records and manage keys',
}

const ENV_LABELS: Readonly<Record<KeyEnvironment, string>> = { live: 'Live', test: 'Test' }

/** What was just done, above the rest of the page. */
interface Outcome {
  readonly status?: number
  readonly above?: Html | undefined
  /** What the form for a new key still holds after it was refused. */
  readonly form?: Fields
}

/** `/settings/developer`: API keys, for System Managers. */
export function developerPage(site: Site, env: KeyEnvironment): Page {
  const forManagers =
    (answer: (visitor: Visitor, actor: Actor, fields: Fields) => Promise<PageAnswer>) =>
    async ({ visitor, form, query, request }: Parameters<NonNullable<Page['show']>>[0]) => {
      if (!visitor) return { goTo: withTarget('/login', PATH) }
      const actor = actorOf(visitor.person)
      if (!isManager(actor))
        throw new AppError(
          'FORBIDDEN',
          'API keys are for System Managers: ask one of them for a key',
        )
      return answer(visitor, actor, request.method === 'POST' ? form : query)
    }
  return {
    show: forManagers((visitor, _actor, query) =>
      developer(site, env, visitor, {
        above: notice(query.has('revoked') ? 'The key is revoked: it works no more.' : undefined),
      }),
    ),
    actsForVisitor: true,
    send: forManagers(async (visitor, actor, form) => {
      try {
        const action = form.get('action')
        if (action === 'revoke') return await revoke(site, form)
        const above =
          action === 'pair' ? await newPair(site, visitor) : await newKey(site, env, actor, form)
        return await developer(site, env, visitor, { above })
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error
        const above = alert(sentence(error.message))
        return developer(site, env, visitor, { status: error.status, above, form })
      }
    }),
  }
}

/** Makes a key; what is shown is all that ever is of it. */
async function newKey(
  { engine }: Site,
  env: KeyEnvironment,
  actor: Actor,
  form: Fields,
): Promise<Html> {
  const { database, clock, plans } = engine.services
  const allowed = (form.get('allow_ips') ?? '').split(/[\s,]+/).filter(Boolean)
  const label = (form.get('label') ?? '').trim()
  const wanted = readKeyRequest(
    {
      scope: form.get('scope'),
      env: form.get('env') ?? env,
      label: label === '' ? null : label,
      allow_ips: allowed,
    },
    env,
    clock,
  )
  assertMayCreate(actor, plans, await engine.tier(), wanted)
  const { key } = await database.write((tx) => createKey(tx, clock, actor, wanted))
  return shownOnce('Your new API key', [['Key', key]])
}

async function newPair({ engine }: Site, { person: { login } }: Visitor): Promise<Html> {
  const pair = await engine.services.database.write((tx) => issueApiKey(tx, login))
  return shownOnce('Your new key and secret', [
    ['api_key', pair.api_key],
    ['api_secret', pair.api_secret],
  ])
}

async function revoke({ engine }: Site, form: Fields): Promise<PageAnswer> {
  const { database, clock } = engine.services
  const id = form.get('id') ?? ''
  // Another tab may have revoked it: then it is what was asked for.
  await database.write((tx) => markRevoked(tx, id, isoDateTime(clock)))
  return { goTo: `${PATH}?revoked=1` }
}

function shownOnce(title: string, secrets: readonly (readonly [name: string, value: string])[]) {
  return html`<section class="once" role="status">
<h2>${title}</h2>
<p>Copy it now: it is shown this once and kept nowhere.</p>
<dl>
${secrets.map(
  ([name, value]) => html`<dt>${name}</dt><dd><code class="secret">${value}</code></dd>
`,
)}</dl>
</section>`
}

async function developer(
  site: Site,
  env: KeyEnvironment,
  visitor: Visitor,
  { status = 200, above, form = new Map() }: Outcome,
): Promise<PageAnswer> {
  const { engine } = site
  const keys = await selectKeys(engine.services.database.read, { limit: MAX_SHOWN })
  const mayLimit = hasFeature(engine.services.plans, await engine.tier(), ALLOW_LIST_FEATURE)
  const page = workspacePage(
    'Developer settings',
    visitor,
    html`<p class="crumb"><a href="/">Start</a></p>
<h1>Developer settings</h1>
<p class="lead">Keys for programs that work with this workspace. The <a href="/docs">API reference</a> says what they can do.</p>
${above}
<section class="panel" aria-labelledby="keys">
<h2 id="keys">API keys</h2>
<div class="scroll" role="region" aria-labelledby="keys" tabindex="0">${keyTable(keys.map(shownKey), visitor)}</div>
</section>
<section class="panel" aria-labelledby="new-key">
<h2 id="new-key">New API key</h2>
<p>It acts with your roles, and within its scope.</p>
${keyForm(env, visitor, form, mayLimit)}
</section>
<section class="panel" aria-labelledby="pair">
<h2 id="pair">Key and secret of your own</h2>
<p>For clients of Frappe's REST interface: they send <code>Authorization: token api_key:api_secret</code> and act as ${visitor.person.login}. A new pair ends the one before.</p>
<form method="post" action="${PATH}">
${csrfField(visitor.csrfToken)}${hidden('action', 'pair')}
<div class="actions"><button class="quiet">Make a new pair</button></div>
</form>
</section>`,
  )
  return { status, page }
}

function keyForm(env: KeyEnvironment, visitor: Visitor, form: Fields, mayLimit: boolean): Html {
  const scopes = SCOPES.map((value): Choice => ({ value, label: SCOPE_LABELS[value] }))
  const envs = KEY_ENVIRONMENTS.map((value): Choice => ({ value, label: ENV_LABELS[value] }))
  return html`<form method="post" action="${PATH}">
${csrfField(visitor.csrfToken)}${hidden('action', 'create')}
<div class="columns">
${field({
  name: 'label',
  label: 'Label',
  value: form.get('label'),
  autocomplete: 'off',
  optional: true,
  maxlength: 140,
  hint: 'What it is for, such as the name of a shop.',
})}
${select({ name: 'scope', label: 'Scope' }, scopes, form.get('scope') ?? 'read')}
${select({ name: 'env', label: 'Environment' }, envs, form.get('env') ?? env)}
</div>
${
  mayLimit &&
  html`<div class="field">
<label for="allow_ips">Only from these addresses <span class="optional">optional</span></label>
<textarea id="allow_ips" name="allow_ips" rows="3" spellcheck="false" aria-describedby="allow_ips-hint">${form.get('allow_ips')}</textarea>
<p class="hint" id="allow_ips-hint">One address or range a line, such as 203.0.113.7 or 2001:db8::/32. None is everywhere.</p>
</div>`
}
<div class="actions"><button>Create key</button></div>
</form>`
}

function keyTable(keys: readonly ShownKey[], visitor: Visitor): Html {
  if (keys.length === 0) return html`<p class="empty">There are no keys yet.</p>`
  return html`<table>
<thead><tr><th scope="col">Label</th><th scope="col">Key</th><th scope="col">Scope</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col"><span class="hidden">Revoke</span></th></tr></thead>
<tbody>
${keys.map((key) => keyRow(key, visitor))}</tbody>
</table>`
}

function keyRow(key: ShownKey, { csrfToken }: Visitor): Html {
  const { id, label, prefix, last4, scope, env, allow_ips, created, created_by, last_used } = key
  return html`<tr>
<th scope="row">${label ?? 'No label'}${allow_ips.length > 0 && html`<span class="sub">${allow_ips.join(', ')}</span>`}</th>
<td><code>${prefix}…${last4}</code></td>
<td><span class="badge ${scope}">${scope}</span>${env === 'test' && html` <span class="badge">test</span>`}</td>
<td>${day(created)}<span class="sub">${created_by}</span></td>
<td>${last_used === null ? 'Never' : day(last_used)}${key.expires !== null && html`<span class="sub">ends ${day(key.expires)}</span>`}</td>
<td><form method="post" action="${PATH}">${csrfField(csrfToken)}${hidden('action', 'revoke')}${hidden('id', id)}<button class="danger" aria-label="Revoke ${label ?? prefix}">Revoke</button></form></td>
</tr>
`
}

/** The day of a moment, in UTC, with the whole of it for who wants to know. */
function day(moment: string): Html {
  return html`<time datetime="${moment}" title="${moment}">${moment.slice(0, 10)}</time>`
}
