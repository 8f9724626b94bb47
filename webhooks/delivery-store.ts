import { CompiledQuery, sql } from 'kysely'
import { idsFrom } from '../engine/base/ids.ts'
import type { DatabaseKind, Db } from '../engine/storage/database.ts'

/**
 * `pending`: attempts are still to come. `delivered`, `exhausted`: the schedule is over. A manual attempt
 * leaves an exhausted delivery exhausted unless it succeeds.
 */
export type DeliveryState = 'pending' | 'delivered' | 'exhausted'

/** What one subscription is to be told of one event; its id is the `delivery_id` on the wire. */
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
  'created',
  'data',
] as const

const CLAIMED =
  'id, webhook_id, event_id, event, state, attempts, tries, manual, first_try, created, data'

/** Rows of one statement; each number of rows is a statement of its own, so it is kept small. */
const CHUNK = 50

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += CHUNK) yield all.slice(start, start + CHUNK)
}

/** Adds deliveries; one that an event already has for its subscription is left as it is. Returns how many are new. */
export async function insertDeliveries(tx: Db, rows: readonly DeliveryRow[]): Promise<number> {
  let added = 0
  for (const chunk of chunks(rows)) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('svc_deliveries')
      .columns([...COLUMNS])
      .values(chunk.map((row) => ({ ...row })))
      .onConflict((conflict) => conflict.columns(['event_id', 'webhook_id']).doNothing())
      .executeTakeFirst()
    added += Number(numInsertedOrUpdatedRows)
  }
  return added
}

/** Deliveries of one subscription that somebody waits for apart from the others: manual ones overtake. */
export interface Lane {
  readonly webhookId: string
  readonly manual: 0 | 1
}

/**
 * When the next attempt of these lanes is due for a dispatcher, in ms: what others hold counts with the end of
 * its lease, what it holds itself not at all.
 */
export async function nextDue(
  db: Db,
  kind: DatabaseKind,
  { lanes, worker }: { readonly lanes: readonly Lane[]; readonly worker: string },
): Promise<number | undefined> {
  if (lanes.length === 0) return undefined
  if (kind === 'postgres') {
    const { rows } = await sql<{ due: bigint | null }>`
      select min(first.due) as due
      from unnest(${lanes.map(({ webhookId }) => webhookId)}::text[], ${lanes.map(({ manual }) => manual)}::bigint[])
        as lane(webhook_id, manual)
      cross join lateral (select due from svc_deliveries
        where webhook_id = lane.webhook_id and manual = lane.manual and due is not null
          and leased_by is distinct from ${worker}
        order by due limit 1) as first`.execute(db)
    const due = rows[0]?.due
    return due === null || due === undefined ? undefined : Number(due)
  }
  let least: number | undefined
  for (const { webhookId, manual } of lanes) {
    const { rows } = await db.executeQuery<{ due: bigint | null }>(
      CompiledQuery.raw(
        `select min(due) as due from svc_deliveries where webhook_id = ? and manual = ${manual}
          and due is not null and leased_by is distinct from ?`,
        [webhookId, worker],
      ),
    )
    const due = rows[0]?.due
    if (due !== null && due !== undefined && !(least !== undefined && least <= due))
      least = Number(due)
  }
  return least
}

export interface Claim {
  readonly lanes: readonly (Lane & { readonly room: number })[]
  /** At most so many in all; lanes that come first get theirs first. */
  readonly total: number
  readonly now: number
  readonly leaseUntil: number
  readonly worker: string
}

/**
 * Takes due rows for a dispatcher, at most `room` of each lane, the longest due first: until the lease ends
 * no other dispatcher gets them, in whatever process it runs. What it holds itself it does not get again,
 * even when the clock leaps over the end of the lease: the attempt is still under way.
 */
export async function claimDue(tx: Db, kind: DatabaseKind, claim: Claim): Promise<Claimed[]> {
  const { lanes, total, leaseUntil, worker } = claim
  if (total <= 0 || lanes.length === 0) return []
  const claimed =
    kind === 'postgres' ? await dueOnPostgres(tx, claim) : await dueOnSqlite(tx, claim)
  for (const chunk of chunks(claimed))
    await tx
      .updateTable('svc_deliveries')
      .set({ due: leaseUntil, leased_by: worker })
      .where(
        'id',
        'in',
        chunk.map(({ id }) => id),
      )
      .execute()
  return claimed
}

async function dueOnSqlite(tx: Db, { lanes, total, now, worker }: Claim): Promise<Claimed[]> {
  const claimed: Claimed[] = []
  for (const { webhookId, manual, room } of lanes) {
    const text = `select ${CLAIMED} from svc_deliveries
      where webhook_id = ? and manual = ${manual} and due <= ? and leased_by is distinct from ?
      order by due limit ${Math.min(room, total - claimed.length)}`
    const { rows } = await tx.executeQuery<RawClaimed>(
      CompiledQuery.raw(text, [webhookId, now, worker]),
    )
    claimed.push(...rows.map(readClaimed))
    if (claimed.length >= total) break
  }
  return claimed
}

async function dueOnPostgres(tx: Db, { lanes, total, now, worker }: Claim): Promise<Claimed[]> {
  const { rows } = await sql<RawClaimed>`
    select due.* from unnest(
      ${lanes.map(({ webhookId }) => webhookId)}::text[],
      ${lanes.map(({ manual }) => manual)}::bigint[],
      ${lanes.map(({ room }) => room)}::bigint[]) as lane(webhook_id, manual, room)
    cross join lateral (select ${sql.raw(CLAIMED)} from svc_deliveries
      where webhook_id = lane.webhook_id and manual = lane.manual and due <= ${now}
        and leased_by is distinct from ${worker}
      order by due limit lane.room for update skip locked) as due
    limit ${sql.lit(total)}`.execute(tx)
  return rows.map(readClaimed)
}

type RawClaimed = {
  readonly [Column in keyof Claimed]: Claimed[Column] extends number | null
    ? bigint | null
    : Claimed[Column]
}

function readClaimed(row: RawClaimed): Claimed {
  return {
    ...row,
    attempts: Number(row.attempts),
    tries: Number(row.tries),
    manual: Number(row.manual) as 0 | 1,
    first_try: row.first_try === null ? null : Number(row.first_try),
  } as Claimed
}

/** How a delivery stands after an attempt, or after it was given back untried. */
export type Settled = Pick<
  DeliveryRow,
  'id' | 'state' | 'attempts' | 'tries' | 'manual' | 'due' | 'first_try'
>

/**
 * Writes how attempts left their deliveries and ends their leases. One whose lease ran out and went to another
 * dispatcher is that one's business.
 */
export async function settleDeliveries(
  tx: Db,
  worker: string,
  rows: readonly Settled[],
): Promise<void> {
  for (const chunk of chunks(rows)) {
    const values = chunk.map(
      ({ id, state, attempts, tries, manual, due, first_try }) =>
        sql`(${id}, ${state}, ${attempts}, ${tries}, ${manual}, ${due}, ${first_try})`,
    )
    await sql`update svc_deliveries set state = new.state, attempts = new.attempts, tries = new.tries,
        manual = new.manual, due = new.due, first_try = new.first_try, leased_by = null
      from (select cast(column1 as text) as id, cast(column2 as text) as state,
          cast(column3 as bigint) as attempts, cast(column4 as bigint) as tries, cast(column5 as bigint) as manual,
          cast(column6 as bigint) as due, cast(column7 as bigint) as first_try
        from (values ${sql.join(values)}) as listed) as new
      where svc_deliveries.id = new.id and svc_deliveries.leased_by = ${worker}`.execute(tx)
  }
}

/** Who holds leases: one name per dispatcher, dead ones too. */
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

/** Asks for one attempt more, now; one that is under way is that attempt. False when there is no such delivery. */
export async function askAgain(tx: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('svc_deliveries')
    .set({
      due: sql`case when leased_by is null then cast(${now} as bigint) else due end`,
      manual: sql`case when leased_by is null then 1 else manual end`,
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
