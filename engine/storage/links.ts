import { type RawBuilder, sql } from 'kysely'
import type { DocTypeDefinition } from '../definition/definition.ts'
import type { Reference, Registry } from '../definition/registry.ts'
import type { Db } from './database.ts'

/** A document that names another one in a link field. */
export interface IncomingLink {
  readonly definition: DocTypeDefinition
  readonly name: string
  readonly field: string
}

export interface IncomingLinksQuery {
  readonly definition: DocTypeDefinition
  readonly name: string
  /** `any`: whatever its docstatus (delete). `submitted`: only live documents (cancel). */
  readonly from: 'any' | 'submitted'
  /** So many are enough. */
  readonly limit: number
}

/**
 * Who points at this record: through link fields, dynamic links, links to its rows, rows of child tables and
 * `amended_from`. A cancelled document's dynamic link does not hold a record back (erp-semantics.md §1.6).
 */
export async function incomingLinks(
  db: Db,
  registry: Registry,
  query: IncomingLinksQuery,
): Promise<IncomingLink[]> {
  const { definition, name, from, limit } = query
  const found: IncomingLink[] = []
  const add = (rows: readonly IncomingLink[]): void => {
    for (const row of rows) {
      const known = found.some(
        (other) => other.definition === row.definition && other.name === row.name,
      )
      if (!known && !(row.definition === definition && row.name === name)) found.push(row)
    }
  }
  for (const reference of registry.linksTo(definition.doctype)) {
    if (found.length >= limit) break
    add(await holders(db, reference, query, limit, sql`${name}`))
  }
  for (const reference of registry.rowLinksTo(definition.doctype)) {
    if (found.length >= limit) break
    const rows = sql`(select r.row_id from ${sql.table(`${definition.table}__${reference.targetTable}`)} r
      join ${sql.table(definition.table)} d on d.rid = r.parent where d.name = ${name})`
    add(await holders(db, reference, query, limit, rows))
  }
  if (definition.submittable && from === 'any' && found.length < limit) {
    const reference = { def: definition, field: 'amended_from' }
    add(await holders(db, reference, query, limit, sql`${name}`))
  }
  return found.slice(0, limit)
}

/** Documents whose field, or whose rows' field, is one of `values`. */
async function holders(
  db: Db,
  { def: source, table, field, dynamic }: Reference,
  { definition, from }: IncomingLinksQuery,
  limit: number,
  values: RawBuilder<unknown>,
): Promise<IncomingLink[]> {
  if (from === 'submitted' && !source.submittable) return []
  // What belongs to the record does not hold it back.
  if (table === undefined && source.behaviour.permissions?.follows === field) return []
  const holder = table === undefined ? 'p' : 'c'
  const join =
    table === undefined
      ? sql``
      : sql`join ${sql.table(`${source.table}__${table}`)} c on c.parent = p.rid`
  const conditions = [sql`${sql.ref(`${holder}.${field}`)} in (${values})`]
  if (dynamic !== undefined) {
    conditions.push(
      sql`${sql.ref(`${holder}.${dynamic}`)} = ${definition.doctype}`,
      sql`p.docstatus <> 2`,
    )
  }
  if (from === 'submitted') conditions.push(sql`p.docstatus = 1`)
  const { rows } = await sql<{ name: string }>`
    select distinct p.name as name from ${sql.table(source.table)} p ${join}
    where ${sql.join(conditions, sql` and `)} limit ${sql.lit(limit + 1)}`.execute(db)
  const path = table === undefined ? field : `${table}.${field}`
  return rows.map(({ name }) => ({ definition: source, name, field: path }))
}
