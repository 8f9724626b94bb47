import { CompiledQuery } from 'kysely'
import type { Database, Db } from '../../engine/storage/database/database.ts'
import { readMemo } from '../../engine/storage/database/read-memo.ts'
import { TIER_TABLES, tierSubselect } from '../../engine/storage/workspace/tier.ts'

/** A key as `svc_api_keys` keeps it: flags and lists as text, the key itself only as SHA-256. */
export interface KeyRow {
  readonly id: string
  readonly hash: string
  readonly prefix: string
  readonly last4: string
  readonly scope: string
  readonly env: string
  readonly label: string | null
  /** JSON array of addresses and CIDR ranges; `[]` is everywhere. */
  readonly allow_ips: string
  readonly created: string
  readonly created_by: string
  readonly expires: string | null
  readonly last_used: string | null
  readonly revoked: string | null
  /** Login of the person whose roles it has; null = the workspace's own, made on the command line. */
  readonly login: string | null
  /** Open half of a pair of key and secret; null for a key. */
  readonly pair: string | null
}

/** Which keys are meant: those of one person, or pairs alone. */
export interface KeysOf {
  readonly login?: string
  readonly onlyPairs?: boolean
}

/** Columns of a key that authentication needs, with the workspace's tier in the same query. */
export interface FoundKey
  extends Pick<
    KeyRow,
    'id' | 'scope' | 'env' | 'allow_ips' | 'expires' | 'last_used' | 'revoked' | 'login'
  > {
  /** null until a tier was set. */
  readonly tier: string | null
}

export type FindKey = (hash: string) => Promise<FoundKey | undefined>

/** Keys that are remembered where nobody else may write unseen. */
const MOST_FOUND = 1000

/**
 * The look-up of every request: compiled once, one query, and remembered until a key or the tier is another. The tier is a
 * subselect: SQLite plans a left join with a bound value anew each time, which costs four times as much.
 */
export function keyFinder(database: Database): FindKey {
  const { kind, read } = database
  const found = readMemo<FoundKey | undefined>(['svc_api_keys', ...TIER_TABLES], {
    most: MOST_FOUND,
    // Whoever guesses keys fills nothing.
    isKept: (key) => key !== undefined,
  })
  const tier = tierSubselect(kind, 1)
  const hash = kind === 'sqlite' ? '?' : `$${tier.parameters.length + 1}`
  const sql = `select id, scope, env, allow_ips, expires, last_used, revoked, login,
    ${tier.sql} as tier
    from svc_api_keys where hash = ${hash}`
  return (keyHash) =>
    found(database, keyHash, async () => {
      const { rows } = await read.executeQuery<FoundKey>(
        CompiledQuery.raw(sql, [...tier.parameters, keyHash]),
      )
      return rows[0]
    })
}

export async function insertKey(tx: Db, row: KeyRow): Promise<void> {
  await tx
    .insertInto('svc_api_keys')
    .values({ ...row })
    .execute()
}

/** The pair of this open half, revoked or not. */
export async function findPair(db: Db, pair: string): Promise<KeyRow | undefined> {
  const row = await db
    .selectFrom('svc_api_keys')
    .selectAll()
    .where('pair', '=', pair)
    .executeTakeFirst()
  return row as unknown as KeyRow | undefined
}

export interface KeyPage extends KeysOf {
  readonly limit: number
  readonly offset?: number
  /** Id that the keys are older than: ids sort by the time they were made. */
  readonly before?: string
  readonly includeRevoked?: boolean
}

/** Keys, newest first. */
export async function selectKeys(
  db: Db,
  { limit, offset, before, includeRevoked, ...of }: KeyPage,
): Promise<readonly KeyRow[]> {
  let query = ofKeys(db, of).selectAll().orderBy('id', 'desc').limit(limit)
  if (offset) query = query.offset(offset)
  if (before !== undefined) query = query.where('id', '<', before)
  if (!includeRevoked) query = query.where('revoked', 'is', null)
  return (await query.execute()) as unknown as KeyRow[]
}

/** The key of an id, unless it is revoked, or none of those that are meant. */
export async function findKey(db: Db, id: string, of: KeysOf = {}): Promise<KeyRow | undefined> {
  const row = await ofKeys(db, of)
    .selectAll()
    .where('id', '=', id)
    .where('revoked', 'is', null)
    .executeTakeFirst()
  return row as KeyRow | undefined
}

/** Number of keys that are not revoked. */
export async function countKeys(db: Db, of: KeysOf = {}): Promise<number> {
  const { n } = await ofKeys(db, of)
    .select((column) => column.fn.countAll().as('n'))
    .where('revoked', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Marks a key as revoked; false when there is none of that id that still was valid. */
export async function markRevoked(tx: Db, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('svc_api_keys')
    .set({ revoked: at })
    .where('id', '=', id)
    .where('revoked', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Revokes the keys and pairs of somebody that still were valid; returns them. */
export async function revokeKeysOf(
  tx: Db,
  login: string,
  at: string,
  { onlyPairs = false, onlyUnlabelled = false } = {},
): Promise<readonly KeyRow[]> {
  let query = tx
    .updateTable('svc_api_keys')
    .set({ revoked: at })
    .where('login', '=', login)
    .where('revoked', 'is', null)
  if (onlyPairs) query = query.where('pair', 'is not', null)
  if (onlyUnlabelled) query = query.where('label', 'is', null)
  return (await query.returningAll().execute()) as unknown as KeyRow[]
}

function ofKeys(db: Db, { login, onlyPairs = false }: KeysOf) {
  let query = db.selectFrom('svc_api_keys')
  if (login !== undefined) query = query.where('login', '=', login)
  if (onlyPairs) query = query.where('pair', 'is not', null)
  return query
}

export async function markUsed(tx: Db, id: string, at: string): Promise<void> {
  await tx.updateTable('svc_api_keys').set({ last_used: at }).where('id', '=', id).execute()
}
