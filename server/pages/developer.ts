import { type Actor, isManager } from '../../engine/access/actor.ts'
import { hasFeature } from '../../engine/access/plans.ts'
import { AppError, isRefusal } from '../../engine/base/errors.ts'
import { cameFrom } from '../auth/address-came-from.ts'
import { ALLOW_LIST_FEATURE, assertMayCreate, readKeyRequest, shownKey } from '../auth/api-keys.ts'
import { makeKey, makePairAnew, revokeKey } from '../auth/key-making.ts'
import type { KeyEnvironment } from '../auth/key-text.ts'
import { actorOf } from '../auth/people.ts'
import { findKey, selectKeys } from '../auth/store.ts'
import { type Html, html } from '../http/html.ts'
import type { Site } from '../site/site.ts'
import { keyForm, keyTable, revokeQuestion, shownOnce } from './api-keys-parts.ts'
import { alert, hidden, notice } from './form-parts.ts'
import { csrfField, workspacePage } from './layout.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { sentence } from './sentence.ts'
import { withTarget } from './target.ts'
import { type Fields, formAnswer, type PageAnswer, type Visitor } from './visit.ts'

/** Keys the page lists, the newest; /v1/api-keys pages through all. */
const MAX_SHOWN = 200

/** Outcome of what was just done, above the rest of the page. */
interface Outcome {
  readonly above?: Html | undefined
  /** Reason why a key was not made. */
  readonly error?: AppError
  /** Values the form for a new key still holds after it was refused. */
  readonly form?: Fields
}

/** `/settings/developer`: API keys, for System Managers. */
export function developerPage(site: Site, env: KeyEnvironment): Page {
  const forManagers =
    (answer: (visitor: Visitor, actor: Actor, fields: Fields) => Promise<PageAnswer>) =>
    async ({ visitor, form, query, request }: Parameters<NonNullable<Page['show']>>[0]) => {
      if (!visitor) return { goTo: withTarget(PATHS.login, PATHS.developer) }
      const actor = cameFrom(request, actorOf(visitor.person))
      if (!isManager(actor))
        throw new AppError(
          'FORBIDDEN',
          'API keys are for System Managers: ask one of them for a key',
        )
      return answer(visitor, actor, request.method === 'POST' ? form : query)
    }
  return {
    parameters: ['revoked'],
    show: forManagers((visitor, _actor, query) =>
      developer(site, env, visitor, {
        above: notice(query.has('revoked') ? 'The key is revoked: it works no more.' : undefined),
      }),
    ),
    actsForVisitor: true,
    send: forManagers(async (visitor, actor, form) => {
      try {
        const action = form.get('action')
        if (action === 'revoke') return await revoke(site, env, { visitor, actor }, form)
        const above =
          action === 'pair' ? await newPair(site, env, actor) : await newKey(site, env, actor, form)
        return await developer(site, env, visitor, { above })
      } catch (error) {
        if (!isRefusal(error)) throw error
        return developer(site, env, visitor, { error, form })
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
  const { services } = engine
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
    services.clock,
  )
  assertMayCreate(actor, services.plans, await engine.tier(), wanted.request)
  const made = await services.database.write((tx) => makeKey(tx, services, actor, wanted))
  services.eventsCommitted()
  return shownOnce('Your new API key', [['Key', 'key' in made ? made.key : '']])
}

async function newPair({ engine }: Site, env: KeyEnvironment, actor: Actor): Promise<Html> {
  const { services } = engine
  const wanted = { login: actor.id, env }
  const pair = await services.database.write((tx) => makePairAnew(tx, services, actor, wanted))
  services.eventsCommitted()
  return shownOnce('Your new key and secret', [
    ['api_key', pair.api_key],
    ['api_secret', pair.api_secret],
  ])
}

/** Asks first: programs that use the key stop working, and nothing brings it back. */
async function revoke(
  site: Site,
  env: KeyEnvironment,
  { visitor, actor }: { readonly visitor: Visitor; readonly actor: Actor },
  form: Fields,
): Promise<PageAnswer> {
  const { services } = site.engine
  const key = await findKey(services.database.read, form.get('id') ?? '')
  if (key && !form.has('confirmed')) {
    const above = revokeQuestion(shownKey(key), visitor)
    return developer(site, env, visitor, { above })
  }
  // Another tab may have revoked it: then it is what was asked for.
  if (key) await services.database.write((tx) => revokeKey(tx, services, actor, key.id))
  services.eventsCommitted()
  return { goTo: `${PATHS.developer}?revoked=1` }
}

async function developer(
  site: Site,
  env: KeyEnvironment,
  visitor: Visitor,
  { above, error, form = new Map() }: Outcome,
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
${above}${alert(error && whatIsWrong(error))}
<section class="panel" aria-labelledby="keys">
<h2 id="keys">API keys</h2>
<div class="scroll" role="region" aria-labelledby="keys" tabindex="0">${keyTable(keys.map(shownKey), visitor)}</div>
</section>
<section class="panel" aria-labelledby="new-key">
<h2 id="new-key">New API key</h2>
<p>It acts with your roles, and within its scope.</p>
${keyForm(visitor, { env, form, error, mayLimit })}
</section>
<section class="panel" aria-labelledby="pair">
<h2 id="pair">Key and secret of your own</h2>
<p>For clients of Frappe's REST interface: they send <code>Authorization: token api_key:api_secret</code> and act as ${visitor.person.login}. A new pair ends the one before.</p>
<form method="post" action="${PATHS.developer}">
${csrfField(visitor.csrfToken)}${hidden('action', 'pair')}
<div class="actions"><button class="quiet">Make a new pair</button></div>
</form>
</section>`,
  )
  return formAnswer(page, error)
}

/** Message above the form; what is said beside a field is not said twice. */
function whatIsWrong({ details, message }: AppError): string {
  return details ? 'No key was made: see what is wrong below.' : sentence(message)
}
