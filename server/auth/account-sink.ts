import type { EventSink } from '../../engine/documents/work/context.ts'
import { findPersonWithin, grantsDigest } from './people.ts'
import { removeAccount } from './person-store.ts'
import { deleteSessionsUnlike } from './session-store.ts'

/**
 * Sink of events that cleans up after a change of somebody's record, in the same transaction. When the record is
 * deleted, how they signed in is forgotten: a later record of the same name is somebody else (reliability.md S3).
 * When they may do something else than before, or are disabled, their sessions end for good: they do not come
 * back with the old roles (S2).
 */
export function accountCleanUp(): EventSink {
  return async (tx, events, scene) => {
    const people = scene.registry.serving('users')
    for (const { resource, kind, record_id, at } of events) {
      if (resource !== people?.slug) continue
      if (kind === 'deleted') await removeAccount(tx, record_id, at)
      const person = await findPersonWithin(scene, record_id, tx)
      if (person) await deleteSessionsUnlike(tx, record_id, grantsDigest(person))
    }
  }
}
