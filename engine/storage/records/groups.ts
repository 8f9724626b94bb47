import { type RawBuilder, sql } from 'kysely'
import { pow10 } from '../../base/money.ts'
import type { ColumnValue } from '../../fields/field-type.ts'
import type { DatabaseKind, Db } from '../database/database.ts'
import { allOf } from '../database/fragment.ts'
import { condition } from './condition.ts'
import type { PageQuery } from './select.ts'

/** Part of a date or moment by which records are grouped. */
export const DATE_PARTS = { year: 4, month: 7, day: 10 } as const
export type DatePart = keyof typeof DATE_PARTS

/** Records of a table in groups: how many there are in each, and what columns add up to. */
export interface GroupQuery extends Pick<PageQuery, 'filters' | 'where'> {
  readonly table: string
  /** Column of the groups; without one all records are one group. */
  readonly by?: string
  /** Of a date or moment: only so much of it. */
  readonly part?: DatePart
  /** Value that stands for unset ones. */
  readonly unset?: number
  /** Columns that are added up: integers of the database. */
  readonly sums: readonly string[]
  /** Most groups. */
  readonly limit: number
}

/** A group: its value as the column keeps it, its records, and their sums in the order they were asked for. */
export interface Group {
  readonly value: ColumnValue
  readonly count: number
  readonly sums: readonly bigint[]
}

/**
 * Divisor of sums: one of 64-bit integers may need more than 64 bits, which SQLite refuses, so the thousand millions and what is
 * over them are added up apart.
 */
const HALF = pow10(9)

/** The groups of a table, the largest first. */
export async function selectGroups(
  db: Db,
  kind: DatabaseKind,
  query: GroupQuery,
): Promise<readonly Group[]> {
  const { table, sums, limit, filters, where } = query
  const value = valueSql(query)
  const half = sql.lit(HALF)
  const columns = sums.flatMap((name, at) => [
    sql`sum(${sql.ref(name)} / ${half}) as ${sql.ref(`high${at}`)}`,
    sql`sum(${sql.ref(name)} % ${half}) as ${sql.ref(`low${at}`)}`,
  ])
  const selected = [sql`${value} as value`, sql`count(*) as n`, ...columns]
  const conditions = [...filters.map((one) => condition(kind, one)), ...(where ? [where] : [])]
  const on =
    conditions.length === 0
      ? sql``
      : sql` where ${allOf(conditions as readonly RawBuilder<boolean>[])}`
  const grouped =
    query.by === undefined
      ? sql``
      : sql` group by ${value} order by n desc, value${kind === 'postgres' ? sql` nulls first` : sql``} limit ${sql.lit(limit)}`
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select ${sql.join(selected)} from ${sql.table(table)}${on}${grouped}`.execute(db)
  return rows.map((row) => ({
    value: row.value as ColumnValue,
    count: Number(row.n),
    sums: sums.map((_, at) => whole(row[`high${at}`]) * HALF + whole(row[`low${at}`])),
  }))
}

/** A sum of the database; PostgreSQL gives it as text, and none where there are no rows. */
function whole(sum: unknown): bigint {
  return BigInt(String(sum ?? 0))
}

function valueSql({ by, part, unset }: GroupQuery): RawBuilder<unknown> {
  if (by === undefined) return sql`null`
  const column = sql.ref(by)
  if (part !== undefined) return sql`substr(${column}, 1, ${sql.lit(DATE_PARTS[part])})`
  return unset === undefined ? column : sql`coalesce(${column}, ${sql.lit(unset)})`
}
