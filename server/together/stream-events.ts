import { isManager, workerOf } from '../../engine/access/actor.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { may, mayWithDoc, readable } from '../../engine/documents/rights/door.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { ReadEvent } from '../../engine/events/log.ts'
import { JOBS } from '../../engine/schema/catalogue/job-events.ts'
import type { Doc } from '../../engine/storage/database/document.ts'
import {
  type NotificationRow,
  notificationsOfEvents,
} from '../../engine/storage/workspace/notifications.ts'
import { shownNotification } from './notifications.ts'
import { type Audience, frame } from './stream-listener.ts'

/** Event of the log on its way to those who listen: what is asked of it is asked once, whoever hears it. */
export interface Told {
  readonly place: bigint
  /** Frame of the change, the same for all. */
  readonly change: string
  readonly definition: DocTypeDefinition | undefined
  readonly isDeleted: boolean
  /** Whose job it tells of; undefined for all else. */
  readonly jobOf: string | undefined
  readonly notifications: readonly NotificationRow[]
  /** The record as it is now; read at the first question. */
  doc(): Promise<Doc | undefined>
}

/** What the log tells of a job. */
interface ToldJob {
  readonly owner: string
  readonly kind: string
  readonly state: string
  readonly done: number
  readonly total: number
  readonly failed: number
}

/** How far a job is, as streams tell it. */
function progressOf({ kind, state, done, total, failed }: ToldJob): Omit<ToldJob, 'owner'> {
  return { kind, state, done, total, failed }
}

/** The events of a page of the log, with what people are told of by them. */
export async function toldEvents(
  services: Services,
  events: readonly ReadEvent[],
): Promise<readonly Told[]> {
  const { read } = services.database
  const ids = events.map(({ id }) => id)
  const notified = Map.groupBy(await notificationsOfEvents(read, ids), ({ event_id }) => event_id)
  return events.map(({ id, seq, event, resource, kind, record_id, at, actor, data }) => {
    const definition = services.registry.bySlug(resource)
    let doc: Promise<Doc | undefined> | undefined
    const modified = /"modified":"([^"]+)"/.exec(data)?.[1] ?? at
    const job = resource === JOBS ? (JSON.parse(data) as ToldJob) : undefined
    const change = { event, resource, id: record_id, modified, actor }
    return {
      place: seq,
      change: frame('change', job ? { ...change, job: progressOf(job) } : change, seq),
      definition,
      jobOf: job?.owner,
      isDeleted: kind === 'deleted',
      notifications: notified.get(id) ?? [],
      doc() {
        doc ??= definition
          ? services.partsOf(definition).store.find(read, record_id)
          : Promise.resolve(undefined)
        return doc
      },
    }
  })
}

/**
 * What an audience hears of an event; empty where it is none of theirs. Rights are those of now, and of the record as it
 * is now; of what is gone only who reads all records of its DocType hears.
 */
export async function heardBy(audience: Audience, told: Told): Promise<string> {
  const own = told.notifications.filter(({ login }) => login === audience.login)
  const hears = told.definition
    ? await mayHear(audience, told, told.definition)
    : told.jobOf !== undefined && mayHearOfJob(audience, told.jobOf)
  if (own.length === 0) return hears ? told.change : ''
  const frames = own.map((row, at) => {
    const isLast = !hears && at === own.length - 1
    return frame('notification', shownNotification(row), isLast ? told.place : undefined)
  })
  return `${frames.join('')}${hears ? told.change : ''}`
}

/** Of jobs hears whose they are, and who looks after the workspace, as they may look at them. */
function mayHearOfJob({ context: { actor } }: Audience, owner: string): boolean {
  return workerOf(actor) === owner || isManager(actor)
}

async function mayHear(
  audience: Audience,
  told: Told,
  definition: DocTypeDefinition,
): Promise<boolean> {
  const { context, whole } = audience
  const { slug } = definition
  if (!whole.has(slug)) whole.set(slug, readsAll(audience, definition))
  const known = whole.get(slug)
  if (known !== undefined) return known
  if (told.isDeleted) return false
  const doc = await told.doc()
  const parts = context.services.partsOf(definition)
  return (
    doc !== undefined && mayWithDoc(context, context.services.database.read, parts, doc, 'read')
  )
}

/** Whether they read all records of a DocType (true), none (false), or some: undefined. */
function readsAll({ context }: Audience, definition: DocTypeDefinition): boolean | undefined {
  if (!may(context, definition, 'read')) return false
  return readable(context, definition) === undefined ? true : undefined
}
