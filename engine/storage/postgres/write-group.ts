import type { UsualReads } from '../database/usual-reads.ts'
import type { Job } from '../database/write-batch.ts'
import type { Fault, PostgresLane } from './postgres-lane.ts'

/** Longest wait of a job behind others of its transaction for a lock of somebody else, in ms. */
const GIVE_WAY_MS = 50

const MARK = 'savepoint job'

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
  usual: UsualReads,
  options: GroupOptions,
): Promise<readonly Waiting[]> {
  const group: Group = {
    lane,
    left: [...jobs],
    outcomes: [],
    last: undefined,
    isOpen: false,
    options,
  }
  await lane.open(usual)
  let isBroken = true
  try {
    await begin(group, usual)
    if (group.isOpen) {
      await follow(group)
      if (!(await isCommitted(group))) await lane.commit()
    }
    isBroken = false
    for (const { job, value, failed } of group.outcomes)
      if (failed) job.reject(failed.reason)
      else job.resolve(value)
  } catch (reason) {
    for (const { job } of group.outcomes) job.reject(reason)
    group.last?.job.reject(reason)
  } finally {
    lane.close(isBroken)
  }
  return group.left
}

/** Jobs of one transaction. */
interface Group {
  readonly lane: PostgresLane
  /** Those that were not run, in their order. */
  readonly left: Waiting[]
  readonly outcomes: Outcome[]
  /** The latest that was run: what it sent without waiting is done when the next has an answer. */
  last: Outcome | undefined
  /** Whether a transaction waits for its commit. */
  isOpen: boolean
  readonly options: GroupOptions
}

/** Runs jobs until the first that does not fail, each in a transaction of its own; that of this one stays open for those that are left. */
async function begin(group: Group, usual: UsualReads): Promise<void> {
  const { lane, left, outcomes, options } = group
  for (let job = left[0]; job; job = left[0]) {
    lane.start(job)
    lane.send('begin')
    const isOnly = left.length === 1
    const outcome = await run(group, job, async (work) => {
      await usual.begin(lane.tx)
      const value = await work()
      // Nobody is before it to whom one could go back.
      await (isOnly ? lane.commit() : lane.settle())
      return value
    })
    if (!outcome.failed) {
      left.shift()
      outcomes.push(outcome)
      group.isOpen = !isOnly
      return
    }
    left.shift()
    const reason = reasonOf(outcome, lane.fault)
    try {
      await lane.takeBack('rollback')
    } catch (lost) {
      job.reject(reason)
      throw lost
    }
    job.tries += 1
    if (!options.isRetryable(reason) || job.tries > options.retries) job.reject(reason)
    else {
      // Others first: whoever was in its way may be done then.
      left.push(job)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** job.tries))
    }
  }
}

/**
 * Runs further jobs in the transaction that is open, until the time of the group is over or one has to give way. Nobody waits for the
 * end of what one sends: the reads of the next go out with it, and where it fails are asked again.
 */
async function follow(group: Group): Promise<void> {
  const { lane, left, outcomes } = group
  const until = performance.now() + group.options.groupMs
  let marks = [`set local lock_timeout = ${GIVE_WAY_MS}`, MARK]
  for (let job = left[0]; job && performance.now() < until; job = left[0]) {
    for (const mark of marks) lane.send(mark)
    const { answers } = lane
    const outcome = await run(group, job)
    if (!outcome.failed && lane.answers === answers) await lane.settle().catch(() => undefined)
    if (outcome.failed || lane.fault) {
      if (await hasGivenWay(group, outcome)) return
      marks = [MARK]
    } else {
      left.shift()
      if (group.last) outcomes.push(group.last)
      group.last = outcome
      marks = ['release savepoint job', MARK]
    }
  }
}

/** Commits; false where what the last job sent has failed, which is taken back then. */
async function isCommitted(group: Group): Promise<boolean> {
  const { lane, last, outcomes } = group
  try {
    await lane.commit()
  } catch (error) {
    if (!last || lane.fault?.job !== last.job) throw error
    await hasGivenWay(group, last)
    return false
  }
  if (last) outcomes.push(last)
  group.last = undefined
  return true
}

/**
 * Takes back a job that has failed, which is the one before it where that is found to have failed only now. True where it has not
 * failed for good: it is the first of the next transaction.
 */
async function hasGivenWay(group: Group, outcome: Outcome): Promise<boolean> {
  const { lane, left, outcomes, last, options } = group
  const fault = await lane.takeBack('rollback to savepoint job')
  group.last = undefined
  const isOfLast = last !== undefined && fault?.job === last.job
  const reason = isOfLast ? fault.reason : reasonOf(outcome, fault)
  if (last && !isOfLast) outcomes.push(last)
  if (isLocked(reason) || options.isRetryable(reason)) {
    if (isOfLast) left.unshift(last.job)
    return true
  }
  if (!isOfLast) left.shift()
  outcomes.push({ job: isOfLast ? last.job : outcome.job, failed: { reason } })
  return false
}

/** Why a job failed: its own words, or those for what it sent where a query told it as the database did. */
function reasonOf({ failed }: Outcome, fault: Fault | undefined): unknown {
  return fault && (!failed || failed.reason === fault.error) ? fault.reason : failed?.reason
}

async function run(
  { lane, options }: Group,
  job: Waiting,
  around: (work: () => Promise<unknown>) => Promise<unknown> = (work) => work(),
): Promise<Outcome> {
  const began = performance.now()
  lane.start(job)
  try {
    return { job, value: await around(() => job.run(lane.tx)) }
  } catch (reason) {
    return { job, failed: { reason } }
  } finally {
    options.onWork(job.person, performance.now() - began)
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCKED
}
