import { CompiledQuery, sql } from 'kysely'
import { chunks } from '../engine/base/chunks.ts'
import type { DatabaseKind, Db } from '../engine/storage/database/database.ts'
import { textsByRows, valuesOf } from '../engine/storage/database/statements.ts'
import {
  CLAIMED,
  type Claimed,
  type DeliveryRow,
  type RawClaimed,
  readClaimed,
} from './delivery-store.ts'

/** Deliveries of one subscription that somebody waits for apart from the others: manual ones overtake. */
export interface Lane {
  readonly webhookId: string
  readonly manual: 0 | 1
}

/** Names a lane in maps and sets. */
export function laneKey({ webhookId, manual }: Lane): string {
  return `${webhookId} ${manual}`
}

export interface Claim {
  readonly lanes: readonly (Lane & { readonly room: number })[]
  /** Most in all, shared among the lanes that have something; those that come first get theirs first. */
  readonly total: number
  readonly now: number
  readonly leaseUntil: number
  readonly worker: string
}

/** State of a delivery after an attempt, or after it was given back untried. */
export type Settled = Pick<
  DeliveryRow,
  'id' | 'state' | 'attempts' | 'tries' | 'manual' | 'due' | 'first_try'
>

/** The deliveries of a workspace as a dispatcher works through them, in its transactions. */
export interface DeliveryQueue {
  /**
   * Moment the next attempt of these lanes is due for a dispatcher, in ms: what others hold counts with the end
   * of its lease, what it holds itself not at all.
   */
  nextDue(
    db: Db,
    of: Pick<Claim, 'worker'> & { readonly lanes: readonly Lane[] },
  ): Promise<number | undefined>
  /**
   * Takes due rows for a dispatcher, at most `room` of each lane, the longest due first: until the lease ends
   * no other dispatcher gets them, in whatever process it runs. What it holds itself it does not get again,
   * even when the clock leaps over the end of the lease: the attempt is still under way.
   */
  claim(tx: Db, claim: Claim): Promise<Claimed[]>
  /**
   * Writes how attempts left their deliveries and ends their leases. One whose lease ran out and went to
   * another dispatcher is that one's business. What somebody asked for meanwhile is due at once.
   */
  settle(tx: Db, worker: string, rows: readonly Settled[]): Promise<void>
}

/** Rows of one statement. */
const CHUNK = 50

/** Least share of a lane, however many others have something too: a statement for one row would cost too much. */
const LEAST_SHARE = 4

/**
 * One statement for all lanes, since most are empty most of the time: a statement for each of hundreds would
 * cost more than all else a turn does.
 */
function firstDueText(kind: DatabaseKind): string {
  const worker = kind === 'postgres' ? '$1' : '?'
  return `select webhook_id, manual, due from (
    select w.id as webhook_id, lane.manual, (select d.due from svc_deliveries d
      where d.webhook_id = w.id and d.manual = lane.manual and d.due is not null
        and d.leased_by is distinct from ${worker}
      order by d.due limit 1) as due
    from svc_webhooks w cross join (select 0 as manual union all select 1) lane) first
  where due is not null`
}

const SETTLED = ['id', 'state', 'attempts', 'tries', 'manual', 'due', 'first_try'] as const

/** Opens the queue; a worker keeps it. */
export function deliveryQueue(kind: DatabaseKind): DeliveryQueue {
  const dueOf = kind === 'postgres' ? dueOnPostgres : dueOnSqlite
  const firstDue = firstDueReader(kind)
  const leaseTexts = textsByRows((db, rows) =>
    db
      .updateTable('svc_deliveries')
      .set({ due: 0, leased_by: '' })
      .where(
        'id',
        'in',
        Array.from({ length: rows }, () => ''),
      )
      .compile(),
  )
  const settleTexts = textsByRows((db, rows) => {
    const row = sql`(${sql.join(SETTLED.map(() => ''))})`
    return sql`update svc_deliveries set state = new.state, attempts = new.attempts, tries = new.tries,
        manual = case when asked_again is null then new.manual else 1 end, due = coalesce(asked_again, new.due),
        first_try = new.first_try, leased_by = null, asked_again = null
      from (select cast(column1 as text) as id, cast(column2 as text) as state,
          cast(column3 as bigint) as attempts, cast(column4 as bigint) as tries, cast(column5 as bigint) as manual,
          cast(column6 as bigint) as due, cast(column7 as bigint) as first_try
        from (values ${sql.join(Array.from({ length: rows }, () => row))}) as listed) as new
      where svc_deliveries.id = new.id and svc_deliveries.leased_by = ${''}`.compile(db)
  })

  return {
    async nextDue(db, { lanes, worker }) {
      if (lanes.length === 0) return undefined
      const first = await firstDue(db, worker)
      let least: number | undefined
      for (const lane of lanes) {
        const due = first.get(laneKey(lane))
        if (due !== undefined && !(least !== undefined && least <= due)) least = due
      }
      return least
    },
    async claim(tx, claim) {
      const { lanes, total, now, leaseUntil, worker } = claim
      if (total <= 0 || lanes.length === 0) return []
      const first = await firstDue(tx, worker)
      const due = lanes.filter((lane) => (first.get(laneKey(lane)) ?? now + 1) <= now)
      if (due.length === 0) return []
      const share = Math.max(LEAST_SHARE, Math.ceil(total / due.length))
      const shared = due.map((lane) => ({ ...lane, room: Math.min(lane.room, share) }))
      const claimed = (await dueOf(tx, { ...claim, lanes: shared })).map(readClaimed)
      for (const chunk of chunks(claimed, CHUNK)) {
        const values = [leaseUntil, worker, ...chunk.map(({ id }) => id)]
        await tx.executeQuery(CompiledQuery.raw(leaseTexts(tx, chunk.length), values))
      }
      return claimed
    },
    async settle(tx, worker, rows) {
      for (const chunk of chunks(rows, CHUNK)) {
        const values = [...valuesOf(chunk, SETTLED), worker]
        await tx.executeQuery(CompiledQuery.raw(settleTexts(tx, chunk.length), values))
      }
    },
  }
}

/** Reader of the moment, in ms, at which the first delivery of each lane is due for a dispatcher, by `laneKey`. */
function firstDueReader(
  kind: DatabaseKind,
): (db: Db, worker: string) => Promise<ReadonlyMap<string, number>> {
  const text = firstDueText(kind)
  return async (db, worker) => {
    const query = CompiledQuery.raw(text, [worker])
    const { rows } = await db.executeQuery<Record<'webhook_id' | 'manual' | 'due', unknown>>(query)
    return new Map(
      rows.map(({ webhook_id, manual, due }) => [
        laneKey({ webhookId: String(webhook_id), manual: Number(manual) as 0 | 1 }),
        Number(due),
      ]),
    )
  }
}

async function dueOnSqlite(tx: Db, { lanes, total, now, worker }: Claim): Promise<RawClaimed[]> {
  const due: RawClaimed[] = []
  for (const { webhookId, manual, room } of lanes) {
    const text = `select ${CLAIMED} from svc_deliveries
      where webhook_id = ? and manual = ${manual} and due <= ? and leased_by is distinct from ?
      order by due limit ${Math.min(room, total - due.length)}`
    const values = [webhookId, now, worker]
    const { rows } = await tx.executeQuery<RawClaimed>(CompiledQuery.raw(text, values))
    due.push(...rows)
    if (due.length >= total) break
  }
  return due
}

async function dueOnPostgres(tx: Db, { lanes, total, now, worker }: Claim): Promise<RawClaimed[]> {
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
  return rows
}
