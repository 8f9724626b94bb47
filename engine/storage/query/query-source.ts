import { type RawBuilder, sql } from 'kysely'
import type { Field } from '../../fields/field.ts'
import type { FieldType } from '../../fields/field-type.ts'
import type { ChildTable, DocTable } from '../records/tables.ts'

/** A table that a query joins to its root, under an alias of its own. */
export interface Source {
  readonly alias: string
  /** SQL of it in FROM. */
  readonly sql: RawBuilder<unknown>
  /** Whether it is rows of a table of the root's record: the root comes once for each. */
  readonly isRows: boolean
}

/** The table a query is over: records of a DocType, or rows of one together with their records. */
export interface Root extends Source {
  /** The table its rows are from, the first of several. */
  readonly table: string
  /** The rows the caller may read; undefined = all. */
  readonly readable: RawBuilder<boolean> | undefined
  /** Value that no two of its rows have in common. */
  readonly key: RawBuilder<unknown>
  /** Order after the one asked for, so that pages never overlap; `fixed` never turns round. */
  readonly ties: readonly { readonly sql: RawBuilder<unknown>; readonly fixed: boolean }[]
}

/** A column of a query, or a value that is the same in every row. */
export interface QueryColumn {
  /** Identity of the column: two of the same key are one. */
  readonly key: string
  readonly sql: RawBuilder<unknown>
  readonly source: Source
  readonly field: Field
  readonly type: FieldType
  readonly isNeverNull: boolean
}

type Condition = RawBuilder<boolean> | undefined

/** Records of a DocType; `limit` is over its columns without an alias. */
export function recordRoot({ table }: DocTable, limit: Condition): Root {
  const key = sql.ref('r.rid')
  return {
    table,
    alias: 'r',
    sql: sql`${sql.table(table)} as ${sql.ref('r')}`,
    isRows: false,
    readable: limit && among(key, table, limit),
    key,
    ties: [{ sql: key, fixed: false }],
  }
}

/** Rows of tables of one DocType, each with the record it belongs to as `p` and its table's field as `parentfield`. */
export function rowsRoot(
  parent: DocTable,
  tables: readonly [ChildTable, ...ChildTable[]],
  limit: Condition,
): Root {
  const parts = tables.map(
    ({ table, field }) =>
      sql`select c.*, cast(${sql.lit(field)} as text) as parentfield from ${sql.table(table)} c`,
  )
  return {
    table: parent.table,
    alias: 'r',
    sql: sql`(${sql.join(parts, sql` union all `)}) as r join ${sql.table(parent.table)} as p on p.rid = r.parent`,
    isRows: false,
    readable: limit && among(sql.ref('p.rid'), parent.table, limit),
    key: sql.ref('r.row_id'),
    ties: [
      { sql: sql.ref('p.rid'), fixed: false },
      { sql: sql.ref('r.parentfield'), fixed: true },
      { sql: sql.ref('r.idx'), fixed: true },
      { sql: sql.ref('r.row_id'), fixed: true },
    ],
  }
}

/** The rows of one table of the root's records; a record without any comes once, its rows' columns unset. */
export function rowsSource({ table }: ChildTable, alias: string): Source {
  const parent = sql.ref(`${alias}.parent`)
  return {
    alias,
    sql: sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${parent} = r.rid`,
    isRows: true,
  }
}

/** The record a link names, where the caller may read it. */
export function linkedSource(
  { table }: DocTable,
  link: QueryColumn,
  alias: string,
  limit: Condition,
): Source {
  const readable = limit ? sql` and ${among(sql.ref(`${alias}.rid`), table, limit)}` : sql``
  return {
    alias,
    sql: sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.name`)} = ${link.sql}${readable}`,
    isRows: false,
  }
}

export function columnSql(alias: string, column: string): RawBuilder<unknown> {
  return sql.ref(`${alias}.${column}`)
}

/** A value of the definition as a column; a bare literal would be taken for a column's number in ORDER BY. */
export function constantSql(value: string | number): RawBuilder<unknown> {
  return typeof value === 'number'
    ? sql`cast(${sql.lit(value)} as bigint)`
    : sql`cast(${sql.lit(value)} as text)`
}

function among(
  rid: RawBuilder<unknown>,
  table: string,
  limit: RawBuilder<boolean>,
): RawBuilder<boolean> {
  return sql`${rid} in (select rid from ${sql.table(table)} where ${limit})`
}
