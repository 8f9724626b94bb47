import type { Logger } from 'pino'

/** Starts something that calls `look` at the times of a cron pattern, in UTC, and returns what ends it. */
export type OpenTimetable = (schedule: string, look: () => Promise<void>) => Promise<() => void>

export interface TimetableOptions {
  /** Cron pattern, e.g. `2 * * * *`. */
  readonly schedule: string
  readonly look: () => Promise<void>
  readonly logger: Pick<Logger, 'warn'>
  readonly open?: OpenTimetable | undefined
  /** Wait until it is tried again to start one that could not be, in ms. */
  readonly retryAfter?: number | undefined
}

export interface Timetable {
  /** Starts it, and resolves after the first try. Never rejects: what fails is logged and tried again. */
  start(): Promise<void>
  stop(): void
}

const RETRY_AFTER = 60 * 1000

/** Only a process that stays pays for loading the library. */
async function openCron(schedule: string, look: () => Promise<void>): Promise<() => void> {
  const { Cron } = await import('croner')
  const cron = new Cron(schedule, { timezone: 'UTC', unref: true }, look)
  return () => cron.stop()
}

/**
 * The times at which work is looked for. Where they cannot be set up (no more files can be opened, no memory) it is tried
 * again: else nothing of the day would be done for the life of the process.
 */
export function createTimetable({
  schedule,
  look,
  logger,
  open = openCron,
  retryAfter = RETRY_AFTER,
}: TimetableOptions): Timetable {
  let end: (() => void) | undefined
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  async function start(): Promise<void> {
    try {
      const opened = await open(schedule, look)
      if (isStopped) opened()
      else end = opened
    } catch (err) {
      logger.warn(
        { err },
        'the timetable of the daily work could not be started; it is tried again',
      )
      if (isStopped) return
      retry = setTimeout(() => void start(), retryAfter)
      retry.unref()
    }
  }

  return {
    start,
    stop() {
      isStopped = true
      clearTimeout(retry)
      end?.()
    },
  }
}
