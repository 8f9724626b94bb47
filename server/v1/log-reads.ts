import type { Context } from '../../engine/documents/work/context.ts'
import { deepReads } from '../../engine/documents/work/deep-reads.ts'
import type { EventFilter } from '../../engine/events/log.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { FEW_ENTRIES, isSmall, isSoonCounted } from '../../engine/storage/records/light-reads.ts'
import { tableSize } from '../../engine/storage/records/table-size.ts'
import type { AttemptFilter } from '../../webhooks/attempt-store.ts'

/** Databases that a list of a log is read from. */
export interface LogReads {
  readonly page: Db
  readonly count: Db
}

/** Chooses where a list of the event log is read. */
export type EventReads = (context: Context, filter: EventFilter, offset: number) => LogReads

/** Fields of a line by which an index has the lines in their order. */
const IN_ORDER = ['event', 'kind', 'actor'] as const

const NARROW = 'name one event, one record or a shorter period'

/**
 * Chooser for the event log: what is a part of one index, or a log of few lines, is read at once, all else away from the
 * thread that answers. On PostgreSQL pages are read where the order of commits is known, which a replica does not tell.
 */
export function eventReads(): EventReads {
  const size = tableSize('svc_events', 'seq')
  return (context, filter, offset) => {
    const { database } = context.services
    const lines = size(database)
    const deep = deepReads(context, NARROW)
    const isLight =
      database.kind === 'postgres' || isSmall(lines) || (isPart(filter) && offset <= FEW_ENTRIES)
    return {
      page: isLight ? database.read : deep,
      count: isSoonCounted(lines) ? database.read : deep,
    }
  }
}

/** Whether the lines that match stand side by side in an index, so that those that do not are never looked at. */
function isPart({
  hidden = [],
  resource,
  record_id,
  since: _,
  until: __,
  ...rest
}: EventFilter): boolean {
  const given = IN_ORDER.filter((name) => rest[name] !== undefined).length
  if (record_id !== undefined) return resource !== undefined && given === 0
  return hidden.length === 0 && resource === undefined && given <= 1
}

/** Chooser for the delivery log of a webhook, whose attempts an index has by their age. */
export function attemptReads(): (
  context: Context,
  filter: AttemptFilter,
  offset: number,
) => LogReads {
  return (context, { event, outcome, delivery_id }, offset) => {
    const { database } = context.services
    const deep = deepReads(context, 'name one delivery')
    const isOne = delivery_id !== undefined
    const isLight = isOne || (event === undefined && outcome === undefined && offset <= FEW_ENTRIES)
    return { page: isLight ? database.read : deep, count: isOne ? database.read : deep }
  }
}
