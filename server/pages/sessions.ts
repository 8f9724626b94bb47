import type { Actor } from '../../engine/access/actor.ts'
import { cameFrom } from '../auth/address-came-from.ts'
import { type ShownKey, shownKey } from '../auth/api-keys.ts'
import { revokeKey } from '../auth/key-making.ts'
import { actorOf } from '../auth/people.ts'
import { revokeSession } from '../auth/session-revoking.ts'
import { type SessionRow, selectSessionsOf } from '../auth/session-store.ts'
import { livingNow } from '../auth/sessions.ts'
import { selectKeys } from '../auth/store.ts'
import { type Html, html } from '../http/html.ts'
import type { Site } from '../site/site.ts'
import { hidden, notice } from './form-parts.ts'
import { csrfField, workspacePage } from './layout.ts'
import { day } from './moments.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { withTarget } from './target.ts'
import type { PageAnswer, Visit, Visitor } from './visit.ts'

/** Rows of each list, the newest; /v1/me pages through all. */
const MAX_SHOWN = 200

/** `/settings/sessions`: what a person is signed in with, each with what ends it. */
export function sessionsPage(site: Site): Page {
  return {
    parameters: ['ended'],
    show: (visit) => show(site, visit),
    actsForVisitor: true,
    async send(visit) {
      const { visitor, form } = visit
      if (!visitor) return signInFirst()
      const actor = cameFrom(visit.request, actorOf(visitor.person))
      await end(site, actor, form.get('what') ?? '', form.get('id') ?? '')
      return { goTo: `${PATHS.sessions}?ended=1` }
    },
  }
}

function signInFirst(): PageAnswer {
  return { goTo: withTarget(PATHS.login, PATHS.sessions) }
}

/** Another tab may have ended it: then it is what was asked for. */
async function end(
  { engine: { services } }: Site,
  actor: Actor,
  what: string,
  id: string,
): Promise<void> {
  const of = { login: actor.id, onlyPairs: true }
  await services.database.write((tx) =>
    what === 'pair'
      ? revokeKey(tx, services, actor, id, of)
      : revokeSession(tx, services, actor, actor.id, id),
  )
  services.eventsCommitted()
}

async function show({ engine }: Site, { visitor, query }: Visit): Promise<PageAnswer> {
  if (!visitor) return signInFirst()
  const { database, clock } = engine.services
  const { login } = visitor.person
  const page = { limit: MAX_SHOWN }
  const sessions = await selectSessionsOf(database.read, login, page, livingNow(clock))
  const pairs = await selectKeys(database.read, { ...page, login, onlyPairs: true })
  const drawn = workspacePage(
    'Where you are signed in',
    visitor,
    html`<p class="crumb"><a href="/">Start</a></p>
<h1>Where you are signed in</h1>
<p class="lead">End what you do not know, and <a href="${PATHS.changePassword}">change your password</a> then: that ends all of it.</p>
${notice(query.has('ended') ? 'It has ended.' : undefined)}
<section class="panel" aria-labelledby="sessions">
<h2 id="sessions">Sessions</h2>
<div class="scroll" role="region" aria-labelledby="sessions" tabindex="0">${sessionTable(sessions, visitor)}</div>
</section>
<section class="panel" aria-labelledby="pairs">
<h2 id="pairs">Keys and secrets of programs</h2>
<div class="scroll" role="region" aria-labelledby="pairs" tabindex="0">${pairTable(pairs.map(shownKey), visitor)}</div>
</section>`,
  )
  return { page: drawn }
}

function sessionTable(rows: readonly SessionRow[], visitor: Visitor): Html {
  return html`<table>
<thead><tr><th scope="col">Browser</th><th scope="col">Address</th><th scope="col">Signed in</th><th scope="col">Last used</th><th scope="col"><span class="hidden">End</span></th></tr></thead>
<tbody>
${rows.map(
  ({ id, agent, address, created, last_seen }) => html`<tr>
<th scope="row">${agent ?? 'Unknown'}${id === visitor.session.id && html`<span class="sub">This one</span>`}</th>
<td>${address ?? 'Unknown'}</td><td>${day(created)}</td><td>${day(last_seen)}</td>
<td>${endForm(visitor, 'session', id, `the session of ${created.slice(0, 10)}`)}</td>
</tr>
`,
)}</tbody>
</table>`
}

function pairTable(rows: readonly ShownKey[], visitor: Visitor): Html {
  if (rows.length === 0) return html`<p class="empty">There are none.</p>`
  return html`<table>
<thead><tr><th scope="col">Label</th><th scope="col">Key</th><th scope="col">Scope</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col"><span class="hidden">End</span></th></tr></thead>
<tbody>
${rows.map(
  ({ id, label, prefix, scope, created, last_used }) => html`<tr>
<th scope="row">${label ?? 'No label'}</th><td><code>${prefix}</code></td><td><span class="badge ${scope}">${scope}</span></td>
<td>${day(created)}</td><td>${last_used === null ? 'Never' : day(last_used)}</td>
<td>${endForm(visitor, 'pair', id, label ?? prefix)}</td>
</tr>
`,
)}</tbody>
</table>`
}

function endForm({ csrfToken }: Visitor, what: string, id: string, name: string): Html {
  return html`<form method="post" action="${PATHS.sessions}">${csrfField(csrfToken)}${hidden('what', what)}${hidden('id', id)}<button class="danger" aria-label="End ${name}">End</button></form>`
}
