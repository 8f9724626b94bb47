import type { RawBuilder } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Db } from '../database/database.ts'

/** A condition on records, over the columns of their table without an alias; undefined leaves all of them. */
type Limit = RawBuilder<boolean> | undefined

/** Those of the names whose records meet the limit. */
export async function namesWithin(
  db: Db,
  { table }: DocTypeDefinition,
  names: readonly string[],
  limit: NonNullable<Limit>,
): Promise<ReadonlySet<string>> {
  const query = db.selectFrom(table).select('name').where('name', 'in', names).where(limit)
  return new Set((await query.execute()).map(({ name }) => String(name)))
}

/** Those of the rows of a table, by `row_id`, whose records meet the limit. */
export async function rowsWithin(
  db: Db,
  { table: records }: DocTypeDefinition,
  table: string,
  rowIds: readonly string[],
  limit: NonNullable<Limit>,
): Promise<ReadonlySet<string>> {
  const query = db
    .selectFrom(`${records}__${table} as r`)
    .select('r.row_id')
    .where('r.row_id', 'in', rowIds)
    .where('r.parent', 'in', db.selectFrom(records).select('rid').where(limit))
  return new Set((await query.execute()).map(({ row_id }) => String(row_id)))
}

/** Titles of those of the records that meet the limit, by name; a record without a title has its name. */
export async function titlesWithin(
  db: Db,
  { table, titleField }: DocTypeDefinition,
  names: readonly string[],
  limit: Limit,
): Promise<ReadonlyMap<string, string>> {
  let query = db
    .selectFrom(table)
    .select(['name', `${titleField} as title`])
    .where('name', 'in', names)
  if (limit) query = query.where(limit)
  const rows = await query.execute()
  return new Map(rows.map(({ name, title }) => [String(name), String(title ?? name)]))
}
