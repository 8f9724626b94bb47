import type { Database, Db } from '../engine/storage/database.ts'

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
