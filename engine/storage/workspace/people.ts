import { sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Db } from '../database/database.ts'

/** Number of people who can sign in and have this role; the DocType is the one that serves users. */
export async function countManagers(
  tx: Db,
  { table }: DocTypeDefinition,
  role: string,
): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`
    select count(distinct u.rid) as n from ${sql.table(table)} u
    join ${sql.table(`${table}__roles`)} r on r.parent = u.rid
    where u.enabled = 1 and r.role = ${role}`.execute(tx)
  return Number(rows[0]?.n)
}

/** Number of people who take a seat of the plan: all who can sign in, demo accounts apart. */
export async function countSeats(tx: Db, { table }: DocTypeDefinition): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n from ${sql.table(table)} u where u.enabled = 1 and not exists
      (select 1 from svc_accounts a where a.login = u.name and a.demo_tier is not null)`.execute(tx)
  return Number(rows[0]?.n)
}
