import { sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Db } from '../database/database.ts'

/** Name of the company that is the default one, else of the first; the DocType is the one that serves companies. */
export async function firstCompany(
  db: Db,
  definition: DocTypeDefinition,
): Promise<string | undefined> {
  return (await companyRecord(db, definition))?.company_name ?? undefined
}

/** Facts of the company that others stand on; what its DocType has no field for is null. */
export interface CompanyRecord {
  readonly company_name: string | null
  readonly language: string | null
  readonly default_currency: string | null
  readonly country: string | null
}

const FACTS = ['company_name', 'language', 'default_currency', 'country'] as const

/** The company that is the default one, else the first; undefined where there is none. */
export async function companyRecord(
  db: Db,
  { table, fields }: DocTypeDefinition,
): Promise<CompanyRecord | undefined> {
  const has = (name: string): boolean => fields.some((field) => field.name === name)
  const order = has('is_default') ? sql`case when is_default = 1 then 0 else 1 end, rid` : sql`rid`
  const facts = FACTS.map(
    (name) => sql`${has(name) ? sql.ref(name) : sql`null`} as ${sql.ref(name)}`,
  )
  const { rows } = await sql<CompanyRecord>`
    select ${sql.join(facts)} from ${sql.table(table)} order by ${order} limit 1`.execute(db)
  return rows[0]
}
