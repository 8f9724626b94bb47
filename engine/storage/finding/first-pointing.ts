import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** Place to look in for records that point to another one. */
export interface Pointing {
  readonly table: string
  /** Table of rows that `link` is a column of. */
  readonly child?: string
  readonly link: string
  /** Column with the DocType that a dynamic link points to, and that DocType. */
  readonly type?: { readonly column: string; readonly doctype: string }
  /** Column that is on for records which do not count. */
  readonly unless?: string
  /** Column that is on for the one that goes before the others. */
  readonly first?: string
}

/** Name of the record that points to `name`: a preferred one, else the oldest; undefined where there is none. */
export async function firstPointing(
  db: Db,
  { table, child, link, type, unless, first }: Pointing,
  name: string,
): Promise<string | undefined> {
  const column = (of: string): ReturnType<typeof sql.ref> => sql.ref(`${child ? 'c' : 'd'}.${of}`)
  const rows = child === undefined ? sql`` : sql`join ${sql.table(child)} c on c.parent = d.rid`
  const isOfType = type ? sql`and ${column(type.column)} = ${type.doctype}` : sql``
  const counts = unless === undefined ? sql`` : sql`and coalesce(${sql.ref(`d.${unless}`)}, 0) = 0`
  const order = first === undefined ? sql`` : sql`coalesce(${sql.ref(`d.${first}`)}, 0) desc,`
  const found = await sql<{ name: string }>`
    select d.name as name from ${sql.table(table)} d ${rows}
    where ${column(link)} = ${name} and d.docstatus < 2 ${isOfType} ${counts}
    order by ${order} d.rid limit 1`.execute(db)
  return found.rows[0]?.name
}
