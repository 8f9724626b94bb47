import { sql } from 'kysely'
import { AppError } from '../../base/errors.ts'
import type { Db } from '../database/database.ts'
import { identifierFor } from '../database/identifier.ts'
import { type ActualIndex, type ActualTable, introspect } from '../migration/introspect.ts'
import { step } from '../migration/migration-plan.ts'
import { statementsOf } from '../migration/migration-sql.ts'
import { readShapes } from '../migration/schema-store.ts'
import { prepareSearch } from '../records/search.ts'
import type { ColumnShape, IndexShape, TableShape } from '../records/shape.ts'
import { quotedName } from './quoted-name.ts'

/** Table of the search index, which makes itself (`prepareSearch`); keeping its rows is quicker than remaking them. */
const SEARCH = 'svc_search'
const SCHEMA = 'svc_schema'

/** A table of PostgreSQL as a restore makes it again. */
export interface BackupTable {
  readonly shape: TableShape
  /** Columns of each index whose unset values come first. */
  readonly nullsFirst: Readonly<Record<string, readonly string[]>>
  /** Last number given where the database fills one, as text; null = none yet. Absent where it fills none. */
  readonly lastNumber?: string | null
}

/** Names of the tables of the workspace in the current schema; others that stand there are not ours. */
export async function workspaceTables(db: Db): Promise<readonly string[]> {
  const actual = await introspect(db, 'postgres')
  if (!actual.has(SCHEMA)) return []
  return ownTables(actual, await readShapes(db, 'postgres'))
}

/** Throws CONFLICT when tables that a restore is to make are there, which are not of a workspace. */
export async function assertFree(db: Db, tables: readonly BackupTable[]): Promise<void> {
  const actual = await introspect(db, 'postgres')
  const taken = tables.map(({ shape }) => shape.name).filter((name) => actual.has(name))
  if (taken.length > 0)
    throw new AppError(
      'CONFLICT',
      `the database has tables of something else under names that are needed (${taken.slice(0, 3).join(', ')}): name an empty database`,
    )
}

function ownTables(
  actual: ReadonlyMap<string, ActualTable>,
  stored: ReadonlyMap<string, TableShape>,
): string[] {
  return [SCHEMA, ...stored.keys(), SEARCH].filter((name) => actual.has(name)).sort()
}

/**
 * Reads how the tables of the workspace are made. Throws CONFLICT where somebody has given a column a type that none
 * of ours has, since its values would not come back as they are.
 */
export async function readTables(db: Db): Promise<readonly BackupTable[]> {
  const actual = await introspect(db, 'postgres')
  if (!actual.has(SCHEMA)) return []
  const stored = await readShapes(db, 'postgres')
  const numbers = await readNumbers(db)
  return ownTables(actual, stored).map((name) =>
    tableOf(actual.get(name)!, stored.get(name), numbers.get(name)),
  )
}

function tableOf(
  { name, primaryKey = '', columns, indexes }: ActualTable,
  stored: TableShape | undefined,
  number: { readonly column: string; readonly last: string | null } | undefined,
): BackupTable {
  const conditions = new Map(
    stored?.indexes.map((index) => [identifierFor(index.name), index.where]),
  )
  const names = new Set(columns.map((one) => one.name))
  const kept = indexes.filter(
    (index) => isPlain(index, names) || (index.valid && conditions.get(index.name) !== undefined),
  )
  return {
    shape: {
      name,
      primaryKey,
      system: stored?.system ?? true,
      columns: columns
        .filter((column) => column.name !== number?.column)
        .map(({ name: column, type, notNull }): ColumnShape => {
          if (type === undefined)
            throw new AppError(
              'CONFLICT',
              `column ${column} of table ${name} has a type that svc never gives; make it text or bigint, then back up again`,
            )
          const value = stored?.columns.find((one) => one.name === column)?.default
          return { name: column, type, notNull, ...(value === undefined ? {} : { default: value }) }
        }),
      indexes: kept.map(({ name: index, columns: of, unique, whereNotNull }): IndexShape => {
        const where = conditions.get(index)
        const condition = where ? { where } : whereNotNull === undefined ? {} : { whereNotNull }
        return { name: index, columns: of, unique, ...condition }
      }),
    },
    nullsFirst: Object.fromEntries(kept.map((index) => [index.name, index.nullsFirst])),
    ...(number === undefined ? {} : { lastNumber: number.last }),
  }
}

/** Whether a restore makes an index again: not one over expressions, added by hand, nor one that was never finished. */
function isPlain(index: ActualIndex, columns: ReadonlySet<string>): boolean {
  const { whereNotNull } = index
  return (
    index.valid &&
    index.columns.every((column) => columns.has(column)) &&
    (whereNotNull === undefined || columns.has(whereNotNull))
  )
}

/** The numbers the database fills. Sequences stand outside snapshots: these are at least those of the rows. */
async function readNumbers(
  db: Db,
): Promise<ReadonlyMap<string, { readonly column: string; readonly last: string | null }>> {
  const { rows } = await sql<{ table: string; column: string; last: bigint | null }>`
    select c.relname as "table", a.attname as "column", pg_sequence_last_value(
        pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass) as last
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''
      and not a.attisdropped`.execute(db)
  return new Map(
    rows.map(({ table, column, last }) => [
      table,
      { column, last: last === null ? null : String(last) },
    ]),
  )
}

/** Makes a table, fills it by `fill`, then builds what rests on its rows. */
export async function makeTable(
  tx: Db,
  table: BackupTable,
  fill: () => Promise<void>,
): Promise<void> {
  const { shape, nullsFirst, lastNumber } = table
  const name = sql.id(shape.name)
  if (shape.name === SEARCH) {
    await prepareSearch(tx, 'postgres')
    // Built at once over all rows it takes a fraction of the time.
    await sql`drop index ix_svc_search_body`.execute(tx)
    await fill()
    await prepareSearch(tx, 'postgres')
  } else {
    const create = step(shape.name, '', { kind: 'create-table', shape })
    for (const statement of statementsOf(create, 'postgres')) await statement.execute(tx)
    await fill()
    for (const index of shape.indexes) {
      const nullable = nullsFirst[index.name] ?? []
      const build = step(shape.name, '', { kind: 'create-index', index, nullable })
      for (const statement of statementsOf(build, 'postgres')) await statement.execute(tx)
    }
    if (lastNumber) {
      await sql`select setval(pg_get_serial_sequence(${quotedName(shape.name)}, ${shape.primaryKey}), ${lastNumber}::bigint)`.execute(
        tx,
      )
    }
  }
  await sql`analyze ${name}`.execute(tx)
}

/** Moves the tables of the workspace, with what belongs to them, into a schema of their own. */
export async function setTablesAside(
  tx: Db,
  tables: readonly string[],
  schema: string,
): Promise<void> {
  await sql`create schema ${sql.id(schema)}`.execute(tx)
  for (const table of tables)
    await sql`alter table ${sql.id(table)} set schema ${sql.id(schema)}`.execute(tx)
}

/** The columns of a table in the order its rows are kept in. */
export function columnsOf({ shape }: BackupTable): readonly string[] {
  const names = shape.columns.map(({ name }) => name)
  return shape.primaryKey === '' || names.includes(shape.primaryKey)
    ? names
    : [shape.primaryKey, ...names]
}
