import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** A link of records, or of the rows of `child`, and the two columns that say what each side belongs to. */
export interface OwnedLink {
  readonly table: string
  /** Table of the rows; undefined for a link of the records themselves. */
  readonly child: string | undefined
  readonly link: string
  readonly ours: string
  /** Whether `ours` is a column of the rows. */
  readonly isOfRow: boolean
  readonly target: { readonly table: string; readonly theirs: string }
}

/** A link to a record of another owner; `idx` is the place of its row from 1. */
export interface ForeignLink {
  readonly name: string
  readonly idx: number | null
  readonly target: string
  readonly ours: string
  readonly theirs: string
  /** Number of all there are. */
  readonly total: number
}

/**
 * The first of the links that lead to a record of another owner, those of cancelled documents left out; with `from`,
 * those of which one end was written at that moment (ISO) or later.
 */
export async function foreignLinks(
  db: Db,
  { table, child, link, ours, isOfRow, target }: OwnedLink,
  limit: number,
  from?: string,
): Promise<readonly ForeignLink[]> {
  const place = child === undefined ? 'd' : 'r'
  const owner = sql.ref(`${isOfRow ? 'r' : 'd'}.${ours}`)
  const theirs = sql.ref(`t.${target.theirs}`)
  const rows = child === undefined ? sql`` : sql`join ${sql.table(child)} r on r.parent = d.rid`
  const idx = child === undefined ? sql`null` : sql`r.idx`
  const written =
    from === undefined ? sql`` : sql`and (d.modified >= ${from} or t.modified >= ${from})`
  const found = await sql<Record<keyof ForeignLink, unknown>>`
    select d.name as name, ${idx} as idx, t.name as target, ${owner} as ours, ${theirs} as theirs,
      count(*) over () as total
    from ${sql.table(table)} d ${rows} join ${sql.table(target.table)} t on t.name = ${sql.ref(`${place}.${link}`)}
    where ${theirs} <> ${owner} and d.docstatus < 2 ${written} order by d.rid limit ${sql.lit(limit)}`.execute(
    db,
  )
  return found.rows.map((row) => ({
    name: String(row.name),
    idx: row.idx === null ? null : Number(row.idx),
    target: String(row.target),
    ours: String(row.ours),
    theirs: String(row.theirs),
    total: Number(row.total),
  }))
}
