import { CompiledQuery, sql } from 'kysely'
import { chunks } from '../engine/base/chunks.ts'
import { idsFrom } from '../engine/base/ids.ts'
import type { Db } from '../engine/storage/database/database.ts'
import { blankRows, textsByRows, valuesOf } from '../engine/storage/database/statements.ts'

/**
 * `pending`: attempts are still to come. `delivered`, `exhausted`: the schedule is over. A manual attempt
 * leaves an exhausted delivery exhausted unless it succeeds.
 */
export type DeliveryState = 'pending' | 'delivered' | 'exhausted'

/** Delivery of one event to one subscription; its id is the `delivery_id` on the wire. */
export interface DeliveryRow {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly event: string
  readonly state: DeliveryState
  /** Attempts made, and those of them that the schedule counts. */
  readonly attempts: number
  readonly tries: number
  /** 1 = somebody asked for the next attempt: it is made whatever the subscription's status. */
  readonly manual: 0 | 1
  /** ms: when the next attempt is due, or, while leased, when the lease ends. */
  readonly due: number | null
  /** ms: when the first attempt of the schedule was made. */
  readonly first_try: number | null
  readonly leased_by: string | null
  /** ms: when somebody asked for one attempt more while one was under way. */
  readonly asked_again: number | null
  readonly created: string
  /** The envelope's data where the log has no such event. */
  readonly data: string | null
}

/** A row of work for a dispatcher. */
export type Claimed = Pick<
  DeliveryRow,
  | 'id'
  | 'webhook_id'
  | 'event_id'
  | 'event'
  | 'state'
  | 'attempts'
  | 'tries'
  | 'manual'
  | 'first_try'
  | 'created'
  | 'data'
>

const COLUMNS = [
  'id',
  'webhook_id',
  'event_id',
  'event',
  'state',
  'attempts',
  'tries',
  'manual',
  'due',
  'first_try',
  'leased_by',
  'asked_again',
  'created',
  'data',
] as const

/** Columns of `Claimed`. */
export const CLAIMED =
  'id, webhook_id, event_id, event, state, attempts, tries, manual, first_try, created, data'

/** Rows of one statement. */
const CHUNK = 50

/**
 * Adds deliveries; one that an event already has for its subscription is left as it is. Returns how many are
 * new. Who adds often keeps what this returns.
 */
export function deliveryInserter(): (tx: Db, rows: readonly DeliveryRow[]) => Promise<number> {
  const texts = textsByRows((db, rows) =>
    db
      .insertInto('svc_deliveries')
      .values(blankRows(COLUMNS, rows))
      .onConflict((conflict) => conflict.columns(['event_id', 'webhook_id']).doNothing())
      .compile(),
  )
  return async (tx, rows) => {
    let added = 0
    for (const chunk of chunks(rows, CHUNK)) {
      const values = valuesOf(chunk, COLUMNS)
      const query = CompiledQuery.raw(texts(tx, chunk.length), values)
      const { numAffectedRows } = await tx.executeQuery(query)
      added += Number(numAffectedRows)
    }
    return added
  }
}

/** Claimed row as the database gives it: integers are BigInt. */
export type RawClaimed = {
  readonly [Column in keyof Claimed]: Claimed[Column] extends number | null
    ? bigint | null
    : Claimed[Column]
}

/** Claimed row as it is worked with. */
export function readClaimed(row: RawClaimed): Claimed {
  return {
    ...row,
    attempts: Number(row.attempts),
    tries: Number(row.tries),
    manual: Number(row.manual) as 0 | 1,
    first_try: row.first_try === null ? null : Number(row.first_try),
  } as Claimed
}

/** Names of the dispatchers that hold leases, dead ones too. */
export async function leaseHolders(db: Db): Promise<string[]> {
  const { rows } = await sql<{ leased_by: string }>`
    select distinct leased_by from svc_deliveries where leased_by is not null`.execute(db)
  return rows.map(({ leased_by }) => leased_by)
}

/**
 * Gives back at once what a dispatcher has leased: all of one that is known to be gone, or all but what it
 * really holds. Returns the number of deliveries.
 */
export async function releaseLeases(
  tx: Db,
  worker: string,
  now: number,
  held: readonly string[] = [],
): Promise<number> {
  let query = tx
    .updateTable('svc_deliveries')
    .set({ due: now, leased_by: null })
    .where('leased_by', '=', worker)
  if (held.length > 0) query = query.where('id', 'not in', held)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Undoes what a clock that was ahead has put off: no lease ends after `leaseUntil`, and what is not repeated
 * but due as soon as it is there is due. Repetitions keep their times, later by as much as the clock was put
 * back.
 */
export async function pullForward(tx: Db, now: number, leaseUntil: number): Promise<void> {
  await sql`update svc_deliveries set due = ${leaseUntil}
    where leased_by is not null and due > ${leaseUntil}`.execute(tx)
  await sql`update svc_deliveries set due = ${now}
    where webhook_id in (select id from svc_webhooks) and manual in (0, 1) and due > ${now}
      and leased_by is null and (attempts = 0 or manual = 1)`.execute(tx)
}

export async function findDelivery(db: Db, id: string): Promise<Claimed | undefined> {
  const { rows } = await sql<RawClaimed>`
    select ${sql.raw(CLAIMED)} from svc_deliveries where id = ${id}`.execute(db)
  return rows[0] && readClaimed(rows[0])
}

/**
 * Asks for one attempt more: now, or after one that is under way, which may have reached the receiver already.
 * False when there is no such delivery.
 */
export async function askAgain(tx: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('svc_deliveries')
    .set({
      due: sql`case when leased_by is null then cast(${now} as bigint) else due end`,
      manual: sql`case when leased_by is null then 1 else manual end`,
      asked_again: sql`case when leased_by is null then null else cast(${now} as bigint) end`,
    })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Begins the schedule again for those of these events whose delivery to a subscription was given up. Returns
 * how many.
 */
export async function reviveExhausted(
  tx: Db,
  webhookId: string,
  eventIds: readonly string[],
  now: number,
): Promise<number> {
  if (eventIds.length === 0) return 0
  const { numUpdatedRows } = await tx
    .updateTable('svc_deliveries')
    .set({ state: 'pending', tries: 0, first_try: null, manual: 0, due: now })
    .where('webhook_id', '=', webhookId)
    .where('event_id', 'in', eventIds)
    .where('state', '=', 'exhausted')
    .where('due', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Removes at most `limit` deliveries made before a moment (ms), those still waiting too: they are older than
 * any schedule, e.g. of a subscription that stays paused. Returns how many.
 */
export async function pruneDeliveries(tx: Db, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('svc_deliveries')
    .where(
      'id',
      'in',
      tx
        .selectFrom('svc_deliveries')
        .select('id')
        .where('id', '<', idsFrom('dlv', before))
        .orderBy('id')
        .limit(sql.lit(limit)),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deliveries that wait for an attempt. */
export interface DeliveryBacklog {
  readonly waiting: number
  /** Moment the oldest of them was made, ISO 8601; null when there is none. */
  readonly oldest: string | null
}

/** Counts what waits for an attempt, that of paused subscriptions too. */
export async function deliveryBacklog(db: Db): Promise<DeliveryBacklog> {
  const { rows } = await sql<{ waiting: unknown; oldest: string | null }>`
    select count(*) as waiting, min(created) as oldest from svc_deliveries
    where due is not null`.execute(db)
  return { waiting: Number(rows[0]?.waiting ?? 0), oldest: rows[0]?.oldest ?? null }
}
