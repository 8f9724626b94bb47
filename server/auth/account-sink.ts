import type { EventSink } from '../../engine/documents/context.ts'
import { removeAccount } from './person-store.ts'

/**
 * Forgets how somebody signed in when their record is deleted, in the same transaction: a later record of the
 * same name is somebody else (reliability.md S3).
 */
export function accountCleanUp(): EventSink {
  return async (tx, events, { registry }) => {
    const people = registry.serving('users')
    for (const { resource, kind, record_id, at } of events)
      if (kind === 'deleted' && resource === people?.slug) await removeAccount(tx, record_id, at)
  }
}
