import { SYSTEM_ACTOR } from '../../access/actor.ts'
import { newId } from '../../base/ids.ts'
import type { Db } from '../../storage/database/database.ts'
import { lastRid } from '../../storage/finding/record-names.ts'
import {
  insertJob,
  type JobRow,
  jobOfKind,
  queuedJob,
  updateJob,
} from '../../storage/workspace/jobs.ts'
import type { Services } from '../work/context.ts'
import { isToldAgain, logJob } from '../work/log-job.ts'
import type { FillTask } from './fill-tasks.ts'

/** Kind of the job that shows the filling of fields. */
export const FILL = 'fill'

/** As whom it acts: the workspace itself. */
const OF_WORKSPACE = JSON.stringify({ kind: 'system' })

/** A filling as the list of jobs shows it. */
export interface FillJob {
  /**
   * Writes that all up to a record of a task are through, in the transaction of the page; without a task, that all are. False where
   * somebody has stopped it, which is written then and holds for this process.
   */
  reached(tx: Db, at: number | undefined, record: number): Promise<boolean>
}

/**
 * Makes what shows the filling of these columns as a job, which no worker claims: what fills are all processes that have the
 * definitions, in turns. One that was stopped before this process began holds no longer.
 */
export function fillJob(
  services: Services,
  tasks: readonly FillTask[],
  columns: readonly string[],
): FillJob {
  const { clock } = services
  const context = { services, actor: SYSTEM_ACTOR }
  const began = clock.now()
  let sizes: readonly number[] | undefined
  const total = (): number => sum(sizes ?? [])

  async function end(tx: Db, row: JobRow, state: 'done' | 'stopped'): Promise<void> {
    const modified = new Date(clock.now()).toISOString()
    const done = state === 'done' ? row.total : row.done
    const result = JSON.stringify({ succeeded: done, failed: 0, columns })
    await updateJob(tx, row.id, { state, done, result, modified })
    await logJob(tx, context, modified, state, { ...row, state, done })
  }

  async function opened(tx: Db, found: JobRow | undefined): Promise<JobRow | undefined> {
    if (found?.state === 'running' && found.stop_asked === 0) return found
    // Stopped while this process fills: of this one, or of another that has written it.
    if (found && Date.parse(found.modified) > began) {
      if (found.state === 'running') await end(tx, found, 'stopped')
      if (found.stop_asked === 1) return undefined
    } else if (found?.state === 'running') await end(tx, found, 'stopped')
    const now = clock.now()
    const wanted = {
      ...{ id: newId('job', now), kind: FILL, owner: SYSTEM_ACTOR.id, principal: OF_WORKSPACE },
      ...{ resource: '', input: JSON.stringify({ columns }), total: total() },
    }
    const row: JobRow = { ...queuedJob(wanted, now), state: 'running', due: null }
    await insertJob(tx, row)
    return row
  }

  return {
    async reached(tx, at, record) {
      sizes ??= await sizesOf(tx, tasks)
      const found = await jobOfKind(tx, FILL)
      // Another process has said already that all is done.
      if (at === undefined && found?.state !== 'running') return true
      const row = await opened(tx, found)
      if (!row) return false
      if (at === undefined) {
        await end(tx, row, 'done')
        return true
      }
      const done = Math.min(sum(sizes.slice(0, at)) + record, row.total)
      if (done <= row.done) return true
      const modified = new Date(clock.now()).toISOString()
      await updateJob(tx, row.id, { done, modified })
      if (isToldAgain(row, done))
        await logJob(tx, context, modified, 'progressed', { ...row, done })
      return true
    },
  }
}

async function sizesOf(tx: Db, tasks: readonly FillTask[]): Promise<readonly number[]> {
  const sizes: number[] = []
  for (const { definition } of tasks) sizes.push(await lastRid(tx, definition))
  return sizes
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
