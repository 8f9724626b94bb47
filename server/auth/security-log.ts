import type { Actor } from '../../engine/access/actor.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import { logEvents } from '../../engine/documents/work/log-events.ts'
import { SECURITY, type SecurityKind } from '../../engine/schema/catalogue/security-events.ts'
import type { Db } from '../../engine/storage/database/database.ts'

/** What happened at a door: of which session, key or person, and what else there is to tell. Never a secret. */
export interface SecurityEvent {
  readonly kind: SecurityKind
  readonly id: string
  /** Login of the person it is about; null where there is none. */
  readonly person: string | null
  /** Further keys of `data`, as the catalogue has them. */
  readonly more?: Readonly<Record<string, unknown>>
}

/**
 * Tells that records or a report left the workspace as a file, in a transaction of its own. Where nothing can be written,
 * on a full disk, the file leaves all the same: to get one's data out is the way out then.
 */
export async function logExport(
  services: Services,
  actor: Actor,
  id: string,
  format: string,
): Promise<void> {
  const person = actor.user?.login ?? null
  const event = { kind: 'exported', id, person, more: { format } } as const
  try {
    await services.database.write((tx) => logSecurity(tx, services, actor, event))
  } catch {
    return
  }
  services.eventsCommitted()
}

/**
 * Writes what happened at a door to the event log and to who subscribed to it, in the transaction it happened in. The
 * caller wakes who delivers it (`services.eventsCommitted()`) after the commit.
 */
export async function logSecurity(
  tx: Db,
  services: Services,
  actor: Actor,
  { kind, id, person, more = {} }: SecurityEvent,
): Promise<void> {
  const data = JSON.stringify({ id, person, address: actor.address ?? null, ...more })
  const line = { resource: SECURITY, kind, record_id: id, data }
  await logEvents(tx, { services, actor }, isoDateTime(services.clock), [line])
}
