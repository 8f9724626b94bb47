import { CompiledQuery } from 'kysely'
import { newId } from '../base/ids.ts'
import type { Db } from '../storage/database.ts'

/** What happened to a record, as one word (contract §3, Events). */
export type EventKind =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'submitted'
  | 'cancelled'
  | (string & {})

/** One line of the event log (spec §6). `data` is the JSON text of the record as GET shows it. */
export interface LoggedEvent {
  readonly id: string
  readonly event: string
  readonly resource: string
  readonly kind: EventKind
  readonly record_id: string
  readonly at: string
  readonly actor: string
  readonly data: string
}

export interface EventLog {
  /** Adds a line in the transaction of the change it tells of; returns it with its id. */
  append(tx: Db, event: Omit<LoggedEvent, 'id' | 'event'>): Promise<LoggedEvent>
}

const COLUMNS = ['id', 'event', 'resource', 'kind', 'record_id', 'at', 'actor', 'data'] as const

export function eventLog(db: Db): EventLog {
  const insertSql = db
    .insertInto('svc_events')
    .values(Object.fromEntries(COLUMNS.map((column) => [column, ''])))
    .compile().sql
  return {
    async append(tx, entry) {
      const logged = {
        ...entry,
        id: newId('evt', Date.parse(entry.at)),
        event: `${entry.resource}.${entry.kind}`,
      }
      await tx.executeQuery(
        CompiledQuery.raw(
          insertSql,
          COLUMNS.map((column) => logged[column]),
        ),
      )
      return logged
    },
  }
}
