import { SCOPES, type Scope } from '../../engine/access/actor.ts'
import type { AppError } from '../../engine/base/errors.ts'
import type { ShownKey } from '../auth/api-keys.ts'
import { KEY_ENVIRONMENTS, type KeyEnvironment } from '../auth/key-text.ts'
import { type Html, html } from '../http/html.ts'
import { type Choice, field, hidden, problemOf, select, textArea } from './form-parts.ts'
import { csrfField } from './layout.ts'
import { day } from './moments.ts'
import { PATHS } from './page-paths.ts'
import type { Fields, Visitor } from './visit.ts'

const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  read: 'Read: look at records',
  draft: 'Draft: also make drafts, for agents; a person submits them',
  write: 'Write: also change and submit records',
  admin: 'Admin: also delete records and manage keys',
}

const ENV_LABELS: Readonly<Record<KeyEnvironment, string>> = { live: 'Live', test: 'Test' }

/** Secrets that were just made: all that ever is seen of them. */
export function shownOnce(
  title: string,
  secrets: readonly (readonly [name: string, value: string])[],
): Html {
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

/** Whether a key is really to be revoked. */
export function revokeQuestion(key: ShownKey, { csrfToken }: Visitor): Html {
  return html`<section class="question" aria-labelledby="question">
<h2 id="question">Revoke ${nameOf(key)}?</h2>
<p>Programs that send the key <code>${key.prefix}…${key.last4}</code> are refused from then on. It cannot be taken back.</p>
<form method="post" action="${PATHS.developer}">
${csrfField(csrfToken)}${hidden('action', 'revoke')}${hidden('id', key.id)}${hidden('confirmed', '1')}
<div class="actions">
<button class="danger">Revoke</button>
<a class="button quiet" href="${PATHS.developer}" autofocus>Keep</a>
</div>
</form>
</section>`
}

interface KeyFormOptions {
  /** Environment a new key gets by itself. */
  readonly env: KeyEnvironment
  /** Values the form still holds after it was refused. */
  readonly form: Fields
  readonly error: AppError | undefined
  /** Whether the plan has allow lists. */
  readonly mayLimit: boolean
}

/** The form for a new key. */
export function keyForm(
  { csrfToken }: Visitor,
  { env, form, error, mayLimit }: KeyFormOptions,
): Html {
  const scopes = SCOPES.map((value): Choice => ({ value, label: SCOPE_LABELS[value] }))
  const envs = KEY_ENVIRONMENTS.map((value): Choice => ({ value, label: ENV_LABELS[value] }))
  return html`<form method="post" action="${PATHS.developer}">
${csrfField(csrfToken)}${hidden('action', 'create')}
<div class="columns">
${field({
  name: 'label',
  label: 'Label',
  value: form.get('label'),
  autocomplete: 'off',
  optional: true,
  maxlength: 140,
  hint: 'What it is for, such as the name of a shop.',
  error: problemOf(error, 'label'),
})}
${select({ name: 'scope', label: 'Scope', error: problemOf(error, 'scope') }, scopes, form.get('scope') ?? 'read')}
${select({ name: 'env', label: 'Environment', error: problemOf(error, 'env') }, envs, form.get('env') ?? env)}
</div>
${
  mayLimit &&
  textArea({
    name: 'allow_ips',
    label: 'Only from these addresses',
    value: form.get('allow_ips'),
    optional: true,
    hint: 'One address or range a line, such as 203.0.113.7 or 2001:db8::/32. None is everywhere.',
    error: problemOf(error, 'allow_ips'),
  })
}
<div class="actions"><button>Create key</button></div>
</form>`
}

/** The keys that are valid, each with what revokes it. */
export function keyTable(keys: readonly ShownKey[], visitor: Visitor): Html {
  if (keys.length === 0) return html`<p class="empty">There are no keys yet.</p>`
  return html`<table>
<thead><tr><th scope="col">Label</th><th scope="col">Key</th><th scope="col">Scope</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col"><span class="hidden">Revoke</span></th></tr></thead>
<tbody>
${keys.map((key) => keyRow(key, visitor))}</tbody>
</table>`
}

function keyRow(key: ShownKey, { csrfToken }: Visitor): Html {
  const { id, label, prefix, last4, scope, env, allow_ips, created, created_by, last_used } = key
  const { type, user } = key
  return html`<tr>
<th scope="row">${label ?? 'No label'}${allow_ips.length > 0 && html`<span class="sub">${allow_ips.join(', ')}</span>`}</th>
<td><code>${prefix}…${last4}</code></td>
<td><span class="badge ${scope}">${scope}</span>${env === 'test' && html` <span class="badge">test</span>`}${type === 'pair' && html` <span class="badge">pair</span><span class="sub">${user}</span>`}</td>
<td>${day(created)}<span class="sub">${created_by}</span></td>
<td>${last_used === null ? 'Never' : day(last_used)}${key.expires !== null && html`<span class="sub">ends ${day(key.expires)}</span>`}</td>
<td><form method="post" action="${PATHS.developer}">${csrfField(csrfToken)}${hidden('action', 'revoke')}${hidden('id', id)}<button class="danger" aria-label="Revoke ${nameOf(key)}">Revoke</button></form></td>
</tr>
`
}

/** Name by which people call a key. */
function nameOf({ label, prefix, last4 }: ShownKey): string {
  return label ?? `${prefix}…${last4}`
}
