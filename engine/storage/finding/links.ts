import { type RawBuilder, sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Reference, Registry } from '../../definition/model/registry.ts'
import type { Db } from '../database/database.ts'

/** A document that names another one in a link field. */
export interface IncomingLink {
  readonly definition: DocTypeDefinition
  readonly name: string
  readonly field: string
}

export interface IncomingLinksQuery {
  readonly definition: DocTypeDefinition
  readonly name: string
  /** Documents that count. `any`: whatever its docstatus (delete). `submitted`: only live documents (cancel). */
  readonly from: 'any' | 'submitted'
  /** Number of links that is enough. */
  readonly limit: number
}

/** Places that one statement looks at: PostgreSQL takes longer to plan a hundred at once than a few dozen. */
const MOST_PLACES = 30

/** Place a link may come from, and the query for the names of those it comes from. */
interface Place {
  readonly definition: DocTypeDefinition
  readonly field: string
  readonly holders: RawBuilder<unknown>
}

/**
 * Documents that point at this record: through link fields, dynamic links, links to its rows, rows of child tables
 * and `amended_from`. A cancelled document's dynamic link does not hold a record back (erp-semantics.md §1.6).
 */
export async function incomingLinks(
  db: Db,
  registry: Registry,
  query: IncomingLinksQuery,
): Promise<IncomingLink[]> {
  const { definition, name, limit } = query
  const places = placesOf(registry, query)
  const found: IncomingLink[] = []
  for (let from = 0; from < places.length && found.length < limit; from += MOST_PLACES) {
    for (const row of await linksFrom(db, places.slice(from, from + MOST_PLACES))) {
      const isKnown = found.some(
        (other) => other.definition === row.definition && other.name === row.name,
      )
      if (!isKnown && !(row.definition === definition && row.name === name)) found.push(row)
    }
  }
  return found.slice(0, limit)
}

/** Names of the documents whose own link or dynamic link names this record, whatever their docstatus. */
export async function namesLinking(
  db: Db,
  { def, field, dynamic }: Reference,
  { doctype, name }: { readonly doctype: string; readonly name: string },
): Promise<readonly string[]> {
  const linking = db.selectFrom(def.table).select('name').where(field, '=', name)
  const ofType = dynamic === undefined ? linking : linking.where(dynamic, '=', doctype)
  const rows = await ofType.orderBy('name').execute()
  return rows.map((row) => String(row.name))
}

/** One question for many places: each would be a round trip to the server, and a record can be linked from a hundred. */
async function linksFrom(db: Db, places: readonly Place[]): Promise<IncomingLink[]> {
  const parts = places.map(
    ({ holders }, place) =>
      sql`select ${sql.lit(place)} as place, h.name as name from (${holders}) h`,
  )
  const { rows } = await sql<{ place: number | bigint; name: string }>`
    ${sql.join(parts, sql` union all `)} order by place`.execute(db)
  return rows.map(({ place, name }) => {
    const { definition, field } = places[Number(place)]!
    return { definition, name, field }
  })
}

/** Those of these rows that documents name, whatever their state. */
export async function rowsThatAreLinked(
  db: Db,
  registry: Registry,
  {
    definition,
    table,
    rows,
  }: {
    readonly definition: DocTypeDefinition
    readonly table: string
    readonly rows: readonly string[]
  },
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const { def, table: within, field, targetTable } of registry.rowLinksTo(
    definition.doctype,
  )) {
    if (targetTable !== table) continue
    const holder = within === undefined ? def.table : `${def.table}__${within}`
    const { rows: named } = await sql<{
      row_id: string
    }>`select distinct ${sql.ref(field)} as row_id
      from ${sql.table(holder)} where ${sql.ref(field)} in (${sql.join(rows)})`.execute(db)
    for (const { row_id } of named) found.add(row_id)
  }
  return found
}

/**
 * Whether records do not hold back what they name in this field, and are deleted with it: what belongs to it
 * (`permissions.follows`), and what documents make of it by themselves (`made_by`), for those documents name it too.
 */
export function goesWith({ behaviour }: DocTypeDefinition, field: string): boolean {
  return behaviour.permissions?.follows === field || behaviour.madeBy !== undefined
}

/** Whether a field names what it finds among these records by itself: it names another, or none, once this one is gone. */
function isFound(
  { fields }: DocTypeDefinition,
  name: string,
  { doctype }: DocTypeDefinition,
): boolean {
  return fields.find((field) => field.name === name)?.rollup?.from === doctype
}

function placesOf(registry: Registry, query: IncomingLinksQuery): readonly Place[] {
  const { definition, name, from } = query
  const named = sql`${name}`
  const places = registry
    .linksTo(definition.doctype)
    .flatMap((reference) => placeOf(reference, query, named))
  for (const reference of registry.rowLinksTo(definition.doctype)) {
    const rows = sql`(select r.row_id from ${sql.table(`${definition.table}__${reference.targetTable}`)} r
      join ${sql.table(definition.table)} d on d.rid = r.parent where d.name = ${name})`
    places.push(...placeOf(reference, query, rows))
  }
  if (definition.submittable && from === 'any')
    places.push(...placeOf({ def: definition, field: 'amended_from' }, query, named))
  return places
}

/** Place where documents name one of `values` in a field, or in one of their rows; none where it holds nothing back. */
function placeOf(
  { def: source, table, field, dynamic }: Reference,
  { definition, from, limit }: IncomingLinksQuery,
  values: RawBuilder<unknown>,
): readonly Place[] {
  if (from === 'submitted' && !source.submittable) return []
  if (table === undefined && (goesWith(source, field) || isFound(source, field, definition)))
    return []
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
  const holders = sql`select distinct p.name as name from ${sql.table(source.table)} p ${join}
    where ${sql.join(conditions, sql` and `)} limit ${sql.lit(limit + 1)}`
  const path = table === undefined ? field : `${table}.${field}`
  return [{ definition: source, field: path, holders }]
}
