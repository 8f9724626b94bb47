import {
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { ColumnValue, Operator } from '../fields/field-type.ts'
import type { Position } from './cursor.ts'
import type { DatabaseKind, Db, Tables } from './database.ts'
import type { Doc } from './document.ts'
import type { RecordStore } from './records.ts'
import { escapeLike } from './search.ts'
import { type FieldColumn, STANDARD_INTEGER_COLUMNS, STANDARD_TEXT_COLUMNS } from './tables.ts'

/** One condition on a column, its values already as the column keeps them; null is "unset". */
export interface ColumnFilter {
  readonly column: string
  readonly operator: Operator
  readonly values: readonly ColumnValue[]
}

export interface PageQuery {
  readonly filters: readonly ColumnFilter[]
  /** Further condition, such as the search index's. */
  readonly where?: RawBuilder<boolean>
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset?: number
  /** Only rows after this position of the walk. */
  readonly after?: Position
  /** Columns to read beside the standard ones. */
  readonly columns: readonly FieldColumn[]
}

export interface Page {
  readonly docs: readonly Doc[]
  /** Position of the last row when more follow. */
  readonly next: Position | undefined
}

type Query = SelectQueryBuilder<Tables, string, Record<string, unknown>>

/**
 * One page of records. Rows are ordered by (sort, rid), unset values first, on both databases alike; one
 * row more than asked tells whether another page follows.
 */
export async function selectPage(
  db: Db,
  kind: DatabaseKind,
  store: RecordStore,
  query: PageQuery,
): Promise<Page> {
  const rows = query.after
    ? await rowsAfter(db, kind, store, query, query.after)
    : await rowsFrom(db, kind, store, query)
  const more = rows.length > query.limit
  const shown = more ? rows.slice(0, query.limit) : rows
  const last = shown[shown.length - 1]
  return {
    docs: shown.map((raw) => store.decodeRow(raw, query.columns)),
    next: more && last ? { value: sortValue(last[query.sort]), rid: Number(last.rid) } : undefined,
  }
}

/** How many records match. */
export async function countRecords(
  db: Db,
  kind: DatabaseKind,
  store: RecordStore,
  query: Pick<PageQuery, 'filters' | 'where'>,
): Promise<number> {
  const base = db.selectFrom(store.plan.table) as unknown as Query
  const { n } = await filtered(base, kind, query)
    .select(sql<bigint>`count(*)`.as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

function sortValue(value: unknown): string | bigint | null {
  if (value === null || value === undefined) return null
  return typeof value === 'bigint'
    ? value
    : typeof value === 'number'
      ? BigInt(value)
      : String(value)
}

async function rowsFrom(
  db: Db,
  kind: DatabaseKind,
  store: RecordStore,
  query: PageQuery,
): Promise<Record<string, unknown>[]> {
  return ordered(
    filtered(selection(db, store, query), kind, query),
    kind,
    query,
    query.limit + 1,
    query.offset,
  ).execute()
}

/**
 * Keyset paging. Unset values stand at one end of the order, and a comparison with null is never true: so
 * a walk over a nullable column is at most two index ranges, each read by its own statement.
 */
async function rowsAfter(
  db: Db,
  kind: DatabaseKind,
  store: RecordStore,
  query: PageQuery,
  { value, rid }: Position,
): Promise<Record<string, unknown>[]> {
  const column = sql.ref(query.sort)
  const compare = query.order === 'asc' ? sql`>` : sql`<`
  const part = (
    condition: RawBuilder<boolean>,
    limit: number,
  ): Promise<Record<string, unknown>[]> =>
    ordered(
      filtered(selection(db, store, query), kind, query).where(condition),
      kind,
      query,
      limit,
    ).execute()

  const within =
    value === null
      ? sql<boolean>`${column} is null and rid ${compare} ${rid}`
      : sql<boolean>`(${column}, rid) ${compare} (${value}, ${rid})`
  const rows = await part(within, query.limit + 1)
  if (rows.length > query.limit || isNeverNull(query.sort)) return rows
  const wanted = query.limit + 1 - rows.length
  if (value === null && query.order === 'asc')
    return [...rows, ...(await part(sql<boolean>`${column} is not null`, wanted))]
  if (value !== null && query.order === 'desc')
    return [...rows, ...(await part(sql<boolean>`${column} is null`, wanted))]
  return rows
}

const NEVER_NULL = new Set<string>([...STANDARD_TEXT_COLUMNS, ...STANDARD_INTEGER_COLUMNS, 'rid'])

function isNeverNull(column: string): boolean {
  return NEVER_NULL.has(column)
}

function selection(db: Db, store: RecordStore, { columns, sort }: PageQuery): Query {
  const names = new Set([
    'rid',
    ...STANDARD_TEXT_COLUMNS,
    ...STANDARD_INTEGER_COLUMNS,
    ...columns.map(({ name }) => name),
    sort,
  ])
  return db.selectFrom(store.plan.table).select([...names]) as unknown as Query
}

/** LIMIT and OFFSET are literals: as parameters they make SQLite plan again on every call (toolchain.md §8). */
function ordered(
  query: Query,
  kind: DatabaseKind,
  { sort, order }: PageQuery,
  limit: number,
  offset?: number,
): Query {
  const nulls =
    kind === 'postgres' && !isNeverNull(sort)
      ? order === 'asc'
        ? sql` nulls first`
        : sql` nulls last`
      : sql``
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  let result = query
    .orderBy(sql`${sql.ref(sort)} ${direction}${nulls}`)
    .orderBy(sql`rid ${direction}`)
    .limit(sql.lit(limit))
  if (offset) result = result.offset(sql.lit(offset))
  return result
}

function filtered(
  query: Query,
  kind: DatabaseKind,
  { filters, where }: Pick<PageQuery, 'filters' | 'where'>,
): Query {
  let result = query
  for (const filter of filters) result = result.where(condition(kind, filter))
  return where ? result.where(where) : result
}

type ColumnValues = readonly ColumnValue[]

/** `ne` also finds unset values: whoever asks for "not Closed" means the rest. */
const CONDITIONS: Readonly<
  Record<
    Operator,
    (kind: DatabaseKind, column: string, values: ColumnValues) => RawBuilder<SqlBool>
  >
> = {
  eq: (_kind, column, [value = null]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  ne: (kind, column, [value = null]) => {
    if (value === null) return sql`${sql.ref(column)} is not null`
    return kind === 'sqlite'
      ? sql`${sql.ref(column)} is not ${value}`
      : sql`${sql.ref(column)} is distinct from ${value}`
  },
  gt: (_kind, column, [value]) => sql`${sql.ref(column)} > ${value}`,
  gte: (_kind, column, [value]) => sql`${sql.ref(column)} >= ${value}`,
  lt: (_kind, column, [value]) => sql`${sql.ref(column)} < ${value}`,
  lte: (_kind, column, [value]) => sql`${sql.ref(column)} <= ${value}`,
  like: (kind, column, [value]) => containsText(kind, column, String(value ?? '')),
  in: (_kind, column, values) => sql`${sql.ref(column)} in (${sql.join(values)})`,
}

function condition(
  kind: DatabaseKind,
  { column, operator, values }: ColumnFilter,
): Expression<SqlBool> {
  return CONDITIONS[operator](kind, column, values)
}

/**
 * Case-insensitive substring. SQLite's own LIKE knows case in ASCII only, so other text goes through the
 * engine's `svc_lower`; PostgreSQL is told a collation that knows all of Unicode.
 */
function containsText(kind: DatabaseKind, column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${escapeLike(text.toLowerCase())}%`
  if (kind === 'postgres')
    return sql`lower(${sql.ref(column)} collate "und-x-icu") like ${pattern} escape '\\'`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
  if (/^[\x00-\x7f]*$/.test(text)) return sql`${sql.ref(column)} like ${pattern} escape '\\'`
  return sql`svc_lower(${sql.ref(column)}) like ${pattern} escape '\\'`
}
