import { type RawBuilder, sql } from 'kysely'
import { searchTerms } from '../database/search-text.ts'

/** Length of a trigram: fewer characters are looked for by a plain scan. */
const TRIGRAM = 3

/** A part of a statement: tables and conditions behind its `from`, and what the number of a row is called there. */
export interface FoundRows {
  readonly rowid: RawBuilder<unknown>
  readonly rows: RawBuilder<unknown>
}

/** Rows of SQLite's index that have all words of `q`, and meet a condition on their `rowid`. */
export function rowsFound(
  q: string,
  within?: (rowid: RawBuilder<unknown>) => RawBuilder<unknown>,
): FoundRows {
  const { match, short } = wordsOf(q)
  // Texts are read from the table below the index: the index takes twice as long to hand one out.
  const from =
    short.length === 0
      ? sql`svc_search`
      : match === ''
        ? sql`svc_search_content as texts`
        : sql`svc_search cross join svc_search_content as texts on texts.id = svc_search.rowid`
  const rowid = match === '' && short.length > 0 ? sql`texts.id` : sql`svc_search.rowid`
  const conditions: RawBuilder<unknown>[] = [
    ...(match === '' ? [] : [sql`svc_search match ${match}`]),
    ...(within ? [within(rowid)] : []),
    ...short.map((term) => sql`instr(texts.c0, ${term}) > 0`),
  ]
  return { rowid, rows: sql`${from} where ${sql.join([sql`true`, ...conditions], sql` and `)}` }
}

/** The words of `q`: those with trigrams as the index is asked for them, and those that are too short for one. */
export function wordsOf(q: string): { readonly match: string; readonly short: readonly string[] } {
  const terms = searchTerms(q)
  const isLong = (term: string): boolean => [...term].length >= TRIGRAM
  const long = terms.filter(isLong).map((term) => `"${term.replaceAll('"', '""')}"`)
  return { match: long.join(' '), short: terms.filter((term) => !isLong(term)) }
}
