import { type RawBuilder, sql } from 'kysely'
import { blankObject } from '../../base/blank-object.ts'
import { chunks } from '../../base/chunks.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import {
  ADJUSTS,
  REVERSES,
  VOUCHER_NO,
  VOUCHER_TYPE,
} from '../../definition/model/ledger-fields.ts'
import type { LooksBackDeclaration } from '../../definition/model/looks-back.ts'
import type { ColumnValue, Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { Db } from '../database/database.ts'
import { runSql } from '../database/statements.ts'

/** Values of the fields of a series, such as an item and a warehouse. */
export type SeriesValues = readonly Value[]

/** Fields of a row of a ledger that are read of it. */
export type SeriesRow = Readonly<Record<string, Value>>

/** A ledger that looks back. */
export interface SeriesSource {
  readonly definition: DocTypeDefinition
  readonly declared: LooksBackDeclaration
}

/** What every reader of a series needs of a row, beside the fields it names. */
const ALWAYS: readonly string[] = [ADJUSTS, REVERSES, VOUCHER_NO, VOUCHER_TYPE]

/** Rows of a series, of a place and behind it or all of them, in their order; `fields` are read of them. */
export async function rowsOfSeries(
  db: Db,
  { definition, declared }: SeriesSource,
  values: SeriesValues,
  from: string | undefined,
  fields: ReadonlySet<string>,
): Promise<readonly SeriesRow[]> {
  const columns = definition.fields.filter(
    ({ name, child }) => !child && (fields.has(name) || ALWAYS.includes(name)),
  )
  const names = ['name', ...columns.map(({ name }) => name)]
  const behind = from === undefined ? sql`` : sql`and ${sql.ref(declared.place)} >= ${from}`
  const query =
    sql`select ${sql.join(names.map((name) => sql.ref(name)))} from ${sql.table(definition.table)}
    where ${isIn(declared, values)} ${behind} order by ${sql.ref(declared.place)}, ${sql.ref('rid')}`.compile(
      db,
    )
  const rows = await runSql<Record<string, ColumnValue>>(db, query.sql, query.parameters)
  const blank = blankObject(names)
  const typed = columns.map((field) => ({ field, name: field.name, type: fieldType(field.type) }))
  return rows.map((row) => {
    const shown = blank() as Record<string, Value>
    shown.name = row.name as string
    for (const { field, name, type } of typed) {
      const column = row[name] ?? null
      if (column !== null) shown[name] = type.fromColumn(column, field)
    }
    return shown
  })
}

/** Sums of quantity and value of a series before a place. */
export async function sumsBefore(
  db: Db,
  { definition, declared }: SeriesSource,
  values: SeriesValues,
  from: string,
): Promise<readonly [quantity: bigint, value: bigint]> {
  const query = sql`select ${sumOf(declared.quantity)} as qty, ${sumOf(declared.value)} as value
    from ${sql.table(definition.table)} where ${isIn(declared, values)} and ${sql.ref(declared.place)} < ${from}`.compile(
    db,
  )
  const [row] = await runSql<{ qty: bigint | string; value: bigint | string }>(
    db,
    query.sql,
    query.parameters,
  )
  return [BigInt(row!.qty), BigInt(row!.value)]
}

/** Quantities and values of the rows that give to these flows, by the flow. */
export async function sumsOfFlows(
  db: Db,
  { definition, declared }: SeriesSource,
  flows: readonly string[],
): Promise<ReadonlyMap<string, { readonly quantity: bigint; readonly value: bigint }>> {
  const { flow = '' } = declared
  const query =
    sql`select ${sql.ref(flow)} as flow, ${sumOf(declared.quantity)} as qty, ${sumOf(declared.value)} as value from ${sql.table(definition.table)}
    where ${sql.ref(flow)} in (${sql.join(flows)}) group by ${sql.ref(flow)}`.compile(db)
  const rows = await runSql<{ flow: string; qty: bigint | string; value: bigint | string }>(
    db,
    query.sql,
    query.parameters,
  )
  return new Map(
    rows.map(({ flow, qty, value }) => [flow, { quantity: BigInt(qty), value: BigInt(value) }]),
  )
}

/** Series that have rows which give to these flows. */
export async function seriesOfFlows(
  db: Db,
  { definition, declared }: SeriesSource,
  flows: readonly string[],
): Promise<readonly SeriesValues[]> {
  const { series, flow = '' } = declared
  const columns = sql.join(series.map((name) => sql.ref(name)))
  const query = sql`select distinct ${columns} from ${sql.table(definition.table)}
    where ${sql.ref(flow)} in (${sql.join(flows)})`.compile(db)
  const rows = await runSql<Record<string, string>>(db, query.sql, query.parameters)
  return rows.map((row) => series.map((name) => row[name]!))
}

/** Flows of one statement. */
const FLOWS_AT_ONCE = 500

/** Series that have rows which take from some of these flows, and the first place of those. */
export async function takersOfFlows(
  db: Db,
  { definition, declared }: SeriesSource,
  flows: readonly string[],
): Promise<readonly { readonly values: SeriesValues; readonly from: string }[]> {
  const { series, place, takes = '' } = declared
  const columns = series.map((name) => sql.ref(name))
  const found: { readonly values: SeriesValues; readonly from: string }[] = []
  for (const some of chunks(flows, FLOWS_AT_ONCE)) {
    const query =
      sql`select ${sql.join(columns)}, min(${sql.ref(place)}) as "from" from ${sql.table(definition.table)}
    where ${sql.ref(takes)} in (${sql.join(some)}) group by ${sql.join(columns)}`.compile(db)
    const rows = await runSql<Record<string, string>>(db, query.sql, query.parameters)
    for (const row of rows)
      found.push({ values: series.map((name) => row[name]!), from: row.from! })
  }
  return found
}

/** All series of a ledger. */
export async function allSeries(
  db: Db,
  { definition, declared }: SeriesSource,
): Promise<readonly SeriesValues[]> {
  const columns = sql.join(declared.series.map((name) => sql.ref(name)))
  const query =
    sql`select distinct ${columns} from ${sql.table(definition.table)} order by ${columns}`.compile(
      db,
    )
  const rows = await runSql<Record<string, string>>(db, query.sql, query.parameters)
  return rows.map((row) => declared.series.map((name) => row[name]!))
}

function isIn({ series }: LooksBackDeclaration, values: SeriesValues): RawBuilder<unknown> {
  return sql.join(
    series.map((name, at) => sql`${sql.ref(name)} = ${values[at]}`),
    sql` and `,
  )
}

function sumOf(column: string): RawBuilder<unknown> {
  return sql`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`
}
