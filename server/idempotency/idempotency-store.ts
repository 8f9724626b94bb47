import type { Database, Db } from '../../engine/storage/database/database.ts'

/** An answer as `svc_idempotency` keeps it. */
export interface StoredAnswer {
  /** Principal and key. */
  readonly key: string
  readonly fingerprint: string
  readonly status: number
  /** JSON object. */
  readonly headers: string
  readonly body: string
  readonly created: string
}

/** The answer kept under a key, unless it was made before `notBefore`. */
export async function findAnswer(
  db: Db,
  key: string,
  notBefore: string,
): Promise<StoredAnswer | undefined> {
  const row = await db
    .selectFrom('svc_idempotency')
    .selectAll()
    .where('key', '=', key)
    .where('created', '>', notBefore)
    .executeTakeFirst()
  return row && ({ ...row, status: Number(row.status) } as StoredAnswer)
}

/**
 * Keeps an answer within the transaction of its change; an expired one gives way. False when another
 * request has kept one under this key: on PostgreSQL the insert waits for that one's commit.
 */
export async function keepAnswer(
  tx: Db,
  answer: StoredAnswer,
  notBefore: string,
): Promise<boolean> {
  const { key: _key, ...changed } = answer
  const kept = await tx
    .insertInto('svc_idempotency')
    .values({ ...answer })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(changed).where('svc_idempotency.created', '<=', notBefore),
    )
    .returning('key')
    .executeTakeFirst()
  return kept !== undefined
}

/** A request that called another service before it had an answer to keep. */
export interface StartedRequest {
  /** Principal and key. */
  readonly key: string
  readonly fingerprint: string
  /** Key by which the other service knows the request: the same for each repeat. */
  readonly call: string
  /** The process that makes the call; null when it ended without an answer. */
  readonly holder: string | null
  /** Moment until which `holder` is waited for, ISO. */
  readonly until: string
  readonly created: string
}

const STARTED = 'svc_idempotency_started'

/** Notes that a request begins; false when one of its key has begun before, whoever commits first. */
export async function insertStarted(tx: Db, row: StartedRequest): Promise<boolean> {
  const inserted = await tx
    .insertInto(STARTED)
    .values({ ...row })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findStarted(tx: Db, key: string): Promise<StartedRequest | undefined> {
  const row = await tx.selectFrom(STARTED).selectAll().where('key', '=', key).executeTakeFirst()
  return row as StartedRequest | undefined
}

/** Takes a request over that nobody waits for any more; false when another process was faster. */
export async function takeStarted(
  tx: Db,
  { key, until }: StartedRequest,
  next: Pick<StartedRequest, 'holder' | 'until'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable(STARTED)
    .set({ ...next })
    .where('key', '=', key)
    .where('until', '=', until)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The request is over: it has its answer, or nothing came of it. */
export async function removeStarted(tx: Db, key: string): Promise<void> {
  await tx.deleteFrom(STARTED).where('key', '=', key).execute()
}

/** The call ended without an answer: a repeat of the request makes the same call again. */
export async function releaseStarted(tx: Db, key: string): Promise<void> {
  await tx.updateTable(STARTED).set({ holder: null, until: '' }).where('key', '=', key).execute()
}

/** Removes requests that began before `notBefore`; there are few. */
export async function removeOldStarted(tx: Db, notBefore: string): Promise<void> {
  await tx.deleteFrom(STARTED).where('created', '<=', notBefore).execute()
}

/** Answers removed by one write, so that a sweep never holds up others for long. */
const BATCH = 500

/** Removes all answers made before `notBefore`, in small batches; returns their number. */
export async function removeAnswers(database: Database, notBefore: string): Promise<number> {
  let removed = 0
  for (;;) {
    const { numDeletedRows } = await database.write((tx) =>
      tx
        .deleteFrom('svc_idempotency')
        .where(
          'key',
          'in',
          tx
            .selectFrom('svc_idempotency')
            .select('key')
            .where('created', '<=', notBefore)
            .limit(BATCH),
        )
        .executeTakeFirst(),
    )
    removed += Number(numDeletedRows)
    if (numDeletedRows < BATCH) return removed
  }
}
