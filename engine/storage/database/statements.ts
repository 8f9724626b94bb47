import { CompiledQuery, type QueryResult, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { readOnce, type SeenRows } from './seen-rows.ts'

/*
 * What makes statements cheap (docs/performance.md): texts that are built once, and a database of this process that answers
 * at once. `seen-rows.ts` is what a transaction has read already. Callers say what they read and need not know how it is kept.
 * `statement-names.ts` and `preparing-pool.ts` are PostgreSQL's part of it.
 */

/** A database in our own process answers at once: who asks in the middle of a computation need not stop for it. */
export interface ImmediateDb {
  queryNow<Row>(text: string, parameters: readonly unknown[]): QueryResult<Row>
  /** Runs statements that are run once, one after the other, keeping none of them. */
  scriptNow(statements: readonly string[]): void
  /** Undefined where the transaction has not held the thread for long. */
  turn(): Promise<void> | undefined
  /** Of the connection that writes, undefined for one that reads. */
  readonly seen: SeenRows | undefined
}

/** A transaction of PostgreSQL in which jobs that came together go one after the other. */
export interface SendingDb {
  /** Whether the job has asked for nothing yet. */
  readonly isAtStart: boolean
  /** Runs one whose best plan is the same for any parameters. */
  askNow<Row>(text: string, parameters: readonly unknown[]): Promise<QueryResult<Row>>
  /** Sends such a statement without waiting for it; what fails then fails the job. */
  sendNow<Row>(text: string, parameters: readonly unknown[], told?: Told<Row>): void
  readonly seen: SeenRows
}

/** Told of a statement nobody waits for, before anything is that was asked for behind it. */
export interface Told<Row> {
  take?(result: QueryResult<Row>): void
  /** Error to fail with instead of that of the database. */
  explain?(error: unknown): unknown
}

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
  if (isImmediate(db)) return db.queryNow<Row>(text, parameters)
  if (isSending(db)) return db.askNow<Row>(text, parameters)
  return db.executeQuery<Row>(
    CompiledQuery.raw(text, FixedParameters.from(parameters) as unknown[]),
  )
}

/**
 * Runs a text as `runText` does whose result nobody waits for. Its error may be told by a later statement, or by the end of
 * the job.
 */
export async function sendText<Row>(
  db: Db,
  text: string,
  parameters: readonly unknown[],
  told: Told<Row> = {},
): Promise<void> {
  if (isSending(db)) return db.sendNow(text, parameters, told)
  try {
    const result = await runText<Row>(db, text, parameters)
    told.take?.(result)
  } catch (error) {
    throw told.explain ? told.explain(error) : error
  }
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

/** The same at once, where the database is in this process; undefined where it is not. */
export function runSqlNow<Row>(
  db: Db,
  text: string,
  parameters: readonly unknown[],
): readonly Row[] | undefined {
  return isImmediate(db) ? db.queryNow<Row>(text, parameters).rows : undefined
}

/** A database that gives the rows of a statement page by page. */
export interface PagedDb {
  pagesOf<Row>(
    text: string,
    parameters: readonly unknown[],
    take: (rows: readonly Row[]) => void,
  ): Promise<void>
}

/** Rows that are taken in one go where the database gives all at once; then others have their turn. */
const ROWS_AT_ONCE = 1000

/**
 * Runs a text and hands its rows to `take` as they come, so that an answer can be made of them without holding them
 * all; between two pages others have their turn. `take` may throw, which ends it.
 */
export async function runPages<Row>(
  db: Db,
  text: string,
  parameters: readonly unknown[],
  take: (rows: readonly Row[]) => void,
): Promise<void> {
  if ('pagesOf' in db) return (db as Db & PagedDb).pagesOf(text, parameters, take)
  const rows = await runSql<Row>(db, text, parameters)
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve))
    take(rows.slice(at, at + ROWS_AT_ONCE))
  }
}

/**
 * Lets others have their turn, where a transaction of a database in our own process has kept the thread from them for long
 * enough. To be asked between two records of what may write many: others read what was committed before meanwhile, and
 * wait with what they write.
 */
export function takeTurn(tx: Db): Promise<void> | undefined {
  return isImmediate(tx) ? tx.turn() : undefined
}

/** Runs statements without parameters, in order; at once where the database is in this process. */
export async function runScript(db: Db, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  if (isImmediate(db)) db.scriptNow(statements.map((statement) => statement.compile(db).sql))
  else for (const statement of statements) await statement.execute(db)
}

/**
 * The text of a statement that differs by its number of rows alone. kysely takes longer to build one than
 * SQLite to run it, so `build` makes each but once, of rows with any values; those of more than `mostKept` rows
 * are made each time. Belongs to one kind of database; keep what it returns, and the number of rows small.
 */
export function textsByRows(
  build: (db: Db, rows: number) => CompiledQuery,
  mostKept = Number.POSITIVE_INFINITY,
): (db: Db, rows: number) => string {
  const texts = new Map<number, string>()
  return (db, rows) => {
    const known = texts.get(rows)
    if (known !== undefined) return known
    const text = build(db, rows).sql
    if (rows <= mostKept) texts.set(rows, text)
    return text
  }
}

/** So many rows that have these columns, each empty: for `build` of `textsByRows`. */
export function blankRows(columns: readonly string[], rows: number): Record<string, string>[] {
  const row = Object.fromEntries(columns.map((column) => [column, '']))
  return Array.from({ length: rows }, () => row)
}

/** Values of rows in the order in which `blankRows` made their columns. */
export function valuesOf<Row>(rows: readonly Row[], columns: readonly (keyof Row)[]): unknown[] {
  return rows.flatMap((row) => columns.map((column) => row[column]))
}

/**
 * Texts of statements by their shape, which says all that they differ in beside parameters. Clients ask for the same
 * few shapes over and over: when there are more than `most` all are forgotten.
 */
export function textsByShape(most: number): TextsByShape {
  const texts = new Map<string, string>()
  return (shape, build) => {
    const known = texts.get(shape)
    if (known !== undefined) return known
    const text = build().sql
    if (texts.size >= most) texts.clear()
    texts.set(shape, text)
    return text
  }
}

/** The text of a shape; `build` makes one that is not known. */
export type TextsByShape = (shape: string, build: () => CompiledQuery) => string

/**
 * What a query gives of a table at once, read once in the same way; undefined where nobody of this transaction has read it and the
 * database is not in this process.
 */
export function runSqlOnce<Row>(
  tx: Db,
  table: string,
  key: string,
  text: string,
  parameters: readonly unknown[],
): readonly Row[] | undefined {
  return readOnce(tx, table, key, () => runSqlNow<Row>(tx, text, parameters))
}

/** Whether a transaction is one of jobs on PostgreSQL, which sends together what is asked for at once. */
export function isSending(db: Db): db is Db & SendingDb {
  return 'sendNow' in db
}

function isImmediate(db: Db): db is Db & ImmediateDb {
  return 'queryNow' in db
}
