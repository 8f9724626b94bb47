import { CompiledQuery, type QueryResult, type RawBuilder } from 'kysely'
import type { Db, ImmediateDb } from './database.ts'

/** Parameters of a text whose best plan is the same for any of them: PostgreSQL keeps it under a name. */
export class FixedParameters extends Array<unknown> {}

/**
 * Runs a text that was built before, for what every request needs: it inserts, or finds rows by their key, so
 * that one plan is good for all parameters. A database in our own process answers at once: kysely's way to it
 * costs a third of what a look-up does.
 */
export function runText<Row>(
  db: Db,
  text: string,
  parameters: readonly unknown[],
): Promise<QueryResult<Row>> | QueryResult<Row> {
  return isImmediate(db)
    ? db.queryNow<Row>(text, parameters)
    : db.executeQuery<Row>(CompiledQuery.raw(text, FixedParameters.from(parameters) as unknown[]))
}

/**
 * Runs a text that was compiled elsewhere (from filters, from expressions) and returns its rows: PostgreSQL plans
 * it for the values that come with it. Whole numbers come as BigInt on both databases; PostgreSQL gives a `numeric`
 * as text.
 */
export async function runSql<Row>(
  db: Db,
  text: string,
  parameters: readonly unknown[],
): Promise<readonly Row[]> {
  if (isImmediate(db)) return db.queryNow<Row>(text, parameters).rows
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows
}

/** Runs a text as `runSql` does, but at once, where the database is in this process; undefined where it is not. */
export function runSqlNow<Row>(
  db: Db,
  text: string,
  parameters: readonly unknown[],
): readonly Row[] | undefined {
  return isImmediate(db) ? db.queryNow<Row>(text, parameters).rows : undefined
}

/** Runs statements without parameters, in order; at once where the database is in this process. */
export async function runScript(db: Db, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  if (isImmediate(db)) db.scriptNow(statements.map((statement) => statement.compile(db).sql))
  else for (const statement of statements) await statement.execute(db)
}

/**
 * Rows this transaction has read of a table, by key. Readers look here before they ask the database and add what they
 * read; writers keep it right. Undefined where others may write meanwhile, and on a connection that only reads.
 */
export function seenOf<Value>(tx: Db, table: string): Map<string, Value> | undefined {
  if (!isImmediate(tx) || !tx.seen) return undefined
  let known = tx.seen.get(table)
  if (!known) {
    known = new Map()
    tx.seen.set(table, known)
  }
  return known as Map<string, Value>
}

function isImmediate(db: Db): db is Db & ImmediateDb {
  return 'queryNow' in db
}
