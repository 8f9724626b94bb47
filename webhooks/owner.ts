import { type Actor, GUEST_ACTOR, SYSTEM_ACTOR } from '../engine/access/actor.ts'
import type { Services } from '../engine/documents/work/context.ts'
import { knownData } from '../engine/documents/work/known-data.ts'
import type { Db } from '../engine/storage/database/database.ts'
import type { EventText } from './attempt.ts'
import type { Claimed } from './delivery-store.ts'
import type { Subscriber } from './subscriber.ts'

/** Reads the person of a login as they are now; undefined for who is no more, or may not sign in. */
export type FindOwner = (login: string, tx: Db) => Promise<Actor | undefined>

/** Ids of keys of the workspace itself, which belong to nobody and may read all. */
const OF_WORKSPACE = /^key_/

/**
 * Texts of claimed deliveries by their ids: the text of the event as who registered the subscription may read it now
 * (`permissions.fields`). Those of a person who is gone get what nobody in particular may read.
 */
export async function textsForOwners(
  tx: Db,
  services: Services,
  claimed: readonly Claimed[],
  texts: ReadonlyMap<string, EventText>,
  subscribers: ReadonlyMap<string, Subscriber>,
  findOwner: FindOwner,
): Promise<ReadonlyMap<string, EventText>> {
  const { registry, grants } = services
  const owners = new Map<string, Actor>()
  async function ownerOf(name: string): Promise<Actor> {
    if (OF_WORKSPACE.test(name)) return SYSTEM_ACTOR
    const actor = owners.get(name) ?? (await findOwner(name, tx)) ?? GUEST_ACTOR
    owners.set(name, actor)
    return actor
  }
  const told = new Map<string, EventText>()
  for (const { id, event_id, webhook_id } of claimed) {
    const text = texts.get(event_id)
    if (!text) continue
    const isKept = registry.bySlug(text.resource)?.behaviour.permissions?.fields !== undefined
    const subscriber = subscribers.get(webhook_id)
    const actor = isKept && subscriber ? await ownerOf(subscriber.createdBy) : SYSTEM_ACTOR
    told.set(id, { ...text, data: knownData({ services, grants, actor }, text) })
  }
  return told
}
