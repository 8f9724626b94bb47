import type { EventLine, EventScene, EventSink } from '../../engine/documents/work/context.ts'
import { SECURITY } from '../../engine/schema/catalogue/security-events.ts'
import { removeScreensOf } from '../../engine/storage/workspace/list-views.ts'
import { deleteFactorsOf } from './factors/factor-store.ts'
import { deleteLinksElsewhere, deleteLinksOf } from './link-store.ts'
import { findPersonWithin, grantsDigest } from './people.ts'
import { markConfirmed, removeAccount } from './person-store.ts'
import { deleteSessionsOf, deleteSessionsUnlike } from './session-store.ts'
import { revokeKeysOf } from './store.ts'

/** Event by which somebody's second factors are taken away: an action of the DocType that serves users. */
const RESET = 'second_factor_reset'

/**
 * Sink of events that cleans up after a change of somebody's record, in the same transaction. When the record is
 * deleted, how they signed in is forgotten: a later record of the same name is somebody else (reliability.md S3).
 * When they may do something else than before, are disabled or get another e-mail address, their
 * sessions end for good, and so do links that went to the old address: neither comes back with the old roles (S2).
 * Second factors that a System Manager resets go, and the sessions with them. Whom the workspace has changed is no
 * stranger who might go again.
 */
export function accountCleanUp(): EventSink {
  return async (tx, events, scene) => {
    const people = scene.registry.serving('users')
    for (const { resource, kind, record_id, at } of events) {
      if (resource !== people?.slug) continue
      if (kind === 'deleted') {
        await removeAccount(tx, record_id)
        await removeScreensOf(tx, record_id)
        await revokeKeysOf(tx, record_id, at)
      }
      if (kind === RESET) {
        await deleteFactorsOf(tx, record_id)
        await deleteSessionsOf(tx, record_id)
        await scene.log([factorsReset(record_id, scene.actor)])
      }
      if (kind === 'updated') await markConfirmed(tx, record_id)
      const person = await findPersonWithin(scene, record_id, tx)
      if (!person) continue
      await deleteSessionsUnlike(tx, record_id, grantsDigest(person))
      if (person.enabled) await deleteLinksElsewhere(tx, record_id, person.email)
      else await deleteLinksOf(tx, record_id, 'password')
    }
  }
}

function factorsReset(
  login: string,
  { address = null }: EventScene['actor'] | { address: null },
): EventLine {
  const data = JSON.stringify({ id: login, person: login, address })
  return { resource: SECURITY, kind: 'factors_reset', record_id: login, data }
}
