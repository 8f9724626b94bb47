import type { PostgresLane } from './postgres-lane.ts'
import type { Job } from './write-batch.ts'

/** Longest wait of a job behind others of its transaction for a lock of somebody else, in ms. */
const GIVE_WAY_MS = 50

/** lock_not_available (PostgreSQL, appendix A). */
const LOCKED = '55P03'

export interface GroupOptions {
  /** Told how long a job of somebody has worked, in ms. */
  readonly onWork: (person: string, ms: number) => void
  readonly isRetryable: (error: unknown) => boolean
  /** Times a job is run again. */
  readonly retries: number
  /** Time after which a transaction takes no further job, in ms: others wait for what it has locked. */
  readonly groupMs: number
}

/** A job, and how often it was run for nothing. */
export interface Waiting extends Job {
  tries: number
}

interface Outcome {
  readonly job: Waiting
  readonly value?: unknown
  readonly failed?: { readonly reason: unknown }
}

/** Runs jobs in one transaction, commits and answers; returns those whose turn did not come, or who gave way. */
export async function runGroup(
  lane: PostgresLane,
  jobs: readonly Waiting[],
  options: GroupOptions,
): Promise<readonly Waiting[]> {
  const left = [...jobs]
  const outcomes: Outcome[] = []
  await lane.open()
  let isBroken = true
  try {
    await begin(lane, left, outcomes, options)
    if (outcomes.length > 0) {
      await follow(lane, left, outcomes, options)
      await lane.commit()
    }
    isBroken = false
    for (const { job, value, failed } of outcomes)
      if (failed) job.reject(failed.reason)
      else job.resolve(value)
  } catch (reason) {
    for (const { job } of outcomes) job.reject(reason)
  } finally {
    lane.close(isBroken)
  }
  return left
}

/** Runs jobs until the first that does not fail, each in a transaction of its own; that of this one stays open. */
async function begin(
  lane: PostgresLane,
  left: Waiting[],
  outcomes: Outcome[],
  options: GroupOptions,
): Promise<void> {
  for (let job = left[0]; job; job = left[0]) {
    lane.send('begin')
    const outcome = await run(lane, job, options)
    if (!outcome.failed) {
      left.shift()
      outcomes.push(outcome)
      return
    }
    const { reason } = outcome.failed
    try {
      await lane.takeBack('rollback')
    } catch (lost) {
      left.shift()
      job.reject(reason)
      throw lost
    }
    left.shift()
    job.tries += 1
    if (!options.isRetryable(reason) || job.tries > options.retries) job.reject(reason)
    else {
      // Others first: whoever was in its way may be done then.
      left.push(job)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** job.tries))
    }
  }
}

/** Runs further jobs in the transaction that is open, until the time of the group is over or one has to give way. */
async function follow(
  lane: PostgresLane,
  left: Waiting[],
  outcomes: Outcome[],
  options: GroupOptions,
): Promise<void> {
  const until = performance.now() + options.groupMs
  let mark = `set local lock_timeout = ${GIVE_WAY_MS}; savepoint job`
  for (let job = left[0]; job && performance.now() < until; job = left[0]) {
    lane.send(mark)
    const outcome = await run(lane, job, options)
    if (outcome.failed) {
      const { reason } = outcome.failed
      // It has not failed for good: it is the first of the next transaction.
      const givesWay = isLocked(reason) || options.isRetryable(reason)
      if (!givesWay) {
        left.shift()
        outcomes.push(outcome)
      }
      await lane.takeBack('rollback to savepoint job')
      if (givesWay) return
      mark = 'savepoint job'
    } else {
      left.shift()
      outcomes.push(outcome)
      mark = 'release savepoint job; savepoint job'
    }
  }
}

async function run(lane: PostgresLane, job: Waiting, { onWork }: GroupOptions): Promise<Outcome> {
  const began = performance.now()
  try {
    const value = await job.run(lane.tx)
    await lane.settle()
    return { job, value }
  } catch (reason) {
    return { job, failed: { reason } }
  } finally {
    onWork(job.person, performance.now() - began)
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCKED
}
