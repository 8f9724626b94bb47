import { type RawBuilder, sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { DatabaseKind, Db } from '../database/database.ts'
import { allOf } from '../database/fragment.ts'
import { lowerCase } from '../database/search-text.ts'
import { matchesPattern } from '../records/condition.ts'
import { escapeLike } from '../records/search.ts'

/** Records of one DocType that are searched for. */
export interface SearchedRecords {
  readonly definition: DocTypeDefinition
  readonly q: string
  /** The condition of the search index. */
  readonly matches: RawBuilder<boolean>
  /** The records that the caller may read; undefined = all. */
  readonly readable: RawBuilder<boolean> | undefined
  /** Columns to read beside name and title. */
  readonly columns: readonly string[]
  readonly limit: number
}

/** A record that was found; `rank` 0 is the best: its name or title is what was looked for, 1 begins with it. */
export interface FoundRecord {
  readonly name: string
  readonly title: string | null
  readonly rank: number
  readonly modified: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The best of the records of a DocType, of those alike the one changed last. */
export async function searchRecords(
  db: Db,
  kind: DatabaseKind,
  { definition, q, matches, readable, columns, limit }: SearchedRecords,
): Promise<readonly FoundRecord[]> {
  const { table, titleField } = definition
  const wanted = escapeLike(lowerCase(q.trim()))
  const like = (pattern: string): RawBuilder<boolean> => {
    const either = ['name', titleField].map((column) =>
      matchesPattern(kind, sql`cast(${sql.ref(column)} as text)`, pattern),
    )
    return sql`(${sql.join(either, sql` or `)})`
  }
  const rank = sql`case when ${like(wanted)} then 0 when ${like(`${wanted}%`)} then 1 else 2 end`
  const selected = ['name', 'modified', ...columns].map((column) => sql.ref(column))
  const where = allOf(readable ? [matches, readable] : [matches])
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select ${sql.join(selected)}, cast(${sql.ref(titleField)} as text) as found_title, ${rank} as found_rank
    from ${sql.table(table)} where ${where}
    order by found_rank, modified desc, rid desc limit ${sql.lit(limit)}`.execute(db)
  return rows.map((row) => ({
    name: String(row.name),
    title: row.found_title === null ? null : String(row.found_title),
    rank: Number(row.found_rank),
    modified: String(row.modified),
    values: row,
  }))
}
