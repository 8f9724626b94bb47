import type { DocTypeDefinition } from '../definition/definition.ts'
import type { Registry } from '../definition/registry.ts'
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
  readonly limit?: number
}

/**
 * Who points at this record: through link fields, dynamic links, rows of child tables and `amended_from`.
 * A cancelled document's dynamic link does not hold a record back (erp-semantics.md §1.6).
 */
export async function incomingLinks(db: Db, registry: Registry, query: IncomingLinksQuery): Promise<IncomingLink[]> {
  const { definition, name, from, limit = 20 } = query
  const found: IncomingLink[] = []
  for (const reference of registry.linksTo(definition.doctype)) {
    if (found.length >= limit) break
    const { def: source, table, field, dynamic } = reference
    if (from === 'submitted' && !source.submittable) continue
    const holder = table === undefined ? source.table : `${source.table}__${table}`
    let rows = db.selectFrom(`${source.table} as p`).select(['p.name as name']).distinct()
    if (table !== undefined) rows = rows.innerJoin(`${holder} as c`, 'c.parent', 'p.rid') as typeof rows
    const column = (named: string): string => (table === undefined ? `p.${named}` : `c.${named}`)
    rows = rows.where(column(field), '=', name)
    if (dynamic !== undefined) rows = rows.where(column(dynamic), '=', definition.doctype).where('p.docstatus', '!=', 2)
    if (from === 'submitted') rows = rows.where('p.docstatus', '=', 1)
    const path = table === undefined ? field : `${table}.${field}`
    for (const row of await rows.limit(limit).execute()) {
      if (source === definition && row.name === name) continue
      found.push({ definition: source, name: row.name as string, field: path })
    }
  }
  if (definition.submittable && from === 'any' && found.length < limit) {
    const rows = await db.selectFrom(definition.table).select('name').where('amended_from', '=', name).limit(limit).execute()
    for (const row of rows) found.push({ definition, name: row.name as string, field: 'amended_from' })
  }
  return found.slice(0, limit)
}
