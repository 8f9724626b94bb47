import { isoDateTime } from '../../engine/base/clock.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { isToldAgain, logJob } from '../../engine/documents/work/log-job.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Engine } from '../../engine/index.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  isNoted,
  type JobOutcome,
  outcomeWriter,
  placesBeyond,
} from '../../engine/storage/workspace/job-rows.ts'
import {
  findJob,
  type JobChange,
  type JobRow,
  updateJob,
} from '../../engine/storage/workspace/jobs.ts'

/** Thrown where a job is to stop, because somebody asked for it (`stopped`) or because the process ends (`paused`). */
export class JobEnds extends Error {
  readonly why: 'stopped' | 'paused' | 'taken'

  constructor(why: JobEnds['why']) {
    super(`the job is ${why}`)
    this.why = why
  }
}

/** A job that is worked on: what its kind works with. */
export interface JobRun {
  readonly row: JobRow
  readonly engine: Engine
  /** Context of who asked for it. */
  readonly context: Context
  /** Whether the record at a place was done before, by a process that died before it could say so. */
  isDone(place: number): boolean
  /** Context of the change of the record at a place: what became of it is written with the change, so it is done once. */
  contextAt(
    place: number,
    outcome: JobOutcome['outcome'],
    /** What is kept beside it to take it back, as text; or what tells that of the answer. */
    before?: string | ((answer: DocumentResult) => string),
  ): Context
  /** Notes what became of records within the transaction of their change. */
  note(tx: Db, outcomes: readonly JobOutcome[]): Promise<void>
  /**
   * Says that so many records up to `place` are through; `outcomes` are those of them that no change has noted, `also` writes
   * what is to be there with it. Throws JobEnds where the job is to go no further.
   */
  through(
    place: number,
    records: number,
    outcomes: readonly JobOutcome[],
    also?: (tx: Db) => Promise<void>,
  ): Promise<void>
  /**
   * Does a piece of the work in one transaction, in which the worker is known to hold the job: what it did and how far the
   * job is by that are written together, or neither. Throws JobEnds where the job is to go no further.
   */
  piece(work: (tx: Db) => Promise<Reached>): Promise<void>
  /** Says how many records there are; `also` writes what is to be there with it. */
  setTotal(total: number, also?: (tx: Db) => Promise<void>): Promise<void>
}

/** How far a job is: all up to `place`, which are so many records, so many of them refused. */
type Reached = Pick<JobRow, 'place' | 'done' | 'failed'>

/**
 * Works on a job to its end and tells what it came to beside the numbers of records. Throws JobEnds where it is to go no
 * further, and refusals that end it whole.
 */
export type RunJob = (run: JobRun) => Promise<object>

/** Kinds of long work that a worker knows, by the word that `svc_jobs` has. */
export type JobKinds = Readonly<Record<string, RunJob>>

/** Parts of a run that the worker gives. */
export interface RunOptions {
  readonly engine: Engine
  readonly row: JobRow
  readonly context: Context
  /** Name under which the worker holds the job. */
  readonly worker: string
  /** Time a job is kept from other workers, in ms. */
  readonly leaseMs: number
  /** Whether the process ends. */
  readonly isEnding: () => boolean
}

/** Makes what a kind of job works with. */
export async function startRun(options: RunOptions): Promise<JobRun> {
  const { engine, context, worker, leaseMs, isEnding } = options
  const { id } = options.row
  const { database, clock } = engine.services
  const writeOutcomes = outcomeWriter()
  const noted = await placesBeyond(database.read, id, options.row.place)
  let row = options.row

  /** Changes the job while this worker holds it. Throws JobEnds where another has it. */
  async function change(tx: Db, to: JobChange): Promise<void> {
    const held = { ...to, modified: isoDateTime(clock), due: clock.now() + leaseMs, tries: 0 }
    if (!(await updateJob(tx, id, held, worker))) throw new JobEnds('taken')
  }

  async function piece(work: (tx: Db) => Promise<Reached>): Promise<void> {
    const { to, isTold, isStopped } = await database.write(async (tx) => {
      await change(tx, {})
      const to = await work(tx)
      await updateJob(tx, id, to)
      const isTold = isToldAgain(row, to.done)
      if (isTold) await logJob(tx, context, isoDateTime(clock), 'progressed', { ...row, ...to })
      return { to, isTold, isStopped: (await findJob(tx, id))?.stop_asked === 1 }
    })
    row = { ...row, ...to }
    if (isTold) engine.services.eventsCommitted()
    if (isStopped) throw new JobEnds('stopped')
    if (isEnding()) throw new JobEnds('paused')
  }

  return {
    get row() {
      return row
    },
    engine,
    context,
    isDone: (place) => noted.has(place),
    contextAt: (place, outcome, before) => ({
      ...context,
      async beforeCommit(tx, result) {
        const record = result?.id ?? null
        const kept = typeof before === 'function' ? result && before(result) : before
        await writeOutcomes(tx, id, [{ place, outcome, record, before: kept ?? null }])
      },
    }),
    note: (tx, outcomes) => writeOutcomes(tx, id, outcomes),
    async through(place, records, outcomes, also) {
      const failed = row.failed + outcomes.filter(({ problems }) => problems != null).length
      await piece(async (tx) => {
        await writeOutcomes(tx, id, outcomes)
        await also?.(tx)
        return { place, done: row.done + records, failed }
      })
    },
    piece,
    async setTotal(total, also) {
      await database.write(async (tx) => {
        await change(tx, { total })
        await also?.(tx)
      })
      row = { ...row, total }
    },
  }
}

/** What ended a run, if it is one that is looked for: another process that works on the same job ends it here. */
export function endingOf(error: unknown): JobEnds | undefined {
  if (error instanceof JobEnds) return error
  return isNoted(error) ? new JobEnds('taken') : undefined
}
