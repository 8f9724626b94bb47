import { sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Db } from '../database/database.ts'

/** Name of the company that is the default one, else of the first; the DocType is the one that serves companies. */
export async function firstCompany(
  db: Db,
  { table, fields }: DocTypeDefinition,
): Promise<string | undefined> {
  const hasDefault = fields.some(({ name }) => name === 'is_default')
  const order = hasDefault ? sql`case when is_default = 1 then 0 else 1 end, rid` : sql`rid`
  const { rows } = await sql<{ company_name: string | null }>`
    select company_name from ${sql.table(table)} order by ${order} limit 1`.execute(db)
  return rows[0]?.company_name ?? undefined
}
