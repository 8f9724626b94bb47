import type { LoggedEvent } from '../../events/log.ts'
import type { Db } from '../../storage/database/database.ts'
import type { Context, EventLine } from './context.ts'

/**
 * Writes the lines of one operation to the log and shows them to the sinks, in the transaction of the change
 * (house decision 6). `now` is the moment of the transaction, ISO; `logged` gets all that was added. Whoever calls it outside
 * of an operation calls `services.eventsCommitted()` after the commit.
 */
export async function logEvents(
  tx: Db,
  { services, actor }: Pick<Context, 'services' | 'actor'>,
  now: string,
  lines: readonly EventLine[],
  logged: LoggedEvent[] = [],
): Promise<void> {
  if (lines.length === 0) return
  const events = await services.events.append(
    tx,
    lines.map((line) => ({ ...line, at: now, actor: actor.name })),
  )
  logged.push(...events)
  const { registry, plans, database } = services
  const log = (further: readonly EventLine[]) =>
    logEvents(tx, { services, actor }, now, further, logged)
  for (const sink of services.sinks)
    await sink(tx, events, { registry, plans, kind: database.kind, services, actor, log })
}
