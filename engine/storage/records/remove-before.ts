import type { Db } from '../database/database.ts'

/** A column of a system table that says how old a row is, and the table's key. */
export interface AgeColumn {
  readonly table: string
  readonly key: string
  readonly column: string
}

/** Removes at most `limit` rows whose age column is below `before`; returns how many. */
export async function removeBefore(
  tx: Db,
  { table, key, column }: AgeColumn,
  before: string | number,
  limit: number,
): Promise<number> {
  const old = tx.selectFrom(table).select(key).where(column, '<', before).limit(limit)
  const { numDeletedRows } = await tx.deleteFrom(table).where(key, 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
