import { chunks } from '../../base/chunks.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { ColumnValue } from '../../fields/field-type.ts'
import type { Db } from '../database/database.ts'

/** Values asked for in one statement. */
const AT_ONCE = 500

/**
 * Names of the records whose column has one of these values, by value. The column may be `name` itself; by
 * any other one cancelled documents are not found.
 */
export async function namesBy(
  db: Db,
  table: string,
  column: string,
  values: readonly ColumnValue[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const some of chunks(values, AT_ONCE)) {
    const query = db
      .selectFrom(table)
      .select(['name', `${column} as value`])
      .where(column, 'in', some)
      .orderBy('rid')
    const live = column === 'name' ? query : query.where('docstatus', '<>', 2)
    const rows = await live.execute()
    for (const row of rows) {
      const names = found.get(String(row.value))
      if (names) names.push(String(row.name))
      else found.set(String(row.value), [String(row.name)])
    }
  }
  return found
}

/** Names of all records of a DocType. */
export async function allNames(db: Db, { table }: DocTypeDefinition): Promise<readonly string[]> {
  const rows = await db.selectFrom(table).select('name').execute()
  return rows.map(({ name }) => String(name))
}

/** One column of all records of a DocType, by their names. */
export async function columnOfAll(
  db: Db,
  { table }: DocTypeDefinition,
  column: string,
): Promise<ReadonlyMap<string, unknown>> {
  const rows = await db
    .selectFrom(table)
    .select(['name', `${column} as value`])
    .execute()
  return new Map(rows.map(({ name, value }) => [String(name), value]))
}

/** The next records behind one, by their numbers; at most `limit`. */
export async function recordsAfter(
  db: Db,
  { table }: DocTypeDefinition,
  rid: number,
  limit: number,
): Promise<readonly { readonly rid: number; readonly name: string }[]> {
  const rows = await db
    .selectFrom(table)
    .select(['rid', 'name'])
    .where('rid', '>', rid)
    .orderBy('rid')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ rid: Number(row.rid), name: String(row.name) }))
}

/** The highest number of a record; 0 where there is none. */
export async function lastRid(db: Db, { table }: DocTypeDefinition): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((of) => of.fn.max('rid').as('last'))
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}

/** Names of the records with these numbers; numbers that do not exist are left out. */
export async function namesOfRids(
  db: Db,
  { table }: DocTypeDefinition,
  rids: readonly number[],
): Promise<readonly string[]> {
  const rows = await db.selectFrom(table).select('name').where('rid', 'in', rids).execute()
  return rows.map(({ name }) => String(name))
}

/** Name of the document that amends this one, or undefined. */
export async function amendmentOf(
  db: Db,
  { table }: DocTypeDefinition,
  name: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(table)
    .select('name')
    .where('amended_from', '=', name)
    .executeTakeFirst()
  return row && String(row.name)
}
