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

/** Whether somebody can sign in, and whether they have this role; undefined for who is not there. */
export async function selectStanding(
  tx: Db,
  { table }: DocTypeDefinition,
  name: string,
  role: string,
): Promise<{ readonly enabled: boolean; readonly hasRole: boolean } | undefined> {
  const { rows } = await sql<{ enabled: unknown; has_role: unknown }>`
    select u.enabled as enabled, (select count(*) from ${sql.table(`${table}__roles`)} r
      where r.parent = u.rid and r.role = ${role}) as has_role
    from ${sql.table(table)} u where u.name = ${name}`.execute(tx)
  const [row] = rows
  return row && { enabled: Number(row.enabled) === 1, hasRole: Number(row.has_role) > 0 }
}

/** Names of people who can sign in and have this role, at most `limit`. */
export async function selectManagers(
  tx: Db,
  { table }: DocTypeDefinition,
  role: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select u.name as name from ${sql.table(table)} u where u.enabled = 1 and exists
      (select 1 from ${sql.table(`${table}__roles`)} r where r.parent = u.rid and r.role = ${role})
    order by u.name limit ${sql.lit(limit)}`.execute(tx)
  return rows.map((row) => row.name)
}

/**
 * Number of people who take a seat of the plan: all who can sign in, demo accounts and those apart whose one role is
 * that of strangers.
 */
export async function countSeats(
  tx: Db,
  { table }: DocTypeDefinition,
  strangerRole: string,
): Promise<number> {
  const roles = sql.table(`${table}__roles`)
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n from ${sql.table(table)} u where u.enabled = 1 and not exists
      (select 1 from svc_accounts a where a.login = u.name and a.demo_tier is not null)
      and (not exists (select 1 from ${roles} r where r.parent = u.rid)
        or exists (select 1 from ${roles} r where r.parent = u.rid and r.role <> ${strangerRole}))`.execute(
    tx,
  )
  return Number(rows[0]?.n)
}

/** Names of the people of this name or e-mail address who signed up and have not proven that it is theirs. */
export async function selectUnconfirmed(
  tx: Db,
  { table }: DocTypeDefinition,
  { name, email }: { readonly name: string; readonly email: string | null },
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select u.name as name from ${sql.table(table)} u join svc_accounts a on a.login = u.name
    where a.unconfirmed is not null and (u.name = ${name} or u.email = ${email})`.execute(tx)
  return rows.map((row) => row.name)
}
