import { sql } from 'kysely'
import type { DatabaseKind, Db } from '../database/database.ts'

/** A column as it is; `type` is undefined for one that no definition could have made. */
export interface ActualColumn {
  readonly name: string
  readonly type: 'text' | 'integer' | undefined
  readonly notNull: boolean
}

/** An index as it is. One that `IndexShape` cannot say (expressions, other predicates) equals no wanted one. */
export interface ActualIndex {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns whose unset values come first: on SQLite always all. */
  readonly nullsFirst: readonly string[]
  readonly unique: boolean
  readonly whereNotNull: string | undefined
  /** Whether it is whole, not what an interrupted `create index concurrently` left (dropped and built again). */
  readonly valid: boolean
}

export interface ActualTable {
  readonly name: string
  /** Column of the primary key; undefined when there is none, or when it has several columns. */
  readonly primaryKey: string | undefined
  readonly columns: readonly ActualColumn[]
  readonly indexes: readonly ActualIndex[]
}

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly not_null: bigint | boolean
  readonly in_key: bigint | boolean
}

interface IndexRow {
  readonly table: string
  readonly name: string
  /** JSON: names in order, null for an expression. */
  readonly columns: string
  /** JSON. */
  readonly nulls_first: string
  readonly unique: bigint | boolean
  readonly predicate: string | null
  readonly valid: bigint | boolean
}

const TYPES: Readonly<Record<string, 'text' | 'integer'>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
}

/** The ordinary tables of the database (PostgreSQL: of the current schema), by name. */
export async function introspect(
  db: Db,
  kind: DatabaseKind,
): Promise<ReadonlyMap<string, ActualTable>> {
  const columns = Map.groupBy(
    kind === 'sqlite' ? await sqliteColumns(db) : await postgresColumns(db),
    ({ table }) => table,
  )
  const indexes = Map.groupBy(
    kind === 'sqlite' ? await sqliteIndexes(db) : await postgresIndexes(db),
    ({ table }) => table,
  )
  return new Map(
    [...columns].map(([name, rows]) => [name, tableOf(name, rows, indexes.get(name) ?? [])]),
  )
}

function tableOf(
  name: string,
  columns: readonly ColumnRow[],
  indexes: readonly IndexRow[],
): ActualTable {
  const key = columns.filter(({ in_key }) => in_key)
  return {
    name,
    primaryKey: key.length === 1 ? key[0]!.name : undefined,
    columns: columns.map((column) => ({
      name: column.name,
      type: TYPES[column.type.toLowerCase()],
      notNull: Boolean(column.not_null),
    })),
    indexes: indexes.map((index) => ({
      name: index.name,
      columns: (JSON.parse(index.columns) as (string | null)[]).map((column) => column ?? ''),
      nullsFirst: JSON.parse(index.nulls_first) as string[],
      unique: Boolean(index.unique),
      whereNotNull: whereNotNull(index.predicate),
      valid: Boolean(index.valid),
    })),
  }
}

/** The column of `where "x" is not null` as either database writes it; any other predicate as it stands. */
function whereNotNull(predicate: string | null): string | undefined {
  if (predicate === null) return undefined
  const match = /^\(?"?(\w+)"? is not null\)?$/i.exec(predicate.trim())
  return match?.[1] ?? predicate
}

async function sqliteColumns(db: Db): Promise<readonly ColumnRow[]> {
  const { rows } = await sql<ColumnRow>`
    select t.name as "table", c.name, c.type, c."notnull" as not_null, c.pk > 0 as in_key
    from pragma_table_list t join pragma_table_info(t.name) c
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'
    order by t.name, c.cid`.execute(db)
  return rows
}

async function sqliteIndexes(db: Db): Promise<readonly IndexRow[]> {
  const { rows } = await sql<IndexRow & { definition: string }>`
    select m.tbl_name as "table", m.name, m.sql as definition, l."unique", 1 as valid,
      (select json_group_array(name) from (select name from pragma_index_info(m.name) order by seqno)) as columns,
      (select json_group_array(name) from pragma_index_info(m.name)) as nulls_first
    from sqlite_schema m join pragma_index_list(m.tbl_name) l on l.name = m.name
    where m.type = 'index' and m.sql is not null`.execute(db)
  return rows.map((row) => ({
    ...row,
    predicate: /\)\s*where\s+(.+)$/is.exec(row.definition)?.[1] ?? null,
  }))
}

async function postgresColumns(db: Db): Promise<readonly ColumnRow[]> {
  const { rows } = await sql<ColumnRow>`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as not_null,
      a.attnum = any(coalesce(x.indkey::int2[], '{}')) as in_key
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    left join pg_index x on x.indrelid = c.oid and x.indisprimary
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(db)
  return rows
}

async function postgresIndexes(db: Db): Promise<readonly IndexRow[]> {
  // Bit 2 of indoption is NULLS FIRST (PostgreSQL, pg_index).
  const { rows } = await sql<IndexRow>`
    select t.relname as "table", i.relname as name, x.indisunique as "unique", x.indisvalid as valid,
      pg_get_expr(x.indpred, x.indrelid) as predicate,
      (select json_agg(a.attname order by k.n)::text
        from unnest(x.indkey::int2[]) with ordinality k(attnum, n)
        left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum) as columns,
      (select coalesce(json_agg(a.attname), '[]')::text
        from unnest(x.indkey::int2[], x.indoption::int2[]) k(attnum, option)
        join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum
        where k.option & 2 = 2) as nulls_first
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = current_schema()::regnamespace and not x.indisprimary`.execute(db)
  return rows
}
