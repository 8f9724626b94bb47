import type { Actor } from '../../engine/access/actor.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { mayWith } from '../../engine/documents/rights/door.ts'
import { aboutOf } from '../../engine/documents/together/about.ts'
import { type Notice, notify } from '../../engine/documents/together/notify.ts'
import type { Context, EventScene, EventSink } from '../../engine/documents/work/context.ts'
import type { LoggedEvent } from '../../engine/events/log.ts'
import { JOBS } from '../../engine/schema/catalogue/job-events.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { readTier } from '../../engine/storage/workspace/tier.ts'
import { actorOf, findPersonWithin, type Person } from '../auth/people.ts'
import { createWords, type Words } from '../v1/catalog-words.ts'
import { mentionsIn } from './mentions.ts'
import { jobNotices, managersOf, noticeOf, webhookNotices } from './workspace-notices.ts'

/** Event by which a to-do is given to somebody else. */
const ASSIGNED = 'assigned'

type Values = Readonly<Record<string, unknown>>

/**
 * The sink that tells people what concerns them, in the transaction of the change: who is mentioned in a comment, who is
 * given a to-do, whose agent has drafted a document, whose webhook sends no more, whose long work has ended. Nobody is told
 * what they did themselves, nor of a record that they may not read.
 */
export function notices(): EventSink {
  const words = createWords()
  return async (tx, events, scene) => {
    for (const event of events) {
      const told = await noticesOf(tx, event, scene, words)
      if (told.length > 0) await notify(tx, event.at, told)
    }
  }
}

async function noticesOf(
  tx: Db,
  event: LoggedEvent,
  scene: EventScene,
  words: Words,
): Promise<readonly Notice[]> {
  const { resource, kind } = event
  if (resource === 'webhooks') return webhookNotices(tx, event, scene, words)
  if (resource === JOBS) return jobNotices(tx, event, scene, words)
  const definition = scene.registry.bySlug(resource)
  if (!definition) return []
  if (definition.serves === 'comments' && kind === 'created')
    return mentioned(tx, event, scene, definition)
  if (definition.serves === 'todos' && (kind === 'created' || kind === ASSIGNED))
    return assigned(tx, event, scene, definition)
  return kind === 'created' ? drafted(tx, event, scene, definition) : []
}

/** The record that another is about, as a notice names it; itself where it is about none. */
function subjectOf(
  { registry }: EventScene,
  definition: DocTypeDefinition,
  { resource, record_id }: LoggedEvent,
  data: Values,
): {
  readonly definition: DocTypeDefinition
  readonly resource: string
  readonly record_id: string
} {
  const about = aboutOf(definition)
  const target = about && registry.byDoctype(String(data[about.kind] ?? ''))
  const name = about && data[about.record]
  return target && typeof name === 'string'
    ? { definition: target, resource: target.slug, record_id: name }
    : { definition, resource, record_id }
}

async function mentioned(
  tx: Db,
  event: LoggedEvent,
  scene: EventScene,
  definition: DocTypeDefinition,
): Promise<readonly Notice[]> {
  const data = JSON.parse(event.data) as Values
  const text = String(data[definition.titleField] ?? '')
  const about = subjectOf(scene, definition, event, data)
  const told: Notice[] = []
  for (const login of mentionsIn(text)) {
    if (login === scene.actor.user?.login) continue
    const person = await findPersonWithin(scene, login, tx)
    if (!person?.enabled || !(await mayRead(tx, scene, person, about))) continue
    told.push({ ...noticeOf(event, about), login, kind: 'mention', text })
  }
  return withTitles(tx, scene, about, told)
}

async function assigned(
  tx: Db,
  event: LoggedEvent,
  scene: EventScene,
  definition: DocTypeDefinition,
): Promise<readonly Notice[]> {
  const data = JSON.parse(event.data) as Values
  const { allocated_to: login } = data
  if (typeof login !== 'string' || login === scene.actor.user?.login) return []
  const person = await findPersonWithin(scene, login, tx)
  if (!person?.enabled) return []
  const about = subjectOf(scene, definition, event, data)
  // Who has it reads the to-do itself; of a record that they may not read they are told nothing.
  const seen = (await mayRead(tx, scene, person, about))
    ? about
    : { definition, resource: event.resource, record_id: event.record_id }
  const text = String(data[definition.titleField] ?? '')
  return withTitles(tx, scene, seen, [
    { ...noticeOf(event, seen), login, kind: 'assignment', text },
  ])
}

/** What a key of scope `draft` has made waits for its person, who submits it or not; that of nobody's key for System Managers. */
async function drafted(
  tx: Db,
  event: LoggedEvent,
  { actor, registry }: EventScene,
  definition: DocTypeDefinition,
): Promise<readonly Notice[]> {
  if (actor.scope !== 'draft' || !definition.submittable) return []
  const title = (JSON.parse(event.data) as Values)[definition.titleField]
  const { resource, record_id } = event
  const logins = actor.user ? [actor.user.login] : await managersOf(tx, registry)
  return logins.map((login) => ({
    ...noticeOf(event, { resource, record_id }),
    login,
    kind: 'approval',
    title: typeof title === 'string' ? title : record_id,
  }))
}

async function withTitles(
  tx: Db,
  { services }: EventScene,
  { definition, record_id }: { readonly definition: DocTypeDefinition; readonly record_id: string },
  told: readonly Notice[],
): Promise<readonly Notice[]> {
  if (told.length === 0) return told
  const doc = await services.partsOf(definition).store.find(tx, record_id)
  const title = doc?.[definition.titleField]
  return typeof title === 'string' ? told.map((notice) => ({ ...notice, title })) : told
}

async function mayRead(
  tx: Db,
  scene: EventScene,
  person: Person,
  { definition, record_id }: { readonly definition: DocTypeDefinition; readonly record_id: string },
): Promise<boolean> {
  const context = contextOf(
    scene,
    actorOf(person),
    person.demoTier ?? (await readTier(tx, scene.plans)),
  )
  return mayWith(context, definition, record_id, 'read', tx)
}

function contextOf({ services, plans }: EventScene, actor: Actor, tier: string): Context {
  return { services, actor, tier, plans, grants: services.grants }
}
