import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

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
