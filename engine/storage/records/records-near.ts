import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** A record by its name and title. */
export interface Named {
  readonly name: string
  readonly title: string | null
}

/** Records looked at on either side of a text in an index, and of those that were made first. */
const NEIGHBOURS = 8
const FIRST = 100

/** Records looked at where only some may be. */
const FIRST_WITHIN = 300

interface TitledTable {
  readonly table: string
  /** Column that holds the title; the name where there is none. */
  readonly title: string
}

export interface NearQuery extends TitledTable {
  /** Columns of texts with an index: the name, and the title where that has one. */
  readonly indexed: readonly string[]
  readonly text: string
}

/**
 * Records that stand next to a text in the order of an index, as it is written and in capitals, and some of the
 * first: of few records all, of a million no more. Cancelled ones are left out.
 */
export async function recordsNear(
  db: Db,
  { table, indexed, title, text }: NearQuery,
): Promise<readonly Named[]> {
  const rows = sql`select name, ${sql.ref(title)} as title, docstatus from ${sql.table(table)}`
  const seeks = indexed.flatMap((name) =>
    spellingsOf(text).flatMap((spelling) => {
      const column = sql.ref(name)
      return [
        sql`${rows} where ${column} >= ${spelling} order by ${column} limit ${sql.lit(NEIGHBOURS)}`,
        sql`${rows} where ${column} < ${spelling} order by ${column} desc limit ${sql.lit(NEIGHBOURS)}`,
      ]
    }),
  )
  const parts = [...seeks, sql`${rows} order by rid limit ${sql.lit(FIRST)}`]
  const all = sql.join(
    parts.map((part, index) => sql`select * from (${part}) as ${sql.ref(`p${index}`)}`),
    sql` union all `,
  )
  const found = await sql<Named & { docstatus: unknown }>`${all}`.execute(db)
  const live = found.rows.filter(({ docstatus }) => Number(docstatus) !== 2)
  return [...new Map(live.map(({ name, title }) => [name, { name, title }])).values()]
}

/**
 * The first records that meet a condition over the columns of the table; cancelled ones are left out. Others decide
 * nothing of the answer: the condition comes before the limit. To seek neighbours of a text among them would be to go
 * past all that do not meet it, once for each seek; this goes past them once, as a list does.
 */
export async function firstWithin(
  db: Db,
  { table, title }: TitledTable,
  condition: RawBuilder<boolean>,
): Promise<readonly Named[]> {
  const { rows } = await sql<Named>`
    select name, ${sql.ref(title)} as title from ${sql.table(table)}
    where docstatus <> 2 and ${condition} order by rid limit ${sql.lit(FIRST_WITHIN)}`.execute(db)
  return rows
}

/** Indexes tell capitals from small letters, people do not. */
function spellingsOf(text: string): readonly string[] {
  const [first = ''] = text
  const capital = first.toUpperCase() + text.slice(first.length)
  return [...new Set([text, capital, text.toUpperCase()])]
}
