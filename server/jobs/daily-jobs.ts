import type { Logger } from 'pino'
import type { Clock } from '../../engine/base/clock.ts'
import { isGone, newLeaseName } from '../../engine/base/lease-name.ts'
import type { Engine } from '../../engine/index.ts'
import type { Database, Db } from '../../engine/storage/database/database.ts'
import {
  lockSetting,
  readSetting,
  settingsBelow,
  writeSetting,
} from '../../engine/storage/workspace/settings.ts'
import { areJobsHeld, lockAgainstHold } from './daily-hold.ts'

/** Work of every day or hour, done once for the workspace however many processes serve it. */
export interface DailyJob {
  /** Part of the name of its claim. */
  readonly name: string
  /** `hour` for work that is done more often than once a day. */
  readonly every?: 'hour'
  /**
   * Does it; to do it twice does no harm. `day` is YYYY-MM-DD, with THH for an hour, UTC. Returns what is worth a
   * line of the log.
   */
  run(day: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>
}

/** Claim of a job in `svc_settings`: the day (or hour) it was claimed for last, by whom, and whether it was done. */
interface Claim {
  readonly day: string
  readonly state: 'running' | 'done'
  readonly at: number
  readonly by: string
}

/** A claim whose process has died may be taken over after this long, in ms. */
const TAKE_OVER_AFTER = 30 * 60 * 1000
/** Time after which a process that is at it says so again, in ms: work of hours is not begun by a second one. */
const RENEW_AFTER = 5 * 60 * 1000

export type JobOutcome =
  | 'done'
  | 'held'
  | 'claimed elsewhere'
  | 'done already'
  | 'stopped'
  | 'failed'

/** Names of the jobs that some process is at now, as far as is known. */
export async function runningJobs({ read }: Database, clock: Clock): Promise<readonly string[]> {
  return [...(await settingsBelow(read, PREFIX))].flatMap(([key, value]) => {
    const claim = claimIn(value)
    const runs =
      claim?.state === 'running' && clock.now() - claim.at < TAKE_OVER_AFTER && !isGone(claim.by)
    return runs ? [key.slice(PREFIX.length)] : []
  })
}

/**
 * Runs a job for today, or this hour, unless this or another process has, or a command holds all of them. A job
 * that fails gives its claim back, so that the next try may have it; one whose process is killed is taken over
 * after half an hour: a process that is at it renews its claim.
 */
export async function runDaily(
  engine: Engine,
  job: DailyJob,
  logger: Pick<Logger, 'info' | 'error'>,
  signal: AbortSignal = new AbortController().signal,
  renewAfter: number = RENEW_AFTER,
): Promise<JobOutcome> {
  const { database, clock } = engine.services
  const now = new Date(clock.now()).toISOString()
  const day = now.slice(0, job.every === 'hour' ? '2026-03-09T12'.length : '2026-03-09'.length)
  const claimed = await claim(database, clock, job, day)
  if (typeof claimed === 'string') return claimed
  const say = (state: Claim['state'], at: number): Promise<void> =>
    database.write((tx) => writeClaim(tx, database, job, { ...claimed, state, at }))
  const renewing = renew(() => say('running', clock.now()), renewAfter)
  const end = async (state: Claim['state'], at = 0): Promise<void> => {
    await renewing.stop()
    await say(state, at)
  }
  try {
    const result = await job.run(day, signal)
    if (signal.aborted) {
      await end('running')
      logger.info({ job: job.name, day, ...result }, 'daily job stopped before its end')
      return 'stopped'
    }
    await end('done', clock.now())
    logger.info({ job: job.name, day, ...result }, 'daily job done')
    return 'done'
  } catch (err) {
    logger.error({ err, job: job.name, day }, 'daily job failed; it is tried again')
    await end('running')
    return 'failed'
  } finally {
    await renewing.stop()
  }
}

/**
 * Does something again and again until it is stopped, once at a time however long it takes. Where the database is away the
 * job itself finds out.
 */
function renew(again: () => Promise<void>, every: number): { stop(): Promise<void> } {
  let underWay: Promise<void> | undefined
  const once = async (): Promise<void> => {
    await again().catch(() => undefined)
    underWay = undefined
  }
  const timer = setInterval(() => {
    underWay ??= once()
  }, every)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}

const PREFIX = 'daily:'

const keyOf = ({ name }: DailyJob): string => PREFIX + name

async function claim(
  database: Database,
  clock: Clock,
  job: DailyJob,
  day: string,
): Promise<Claim | JobOutcome> {
  // The usual case of every start: a look without a write.
  const last = await readClaim(database.read, job)
  if (last?.day === day && last.state === 'done') return 'done already'
  if (await areJobsHeld(database.read)) return 'held'
  return database.write(async (tx) => {
    if (await lockAgainstHold(tx, database)) return 'held'
    const known = await lockClaim(tx, database, job)
    if (known?.day === day && known.state === 'done') return 'done already'
    if (known?.day === day && clock.now() - known.at < TAKE_OVER_AFTER) return 'claimed elsewhere'
    const mine: Claim = { day, state: 'running', at: clock.now(), by: newLeaseName() }
    await writeSetting(tx, keyOf(job), JSON.stringify(mine))
    return mine
  })
}

/** Says how far a claim is, unless another process has taken it over meanwhile. */
async function writeClaim(tx: Db, database: Database, job: DailyJob, mine: Claim): Promise<void> {
  const known = await lockClaim(tx, database, job)
  if (known?.by === mine.by) await writeSetting(tx, keyOf(job), JSON.stringify(mine))
}

async function lockClaim(tx: Db, database: Database, job: DailyJob): Promise<Claim | undefined> {
  await lockSetting(tx, database, keyOf(job))
  return readClaim(tx, job)
}

async function readClaim(db: Db, job: DailyJob): Promise<Claim | undefined> {
  return claimIn(await readSetting(db, keyOf(job)))
}

function claimIn(text: string | undefined): Claim | undefined {
  try {
    return text ? (JSON.parse(text) as Claim) : undefined
  } catch {
    // Whatever it is, it is no claim.
    return undefined
  }
}
