import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DatabaseKind, Db, Tables } from '../database/database.ts'
import type { Doc } from '../database/document.ts'
import { runSql } from '../database/statements.ts'
import { boundValues, type ColumnFilter, condition, conditionShape } from './condition.ts'
import type { Position } from './cursor.ts'
import type { RawRow } from './record-row.ts'
import type { RecordStore } from './record-store.ts'
import { type FieldColumn, STANDARD_INTEGER_COLUMNS, STANDARD_TEXT_COLUMNS } from './tables.ts'

export interface PageQuery {
  readonly filters: readonly ColumnFilter[]
  /** Further condition, such as the search index's. */
  readonly where?: RawBuilder<boolean>
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset?: number
  /** Position of the walk after which rows are read. */
  readonly after?: Position
  /** Columns to read beside the standard ones. */
  readonly columns: readonly FieldColumn[]
  /** Whether only the standard columns clients see are read: enough to show rows, not to make records of them. */
  readonly isShownOnly?: boolean
}

export interface RawPage {
  /** Rows as the database gives them, for a reader that needs no records. */
  readonly rows: readonly RawRow[]
  /** Position of the last row when more follow. */
  readonly next: Position | undefined
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
  const { rows, next } = await selectRows(db, kind, store, query)
  return { docs: rows.map(store.rowDecoder(query.columns)), next }
}

/** One page of rows in the same order, not decoded. */
export async function selectRows(
  db: Db,
  kind: DatabaseKind,
  store: RecordStore,
  query: PageQuery,
): Promise<RawPage> {
  const rows = query.after
    ? await rowsAfter(db, kind, store, query, query.after)
    : await rowsFrom(db, kind, store, query)
  const more = rows.length > query.limit
  const shown = more ? rows.slice(0, query.limit) : rows
  const last = shown[shown.length - 1]
  return {
    rows: shown,
    next: more && last ? { value: sortValue(last[query.sort]), rid: Number(last.rid) } : undefined,
  }
}

/** Number of records that match. */
export async function countRecords(
  db: Db,
  kind: DatabaseKind,
  store: RecordStore,
  query: Pick<PageQuery, 'filters' | 'where'>,
): Promise<number> {
  const build = (): Query =>
    filtered(db.selectFrom(store.plan.table) as unknown as Query, kind, query).select(
      sql<bigint>`count(*)`.as('n'),
    )
  const [row] = await run(db, store, query, 'count', [], build)
  return Number(row?.n)
}

/** Number of records that match, `most` where there are more: so long it takes and no longer. */
export async function countUpTo(
  db: Db,
  kind: DatabaseKind,
  store: RecordStore,
  query: Pick<PageQuery, 'filters' | 'where'>,
  most: number,
): Promise<number> {
  const build = (): Query => {
    const found = filtered(db.selectFrom(store.plan.table) as unknown as Query, kind, query).select(
      sql<bigint>`1`.as('one'),
    )
    return db
      .selectFrom(found.limit(sql.lit(most)).as('found'))
      .select(sql<bigint>`count(*)`.as('n')) as unknown as Query
  }
  const [row] = await run(db, store, query, `count to ${most}`, [], build)
  return Number(row?.n)
}

function sortValue(value: unknown): string | bigint | null {
  if (value === null || value === undefined) return null
  return typeof value === 'bigint'
    ? value
    : typeof value === 'number'
      ? BigInt(value)
      : String(value)
}

/**
 * Runs a statement whose SQL follows from `form`, the filters' shapes and nothing else, so that it is
 * compiled once: building it costs more than a short page. `values` are bound after those of the filters.
 * A condition of the search index is not cached: beside it the building is small.
 */
async function run(
  db: Db,
  { lists }: RecordStore,
  { filters, where }: Pick<PageQuery, 'filters' | 'where'>,
  form: string,
  values: readonly unknown[],
  build: () => Query,
): Promise<readonly RawRow[]> {
  if (where) return build().execute()
  const shape = [form, ...filters.map(conditionShape)].join('\n')
  const text = lists(shape, () => build().compile())
  const parameters = [...filters.flatMap(boundValues), ...values]
  return runSql<RawRow>(db, text, parameters)
}

async function rowsFrom(
  db: Db,
  kind: DatabaseKind,
  store: RecordStore,
  query: PageQuery,
): Promise<readonly RawRow[]> {
  const { limit, offset = 0 } = query
  return run(db, store, query, `${pageForm(query)} ${limit} ${offset}`, [], () =>
    ordered(filtered(selection(db, store, query), kind, query), kind, query, limit + 1, offset),
  )
}

/**
 * Rows after a position (keyset paging). Unset values stand at one end of the order, and a comparison with null is
 * never true: so a walk over a nullable column is at most two index ranges, each read by its own statement.
 */
async function rowsAfter(
  db: Db,
  kind: DatabaseKind,
  store: RecordStore,
  query: PageQuery,
  { value, rid }: Position,
): Promise<readonly RawRow[]> {
  const column = sql.ref(query.sort)
  const compare = query.order === 'asc' ? sql`>` : sql`<`
  const part = (
    name: string,
    values: readonly unknown[],
    condition: RawBuilder<boolean>,
    limit: number,
  ): Promise<readonly RawRow[]> =>
    run(db, store, query, `${pageForm(query)} ${name} ${limit}`, values, () =>
      ordered(
        filtered(selection(db, store, query), kind, query).where(condition),
        kind,
        query,
        limit,
      ),
    )

  const most = query.limit + 1
  const rows =
    value === null
      ? await part('unset', [rid], sql`${column} is null and rid ${compare} ${rid}`, most)
      : await part('after', [value, rid], sql`(${column}, rid) ${compare} (${value}, ${rid})`, most)
  if (rows.length > query.limit || isNeverNull(query.sort)) return rows
  const wanted = most - rows.length
  if (value === null && query.order === 'asc')
    return [...rows, ...(await part('all set', [], sql`${column} is not null`, wanted))]
  if (value !== null && query.order === 'desc')
    return [...rows, ...(await part('all unset', [], sql`${column} is null`, wanted))]
  return rows
}

function pageForm({ columns, sort, order, isShownOnly }: PageQuery): string {
  return `${isShownOnly ? 'shown ' : ''}${columns.map(({ name }) => name).join(' ')} by ${sort} ${order}`
}

const NEVER_NULL = new Set<string>([...STANDARD_TEXT_COLUMNS, ...STANDARD_INTEGER_COLUMNS, 'rid'])

function isNeverNull(column: string): boolean {
  return NEVER_NULL.has(column)
}

function selection(db: Db, store: RecordStore, query: PageQuery): Query {
  const { columns, sort, isShownOnly = false } = query
  const { submittable } = store.plan.definition
  const integers = isShownOnly ? (submittable ? ['docstatus'] : []) : STANDARD_INTEGER_COLUMNS
  const names = new Set([
    'rid',
    ...STANDARD_TEXT_COLUMNS,
    ...integers,
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
