import { SYSTEM_MANAGER } from '../../engine/access/roles.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import type { Notice } from '../../engine/documents/together/notify.ts'
import type { EventScene } from '../../engine/documents/work/context.ts'
import type { LoggedEvent } from '../../engine/events/log.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { selectManagers } from '../../engine/storage/workspace/people.ts'
import { findPersonWithin } from '../auth/people.ts'
import type { Words } from '../v1/catalog-words.ts'

/** System Managers that are told of what is nobody's, at most. */
const MOST_MANAGERS = 20

/** Kind of job whose end has a notification of its own (contract §7.4). */
const IMPORT = 'import'

/** What a notice of an event has, whoever is told of it. */
export function noticeOf(
  { id, actor }: LoggedEvent,
  { resource, record_id }: Pick<LoggedEvent, 'resource' | 'record_id'>,
): Omit<Notice, 'login' | 'kind'> {
  return { actor, resource, record_id, title: record_id, event: id }
}

/** Logins of those who look after the workspace. */
export async function managersOf(
  tx: Db,
  registry: Pick<Registry, 'serving'>,
): Promise<readonly string[]> {
  const people = registry.serving('users')
  return people ? selectManagers(tx, people, SYSTEM_MANAGER, MOST_MANAGERS) : []
}

interface ToldJob {
  readonly kind: string
  readonly owner: string
  readonly resource: string | null
  readonly done: number
  readonly total: number
  readonly failed: number
}

/** Whose long work has ended by itself is told how, in their language; who stopped it knows. */
export async function jobNotices(
  tx: Db,
  event: LoggedEvent,
  { registry, services }: EventScene,
  words: Words,
): Promise<readonly Notice[]> {
  if (event.kind !== 'done' && event.kind !== 'failed') return []
  const { kind, owner, resource, done, total, failed } = JSON.parse(event.data) as ToldJob
  const person = await findPersonWithin({ registry }, owner, tx)
  if (!person?.enabled) return []
  const tell = words.tellerIn(services, person.language)
  const definition = resource === null ? undefined : registry.bySlug(resource)
  const counts = `${done - failed} of ${total} done, ${failed} refused`
  return [
    {
      ...noticeOf(event, event),
      login: person.login,
      kind: kind === IMPORT ? 'import' : 'job',
      title: tell(definition?.labelPlural ?? kind),
      text: tell(event.kind === 'done' ? counts : `it could not go on: ${counts}`),
    },
  ]
}

interface ToldWebhook {
  readonly url: string
  readonly user: string | null
  readonly paused_because?: string | null
}

/**
 * Whose webhook was disabled or paused is told. Of one that was paused System Managers are told too, since one of them has
 * to take it over; so are they of one whose person is gone, or that is nobody's.
 */
export async function webhookNotices(
  tx: Db,
  event: LoggedEvent,
  { registry, services }: EventScene,
  words: Words,
): Promise<readonly Notice[]> {
  if (event.kind !== 'disabled' && event.kind !== 'paused') return []
  const { url, user, paused_because } = JSON.parse(event.data) as ToldWebhook
  const owner = user === null ? undefined : await findPersonWithin({ registry }, user, tx)
  const logins = new Set(owner?.enabled ? [owner.login] : [])
  if (logins.size === 0 || event.kind === 'paused')
    for (const login of await managersOf(tx, registry)) logins.add(login)
  const notices: Notice[] = []
  for (const login of logins) {
    const person = login === owner?.login ? owner : await findPersonWithin({ registry }, login, tx)
    const tell = words.tellerIn(services, person?.language)
    const text =
      event.kind === 'disabled'
        ? tell('it was disabled: every delivery to it was given up for five days')
        : tell(`it was paused: ${paused_because ?? ''}`)
    notices.push({ ...noticeOf(event, event), login, kind: 'webhook', title: url, text })
  }
  return notices
}
