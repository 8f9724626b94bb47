import { type RawBuilder, sql } from 'kysely'
import { validationError } from '../../base/errors.ts'
import { decimalToNumber, divideRounded, pow10 } from '../../base/money.ts'
import type { ColumnValue } from '../../fields/field-type.ts'
import type { DatabaseKind, Db } from '../database/database.ts'
import { allOf, anyOf } from '../database/fragment.ts'
import { runPages } from '../database/statements.ts'
import { tooManyCells } from '../deep/over-budget.ts'
import { type Comparison, comparisonSql } from './query-condition.ts'
import { columnSql, type QueryColumn, type Root, type Source } from './query-source.ts'

/** Value of each row or group of a query: a column, or an aggregate of one. */
export type Selected =
  | { readonly is: 'column' | 'sum' | 'avg' | 'min' | 'max'; readonly column: QueryColumn }
  /** Number of all rows, of those where the column is set, or of its different values. */
  | { readonly is: 'count'; readonly column?: QueryColumn; readonly distinct?: boolean }

export interface Sorted {
  readonly by: Selected
  readonly order: 'asc' | 'desc'
}

export interface Matching {
  readonly root: Root
  /** Conditions that all hold, and one of `any` where there are some. */
  readonly all: readonly Comparison[]
  readonly any: readonly Comparison[]
}

export interface Query extends Matching {
  readonly select: readonly Selected[]
  readonly groupBy: readonly QueryColumn[]
  readonly sort: readonly Sorted[]
  readonly offset: number
  /** 0 = all rows. */
  readonly limit: number
}

/**
 * Most joins of one query: SQLite takes 64 tables. Rows of one table beside those of another are all pairs of them, in
 * groups as well; one by one nobody has a use for them.
 */
const MAX_SOURCES = 40
const MAX_ROW_SOURCES = 1
const MAX_ROW_SOURCES_GROUPED = 2

/** Most values of one answer (contract §7.7). */
export const MAX_CELLS = 1_000_000

/** Whether the query gives groups of rows, or all of them together: an order by a number of rows asks for them too. */
export function isGrouped({
  select,
  groupBy,
  sort,
}: Pick<Query, 'select' | 'groupBy' | 'sort'>): boolean {
  const isAggregate = ({ is }: Selected): boolean => is !== 'column'
  return groupBy.length > 0 || select.some(isAggregate) || sort.some(({ by }) => isAggregate(by))
}

type RawRow = Readonly<Record<string, unknown>>

/**
 * Runs the query and hands its rows to `take` as they come, as the selected values in wire form; `take` may throw.
 * Rows of a table that only conditions look at do not multiply their record: it comes once when one of its rows meets
 * all of them. In groups, and beside aggregates, a column that is not grouped by tells its least value. Throws 422 for
 * more joins than a query may have, UNAVAILABLE with the advice `narrow` for more than MAX_CELLS values.
 */
export async function runQuery(
  db: Db,
  kind: DatabaseKind,
  query: Query,
  narrow: string,
  take: (rows: readonly (readonly unknown[])[]) => void,
): Promise<void> {
  const { root, select, groupBy, sort } = query
  const form: Form = {
    kind,
    isGrouped: isGrouped(query),
    keys: new Set(groupBy.map(({ key }) => key)),
  }
  const output = new Set([
    root,
    ...sourcesOf(select),
    ...sourcesOf(sort.map(({ by }) => by)),
    ...groupBy.map(({ source }) => source),
  ])
  const { sources, where } = matching(kind, query, output, form.isGrouped)
  const selected = select.map((one) => selection(form, one))
  const expressions = selected.flatMap(({ expressions }) => expressions)
  const columns = expressions.map((one, at) => sql`${one} as ${sql.ref(`c${at}`)}`)
  const order = orderOf(form, query, output)
  const most = Math.floor(MAX_CELLS / expressions.length)
  // One more than there may be tells that there are more.
  const limit = query.limit > 0 ? Math.min(query.limit, most + 1) : most + 1
  const { sql: text, parameters } = sql`select ${sql.join(columns)} from ${from(sources)}${where}${
    groupBy.length > 0 ? sql` group by ${sql.join(groupBy.map((column) => column.sql))}` : sql``
  }${order.length > 0 ? sql` order by ${sql.join(order)}` : sql``}${page(limit, query.offset)}`.compile(
    db,
  )
  let rows = 0
  await runPages<RawRow>(db, text, parameters, (found) => {
    rows += found.length
    if (rows > most) throw tooManyCells(narrow, MAX_CELLS)
    take(found.map((row) => valuesOf(selected, row)))
  })
}

/** Number of rows of the root that match. */
export async function countMatching(db: Db, kind: DatabaseKind, query: Matching): Promise<number> {
  const { sources, where } = matching(kind, query, new Set([query.root]), true)
  const { rows } = await sql<{
    n: unknown
  }>`select count(*) as n from ${from(sources)}${where}`.execute(db)
  return Number(rows[0]?.n)
}

interface Form {
  readonly kind: DatabaseKind
  readonly isGrouped: boolean
  /** Keys of the columns grouped by. */
  readonly keys: ReadonlySet<string>
}

interface Selection {
  readonly expressions: readonly RawBuilder<unknown>[]
  /** The selected value from the raw ones of its expressions. */
  readonly read: (raw: readonly unknown[]) => unknown
}

/**
 * Divisor for sums. One of 64-bit integers may need more than 64 bits, which SQLite refuses: so the thousand millions
 * and what is over them are added up apart.
 */
const HALF = pow10(9)

function selection(form: Form, selected: Selected): Selection {
  if (selected.is === 'count') {
    return { expressions: [countSql(selected)], read: ([n]) => Number(n) }
  }
  const { column } = selected
  const scale = column.type.scaleOf(column.field)
  const half = sql.lit(HALF)
  const sums = [sql`sum(${column.sql} / ${half})`, sql`sum(${column.sql} % ${half})`]
  if (selected.is === 'sum') {
    return {
      expressions: sums,
      read: (raw) => (raw[0] === null ? null : decimalToNumber(sumOf(raw), scale)),
    }
  }
  if (selected.is === 'avg') {
    return {
      expressions: [...sums, sql`count(${column.sql})`],
      read: (raw) =>
        raw[0] === null ? null : averageOf(sumOf(raw), BigInt(String(raw[2])), scale),
    }
  }
  return {
    expressions: [selected.is === 'column' ? plain(form, column) : extreme(selected.is, column)],
    read: ([raw = null]) => wireValue(column, raw as ColumnValue),
  }
}

/** Sum of both parts; PostgreSQL gives them as text. */
function sumOf([high, low]: readonly unknown[]): bigint {
  return BigInt(String(high)) * HALF + BigInt(String(low))
}

const AVERAGE_PLACES = 6

function averageOf(sum: bigint, count: bigint, scale: number): number {
  return decimalToNumber(divideRounded(sum * pow10(AVERAGE_PLACES), count), scale + AVERAGE_PLACES)
}

function wireValue({ type, field }: QueryColumn, raw: ColumnValue): unknown {
  return raw === null ? null : type.toWire(type.fromColumn(raw, field), field)
}

function countSql({ column, distinct }: Selected & { is: 'count' }): RawBuilder<unknown> {
  if (!column) return sql`count(*)`
  return distinct ? sql`count(distinct ${column.sql})` : sql`count(${column.sql})`
}

function extreme(which: 'min' | 'max', { sql: column }: QueryColumn): RawBuilder<unknown> {
  return which === 'min' ? sql`min(${column})` : sql`max(${column})`
}

function plain(form: Form, column: QueryColumn): RawBuilder<unknown> {
  return form.isGrouped && !form.keys.has(column.key) ? extreme('min', column) : column.sql
}

function valuesOf(selected: readonly Selection[], row: RawRow): unknown[] {
  let at = 0
  return selected.map(({ expressions, read }) => read(expressions.map(() => row[`c${at++}`])))
}

function orderOf(form: Form, { root, groupBy, sort }: Query, output: ReadonlySet<Source>) {
  const order = sort.map(({ by, order: direction }) => sorted(form, by, direction))
  const last = sort.at(-1)?.order ?? 'asc'
  if (form.isGrouped)
    return [...order, ...groupBy.map((column) => sorted(form, { is: 'column', column }, last))]
  for (const tie of root.ties)
    order.push(tie.fixed || last === 'asc' ? sql`${tie.sql} asc` : sql`${tie.sql} desc`)
  for (const { isRows, alias } of output)
    if (isRows) order.push(sql`${columnSql(alias, 'idx')} asc`)
  return order
}

/** ORDER BY of one value, unset first, as in select.ts. */
function sorted(form: Form, by: Selected, direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const mayBeNull = by.is !== 'count' && !by.column.isNeverNull
  const nulls =
    form.kind === 'postgres' && mayBeNull
      ? direction === 'asc'
        ? sql` nulls first`
        : sql` nulls last`
      : sql``
  return sql`${sortedBy(form, by)} ${direction === 'asc' ? sql`asc` : sql`desc`}${nulls}`
}

function sortedBy(form: Form, by: Selected): RawBuilder<unknown> {
  if (by.is === 'count') return countSql(by)
  if (by.is === 'column') return plain(form, by.column)
  if (by.is === 'min' || by.is === 'max') return extreme(by.is, by.column)
  if (by.is === 'avg') return sql`avg(${by.column.sql})`
  // Never an overflow: SQLite's total() adds doubles up, near enough for an order.
  return form.kind === 'sqlite'
    ? sql`total(${by.column.sql})`
    : sql`coalesce(sum(${by.column.sql}), 0)`
}

interface Matched {
  readonly sources: readonly Source[]
  readonly where: RawBuilder<unknown>
}

function matching(
  kind: DatabaseKind,
  { root, all, any }: Matching,
  output: ReadonlySet<Source>,
  isGrouped: boolean,
): Matched {
  const { key } = root
  const inAny = new Set(any.map(({ column }) => column.source))
  const isApart = ({ column: { source } }: Comparison): boolean =>
    source.isRows && !output.has(source) && !inAny.has(source)
  const joint = all.filter((one) => !isApart(one))
  const conditions = joint.map((one) => comparisonSql(kind, one))
  if (any.length > 0) conditions.push(anyOf(any.map((one) => comparisonSql(kind, one))))
  const also = [
    ...(root.readable ? [root.readable] : []),
    ...apart(kind, root, all.filter(isApart)),
  ]
  const looked = new Set<Source>([root, ...[...joint, ...any].map(({ column }) => column.source)])
  assertJoinable([...output, ...looked], isGrouped ? MAX_ROW_SOURCES_GROUPED : MAX_ROW_SOURCES)
  const onlyLooked = [...looked].filter((source) => !output.has(source))
  if (!onlyLooked.some(({ isRows }) => isRows) || [...output].some(({ isRows }) => isRows))
    return { sources: [...output, ...onlyLooked], where: where([...also, ...conditions]) }
  const among: RawBuilder<boolean> = sql`${key} in (select ${key} from ${from([...looked])}${where(conditions)})`
  return { sources: [...output], where: where([...also, among]) }
}

/** Conditions on tables that are only looked at, each by itself: one row of the table has to meet all that are on it. */
function apart(
  kind: DatabaseKind,
  root: Root,
  comparisons: readonly Comparison[],
): RawBuilder<boolean>[] {
  const tables = [...Map.groupBy(comparisons, ({ column }) => column.source)]
  return tables.map(([source, on]) => {
    const conditions = on.map((one) => comparisonSql(kind, one))
    return sql`${root.key} in (select ${root.key} from ${from([root, source])}${where(conditions)})`
  })
}

function assertJoinable(sources: readonly Source[], mostRows: number): void {
  const all = new Set(sources)
  const rows = [...all].filter(({ isRows }) => isRows)
  if (all.size <= MAX_SOURCES && rows.length <= mostRows) return
  const tables = mostRows === 1 ? 'one table' : `${mostRows} tables`
  const message = `expected fields of at most ${tables} and ${MAX_SOURCES} linked DocTypes together; the rows of each table can be listed by themselves`
  throw validationError([{ field: 'fields', message, code: 'out_of_range' }])
}

function where(conditions: readonly RawBuilder<boolean>[]): RawBuilder<unknown> {
  if (conditions.length === 0) return sql``
  return sql` where ${allOf(conditions)}`
}

/** FROM of a query: the root comes first, the others are joined to it. */
function from(sources: readonly Source[]): RawBuilder<unknown> {
  return sql.join(
    sources.map((source) => source.sql),
    sql` `,
  )
}

function sourcesOf(selected: readonly Selected[]): Source[] {
  return selected.flatMap(({ column }) => (column ? [column.source] : []))
}

/** LIMIT and OFFSET as literals, as in select.ts. */
function page(limit: number, offset: number): RawBuilder<unknown> {
  return sql` limit ${sql.lit(limit)}${offset > 0 ? sql` offset ${sql.lit(offset)}` : sql``}`
}
