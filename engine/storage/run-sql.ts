import { CompiledQuery } from 'kysely'
import type { Db, ImmediateDb } from './database.ts'

/**
 * Runs a text that was compiled elsewhere (from expressions) and returns its rows. Whole numbers come as
 * BigInt on both databases; PostgreSQL gives a `numeric` as text.
 */
export async function runSql<Row>(
  db: Db,
  text: string,
  parameters: readonly unknown[],
): Promise<readonly Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
  return rows
}

/** The same at once, where the database is in this process; undefined where it is not. */
export function runSqlNow<Row>(
  db: Db,
  text: string,
  parameters: readonly unknown[],
): readonly Row[] | undefined {
  if (!('queryNow' in db)) return undefined
  return (db as unknown as ImmediateDb).queryNow(text, parameters) as readonly Row[]
}
