import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Db } from '../database/database.ts'

/** Records in some states whose field names somebody. */
export interface Held {
  readonly field: string
  readonly login: string
  readonly status: string
  readonly states: readonly string[]
}

/** Names of the records somebody holds, the oldest first, at most `limit`. */
export async function heldRecords(
  tx: Db,
  { table }: DocTypeDefinition,
  { field, login, status, states }: Held,
  limit: number,
): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom(table)
    .select('name')
    .where(field, '=', login)
    .where(status, 'in', states)
    .where('docstatus', '<>', 2)
    .orderBy('rid')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => String(name))
}
