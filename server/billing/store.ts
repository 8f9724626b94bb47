import type { Db } from '../../engine/storage/database/database.ts'
import { removeBefore } from '../../engine/storage/records/remove-before.ts'

const EVENTS = 'svc_provider_events'

/** True for an event of the provider that was followed before. */
export async function isKnownEvent(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom(EVENTS).select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/**
 * Notes an event in the transaction that follows it; false when it is known. On PostgreSQL the insert waits for
 * another process that notes the same one.
 */
export async function noteEvent(
  tx: Db,
  event: { readonly id: string; readonly type: string; readonly received: string },
): Promise<boolean> {
  const noted = await tx
    .insertInto(EVENTS)
    .values({ ...event })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}

/** Removes at most `limit` of the events received before `before` (ISO); returns how many. */
export function removeEvents(tx: Db, before: string, limit: number): Promise<number> {
  return removeBefore(tx, { table: EVENTS, key: 'id', column: 'received' }, before, limit)
}
