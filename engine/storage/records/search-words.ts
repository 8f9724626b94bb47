import { type RawBuilder, sql } from 'kysely'
import { searchTerms } from '../database/search-text.ts'
import { WAITING } from './search-waiting.ts'

/** Length of a trigram: fewer characters are looked for by a plain scan. */
const TRIGRAM = 3

/** A statement that gives the `id` of each row of SQLite's index, and of those that wait for it, which was found. */
export interface FoundRows {
  readonly select: RawBuilder<unknown>
  /** What is bound in it, in this order; two of the same `shape` differ in nothing else. */
  readonly values: readonly string[]
  readonly shape: string
}

/** Rows that have all words of `q`, and meet a condition on their number. */
export function rowsFound(
  q: string,
  within: (id: RawBuilder<unknown>) => RawBuilder<unknown> = () => sql`true`,
): FoundRows {
  const terms = searchTerms(q)
  const short = terms.filter(isShort)
  const match = terms
    .filter((term) => !isShort(term))
    .map((term) => `"${term.replaceAll('"', '""')}"`)
    .join(' ')
  const has = (body: RawBuilder<unknown>, words: readonly string[]): RawBuilder<unknown>[] =>
    words.map((term) => sql`instr(${body}, ${term}) > 0`)
  // Texts are read from the table below the index: the index takes twice as long to hand one out.
  const from =
    short.length === 0
      ? sql`svc_search`
      : match === ''
        ? sql`svc_search_content as texts`
        : sql`svc_search cross join svc_search_content as texts on texts.id = svc_search.rowid`
  const id = match === '' && short.length > 0 ? sql`texts.id` : sql`svc_search.rowid`
  const indexed = [
    ...(match === '' ? [] : [sql`svc_search match ${match}`]),
    within(id),
    // One that waits has another text by now; where none does, no row need be looked up.
    sql`(not exists (select 1 from ${sql.table(WAITING)} where replaces) or ${id} not in (select id from ${sql.table(WAITING)}))`,
    ...has(sql`texts.c0`, short),
  ]
  const waiting = [sql`body is not null`, within(sql`id`), ...has(sql`body`, terms)]
  return {
    select: sql`select ${id} as id from ${from} where ${all(indexed)}
      union all select id from ${sql.table(WAITING)} where ${all(waiting)}`,
    values: [...(match === '' ? [] : [match]), ...short, ...terms],
    shape: `${match === '' ? '' : 'match '}${short.length} ${terms.length}`,
  }
}

function isShort(term: string): boolean {
  return [...term].length < TRIGRAM
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `)
}
