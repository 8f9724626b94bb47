import { type RawBuilder, sql } from 'kysely'
import { chunks } from '../base/chunks.ts'
import { idsFrom, newId } from '../base/ids.ts'
import { insertInPlace, settledUpTo } from '../storage/database/commit-order.ts'
import { isUnset } from '../storage/database/conflict.ts'
import type { DatabaseKind, Db } from '../storage/database/database.ts'
import { runSql, sendText, textsByRows, valuesOf } from '../storage/database/statements.ts'
import { supersededHere, unlessNewer } from '../storage/migration/generations.ts'
import { eventTexts } from '../storage/workspace/event-texts.ts'
import { readSetting, writeSetting } from '../storage/workspace/settings.ts'

/** Word for what happened to a record (contract §3, Events). */
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

/** A line as it is read: `seq` is its place in the log. */
export interface ReadEvent extends LoggedEvent {
  readonly seq: bigint
}

/** Conditions on lines, all of which must hold. */
export interface EventFilter {
  readonly event?: string
  readonly resource?: string
  readonly kind?: string
  readonly record_id?: string
  readonly actor?: string
  /** ISO 8601, UTC; `since` belongs to the period, `until` does not. */
  readonly since?: string
  readonly until?: string
  /** Resources whose lines stay out: those the reader may not read. */
  readonly hidden?: readonly string[]
}

export interface EventPage {
  readonly filter: EventFilter
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset?: number
  /** Place beyond which lines are read, in the order asked for. */
  readonly beyond?: bigint
}

export interface EventLog {
  /** Adds lines in the transaction of the change they report; returns them with their ids. */
  append(tx: Db, events: readonly Omit<LoggedEvent, 'id' | 'event'>[]): Promise<LoggedEvent[]>
  /** A page of lines by their places: no line ever appears before one that was read. */
  page(db: Db, page: EventPage): Promise<ReadEvent[]>
  count(db: Db, filter: EventFilter): Promise<number>
  /** The lines of these ids that are there, in no order. */
  find(db: Db, ids: readonly string[]): Promise<ReadEvent[]>
  /** Removes at most `limit` of the lines written before `before` (ISO); returns how many. */
  prune(tx: Db, before: string, limit: number): Promise<number>
  /** How far the log was pruned; undefined where it has all its lines. */
  pruned(db: Db): Promise<Pruned | undefined>
}

/** The last line that was removed by its age: its place, and its moment in ISO. */
export interface Pruned {
  readonly seq: bigint
  readonly at: string
}

/** Setting that keeps the last line that was removed, as `SEQ AT`. */
const PRUNED = 'events-pruned'

const TABLE = 'svc_events'
const COLUMNS = ['id', 'event', 'resource', 'kind', 'record_id', 'at', 'actor', 'data'] as const

/** Lines of one statement. */
const CHUNK = 25

/**
 * Lines by which a line's place and its time may disagree: who began earlier may have committed later. So the places
 * of a period are found by its ends, and it still holds every line.
 */
const OVERLAP = 2000

/**
 * The event log of a workspace (svc_events). With the generation of definitions that is `served`, a line is refused
 * with UNAVAILABLE once a newer one holds, and the change it reports with it: what older definitions compute would not
 * be what the newer ones say (docs/decisions/0056).
 */
export function eventLog(kind: DatabaseKind, served?: { readonly generation: number }): EventLog {
  const inserts = textsByRows((db, rows) => {
    const line = (id: RawBuilder<unknown> = sql`${''}`): RawBuilder<unknown> =>
      sql`(${sql.join([id, ...COLUMNS.slice(1).map(() => sql`${''}`)])})`
    const others = Array.from({ length: rows - 1 }, () => line())
    const first = line(served && unlessNewer(0, ''))
    return insertInPlace(kind, TABLE, COLUMNS, [first, ...others]).compile(db)
  })
  const finds = textsByRows((db, rows) =>
    db
      .selectFrom(TABLE)
      .select(['seq', ...COLUMNS])
      .where(
        'id',
        'in',
        Array.from({ length: rows }, () => ''),
      )
      .compile(),
  )

  const texts = eventTexts()

  return {
    async append(tx, events) {
      const lines = events.map(
        (event): LoggedEvent => ({
          ...event,
          id: newId('evt', Date.parse(event.at)),
          event: `${event.resource}.${event.kind}`,
        }),
      )
      for (const chunk of chunks(lines, CHUNK)) {
        const guard = served ? [served.generation] : []
        const values = [...guard, ...valuesOf(chunk, COLUMNS)]
        await sendText(tx, inserts(tx, chunk.length), values, { explain })
      }
      return lines
    },
    async page(db, { filter, order, limit, offset, beyond }) {
      // Before the rows: commit-order.ts.
      const settled = await settledUpTo(db, kind, TABLE)
      let query = filtered(db, filter, settled)
        .select(['seq', ...COLUMNS])
        .orderBy('seq', order)
        .limit(sql.lit(limit))
      if (beyond !== undefined) query = query.where('seq', order === 'asc' ? '>' : '<', beyond)
      if (offset) query = query.offset(sql.lit(offset))
      return texts.unpacked(db, (await query.execute()) as unknown as ReadEvent[])
    },
    async count(db, filter) {
      const settled = await settledUpTo(db, kind, TABLE)
      const { n } = await filtered(db, filter, settled)
        .select(sql<bigint>`count(*)`.as('n'))
        .executeTakeFirstOrThrow()
      return Number(n)
    },
    async find(db, ids) {
      const found: ReadEvent[] = []
      for (const chunk of chunks(ids, CHUNK)) {
        found.push(...(await runSql<ReadEvent>(db, finds(db, chunk.length), chunk)))
      }
      return texts.unpacked(db, found)
    },
    prune: pruneLines,
    pruned: lastPruned,
  }
}

async function pruneLines(tx: Db, before: string, limit: number): Promise<number> {
  const old = tx
    .selectFrom(TABLE)
    .select('seq')
    .where('id', '<', idsFrom('evt', Date.parse(before)))
    .orderBy('id')
    .limit(sql.lit(limit))
  const gone = await tx.deleteFrom(TABLE).where('seq', 'in', old).returning(['seq', 'at']).execute()
  if (gone.length > 0) await notePruned(tx, gone)
  return gone.length
}

/** Ids of one moment sort by chance, so a later batch may have lower places. */
async function notePruned(
  tx: Db,
  gone: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  let last = await lastPruned(tx)
  for (const { seq, at } of gone) {
    const place = BigInt(seq as bigint)
    if (!last || place > last.seq) last = { seq: place, at: String(at) }
  }
  if (last) await writeSetting(tx, PRUNED, `${last.seq} ${last.at}`)
}

async function lastPruned(db: Db): Promise<Pruned | undefined> {
  const text = await readSetting(db, PRUNED)
  const [seq = '', at = ''] = text?.split(' ') ?? []
  return text === undefined ? undefined : { seq: BigInt(seq), at }
}

/** UNAVAILABLE where the id of the first line was left out because newer definitions hold. */
function explain(error: unknown): unknown {
  return isUnset(error, TABLE, 'id') ? supersededHere() : error
}

const EXACT = ['event', 'resource', 'kind', 'record_id', 'actor'] as const

function filtered(db: Db, filter: EventFilter, settled: bigint | undefined) {
  let query = db.selectFrom(TABLE)
  if (settled !== undefined) query = query.where('seq', '<=', settled)
  for (const column of EXACT) {
    const wanted = filter[column]
    if (wanted !== undefined) query = query.where(column, '=', wanted)
  }
  const { since, until, hidden = [] } = filter
  if (hidden.length > 0) query = query.where('resource', 'not in', hidden)
  if (since !== undefined)
    query = query
      .where('at', '>=', since)
      .where('seq', '>=', sql<bigint>`${placeAt(since)} - ${sql.lit(OVERLAP)}`)
  if (until !== undefined)
    query = query
      .where('at', '<', until)
      .where('seq', '<=', sql<bigint>`${placeAt(until)} + ${sql.lit(OVERLAP)}`)
  return query
}

/** Place beyond that of any line. */
const NEVER = Number.MAX_SAFE_INTEGER

/** Place of the first line of a moment or later: ids begin with the time. */
function placeAt(moment: string) {
  return sql<bigint>`coalesce((select seq from ${sql.ref(TABLE)} where id >= ${idsFrom('evt', Date.parse(moment))}
    order by id limit 1), ${sql.lit(NEVER)})`
}
