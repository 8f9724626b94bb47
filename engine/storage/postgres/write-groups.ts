import type { Db } from '../database/database.ts'
import { createUsualReads, type UsualReads } from '../database/usual-reads.ts'
import type { Job } from '../database/write-batch.ts'
import { createWriteTurns, type WriteTurns } from '../database/write-turns.ts'
import type { PostgresLane } from './postgres-lane.ts'
import { type GroupOptions, runGroup, type Waiting } from './write-group.ts'

/** Most jobs of one transaction: others wait for what it has locked. */
const MOST_JOBS = 16

/** Transactions of one kind of jobs that go on at once. */
const MOST_GROUPS = 2

/** Kinds that are known; those of earlier definitions are among them. */
const MOST_KINDS = 1000

export interface WriteGroups {
  /** Runs a job, in one transaction with others of its kind that came meanwhile. */
  add<T>(kind: string, job: (tx: Db) => Promise<T>, person?: string): Promise<T>
  /** Resolves when every job taken so far has been answered. */
  idle(): Promise<void>
}

export interface WriteGroupOptions extends GroupOptions {
  /** Runs a group in a lane when its turn among all writes comes. */
  readonly inLane: (run: (lane: PostgresLane) => Promise<void>) => Promise<void>
}

/** Jobs of a kind that wait: those that were begun already come first. */
interface Kind {
  readonly turns: WriteTurns
  readonly usual: UsualReads
  begun: Waiting[]
  waiting: number
  groups: number
}

/**
 * Group commit of PostgreSQL: jobs of a kind that came while others were written share one transaction, its commit and
 * what they all read. They go one after the other, each behind a savepoint: one that fails takes only itself back. Only the
 * first of them waits for locks of others; who would wait behind it gives way and is first in the next transaction, so that
 * nobody waits for long while holding what jobs before it have locked.
 */
export function createWriteGroups(options: WriteGroupOptions): WriteGroups {
  const kinds = new Map<string, Kind>()
  let unanswered = 0
  const idleWaiters: (() => void)[] = []

  function kindOf(name: string): Kind {
    let kind = kinds.get(name)
    if (!kind) {
      if (kinds.size >= MOST_KINDS) forgetIdle()
      kind = {
        turns: createWriteTurns(),
        usual: createUsualReads(),
        begun: [],
        waiting: 0,
        groups: 0,
      }
      kinds.set(name, kind)
    }
    return kind
  }

  function forgetIdle(): void {
    for (const [name, { waiting, groups }] of kinds)
      if (waiting === 0 && groups === 0) kinds.delete(name)
  }

  function schedule(kind: Kind): void {
    if (kind.waiting === 0 || kind.groups >= MOST_GROUPS) return
    kind.groups += 1
    // After the poll phase: requests parsed in the same turn of the loop join the same group.
    setImmediate(() => void drain(kind))
  }

  async function drain(kind: Kind): Promise<void> {
    let jobs: readonly Waiting[] = []
    try {
      await options.inLane(async (lane) => {
        jobs = take(kind)
        if (jobs.length === 0) return
        const left = await runGroup(lane, jobs, kind.usual, options)
        kind.begun.push(...left)
        kind.waiting += left.length
      })
    } catch (reason) {
      // Nothing of it was committed; without a lane, nobody who waits would fare better.
      for (const job of jobs.length > 0 ? jobs : take(kind)) job.reject(reason)
    } finally {
      kind.groups -= 1
      schedule(kind)
    }
  }

  function answered(): void {
    unanswered -= 1
    if (unanswered === 0) for (const done of idleWaiters.splice(0)) done()
  }

  return {
    add(name, run, person = '') {
      const kind = kindOf(name)
      return new Promise((resolve, reject) => {
        unanswered += 1
        const end = { resolve: resolve as (value: unknown) => void, reject }
        const job = waitingJob({ person, run, ...end }, answered)
        kind.turns.add(job)
        kind.waiting += 1
        schedule(kind)
      })
    },
    idle: () =>
      unanswered === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            idleWaiters.push(resolve)
          }),
  }
}

/** What one group takes: all that were begun, and of those that wait its part. */
function take(kind: Kind): Waiting[] {
  const part = Math.ceil(kind.waiting / (MOST_GROUPS - kind.groups + 1))
  const jobs = kind.begun.splice(0)
  while (jobs.length < Math.min(part, MOST_JOBS)) {
    const job = kind.turns.next(jobs.length === 0 ? undefined : 0)
    if (!job) break
    jobs.push(job as Waiting)
  }
  kind.waiting -= jobs.length
  return jobs
}

/** A job that says when it is answered. */
function waitingJob(
  { resolve, reject, ...job }: Omit<Job, 'isRehearsal'>,
  answered: () => void,
): Waiting {
  return {
    ...job,
    isRehearsal: false,
    tries: 0,
    resolve(value) {
      answered()
      resolve(value)
    },
    reject(reason) {
      answered()
      reject(reason)
    },
  }
}
