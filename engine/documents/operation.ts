import { validationError } from '../base/errors.ts'
import { ExpressionError } from '../expression/problem.ts'
import { asExpressionError } from '../expression/sql-errors.ts'
import { applyChange } from './change.ts'
import type { Context, DocumentResult } from './context.ts'
import { finishWork, resultOf } from './finish.ts'
import { startWork, type Touched, type Work } from './work.ts'

/**
 * One operation in one transaction: what it does, the events of all it touched, and the caller's own last
 * word (the idempotent answer). The job may run again when the database asks for a retry. `toAnswer` adds
 * to the answer what is no part of the record.
 */
export function runOperation(
  context: Context,
  job: (work: Work) => Promise<Touched>,
  toAnswer: (result: DocumentResult) => DocumentResult = (result) => result,
): Promise<DocumentResult> {
  return context.services.database.write(async (tx) => {
    const work = startWork(tx, context, applyChange)
    const entry = await computable(async () => {
      const done = await job(work)
      await finishWork(work)
      return done
    })
    const result = toAnswer(resultOf(entry))
    await context.beforeCommit?.(tx, entry.current ? result : null)
    return result
  })
}

/** An expression that cannot go on with the data is the data's fault, also where no field of it can be named. */
async function computable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const known = asExpressionError(error)
    if (!(known instanceof ExpressionError)) throw error
    throw validationError([{ field: '', message: known.message }])
  }
}
