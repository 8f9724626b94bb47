import type { Logger } from 'pino'
import { isRefusal } from '../../engine/base/errors.ts'
import {
  type Period,
  runScheduled,
  scheduledActions,
} from '../../engine/documents/schedule/scheduled.ts'
import { runTick, type TickOptions } from '../../engine/documents/schedule/tick.ts'
import type { Engine } from '../../engine/index.ts'
import { type DailyJob, type JobOutcome, runDaily } from './daily-jobs.ts'
import { createTimetable, type OpenTimetable } from './timetable.ts'

export interface Scheduler {
  /** Does what is due now. Never rejects: what fails is logged and tried again. */
  look(): Promise<void>
  /** Starts nothing more and resolves when what runs has stopped. */
  stop(): Promise<void>
}

export interface SchedulerOptions {
  readonly jobs?: readonly DailyJob[]
  /** A new process first answers requests, then looks whether the day's work is done, in ms. */
  readonly firstLook?: number | undefined
  /** Wait after a failure until the next try, in ms; the one below: after a command was found to hold the jobs. */
  readonly retryAfter?: number
  readonly retryHeldAfter?: number
  /** Times at which due work is looked for: a cron pattern, in UTC. */
  readonly schedule?: string
  /** Start of the timetable, and the wait until the next try where that fails, in ms. */
  readonly openTimetable?: OpenTimetable
  readonly retryTimetableAfter?: number
  /** Called once, when the first look is over. */
  readonly afterFirstLook?: () => Promise<void>
}

const FIRST_LOOK = 5_000
const RETRY_AFTER = 30 * 60 * 1000
const RETRY_HELD_AFTER = 60 * 1000
/** Shortly after each full hour, UTC; the first one of a day is that of the work of the day. */
export const EVERY_HOUR = '2 * * * *'

type Warn = Pick<Logger, 'warn'>

/** The statuses that depend on today (overdue, expired). */
export function statusTick(engine: Engine, logger: Warn): DailyJob {
  return {
    name: 'status',
    run: (_day, signal) =>
      reporting(logger, 'the status could not be derived again', (onFailure) =>
        runTick(engine.services, { signal, onFailure }),
      ),
  }
}

/** The actions that the server runs by itself each day and each hour; what has none of them needs no job. */
export function scheduledJobs(engine: Engine, logger: Warn): DailyJob[] {
  const job = (name: string, period: Period): DailyJob => ({
    name,
    ...(period === 'hour' ? { every: period } : {}),
    run: (_day, signal) =>
      reporting(logger, 'a scheduled action could not be run', (onFailure) =>
        runScheduled(engine.services, { periods: [period], signal, onFailure }),
      ),
  })
  const has = (period: Period): boolean => scheduledActions(engine.services, [period]).length > 0
  return [
    ...(has('day') ? [job('actions', 'day')] : []),
    ...(has('hour') ? [job('actions-hourly', 'hour')] : []),
  ]
}

/** Logs what fails. Throws afterwards where something failed that no rule has refused. */
async function reporting(
  logger: Warn,
  message: string,
  run: (onFailure: NonNullable<TickOptions['onFailure']>) => Promise<object>,
): Promise<Readonly<Record<string, unknown>>> {
  let unexpected = 0
  const result = await run((doctype, name, err) => {
    // What a rule refuses it will refuse again; anything else (the database was away) is worth another try.
    if (!isRefusal(err)) unexpected += 1
    logger.warn({ err, doctype, name }, message)
  })
  if (unexpected > 0)
    throw new Error(`${unexpected} records were not refused by a rule, but failed otherwise`)
  return { ...result }
}

/** Does the work of every day and hour: after the start, where nobody has yet, and each full hour (UTC). */
export function startScheduler(
  engine: Engine,
  logger: Logger,
  {
    jobs = [statusTick(engine, logger)],
    firstLook = FIRST_LOOK,
    retryAfter = RETRY_AFTER,
    retryHeldAfter = RETRY_HELD_AFTER,
    schedule = EVERY_HOUR,
    openTimetable,
    retryTimetableAfter,
    afterFirstLook,
  }: SchedulerOptions = {},
): Scheduler {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let retry: NodeJS.Timeout | undefined

  /** Somebody has to look again where a job failed, or another process is at it and may die. */
  async function runAll(): Promise<void> {
    const waits: number[] = []
    for (const job of jobs) {
      if (stopping.signal.aborted) return
      const outcome = await tryJob(engine, job, logger, stopping.signal)
      if (outcome === 'held') waits.push(retryHeldAfter)
      else if (outcome !== 'done' && outcome !== 'done already') waits.push(retryAfter)
    }
    if (waits.length > 0) tryAgain(Math.min(...waits))
  }

  function tryAgain(wait: number): void {
    clearTimeout(retry)
    if (stopping.signal.aborted) return
    retry = setTimeout(look, wait)
    retry.unref()
  }

  function look(): Promise<void> {
    running = running.then(runAll)
    return running
  }

  const timetable = createTimetable({
    schedule,
    look,
    logger,
    open: openTimetable,
    retryAfter: retryTimetableAfter,
  })

  async function begin(): Promise<void> {
    await timetable.start()
    await look()
    if (!stopping.signal.aborted) await afterFirstLook?.()
  }

  const first = setTimeout(() => {
    begin().catch((err: unknown) => logger.error({ err }, 'the first look for work failed'))
  }, firstLook)
  first.unref()

  return {
    look,
    async stop() {
      stopping.abort()
      clearTimeout(first)
      clearTimeout(retry)
      timetable.stop()
      await running
    },
  }
}

/** Does a job and says how it ended, whatever happens. */
async function tryJob(
  engine: Engine,
  job: DailyJob,
  logger: Logger,
  signal: AbortSignal,
): Promise<JobOutcome> {
  try {
    const outcome = await runDaily(engine, job, logger, signal)
    if (outcome === 'held')
      logger.info({ job: job.name }, 'daily job waits for a command that holds it')
    return outcome
  } catch (err) {
    // The database itself is away: not even the claim could be taken or given back.
    logger.error({ err, job: job.name }, 'daily job could not run; it is tried again')
    return 'failed'
  }
}
