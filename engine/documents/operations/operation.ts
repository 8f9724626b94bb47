import { workerOf } from '../../access/actor.ts'
import { validationError } from '../../base/errors.ts'
import { asExpressionError } from '../../expression/sql/sql-errors.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import type { Db } from '../../storage/database/database.ts'
import { knownParts } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { finishWork, resultOf } from '../work/finish.ts'
import { type DocumentResult, presentResult } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import { startWork, type Work } from '../work/work.ts'
import { applyChange } from './change.ts'
import { previewOf } from './preview.ts'

export interface OperationOptions {
  /** Adds to the answer what is no part of the record. */
  readonly toAnswer?: (result: DocumentResult) => DocumentResult
  /** Kind of those that may share a transaction with it when they come at once. */
  readonly together?: string
}

/**
 * Runs one operation in one transaction: what it does, the events of all it touched, and the caller's own last word
 * (the idempotent answer). The job may run again when the database asks for a retry. A rehearsal answers with its `preview`, and leaves nothing.
 */
export function runOperation(
  context: Context,
  job: (work: Work) => Promise<Touched>,
  { toAnswer = (result) => result, together }: OperationOptions = {},
): Promise<DocumentResult> {
  const whole = async (work: Work): Promise<DocumentResult> => {
    const entry = await computable(async () => {
      const done = await job(work)
      await finishWork(work)
      return done
    })
    const result = withJobs(toAnswer(answerTo(context, entry)), work.jobs)
    if (context.isRehearsal) return { ...result, preview: await previewOf(work, entry, result) }
    await context.beforeCommit?.(work.tx, entry.current ? result : null)
    return result
  }
  return inWork(context, whole, together)
}

/** The answer with the jobs that go on with what it began, as `_jobs`. */
function withJobs(answer: DocumentResult, jobs: readonly string[]): DocumentResult {
  if (jobs.length === 0) return answer
  const record = { ...answer.record, _jobs: jobs.map((id) => ({ id })) }
  return { ...answer, record, json: JSON.stringify(record) }
}

/** The record of an operation as the caller knows it. */
function answerTo(context: Context, entry: Touched): DocumentResult {
  const { parts } = entry
  const { presenter } = knownParts(context, parts)
  const doc = entry.current ?? entry.start
  return presenter === parts.presenter || !doc ? resultOf(entry) : presentResult(presenter, doc)
}

/**
 * Several records changed in one transaction: all of them or, when one is refused, none. `accept` sees them before the
 * commit, within it; what it throws undoes them.
 */
export function runTogether(
  context: Context,
  job: (work: Work) => Promise<readonly Touched[]>,
  accept: (results: readonly DocumentResult[], tx: Db) => void | Promise<void> = () => undefined,
): Promise<readonly DocumentResult[]> {
  return inWork(context, (work) =>
    computable(async () => {
      const done = await job(work)
      await finishWork(work)
      const results = done.map((entry) => answerTo(context, entry))
      await accept(results, work.tx)
      return results
    }),
  )
}

/** Runs a job in one transaction, with a Work of its own; after the commit of events wakes who delivers them. */
export async function inWork<T>(
  context: Context,
  job: (work: Work) => Promise<T>,
  together?: string,
): Promise<T> {
  const { database, eventsCommitted, generation } = context.services
  const writer = writerOf(context)
  const whole = async (tx: Db): Promise<{ readonly value: T; readonly hasLogged: boolean }> => {
    const work = startWork(tx, context, applyChange)
    return { value: await job(work), hasLogged: work.logged.length > 0 }
  }
  if (context.isRehearsal) return (await database.rehearse(whole, writer)).value
  // Those who know the definitions otherwise read otherwise.
  const kind = together === undefined ? undefined : `${together} ${generation}`
  const { value, hasLogged } = await database.write(whole, writer, kind)
  if (hasLogged) eventsCommitted()
  return value
}

/** Whose work the writes are; those of the workspace itself, and of long work, are nobody's. */
function writerOf({ actor, isLongWork }: Context): string | undefined {
  return actor.kind === 'system' || isLongWork ? undefined : workerOf(actor)
}

/** Runs a job whose expressions may fail on the data: that is the data's fault, though no field of it can be named. */
async function computable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const known = asExpressionError(error)
    if (!(known instanceof ExpressionError)) throw error
    throw validationError([{ field: '', message: known.message, code: 'expression' }])
  }
}
