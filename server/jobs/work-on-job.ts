import type { Logger } from 'pino'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError, isRefusal } from '../../engine/base/errors.ts'
import { logJob } from '../../engine/documents/work/log-job.ts'
import type { Engine } from '../../engine/index.ts'
import {
  findJob,
  type JobChange,
  type JobRow,
  updateJob,
} from '../../engine/storage/workspace/jobs.ts'
import { isUnavailable } from '../http/unavailable.ts'
import { contextOfJob } from './job-principal.ts'
import { endingOf, type JobKinds, startRun } from './job-run.ts'

/** What a worker works with. */
export interface Workplace {
  readonly engine: Engine
  readonly logger: Pick<Logger, 'warn' | 'error'>
  readonly kinds: JobKinds
  /** Time a job is kept from other workers without a sign of life, in ms. */
  readonly leaseMs: number
  /** Name under which the worker holds its jobs. */
  readonly worker: string
  /** Whether the process ends. */
  readonly isEnding: () => boolean
}

/** Wait of a job that cannot go on just now, in ms, and times that a job may break off without having come on. */
const RETRY = 5_000
const MOST_TRIES = 3

/**
 * Works on a job that the worker holds, to its end or as far as it comes, and writes down how that was; false where that could not be
 * written: the worker may hold it still. Never rejects.
 */
export async function workOn(at: Workplace, row: JobRow): Promise<boolean> {
  const release = keepLease(at, row.id)
  try {
    await end(at, row, 'done', await resultOf(at, row))
    return true
  } catch (error) {
    return await settle(at, row, error).then(
      () => true,
      (err: unknown) => {
        at.logger.error({ err, job: row.id }, 'jobs: what became of a job could not be written')
        return false
      },
    )
  } finally {
    release()
  }
}

/** Keeps the job while a single record takes long. */
function keepLease({ engine, logger, leaseMs, worker }: Workplace, id: string): () => void {
  const { database, clock } = engine.services
  const timer = setInterval(() => {
    database
      .write((tx) => updateJob(tx, id, { due: clock.now() + leaseMs }, worker))
      .catch((err: unknown) => logger.warn({ err, job: id }, 'jobs: a lease could not be kept'))
  }, leaseMs / 3)
  timer.unref()
  return () => clearInterval(timer)
}

async function resultOf(at: Workplace, row: JobRow): Promise<object> {
  const context = await contextOfJob(at.engine, row.principal)
  if (!context)
    throw new AppError(
      'FORBIDDEN',
      'who asked for it may not sign in any more, or the key has ended',
    )
  const work = at.kinds[row.kind]
  if (!work) throw new AppError('NOT_FOUND', `there is no kind of job called ${row.kind}`)
  return work(await startRun({ ...at, row, context }))
}

/** Refusals that say to come again later: a disk that is full, a minute that is used up. */
function isForLater(error: unknown): boolean {
  return error instanceof AppError && ['UNAVAILABLE', 'RATE_LIMITED'].includes(error.code)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function settle(at: Workplace, row: JobRow, error: unknown): Promise<void> {
  const { engine, logger } = at
  const now = engine.services.clock.now()
  const ending = endingOf(error)
  if (ending?.why === 'taken' && !(await isHeld(at, row))) return
  if (ending?.why === 'stopped') return end(at, row, 'stopped', { message: 'stopped' })
  if (ending?.why === 'paused') return giveBack(at, row, { due: now })
  if (isUnavailable(error) || isForLater(error)) {
    logger.warn(
      { err: error, job: row.id },
      'jobs: a job cannot go on just now, and is tried again',
    )
    return giveBack(at, row, {
      due: now + RETRY,
      result: JSON.stringify({ message: messageOf(error) }),
    })
  }
  if (isRefusal(error)) return end(at, row, 'failed', { message: error.message })
  logger.error({ err: error, job: row.id }, 'jobs: a job broke off')
  if (row.tries + 1 < MOST_TRIES)
    return giveBack(at, row, { due: now + RETRY, tries: row.tries + 1 })
  const message = 'it broke off several times; the log of the server tells why'
  await end(at, row, 'failed', { message })
}

/** Whether the worker holds the job: what looked like another at work on it was none then. */
async function isHeld({ engine, worker }: Workplace, { id }: JobRow): Promise<boolean> {
  return (await findJob(engine.services.database.read, id))?.leased_by === worker
}

async function giveBack(
  { engine, worker }: Workplace,
  { id }: JobRow,
  change: Pick<JobChange, 'due' | 'tries' | 'result'>,
): Promise<void> {
  const given = { ...change, leased_by: null }
  await engine.services.database.write((tx) => updateJob(tx, id, given, worker))
}

/** Ends a job, and tells of it. */
async function end(
  { engine, worker }: Workplace,
  { id, principal }: JobRow,
  state: 'done' | 'failed' | 'stopped',
  result: object,
): Promise<void> {
  const { services } = engine
  const { actor } = (await contextOfJob(engine, principal)) ?? { actor: SYSTEM_ACTOR }
  const now = isoDateTime(services.clock)
  await services.database.write(async (tx) => {
    const row = await findJob(tx, id)
    if (!row) return
    const { done, failed } = row
    const text = JSON.stringify({ succeeded: done - failed, failed, ...result })
    const change = { state, result: text, due: null, leased_by: null, modified: now } as const
    if (!(await updateJob(tx, id, change, worker))) return
    await logJob(tx, { services, actor }, now, state, { ...row, state })
  })
  services.eventsCommitted()
}
