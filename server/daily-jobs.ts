import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Clock } from '../engine/base/clock.ts'
import type { Engine } from '../engine/index.ts'
import type { Database, Db } from '../engine/storage/database.ts'
import { readSetting, writeSetting } from '../engine/storage/settings.ts'

/** Work of every day, done once for the workspace however many processes serve it. */
export interface DailyJob {
  /** Part of the name of its claim. */
  readonly name: string
  /** Does it; to do it twice does no harm. `day` is YYYY-MM-DD, UTC. Returns what is worth a line of the log. */
  run(day: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>
}

/** What `svc_settings` keeps of a job: for which day it was claimed last, by whom, and whether it was done. */
interface Claim {
  readonly day: string
  readonly state: 'running' | 'done'
  readonly at: number
  readonly by: string
}

/** A claim whose process has died may be taken over after this long, in ms. */
const TAKE_OVER_AFTER = 30 * 60 * 1000

export type JobOutcome = 'done' | 'claimed elsewhere' | 'done already' | 'failed'

/**
 * Runs a job for today unless this or another process has. A job that fails gives its claim back, so that the
 * next try may have it; one whose process is killed is taken over after half an hour.
 */
export async function runDaily(
  engine: Engine,
  job: DailyJob,
  logger: Pick<Logger, 'info' | 'error'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<JobOutcome> {
  const { database, clock } = engine.services
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  const refused = await claim(database, clock, job, day)
  if (refused) return refused
  try {
    const result = await job.run(day, signal)
    const state = signal.aborted ? 'running' : 'done'
    await database.write((tx) => write(tx, clock, job, day, state, signal.aborted ? 0 : undefined))
    logger.info({ job: job.name, day, ...result }, 'daily job done')
    return 'done'
  } catch (err) {
    logger.error({ err, job: job.name, day }, 'daily job failed; it is tried again')
    await database.write((tx) => write(tx, clock, job, day, 'running', 0))
    return 'failed'
  }
}

const keyOf = ({ name }: DailyJob): string => `daily:${name}`

async function claim(
  database: Database,
  clock: Clock,
  job: DailyJob,
  day: string,
): Promise<JobOutcome | undefined> {
  // The usual case of every start: a look without a write.
  const last = await readClaim(database.read, job)
  if (last?.day === day && last.state === 'done') return 'done already'
  return database.write(async (tx) => {
    const known = await lockClaim(tx, database, job)
    if (known?.day === day && known.state === 'done') return 'done already'
    if (known?.day === day && clock.now() - known.at < TAKE_OVER_AFTER) return 'claimed elsewhere'
    await write(tx, clock, job, day, 'running')
    return undefined
  })
}

/** SQLite's writer is alone; on PostgreSQL the row is made first, so that there is one to lock. */
async function lockClaim(tx: Db, { kind }: Database, job: DailyJob): Promise<Claim | undefined> {
  if (kind === 'postgres') {
    await tx
      .insertInto('svc_settings')
      .values({ key: keyOf(job), value: '' })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    await tx
      .selectFrom('svc_settings')
      .select('key')
      .where('key', '=', keyOf(job))
      .forUpdate()
      .execute()
  }
  return readClaim(tx, job)
}

async function readClaim(db: Db, job: DailyJob): Promise<Claim | undefined> {
  const text = await readSetting(db, keyOf(job))
  return text ? (JSON.parse(text) as Claim) : undefined
}

function write(
  tx: Db,
  clock: Clock,
  job: DailyJob,
  day: string,
  state: Claim['state'],
  at: number = clock.now(),
): Promise<void> {
  const by = `${hostname()}:${process.pid}`
  return writeSetting(tx, keyOf(job), JSON.stringify({ day, state, at, by } satisfies Claim))
}
