import { CompiledQuery, sql } from 'kysely'
import { chunks } from '../engine/base/chunks.ts'
import { idsFrom } from '../engine/base/ids.ts'
import type { Db } from '../engine/storage/database/database.ts'
import { blankRows, textsByRows, valuesOf } from '../engine/storage/database/statements.ts'

/** One attempt of a delivery (spec §2, delivery log entry): kept whether it succeeded or not. */
export interface AttemptRow {
  readonly id: string
  readonly delivery_id: string
  readonly webhook_id: string
  readonly event: string
  /** From 1, over all attempts of the delivery. */
  readonly attempt: number
  readonly trigger: 'auto' | 'manual'
  /** The address it was sent to, which may have been changed since. */
  readonly url: string
  readonly status_code: number | null
  readonly latency_ms: number
  /** The first 4 KB of the answer, as text. */
  readonly response_preview: string | null
  readonly error: string | null
  readonly attempted_at: string
  readonly next_attempt_at: string | null
}

const COLUMNS = [
  'id',
  'delivery_id',
  'webhook_id',
  'event',
  'attempt',
  'trigger',
  'url',
  'status_code',
  'latency_ms',
  'response_preview',
  'error',
  'attempted_at',
  'next_attempt_at',
] as const

/** Rows of one statement. */
const CHUNK = 50

/** Adds attempts to the log, one that is there already is left as it is; who adds often keeps what this returns. */
export function attemptInserter(): (tx: Db, rows: readonly AttemptRow[]) => Promise<void> {
  const texts = textsByRows((db, rows) =>
    db
      .insertInto('svc_delivery_attempts')
      .values(blankRows(COLUMNS, rows))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .compile(),
  )
  return async (tx, rows) => {
    for (const chunk of chunks(rows, CHUNK)) {
      const values = valuesOf(chunk, COLUMNS)
      await tx.executeQuery(CompiledQuery.raw(texts(tx, chunk.length), values))
    }
  }
}

export interface AttemptPage {
  readonly limit: number
  readonly offset?: number
  /** Id that the attempts are older than: ids sort by the time they were made. */
  readonly before?: string
}

/** Conditions on the log of one subscription; ANDed. */
export interface AttemptFilter {
  readonly webhook_id: string
  readonly delivery_id?: string
  readonly event?: string
  /** `ok`: answered with 2xx in time; `failed`: all others. */
  readonly outcome?: 'ok' | 'failed'
}

/** Attempts of a subscription, newest first. */
export async function selectAttempts(
  db: Db,
  filter: AttemptFilter,
  { limit, offset, before }: AttemptPage,
): Promise<AttemptRow[]> {
  let query = filtered(db, filter).selectAll().orderBy('id', 'desc').limit(sql.lit(limit))
  if (offset) query = query.offset(sql.lit(offset))
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.execute()).map(readAttempt)
}

export async function countAttempts(db: Db, filter: AttemptFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select(sql<bigint>`count(*)`.as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

function filtered(db: Db, { webhook_id, delivery_id, event, outcome }: AttemptFilter) {
  let query = db.selectFrom('svc_delivery_attempts').where('webhook_id', '=', webhook_id)
  if (delivery_id !== undefined) query = query.where('delivery_id', '=', delivery_id)
  if (event !== undefined) query = query.where('event', '=', event)
  if (outcome !== undefined) query = query.where('error', outcome === 'ok' ? 'is' : 'is not', null)
  return query
}

export async function findAttempt(db: Db, id: string): Promise<AttemptRow | undefined> {
  const row = await db
    .selectFrom('svc_delivery_attempts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && readAttempt(row)
}

/** The newest attempt of each of these subscriptions that has one. */
export async function lastAttempts(
  db: Db,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, AttemptRow>> {
  const found = await Promise.all(
    webhookIds.map((webhook_id) => selectAttempts(db, { webhook_id }, { limit: 1 })),
  )
  return new Map(found.flat().map((attempt) => [attempt.webhook_id, attempt]))
}

/** Removes at most `limit` attempts made before a moment (ms); returns how many. */
export async function pruneAttempts(tx: Db, before: number, limit: number): Promise<number> {
  const old = tx
    .selectFrom('svc_delivery_attempts')
    .select('id')
    .where('id', '<', idsFrom('att', before))
    .orderBy('id')
    .limit(sql.lit(limit))
  const { numDeletedRows } = await tx
    .deleteFrom('svc_delivery_attempts')
    .where('id', 'in', old)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

function readAttempt(row: Record<string, unknown>): AttemptRow {
  const { attempt, status_code, latency_ms } = row
  return {
    ...row,
    attempt: Number(attempt),
    status_code: status_code === null ? null : Number(status_code),
    latency_ms: Number(latency_ms),
  } as unknown as AttemptRow
}
