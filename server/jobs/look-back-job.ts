import type { LookBackInput } from '../../engine/documents/history/look-later.ts'
import { lookOn } from '../../engine/documents/operations/look-on.ts'
import type { JobRun } from './job-run.ts'

/** Difference rows of one transaction. */
const AT_ONCE = 200

/**
 * Posts the difference rows that a late posting has left to it. What is still to be posted follows from the ledgers alone, so
 * after a crash it goes on where they are.
 */
export async function runLookBack(run: JobRun): Promise<object> {
  const input = JSON.parse(run.row.input) as LookBackInput
  for (;;) {
    const posted = await lookOn(run.context, input, AT_ONCE)
    if (posted === 0) break
    await run.through(run.row.place + posted, posted, [])
  }
  await run.setTotal(run.row.done)
  return {}
}
