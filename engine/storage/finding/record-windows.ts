import { type RawBuilder, sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Db } from '../database/database.ts'

/** Number of the newest record, 0 where there is none. */
export async function newestRid(db: Db, { table }: DocTypeDefinition): Promise<number> {
  const { rows } = await sql<{ readonly rid: bigint | null }>`
    select max(rid) as rid from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.rid ?? 0)
}

/** Records by their numbers: those after one, up to another. */
export interface Window {
  readonly after: number
  readonly upTo: number
}

/** A record by its number and its name. */
export interface Numbered {
  readonly rid: number
  readonly name: string
}

/** Records of a window that meet a condition over their columns, oldest first; at most `limit`. */
export async function recordsInWindow(
  db: Db,
  { table }: DocTypeDefinition,
  { after, upTo }: Window,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<readonly Numbered[]> {
  const { rows } = await sql<{ readonly rid: bigint; readonly name: string }>`
    select rid, name from ${sql.table(table)}
    where rid > ${sql.lit(after)} and rid <= ${sql.lit(upTo)} and ${condition}
    order by rid limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ rid, name }) => ({ rid: Number(rid), name }))
}
