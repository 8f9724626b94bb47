import { hash, randomBytes } from 'node:crypto'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError, type Detail, isRefusal, validationError } from '../../engine/base/errors.ts'
import { newId } from '../../engine/base/ids.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { readDocument } from '../../engine/documents/operations/get.ts'
import type { Context, EventSink } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  deletePublicLinksOf,
  findPublicLink,
  insertPublicLink,
} from '../../engine/storage/workspace/public-links.ts'
import { actorOf, findPerson } from '../auth/people.ts'

const DAY = 24 * 60 * 60 * 1000

/** Days for which a link is there unless somebody says otherwise, and at most (contract §7.9). */
const USUAL_DAYS = 30
const MOST_DAYS = 366

/** A link as its maker gets it: the only time that its address is told. */
export interface MadeLink {
  readonly id: string
  readonly url: string
  readonly expires: string
}

/** Path of the page of a link, before its token. */
export const PUBLIC_PATH = '/p/'

/** When a link is to be over, ISO; `sent` is what a caller said. Throws 422. */
export function readExpires(sent: unknown, now: number): string {
  if (sent === undefined || sent === null) return new Date(now + USUAL_DAYS * DAY).toISOString()
  const at = typeof sent === 'string' ? Date.parse(sent) : Number.NaN
  if (at > now && at <= now + MOST_DAYS * DAY) return new Date(at).toISOString()
  const detail: Detail = {
    field: 'expires',
    message: `expected a moment within the next ${MOST_DAYS} days, as 2026-12-31T12:00:00Z`,
    code: Number.isNaN(at) ? 'wrong_type' : 'out_of_range',
  }
  throw validationError([detail])
}

/**
 * Makes a link to the paper of a record, in the transaction of what it is part of. What it shows is what its maker may
 * read, as long as they may: of a key of the workspace, the workspace itself.
 */
export async function makePublicLink(
  tx: Db,
  { actor, services: { clock } }: Context,
  baseUrl: string,
  { resource, record, expires }: { resource: string; record: string; expires: string },
): Promise<MadeLink> {
  const token = randomBytes(32).toString('base64url')
  const id = newId('pub', clock.now())
  await insertPublicLink(tx, {
    ...{ id, hash: hash('sha256', token), resource, record, expires },
    login: actor.user?.login ?? null,
    created: isoDateTime(clock),
  })
  return { id, url: `${baseUrl}${PUBLIC_PATH}${token}`, expires }
}

/** What a token shows, by whose rights. */
export interface SharedRecord {
  readonly definition: DocTypeDefinition
  readonly id: string
  readonly context: Context
  readonly link: string
}

/** Record that a token leads to. Throws NOT_FOUND for one that is unknown, over, or whose maker may not read it any more. */
export async function sharedRecord(engine: Engine, token: string): Promise<SharedRecord> {
  const { services } = engine
  const { registry, clock, database } = services
  const link = await findPublicLink(database.read, hash('sha256', token), isoDateTime(clock))
  const definition = link && registry.bySlug(link.resource)
  if (!definition) throw over()
  const person = link.login === null ? undefined : await findPerson(services, link.login)
  if (link.login !== null && !person?.enabled) throw over()
  const actor = person ? actorOf(person) : SYSTEM_ACTOR
  const context = engine.context(actor, await engine.tier())
  try {
    await readDocument(context, definition, link.record)
  } catch (error) {
    throw isRefusal(error) ? over() : error
  }
  return { definition, id: link.record, context, link: link.id }
}

function over(): AppError {
  return new AppError('NOT_FOUND', 'this link is not there any more; ask who sent it for another')
}

/** Sink of events by which links end with their record, and with the person whose rights they show it by. */
export function publicLinks(): EventSink {
  return async (tx, events, { registry }) => {
    const people = registry.serving('users')?.slug
    for (const { resource, record_id, kind } of events) {
      if (kind !== 'deleted') continue
      await deletePublicLinksOf(tx, { resource, record: record_id })
      if (resource === people) await deletePublicLinksOf(tx, { login: record_id })
    }
  }
}
