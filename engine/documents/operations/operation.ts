import { type Actor, workerOf } from '../../access/actor.ts'
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

/**
 * Runs one operation in one transaction: what it does, the events of all it touched, and the caller's own last word
 * (the idempotent answer). The job may run again when the database asks for a retry. `toAnswer` adds to the answer
 * what is no part of the record. A rehearsal answers with its `preview`, and leaves nothing.
 */
export function runOperation(
  context: Context,
  job: (work: Work) => Promise<Touched>,
  toAnswer: (result: DocumentResult) => DocumentResult = (result) => result,
): Promise<DocumentResult> {
  return inWork(context, async (work) => {
    const entry = await computable(async () => {
      const done = await job(work)
      await finishWork(work)
      return done
    })
    const result = toAnswer(answerTo(context, entry))
    if (context.isRehearsal) return { ...result, preview: await previewOf(work, entry, result) }
    await context.beforeCommit?.(work.tx, entry.current ? result : null)
    return result
  })
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
 * commit, in its transaction; what it throws undoes them.
 */
export function runTogether(
  context: Context,
  job: (work: Work) => Promise<readonly Touched[]>,
  accept: (results: readonly DocumentResult[], tx: Db) => Promise<void> | void = () => undefined,
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
export async function inWork<T>(context: Context, job: (work: Work) => Promise<T>): Promise<T> {
  const { database, eventsCommitted } = context.services
  const writer = writerOf(context.actor)
  const whole = async (tx: Db): Promise<{ readonly value: T; readonly hasLogged: boolean }> => {
    const work = startWork(tx, context, applyChange)
    return { value: await job(work), hasLogged: work.logged.length > 0 }
  }
  if (context.isRehearsal) return (await database.rehearse(whole, writer)).value
  const { value, hasLogged } = await database.write(whole, writer)
  if (hasLogged) eventsCommitted()
  return value
}

/** Whose work the writes of an actor are; those of the workspace itself are nobody's. */
function writerOf(actor: Actor): string | undefined {
  return actor.kind === 'system' ? undefined : workerOf(actor)
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
