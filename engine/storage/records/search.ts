import { type RawBuilder, sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Database, DatabaseKind, Db } from '../database/database.ts'
import type { Doc } from '../database/document.ts'
import { lockKey } from '../database/key-lock.ts'
import { searchTerms, searchText } from '../database/search-text.ts'
import { sendText } from '../database/statements.ts'
import { makeTrigrams } from '../postgres/postgres-rights.ts'
import { rebuildChanged } from './search-rebuild.ts'
import { smallSearch } from './search-size.ts'
import { prepareWaiting, WAITING, waitingTexts } from './search-waiting.ts'
import { type FoundRows, rowsFound } from './search-words.ts'

/** Room for the rids of one DocType in the shared index; its number is above these bits. */
const RIDS_PER_DOCTYPE = 2 ** 36

/** Key of those who make the index, its numbers, or parts of it anew. */
const SEARCH_KEY = 'svc:search'

/**
 * Full-text search for `q` (spec §4): one shared trigram index holds the search text of every record,
 * lower-cased here and not in the database, so that both ignore case beyond ASCII alike.
 */
export interface SearchIndex {
  insert(tx: Db, definition: DocTypeDefinition, doc: Doc): Promise<void>
  update(tx: Db, definition: DocTypeDefinition, before: Doc, after: Doc): Promise<void>
  remove(tx: Db, definition: DocTypeDefinition, doc: Doc): Promise<void>
  /** Takes all records of the DocType out. */
  clear(tx: Db, definition: DocTypeDefinition): Promise<void>
  /** SQL condition on the record's `rid`: every word of `q` is part of one of its search fields. */
  matches(definition: DocTypeDefinition, q: string): RawBuilder<boolean>
  /** What the index is asked for `q`, as a part of another statement; undefined where each page is read on its own (PostgreSQL). */
  hits(definition: DocTypeDefinition, q: string): SearchHits | undefined
  /** Whether the index is so small that whatever is looked for in it is soon found; false where another process reads it. */
  isSmall(database: Database): boolean
  /** Number of records of the DocType that match, from the index alone. */
  count(db: Db, definition: DocTypeDefinition, q: string): Promise<number>
  /** Those of the DocTypes that have records which match, from the index alone. */
  having(
    db: Db,
    definitions: readonly DocTypeDefinition[],
    q: string,
  ): Promise<readonly DocTypeDefinition[]>
}

/** Statement that gives the `rid` of each record which matches. */
export type SearchHits = FoundRows

/** Creates the index's own tables where they are missing; part of every start, after the migration. */
export async function prepareSearch(tx: Db, kind: DatabaseKind): Promise<void> {
  if (kind === 'sqlite') {
    await sql`create virtual table if not exists svc_search using fts5(body, tokenize = 'trigram case_sensitive 1')`.execute(
      tx,
    )
    await prepareWaiting(tx)
    return
  }
  // Two processes that start together would both create it, and one would fail; the lock ends with `tx`.
  await lockKey(tx, kind, SEARCH_KEY)
  const trigrams = await makeTrigrams(tx)
  await sql`create table if not exists svc_search (
    doctype bigint not null, rid bigint not null, body text collate "C" not null, primary key (doctype, rid))`.execute(
    tx,
  )
  await sql`create index if not exists ix_svc_search_body on svc_search using gin (body ${sql.raw(trigrams)}.gin_trgm_ops)`.execute(
    tx,
  )
}

/**
 * Opens the index. Every DocType has a number of its own in it (`svc_doctype_numbers`); new ones are
 * numbered here, inside the transaction that starts the workspace, and what was made of other search fields
 * is made anew.
 */
export async function openSearch(
  tx: Db,
  kind: DatabaseKind,
  definitions: readonly DocTypeDefinition[],
): Promise<SearchIndex> {
  // Two processes that start together would both number the same, and both make the same anew; the lock ends with `tx`.
  await lockKey(tx, kind, SEARCH_KEY)
  const numbers = await numberDocTypes(tx, definitions)
  const index = kind === 'sqlite' ? sqliteSearch(numbers) : postgresSearch(numbers)
  await rebuildChanged(tx, kind, definitions, index)
  return index
}

async function numberDocTypes(
  tx: Db,
  definitions: readonly DocTypeDefinition[],
): Promise<ReadonlyMap<string, number>> {
  const known = await tx.selectFrom('svc_doctype_numbers').select(['number', 'doctype']).execute()
  const numbers = new Map(
    known.map(({ number, doctype }): [string, number] => [doctype as string, Number(number)]),
  )
  for (const { doctype } of definitions) {
    if (numbers.has(doctype)) continue
    const { number } = await tx
      .insertInto('svc_doctype_numbers')
      .values({ doctype })
      .returning('number')
      .executeTakeFirstOrThrow()
    numbers.set(doctype, Number(number))
  }
  return numbers
}

function numberOf(numbers: ReadonlyMap<string, number>, { doctype }: DocTypeDefinition): number {
  const number = numbers.get(doctype)
  if (number === undefined)
    throw new Error(`DocType ${doctype} is not in the search index of this engine`)
  return number
}

function sqliteSearch(numbers: ReadonlyMap<string, number>): SearchIndex {
  const waiting = waitingTexts()
  const base = (definition: DocTypeDefinition): number =>
    numberOf(numbers, definition) * RIDS_PER_DOCTYPE
  const idOf = (definition: DocTypeDefinition, doc: Doc): bigint =>
    BigInt(base(definition) + doc.rid)

  function ofDoctype(definition: DocTypeDefinition) {
    const from = base(definition)
    const to = from + RIDS_PER_DOCTYPE - 1
    return (id: RawBuilder<unknown>) => sql`${id} between ${sql.lit(from)} and ${sql.lit(to)}`
  }

  function hits(definition: DocTypeDefinition, q: string): SearchHits {
    const { select, ...bound } = rowsFound(q, ofDoctype(definition))
    return { ...bound, select: sql`select id - ${sql.lit(base(definition))} from (${select})` }
  }

  return {
    hits,
    isSmall: smallSearch(),
    insert: (tx, definition, doc) =>
      waiting.add(tx, idOf(definition, doc), searchText(definition, doc)),
    async update(tx, definition, before, after) {
      const body = searchText(definition, after)
      if (body === searchText(definition, before)) return
      await waiting.replace(tx, idOf(definition, after), body)
    },
    remove: (tx, definition, doc) => waiting.replace(tx, idOf(definition, doc), null),
    async clear(tx, definition) {
      const isIts = ofDoctype(definition)
      await sql`delete from svc_search where ${isIts(sql`rowid`)}`.execute(tx)
      await sql`delete from ${sql.table(WAITING)} where ${isIts(sql`id`)}`.execute(tx)
    },
    matches: (definition, q) => sql<boolean>`rid in (${hits(definition, q).select})`,
    async count(db, definition, q) {
      const { select } = rowsFound(q, ofDoctype(definition))
      const { rows } = await sql<{ n: bigint }>`select count(*) as n from (${select})`.execute(db)
      return Number(rows[0]?.n)
    },
    async having(db, definitions, q) {
      const { rows } = await sql<{
        number: bigint
      }>`select distinct id / ${sql.lit(RIDS_PER_DOCTYPE)} as number from (${rowsFound(q).select})`.execute(
        db,
      )
      const having = new Set(rows.map((row) => Number(row.number)))
      return definitions.filter((definition) => having.has(numberOf(numbers, definition)))
    },
  }
}

function postgresSearch(numbers: ReadonlyMap<string, number>): SearchIndex {
  function hits(definition: DocTypeDefinition, q: string): RawBuilder<unknown> {
    return sql`doctype = ${sql.lit(numberOf(numbers, definition))} and ${anyHits(q)}`
  }

  function anyHits(q: string): RawBuilder<unknown> {
    const terms = searchTerms(q).map((term) => sql`body like ${`%${escapeLike(term)}%`}`)
    return sql.join([sql`true`, ...terms], sql` and `)
  }

  return {
    hits: () => undefined,
    isSmall: () => false,
    async insert(tx, definition, doc) {
      const values = [numberOf(numbers, definition), doc.rid, searchText(definition, doc)]
      await sendText(tx, 'insert into svc_search (doctype, rid, body) values ($1, $2, $3)', values)
    },
    async update(tx, definition, before, after) {
      const body = searchText(definition, after)
      if (body === searchText(definition, before)) return
      const key = [numberOf(numbers, definition), after.rid]
      await sendText(tx, 'update svc_search set body = $3 where doctype = $1 and rid = $2', [
        ...key,
        body,
      ])
    },
    async remove(tx, definition, doc) {
      await tx
        .deleteFrom('svc_search')
        .where('doctype', '=', numberOf(numbers, definition))
        .where('rid', '=', doc.rid)
        .execute()
    },
    async clear(tx, definition) {
      await tx
        .deleteFrom('svc_search')
        .where('doctype', '=', numberOf(numbers, definition))
        .execute()
    },
    matches: (definition, q) =>
      sql<boolean>`rid in (select rid from svc_search where ${hits(definition, q)})`,
    async count(db, definition, q) {
      const { rows } = await sql<{
        n: bigint
      }>`select count(*) as n from svc_search where ${hits(definition, q)}`.execute(db)
      return Number(rows[0]?.n)
    },
    async having(db, definitions, q) {
      const { rows } = await sql<{
        doctype: bigint
      }>`select distinct doctype from svc_search where ${anyHits(q)}`.execute(db)
      const found = new Set(rows.map(({ doctype }) => Number(doctype)))
      return definitions.filter((definition) => found.has(numberOf(numbers, definition)))
    },
  }
}

/** Text for LIKE in which `%`, `_` and `\` stand for themselves (contract §3). */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
