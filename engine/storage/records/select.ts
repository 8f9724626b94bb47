import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DatabaseKind, Db, Tables } from '../database/database.ts'
import type { Doc } from '../database/document.ts'
import { allOf, anyOf } from '../database/fragment.ts'
import { runSql } from '../database/statements.ts'
import { boundValues, type ColumnFilter, condition, conditionShape } from './condition.ts'
import type { Position, SortValue } from './cursor.ts'
import type { RawRow } from './record-row.ts'
import type { RecordStore } from './record-store.ts'
import { type FieldColumn, STANDARD_INTEGER_COLUMNS, STANDARD_TEXT_COLUMNS } from './tables.ts'

export interface PageQuery {
  readonly filters: readonly ColumnFilter[]
  /** Further condition, such as the search index's. */
  readonly where?: RawBuilder<boolean>
  readonly sort: string
  readonly order: 'asc' | 'desc'
  /** Further columns to sort by. */
  readonly then?: readonly SortColumn[]
  readonly limit: number
  readonly offset?: number
  /** Position of the walk after which rows are read. */
  readonly after?: Position
  /** Columns to read beside the standard ones. */
  readonly columns: readonly FieldColumn[]
  /** Whether only the standard columns clients see are read: enough to show rows, not to make records of them. */
  readonly isShownOnly?: boolean
}

/** A column that rows are sorted by. */
export interface SortColumn {
  readonly column: string
  readonly order: 'asc' | 'desc'
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
    next: more && last ? positionOf(query, last) : undefined,
  }
}

export function positionOf({ sort, then }: PageQuery, last: RawRow): Position {
  return {
    value: sortValue(last[sort]),
    rid: Number(last.rid),
    ...(then ? { more: then.map(({ column }) => sortValue(last[column])) } : {}),
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

function sortValue(value: unknown): SortValue {
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
  position: Position,
): Promise<readonly RawRow[]> {
  if (query.then) {
    const where = allOf([...(query.where ? [query.where] : []), behind(query, position)])
    return rowsFrom(db, kind, store, { ...query, where })
  }
  const { value, rid } = position
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

/** All columns of the order but the last, `rid`. */
export function sortColumns({ sort, order, then = [] }: PageQuery): readonly SortColumn[] {
  return [{ column: sort, order }, ...then]
}

/** The condition that a row stands behind a position, in an order of several columns: alike in some, behind in the next. */
function behind(query: PageQuery, { value, rid, more = [] }: Position): RawBuilder<boolean> {
  const columns = sortColumns(query)
  const values = [value, ...more]
  const alike = columns.map(({ column }, at) => {
    const of = values[at] ?? null
    return of === null
      ? sql<boolean>`${sql.ref(column)} is null`
      : sql<boolean>`${sql.ref(column)} = ${of}`
  })
  const later = columns.map(({ column, order }, at) => {
    const [ref, of] = [sql.ref(column), values[at] ?? null]
    if (of === null) return order === 'asc' ? sql<boolean>`${ref} is not null` : sql<boolean>`1 = 0`
    return order === 'asc'
      ? sql<boolean>`${ref} > ${of}`
      : sql<boolean>`(${ref} < ${of} or ${ref} is null)`
  })
  const compare = columns.at(-1)!.order === 'asc' ? sql`>` : sql`<`
  const last = sql<boolean>`rid ${compare} ${rid}`
  return anyOf([...later, last].map((one, at) => allOf([...alike.slice(0, at), one])))
}

export function pageForm(query: PageQuery): string {
  const { columns, isShownOnly } = query
  const by = sortColumns(query).map(({ column, order }) => `${column} ${order}`)
  return `${isShownOnly ? 'shown ' : ''}${columns.map(({ name }) => name).join(' ')} by ${by.join()}`
}

const NEVER_NULL = new Set<string>([...STANDARD_TEXT_COLUMNS, ...STANDARD_INTEGER_COLUMNS, 'rid'])

function isNeverNull(column: string): boolean {
  return NEVER_NULL.has(column)
}

function selection(db: Db, store: RecordStore, query: PageQuery): Query {
  return db.selectFrom(store.plan.table).select(selectedColumns(store, query)) as unknown as Query
}

/** Names of the columns that a page reads. */
export function selectedColumns(store: RecordStore, query: PageQuery): string[] {
  const { columns, isShownOnly = false } = query
  const { submittable } = store.plan.definition
  const integers = isShownOnly ? (submittable ? ['docstatus'] : []) : STANDARD_INTEGER_COLUMNS
  const names = new Set([
    'rid',
    ...STANDARD_TEXT_COLUMNS,
    ...integers,
    ...columns.map(({ name }) => name),
    ...sortColumns(query).map(({ column }) => column),
  ])
  return [...names]
}

/** LIMIT and OFFSET are literals: as parameters they make SQLite plan again on every call (toolchain.md §8). */
function ordered(
  query: Query,
  kind: DatabaseKind,
  page: PageQuery,
  limit: number,
  offset?: number,
): Query {
  const columns = sortColumns(page)
  let result = query
  for (const one of columns) result = result.orderBy(orderSql(kind, one))
  const last = columns.at(-1)!.order === 'asc' ? sql`asc` : sql`desc`
  result = result.orderBy(sql`rid ${last}`).limit(sql.lit(limit))
  return offset ? result.offset(sql.lit(offset)) : result
}

/** Unset values stand first, and last where it is turned round. */
export function orderSql(kind: DatabaseKind, { column, order }: SortColumn): RawBuilder<unknown> {
  const isBare = kind === 'sqlite' || isNeverNull(column)
  if (order === 'asc') return sql`${sql.ref(column)} asc${isBare ? sql`` : sql` nulls first`}`
  return sql`${sql.ref(column)} desc${isBare ? sql`` : sql` nulls last`}`
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
