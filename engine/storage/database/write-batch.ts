import type { Db } from './database.ts'
import { takeTurn } from './statements.ts'

/** A write that waits for its turn, or for the commit of its batch. */
export interface Job {
  /** Who it is for; empty for the workspace itself. */
  readonly person: string
  readonly run: (tx: Db) => Promise<unknown>
  /** Whether all that it wrote is taken back though it succeeds. */
  readonly isRehearsal: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

interface Success {
  readonly job: Job
  readonly value: unknown
}

interface Failure {
  readonly job: Job
  readonly reason: unknown
  readonly failed: true
}

type Outcome = Success | Failure

/** The statements a queue speaks beside its jobs: synchronous, on the connection `tx` writes to. */
export interface QueueConnection {
  readonly tx: Db
  /** Statements that have written since the connection was opened, those of definitions too. */
  written(): number
  /** Time for which others had their turn in the middle of jobs since the connection was opened, in ms. */
  waited(): number
  /** Whether the transaction is open; false once SQLite has rolled it back by itself. */
  inTransaction(): boolean
  begin(): void
  savepoint(): void
  release(): void
  rollbackToSavepoint(): void
  commit(): void
  rollback(): void
}

/** Where the jobs of a batch come from. */
export interface JobSource {
  /** The job whose turn it is; undefined when the batch takes no more. */
  next(): Job | undefined
  /** All that wait, which are then taken. */
  rest(): readonly Job[]
  /** Told how long a job of somebody has worked, in ms. */
  onWork(person: string, ms: number): void
}

/**
 * Runs a batch, and begins it again without a job that made SQLite take the whole transaction back (disk full, I/O
 * error, `or rollback`): what the others wrote is gone with it, and what came next would commit by itself.
 */
export async function runBatch(connection: QueueConnection, source: JobSource): Promise<void> {
  let batch: Job[] = []
  let lost = await tryBatch(connection, source, batch, true)
  while (lost) {
    const { job, reason } = lost
    job.reject(reason)
    batch = batch.filter((one) => one !== job)
    if (batch.length === 0) return
    lost = await tryBatch(connection, source, batch, false)
  }
}

/**
 * Runs, commits and answers; returns the job that lost the transaction, when one did: no other is answered then. A batch
 * that `grows` takes its jobs as it goes.
 */
async function tryBatch(
  connection: QueueConnection,
  source: JobSource,
  batch: Job[],
  grows: boolean,
): Promise<Failure | undefined> {
  try {
    begin(connection, source, batch)
    let outcomes = grows ? await runTogether(connection, source, batch) : undefined
    if (!outcomes) {
      if (grows) {
        connection.rollback()
        connection.begin()
      }
      outcomes = await runApart(connection, source, batch)
    }
    if (!Array.isArray(outcomes)) return outcomes
    // What was only rehearsed leaves no byte of the file another.
    if (batch.every(({ isRehearsal }) => isRehearsal)) connection.rollback()
    else connection.commit()
    for (const outcome of outcomes) answer(outcome)
  } catch (reason) {
    rollbackQuietly(connection)
    for (const job of batch) job.reject(reason)
  }
  return undefined
}

/** Begins; where that fails nobody who waits would fare better, and each would wait as long for it. */
function begin(connection: QueueConnection, source: JobSource, batch: Job[]): void {
  try {
    connection.begin()
  } catch (reason) {
    batch.push(...source.rest())
    throw reason
  }
}

function answer(outcome: Outcome): void {
  if ('failed' in outcome) outcome.job.reject(outcome.reason)
  else outcome.job.resolve(outcome.value)
}

/**
 * Runs the jobs without savepoints, which is the usual case: no job fails, or it fails before it has written
 * anything, as a refused request does. Each savepoint would make the search index write out its pages; a rehearsal has
 * one of its own. undefined when another job failed after a write, which only a savepoint can take back.
 */
async function runTogether(
  connection: QueueConnection,
  source: JobSource,
  batch: Job[],
): Promise<Outcome[] | Failure | undefined> {
  const outcomes: Outcome[] = []
  for (let job = source.next(); job; job = source.next()) {
    batch.push(job)
    await takeTurn(connection.tx)
    if (job.isRehearsal) connection.savepoint()
    const before = connection.written()
    const outcome = await run(connection, source, job)
    if ('failed' in outcome && !connection.inTransaction()) return outcome
    if (job.isRehearsal) connection.rollbackToSavepoint()
    else if ('failed' in outcome && connection.written() !== before) return undefined
    outcomes.push(outcome)
  }
  return outcomes
}

/** Runs every job in a savepoint of its own: one that fails takes back what it wrote, and only that. */
async function runApart(
  connection: QueueConnection,
  source: JobSource,
  batch: readonly Job[],
): Promise<Outcome[] | Failure> {
  const outcomes: Outcome[] = []
  for (const job of batch) {
    await takeTurn(connection.tx)
    connection.savepoint()
    const outcome = await run(connection, source, job)
    if ('failed' in outcome && !connection.inTransaction()) return outcome
    if ('failed' in outcome || job.isRehearsal) connection.rollbackToSavepoint()
    else connection.release()
    outcomes.push(outcome)
  }
  return outcomes
}

async function run(connection: QueueConnection, source: JobSource, job: Job): Promise<Outcome> {
  const began = performance.now() - connection.waited()
  try {
    const value = await job.run(connection.tx)
    if (connection.inTransaction()) return { job, value }
    throw new Error('a job swallowed the error with which SQLite took its transaction back')
  } catch (reason) {
    return { job, reason, failed: true }
  } finally {
    source.onWork(job.person, performance.now() - connection.waited() - began)
  }
}

/** Rolls back without an error: the commit's own is what callers must see; SQLite may have rolled back by itself. */
function rollbackQuietly(connection: QueueConnection): void {
  try {
    connection.rollback()
  } catch {
    return
  }
}
