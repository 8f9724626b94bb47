import type { Db } from '../../engine/storage/database/database.ts'
import { removeBefore } from '../../engine/storage/records/remove-before.ts'

/** Attempts to sign in of one account or address; times in ms. */
export interface AttemptRow {
  readonly key: string
  readonly attempts: number
  readonly last: number
  readonly locked_until: number
}

export async function selectAttempts(tx: Db, key: string): Promise<AttemptRow | undefined> {
  const row = await tx
    .selectFrom('svc_sign_in_attempts')
    .selectAll()
    .where('key', '=', key)
    .executeTakeFirst()
  return (
    row && {
      key,
      attempts: Number(row.attempts),
      last: Number(row.last),
      locked_until: Number(row.locked_until),
    }
  )
}

export async function writeAttempts(tx: Db, row: AttemptRow): Promise<void> {
  const { key: _, ...changes } = row
  await tx
    .insertInto('svc_sign_in_attempts')
    .values({ ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(changes))
    .execute()
}

export async function deleteAttempts(tx: Db, key: string): Promise<void> {
  await tx.deleteFrom('svc_sign_in_attempts').where('key', '=', key).execute()
}

/** Removes at most `limit` rows of attempts before this moment; returns how many. */
export function deleteOldAttempts(tx: Db, before: number, limit: number): Promise<number> {
  return removeBefore(
    tx,
    { table: 'svc_sign_in_attempts', key: 'key', column: 'last' },
    before,
    limit,
  )
}
