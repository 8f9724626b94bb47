import { sql } from 'kysely'
import type { DatabaseKind, Db } from './database.ts'

/** A column as it is; `type` is undefined for one that no definition could have made. */
export interface ActualColumn {
  readonly name: string
  readonly type: 'text' | 'integer' | undefined
}

/** An index as it is; broken ones (PostgreSQL: an interrupted concurrent build) are not valid. */
export interface ActualIndex {
  readonly name: string
  readonly valid: boolean
}

export interface ActualTable {
  readonly name: string
  readonly columns: readonly ActualColumn[]
  readonly indexes: readonly ActualIndex[]
}

/** The tables the database has now, by name. */
export async function introspect(db: Db, kind: DatabaseKind): Promise<ReadonlyMap<string, ActualTable>> {
  const columns = kind === 'sqlite' ? await sqliteColumns(db) : await postgresColumns(db)
  const indexes = kind === 'sqlite' ? await sqliteIndexes(db) : await postgresIndexes(db)
  const tables = new Map<string, { name: string; columns: ActualColumn[]; indexes: ActualIndex[] }>()
  for (const { table, name, type } of columns) {
    const known = tables.get(table) ?? { name: table, columns: [], indexes: [] }
    known.columns.push({ name, type: COLUMN_TYPES[type.toLowerCase()] })
    tables.set(table, known)
  }
  for (const { table, name, valid } of indexes) tables.get(table)?.indexes.push({ name, valid: Boolean(valid) })
  return tables
}

const COLUMN_TYPES: Readonly<Record<string, 'text' | 'integer' | undefined>> = { text: 'text', integer: 'integer', bigint: 'integer' }

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
}

interface IndexRow {
  readonly table: string
  readonly name: string
  readonly valid: boolean | bigint
}

async function sqliteColumns(db: Db): Promise<readonly ColumnRow[]> {
  const { rows } = await sql<ColumnRow>`
    select m.name as "table", c.name as name, c.type as type
    from sqlite_schema m join pragma_table_info(m.name) c
    where m.type = 'table' and m.sql not like 'create virtual%' order by m.name, c.cid`.execute(db)
  return rows
}

async function sqliteIndexes(db: Db): Promise<readonly IndexRow[]> {
  const { rows } = await sql<IndexRow>`
    select tbl_name as "table", name, 1 as valid from sqlite_schema where type = 'index' and sql is not null`.execute(db)
  return rows
}

async function postgresColumns(db: Db): Promise<readonly ColumnRow[]> {
  const { rows } = await sql<ColumnRow>`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(db)
  return rows
}

async function postgresIndexes(db: Db): Promise<readonly IndexRow[]> {
  const { rows } = await sql<IndexRow>`
    select t.relname as "table", i.relname as name, x.indisvalid as valid
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = current_schema()::regnamespace`.execute(db)
  return rows
}
