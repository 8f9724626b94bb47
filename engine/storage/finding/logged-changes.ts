import { sql } from 'kysely'
import { idsFrom } from '../../base/ids.ts'
import { settledUpTo } from '../database/commit-order.ts'
import type { DatabaseKind, Db } from '../database/database.ts'

/** Point in the life of a workspace: a place in its event log, or a moment (ISO 8601, UTC). */
export type Point = bigint | string

/** All that was written after a point, as far as the event log has to tell it. */
export interface Changes {
  /**
   * Moment (ISO) before which none of it was written by its own clock, also where that was put back meanwhile: what
   * was written has a `modified` from there on. A little of what is older may have one too.
   */
  readonly from: string
  /** Resources of which records were deleted: of these nothing but the log tells. */
  readonly deletedFrom: ReadonlySet<string>
}

const TABLE = 'svc_events'

/**
 * Changes after a point. Undefined where the log does not reach back so far, or begins with it: then nothing less than
 * everything is sure to hold them.
 */
export async function changesAfter(db: Db, point: Point): Promise<Changes | undefined> {
  const from = await placeOf(db, point)
  if (from === undefined) return undefined
  const { least } = await db
    .selectFrom(TABLE)
    .select(sql<string | null>`min(at)`.as('least'))
    .where('seq', '>', from.seq)
    .executeTakeFirstOrThrow()
  const deleted = await db
    .selectFrom(TABLE)
    .select('resource')
    .distinct()
    .where('kind', '=', 'deleted')
    .where('seq', '>', from.seq)
    .execute()
  return {
    from: least !== null && least < from.at ? least : from.at,
    deletedFrom: new Set(deleted.map(({ resource }) => String(resource))),
  }
}

/** Last line of the log before a point, and the moment from which on something may have come after it. */
async function placeOf(
  db: Db,
  point: Point,
): Promise<{ readonly seq: bigint; readonly at: string } | undefined> {
  const isPlace = typeof point === 'bigint'
  const line = await db
    .selectFrom(TABLE)
    .select(['seq', 'at'])
    .where(isPlace ? 'seq' : 'id', isPlace ? '<=' : '<', placeText(point))
    .orderBy(isPlace ? 'seq' : 'id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!line) return undefined
  if (isPlace) return { seq: BigInt(line.seq as bigint), at: String(line.at) }
  // Ids of one moment sort by chance: the first place of the period is asked for, not that of its first id.
  const { first } = await db
    .selectFrom(TABLE)
    .select(sql<bigint | null>`min(seq)`.as('first'))
    .where('id', '>=', placeText(point))
    .executeTakeFirstOrThrow()
  return { seq: first === null ? BigInt(Number.MAX_SAFE_INTEGER) : BigInt(first) - 1n, at: point }
}

function placeText(point: Point): bigint | string {
  return typeof point === 'bigint' ? point : idsFrom('evt', Date.parse(point))
}

/** Place of the last line behind which no earlier one can appear any more; 0 for a log without lines. */
export async function lastPlace(db: Db, kind: DatabaseKind): Promise<bigint> {
  // Before the line: commit-order.ts.
  const settled = await settledUpTo(db, kind, TABLE)
  let query = db.selectFrom(TABLE).select('seq').orderBy('seq', 'desc').limit(1)
  if (settled !== undefined) query = query.where('seq', '<=', settled)
  const line = await query.executeTakeFirst()
  return line ? BigInt(line.seq as bigint) : 0n
}
