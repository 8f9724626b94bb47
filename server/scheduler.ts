import type { Logger } from 'pino'
import { runTick } from '../engine/documents/tick.ts'
import type { Engine } from '../engine/index.ts'
import { type DailyJob, runDaily } from './daily-jobs.ts'

export interface Scheduler {
  /** Starts nothing more and resolves when what runs has stopped. */
  stop(): Promise<void>
}

/** A new process first answers requests, then looks whether the day's work is done, in ms. */
const FIRST_LOOK = 5_000
/** How long after a failure it is tried again, in ms. */
const RETRY_AFTER = 30 * 60 * 1000
/** Shortly after midnight, UTC: the day that documents go by. */
const EVERY_DAY = '2 0 * * *'

/** The statuses that depend on today (overdue, expired). */
export function statusTick(engine: Engine, logger: Pick<Logger, 'warn'>): DailyJob {
  return {
    name: 'status',
    run: async (_day, signal) => ({
      ...(await runTick(engine.services, {
        signal,
        onFailure: (doctype, name, err) =>
          logger.warn({ err, doctype, name }, 'the status could not be derived again'),
      })),
    }),
  }
}

/** Does the work of every day: after the start, where nobody has yet, and each midnight (UTC). */
export function startScheduler(engine: Engine, logger: Logger): Scheduler {
  const stopping = new AbortController()
  const jobs = [statusTick(engine, logger)]
  let running: Promise<void> = Promise.resolve()
  let retry: NodeJS.Timeout | undefined
  let stopCron: (() => void) | undefined

  async function runAll(): Promise<void> {
    for (const job of jobs) {
      if (stopping.signal.aborted) return
      const outcome = await runDaily(engine, job, logger, stopping.signal)
      if (outcome !== 'failed' && outcome !== 'claimed elsewhere') continue
      clearTimeout(retry)
      retry = setTimeout(start, RETRY_AFTER)
      retry.unref()
    }
  }

  function start(): void {
    running = running
      .then(runAll)
      .catch((err: unknown) => logger.error({ err }, 'the scheduler could not run'))
  }

  const first = setTimeout(async () => {
    // Only a process that stays pays for loading the library.
    const { Cron } = await import('croner')
    if (stopping.signal.aborted) return
    const cron = new Cron(EVERY_DAY, { timezone: 'UTC', unref: true }, start)
    stopCron = () => cron.stop()
    start()
  }, FIRST_LOOK)
  first.unref()

  return {
    async stop() {
      stopping.abort()
      clearTimeout(first)
      clearTimeout(retry)
      stopCron?.()
      await running
    },
  }
}
