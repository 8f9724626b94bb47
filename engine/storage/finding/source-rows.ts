import { type RawBuilder, sql } from 'kysely'
import type { ColumnValue } from '../../fields/field-type.ts'
import type { Db } from '../database/database.ts'

/** A record, or a row of one, that a value was made of. */
export interface SourceRow {
  readonly rid: number
  readonly name: string
  /** Place of the row, from 1; 0 for a record. */
  readonly idx: number
  readonly row_id: string | null
  readonly value: ColumnValue
}

/** Rows that a value was made of. */
export interface SourceRows {
  /** SELECT, in parentheses, of the columns of SourceRow. */
  readonly rows: RawBuilder<unknown>
  /** Table of their records. */
  readonly table: string
  /** Condition that a record must meet for the caller to read it, over its table's columns; undefined = all. */
  readonly limit: RawBuilder<boolean> | undefined
  /** Value that they have; undefined for those of any value. */
  readonly only: ColumnValue | undefined
}

/** Place of a row among them: they come in the order of their records and of the rows in these. */
export type SourcePlace = Pick<SourceRow, 'rid' | 'idx'>

/** The rows behind a place whose records the caller may read, at most so many. */
export async function sourceRows(
  db: Db,
  source: SourceRows,
  after: SourcePlace | undefined,
  most: number,
): Promise<readonly SourceRow[]> {
  const behind = after ? sql` and (s.rid, s.idx) > (${after.rid}, ${after.idx})` : sql``
  const { rows } = await sql<SourceRow>`
    select s.rid, s.name, s.idx, s.row_id, s.value from ${source.rows} s
    where ${among(source, sql`in`)}${having(source)}${behind}
    order by s.rid, s.idx limit ${sql.lit(most)}`.execute(db)
  return rows.map((row) => ({ ...row, rid: Number(row.rid), idx: Number(row.idx) }))
}

/** How many rows there are whose records the caller may not read, and what they add up to. */
export interface HiddenRows {
  readonly count: number
  readonly sum: bigint
}

/** Rows whose records the caller may not read; `isAdded` tells whether their values are numbers to add up. */
export async function hiddenRows(
  db: Db,
  source: SourceRows,
  isAdded: boolean,
): Promise<HiddenRows> {
  if (!source.limit) return { count: 0, sum: 0n }
  return totalOf(db, source, among(source, sql`not in`), isAdded)
}

/** Rows behind a place whose records the caller may read. */
export async function rowsBehind(
  db: Db,
  source: SourceRows,
  after: SourcePlace,
  isAdded: boolean,
): Promise<HiddenRows> {
  const behind = sql`${among(source, sql`in`)} and (s.rid, s.idx) > (${after.rid}, ${after.idx})`
  return totalOf(db, source, behind, isAdded)
}

async function totalOf(
  db: Db,
  source: SourceRows,
  condition: RawBuilder<unknown>,
  isAdded: boolean,
): Promise<HiddenRows> {
  const sum = isAdded ? sql`cast(coalesce(sum(s.value), 0) as bigint)` : sql`0`
  const { rows } = await sql<{ readonly n: bigint; readonly sum: bigint }>`
    select count(*) as n, ${sum} as sum from ${source.rows} s
    where ${condition}${having(source)}`.execute(db)
  return { count: Number(rows[0]?.n ?? 0), sum: BigInt(rows[0]?.sum ?? 0) }
}

function among({ table, limit }: SourceRows, within: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!limit) return sql`1 = 1`
  return sql`s.rid ${within} (select rid from ${sql.table(table)} where ${limit})`
}

function having({ only }: SourceRows): RawBuilder<unknown> {
  return only === undefined ? sql`` : sql` and s.value = ${only}`
}
