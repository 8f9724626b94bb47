import type { Db } from '../../../engine/storage/database/database.ts'

/** Kind of a second factor: codes of an app (RFC 6238), or a key of a device (WebAuthn). */
export type FactorKind = 'totp' | 'passkey'

/** A second factor as it is kept. */
export interface FactorRow {
  readonly id: string
  readonly login: string
  readonly kind: FactorKind
  /** Name that its owner has given it. */
  readonly name: string
  /** Sealed: the secret of the app, or the public key of the device with how it is reached. */
  readonly secret: string
  /** Id by which the device knows a passkey; null for codes. */
  readonly credential: string | null
  /** The last step of time whose code was used, or the device's own count. */
  readonly counter: bigint | number
  readonly created: string
  readonly last_used: string | null
}

/** Factors of somebody, the oldest first. */
export async function selectFactors(db: Db, login: string): Promise<readonly FactorRow[]> {
  const rows = await db
    .selectFrom('svc_factors')
    .selectAll()
    .where('login', '=', login)
    .orderBy('id')
    .execute()
  return rows as unknown as FactorRow[]
}

/** At most `limit` factors of anybody: all were sealed with one key. */
export async function someFactors(
  db: Db,
  limit: number,
): Promise<readonly Pick<FactorRow, 'id' | 'secret'>[]> {
  const rows = await db.selectFrom('svc_factors').select(['id', 'secret']).limit(limit).execute()
  return rows as unknown as Pick<FactorRow, 'id' | 'secret'>[]
}

export async function insertFactor(tx: Db, row: FactorRow): Promise<void> {
  await tx
    .insertInto('svc_factors')
    .values({ ...row })
    .execute()
}

/**
 * Notes that a factor was used; false where it is gone, or its counter was there already: of two uses of one code at
 * once one counts. A device that does not count says 0 each time.
 */
export async function markFactorUsed(
  tx: Db,
  { id, counter, at }: { readonly id: string; readonly counter: number; readonly at: string },
): Promise<boolean> {
  let query = tx.updateTable('svc_factors').set({ counter, last_used: at }).where('id', '=', id)
  if (counter > 0) query = query.where('counter', '<', counter)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes a factor of somebody; false where they have none of that id. */
export async function deleteFactor(tx: Db, login: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('svc_factors')
    .where('login', '=', login)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes all factors of somebody, with their recovery codes and what was begun with either. */
export async function deleteFactorsOf(tx: Db, login: string): Promise<void> {
  await tx.deleteFrom('svc_factors').where('login', '=', login).execute()
  await deleteCodesOf(tx, login)
  await tx.deleteFrom('svc_tickets').where('login', '=', login).execute()
}

/** Keeps the hashes of recovery codes in place of those before. */
export async function replaceCodes(
  tx: Db,
  login: string,
  hashes: readonly string[],
): Promise<void> {
  await deleteCodesOf(tx, login)
  await tx
    .insertInto('svc_recovery_codes')
    .values(hashes.map((hash) => ({ hash, login })))
    .execute()
}

/** Uses a recovery code up; false where there is none of this hash any more. */
export async function takeCode(tx: Db, login: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('svc_recovery_codes')
    .where('login', '=', login)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Whether somebody has a recovery code of this hash left. */
export async function hasCode(db: Db, login: string, hash: string): Promise<boolean> {
  const found = await db
    .selectFrom('svc_recovery_codes')
    .select('hash')
    .where('login', '=', login)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return found !== undefined
}

/** Number of recovery codes somebody has left. */
export async function countCodes(db: Db, login: string): Promise<number> {
  const { n } = await db
    .selectFrom('svc_recovery_codes')
    .select((column) => column.fn.countAll().as('n'))
    .where('login', '=', login)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export async function deleteCodesOf(tx: Db, login: string): Promise<void> {
  await tx.deleteFrom('svc_recovery_codes').where('login', '=', login).execute()
}
