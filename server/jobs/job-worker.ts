import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isGone, newLeaseName } from '../../engine/base/lease-name.ts'
import { startTurns } from '../../engine/base/turns.ts'
import { isSuperseded } from '../../engine/documents/start/filling.ts'
import type { Engine } from '../../engine/index.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  claimJob,
  jobHolders,
  nextJobDue,
  releaseJobs,
} from '../../engine/storage/workspace/jobs.ts'
import type { JobKinds } from './job-run.ts'
import { workOn } from './work-on-job.ts'

export interface JobWorkerOptions {
  readonly engine: Engine
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** What it works on; jobs of other kinds are left to others. */
  readonly kinds: JobKinds
  /** Time a job is kept from other workers without a sign of life, in ms. */
  readonly leaseMs?: number
  /** Interval at which jobs are looked for, in ms. */
  readonly pollMs?: number
  /** Jobs at the same time, each of another person. */
  readonly atOnce?: number
}

export interface JobWorker {
  /** Looks for jobs now. */
  ask(): void
  /** Resolves when no job that it may claim is due, or under way here. */
  settled(): Promise<void>
  /** Begins no more, and ends what is under way at its next record; another process, or the next start, goes on. */
  stop(graceMs?: number): Promise<void>
}

const LEASE = 60_000
const POLL = 1_000
const GRACE = 10_000
const AT_ONCE = 2

/**
 * Works on the jobs of a workspace, each under a lease, so that of all processes one does: what a dead process held is gone
 * on with at once on the same machine, elsewhere when its lease ends.
 */
export function startJobWorker(options: JobWorkerOptions): JobWorker {
  const { engine, logger, kinds, leaseMs = LEASE, pollMs = POLL, atOnce = AT_ONCE } = options
  const { database, clock } = engine.services
  const name = newLeaseName()
  const underWay = new Map<string, Promise<void>>()
  let tookOver = false
  /** Whether it may hold what it does not work on, and nobody else would: what it wrote came to nothing, or is there without an answer. */
  let isUnsure = false
  let isEnding = false
  const known = { worker: name, kinds: Object.keys(kinds) }
  const workplace = { engine, logger, kinds, leaseMs, worker: name, isEnding: () => isEnding }

  /** Returns when to look again, in ms. */
  async function turn(): Promise<number> {
    if (!tookOver) await takeOver({ engine, logger })
    tookOver = true
    if (isUnsure) {
      isUnsure = false
      const but = [...underWay.keys()]
      await written((tx) => releaseJobs(tx, name, clock.now(), but))
    }
    if (underWay.size >= atOnce || isEnding) return pollMs
    const due = (await nextJobDue(database.read, known)) ?? Number.POSITIVE_INFINITY
    const now = clock.now()
    if (due > now) return Math.min(due - now, pollMs)
    // What it would change is refused to it: those that have the newer definitions go on.
    if (await isSuperseded(engine.services)) return pollMs
    const claim = { now, leaseUntil: now + leaseMs, ...known }
    const row = await written((tx) => claimJob(tx, database.kind, claim))
    // Somebody else was quicker, or all that wait are of persons who have one under way.
    if (!row) return pollMs
    const work = workOn(workplace, row)
      .then((isSettled) => {
        isUnsure ||= !isSettled
      })
      .finally(() => {
        underWay.delete(row.id)
        turns.ask()
      })
    underWay.set(row.id, work)
    return 0
  }

  const written = <T>(job: (tx: Db) => Promise<T>): Promise<T> =>
    database.write(job).catch((error: unknown) => {
      isUnsure = true
      throw error
    })

  const turns = startTurns({
    turn,
    gap: () => 0,
    retryMs: pollMs,
    onFailure: (err) => logger.error({ err }, 'jobs: they could not be read or written'),
  })

  return {
    ask: turns.ask,
    async settled() {
      for (;;) {
        await turns.running
        await Promise.all(underWay.values())
        const due = await nextJobDue(database.read, known)
        const isIdle = tookOver && !isUnsure && !turns.running && underWay.size === 0
        if (isIdle && (due === undefined || due > clock.now())) return
        if (isIdle && (await isSuperseded(engine.services))) return
        turns.ask()
        await sleep(1)
      }
    },
    async stop(graceMs = GRACE) {
      isEnding = true
      await turns.stop()
      await endWithin(graceMs, underWay.values())
    },
  }
}

/** Gives back what processes held that are gone. */
async function takeOver({
  engine,
  logger,
}: Pick<JobWorkerOptions, 'engine' | 'logger'>): Promise<void> {
  const { database, clock } = engine.services
  for (const holder of (await jobHolders(database.read)).filter(isGone)) {
    await database.write((tx) => releaseJobs(tx, holder, clock.now()))
    logger.info({ holder }, 'jobs: took over from a process that is gone')
  }
}

/** Waits for all of this, at most so many ms. */
async function endWithin(ms: number, works: Iterable<Promise<void>>): Promise<void> {
  const grace = new AbortController()
  await Promise.race([Promise.all(works), sleep(ms, undefined, grace)])
  grace.abort()
}
