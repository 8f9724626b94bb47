import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../engine/base/errors.ts'
import { beginFilling, type FillStep, fillNext } from '../../engine/documents/start/fill-next.ts'
import { fillPlanOf } from '../../engine/documents/start/fill-tasks.ts'
import { isSuperseded } from '../../engine/documents/start/filling.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import { awaitStanding } from '../../engine/storage/database/commit-order.ts'
import { readUnfilled } from '../../engine/storage/migration/schema-store.ts'
import { findJob } from '../../engine/storage/workspace/jobs.ts'
import { endingOf, JobEnds, type JobRun, type RunJob } from './job-run.ts'

export interface FillOptions {
  /** Records of one transaction. */
  readonly pageSize?: number
  /** Rest between two pages, in ms, in which others write. */
  readonly restMs?: number
  /** Callback with a sentence about each task that is through. */
  readonly onProgress?: (line: string) => void
}

/**
 * Makes what gives waiting columns their values: pages by the number of the record, each with its place in the transaction
 * of the job, so whoever goes on begins behind the last one. It never fails: what keeps a page from being written is told, and
 * it is tried again until somebody stops it.
 */
export function fillJob({
  pageSize = 100,
  restMs = 5,
  onProgress = () => undefined,
}: FillOptions = {}): RunJob {
  return async function runFill(run) {
    const { services } = run.engine
    try {
      const columns = await fillAll(run, services, { pageSize, restMs, onProgress })
      services.unfilled.set([])
      return { columns }
    } catch (error) {
      throw await turned(error, run, services)
    }
  }
}

/** Gives all that waits its values; returns which columns that was. */
async function fillAll(
  run: JobRun,
  services: Services,
  { pageSize, restMs, onProgress }: Required<FillOptions>,
): Promise<readonly string[]> {
  const { database, program, unfilled } = services
  const waiting = await readUnfilled(database.read)
  if (waiting.length === 0) return []
  // What an older process has begun, it may still commit; all later changes are refused to it.
  await awaitStanding(database.read, database.kind, 'svc_events')
  const plan = fillPlanOf(program, waiting)
  const columns = [...plan.columns]
  unfilled.set(columns)
  const filling = await beginFilling(services, plan)
  await run.setTotal(filling.sizes.reduce((all, one) => all + one, 0))
  let changed = 0
  for (;;) {
    let step: FillStep | undefined
    await run.piece(async (tx) => {
      step = await fillNext(tx, filling, pageSize)
      return { place: step.done, done: step.done, failed: 0 }
    })
    changed += step!.changed
    if (step!.isLast) {
      if (changed > 0) onProgress(`gave ${changed} records their ${step!.task?.name}`)
      changed = 0
    }
    if (step!.isOver) return columns
    if (restMs > 0) await sleep(restMs)
  }
}

/** What an error means: an end that was asked for, newer definitions that others go on by, or what is tried again. */
async function turned(error: unknown, run: JobRun, services: Services): Promise<Error> {
  const ending = endingOf(error)
  if (ending) return ending
  const { read } = services.database
  if (await isSuperseded(services)) return new JobEnds('paused')
  if ((await findJob(read, run.row.id))?.stop_asked === 1) return new JobEnds('stopped')
  const reason = error instanceof Error ? error.message : String(error)
  return new AppError('UNAVAILABLE', reason, { cause: error })
}
