import * as assert from 'uvu/assert'
import type { AppError } from '../../../engine/base/errors.ts'
import type { Database } from '../../../engine/storage/database/database.ts'
import { planMigration } from '../../../engine/storage/migration/diff.ts'
import { introspect } from '../../../engine/storage/migration/introspect.ts'
import { readShapes } from '../../../engine/storage/migration/schema-store.ts'
import type { TableShape } from '../../../engine/storage/records/shape.ts'

export type Row = Record<string, unknown>

/** The tables are as `wanted`: asked of the database itself, of the plan and of the stored shapes. */
export async function assertAsWanted(
  database: Database,
  wanted: readonly TableShape[],
): Promise<void> {
  const actual = await introspect(database.read, database.kind)
  const stored = await readShapes(database.read, database.kind)
  const { steps, refused } = planMigration(wanted, actual, { kind: database.kind, stored })
  assert.equal([steps, refused], [[], []])
  for (const shape of wanted) {
    const table = actual.get(shape.name)
    assert.is(table?.primaryKey, shape.primaryKey)
    const columns = new Map(table?.columns.map((column) => [column.name, column]))
    for (const { name, type, notNull } of shape.columns) {
      assert.equal(columns.get(name), { name, type, notNull })
    }
    const ours = table?.indexes.filter(({ name }) => /^[iu]x_/.test(name))
    assert.equal(ours?.map(({ name }) => name).sort(), shape.indexes.map(({ name }) => name).sort())
    assert.ok(ours?.every(({ valid }) => valid))
    const { gone: _, ...kept } = stored.get(shape.name) ?? {}
    assert.equal(kept, JSON.parse(JSON.stringify(shape)))
  }
}

/** Tables, rows and stored shapes as text. */
export async function everything(database: Database): Promise<string> {
  const tables = await introspect(database.read, database.kind)
  const content: unknown[] = [[...tables.values()]]
  for (const name of tables.keys())
    content.push(await database.read.selectFrom(name).selectAll().execute())
  return JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/** All rows in the order they came. */
export async function rows(database: Database, name: string): Promise<Row[]> {
  return database.read.selectFrom(name).selectAll().orderBy('rid').execute()
}

/** Values as text or null, row by row. */
export async function values(
  database: Database,
  name: string,
  columns: readonly string[],
): Promise<unknown[][]> {
  return (await rows(database, name)).map((row) =>
    columns.map((column) => (row[column] === null ? null : String(row[column]))),
  )
}

/** In the order of the table. */
export async function columnNames(database: Database, name: string): Promise<string[]> {
  return (await introspect(database.read, database.kind))
    .get(name)!
    .columns.map((column) => column.name)
}

/** One row after the other, in one transaction. */
export async function insert(
  database: Database,
  name: string,
  list: readonly Row[],
): Promise<void> {
  await database.write(async (tx) => {
    for (const row of list) {
      await (Object.keys(row).length === 0
        ? tx.insertInto(name).defaultValues().execute()
        : tx.insertInto(name).values(row).execute())
    }
  })
}

/** What the promise is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<AppError> {
  try {
    await promise
  } catch (error) {
    return error as AppError
  }
  throw new Error('expected the promise to be rejected')
}

/** The integer a text says. */
export function big(value: string | null): bigint | null {
  return value === null ? null : BigInt(value)
}
