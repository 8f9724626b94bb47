import { setTimeout as sleep } from 'node:timers/promises'
import { isoDateTime } from '../../base/clock.ts'
import { awaitStanding } from '../../storage/database/commit-order.ts'
import type { Db } from '../../storage/database/database.ts'
import { lockKey } from '../../storage/database/key-lock.ts'
import { lastRid } from '../../storage/finding/record-names.ts'
import { newestGeneration } from '../../storage/migration/generations.ts'
import {
  noteFilled,
  readPosition,
  readUnfilled,
  writePosition,
} from '../../storage/migration/schema-store.ts'
import { type ComputedCells, computedCells } from '../verify/verify-cells.ts'
import type { Services } from '../work/context.ts'
import { type FilledPage, fillPage } from './fill-page.ts'
import { type FillPlan, type FillTask, fillPlanOf } from './fill-tasks.ts'
import { type FillJob, fillJob } from './filling-job.ts'

/** How far the filling of a workspace has come, as this process knows it. */
export interface FillState {
  /** Columns that wait for their values, as `table.column`. */
  readonly columns: readonly string[]
  /** Task that is under way, e.g. `formulas of Item`. */
  readonly task: string
  /** Its place among all tasks, from 1. */
  readonly number: number
  readonly tasks: number
  /** Number of the last record that is done, and of the last there was when the task began. */
  readonly record: number
  readonly records: number
  /** Reason why it does not go on just now; it is tried again. */
  readonly trouble?: string
}

export interface FillOptions {
  /** Generation of definitions that this process works with: a newer one is filled by who brought it. */
  readonly generation: number
  /** Whether others work with the database meanwhile: pages are small, and a failure is tried again. */
  readonly isBeside: boolean
  /** Records of one transaction. */
  readonly pageSize?: number
  readonly onProgress?: (line: string) => void
}

/** What gives waiting columns their values. */
export interface Filler {
  /** How far it is; undefined once nothing waits any more. */
  state(): FillState | undefined
  /** Resolves when nothing waits any more, or it was stopped; rejects with what stopped it where nobody works beside it. */
  readonly done: Promise<void>
  /** Ends it after the page that is under way; whoever opens the workspace next goes on behind that. */
  stop(): Promise<void>
}

const PAGE = 500
const PAGE_BESIDE = 100
/** Rest between two pages, in ms, in which others write. */
const REST = 5
const RETRY_AFTER = 2_000
/** Time between two lines about one task, in ms. */
const LINE_EVERY = 10_000

/**
 * Begins to give waiting columns their values, in pages by the number of the record, each in one transaction with the
 * place it has come to: a process that ends leaves that to the next one, and processes that fill the same workspace take
 * turns. What is new of others meanwhile is whole from the start (docs/decisions/0064).
 */
export function startFilling(services: Services, options: FillOptions): Filler {
  const stopping = new AbortController()
  const { signal } = stopping
  let state: FillState | undefined
  const plan = fillPlanOf(services.program, services.unfilled.now.columns)
  const filling: Filling = {
    services,
    options,
    plan,
    cells: new Map(),
    // Where nobody works with the database meanwhile there is nobody who could look at it.
    job: options.isBeside ? fillJob(services, plan.tasks, [...plan.columns]) : undefined,
    signal,
    tell: (now) => {
      state = now
    },
  }
  services.unfilled.set(filling.plan.columns)
  state = stateOf(filling, { task: filling.plan.tasks[0], at: 0, record: 0, records: 0 })
  const done = fillAll(filling).then((isStopped) => {
    if (!signal.aborted && !isStopped) state = undefined
  })
  return {
    state: () => state,
    done,
    async stop() {
      stopping.abort()
      await done.catch(() => undefined)
    },
  }
}

/** Sentence about how far it is, for people. */
export function fillSentence(state: FillState): string {
  const { columns, task, number, tasks, record, records, trouble } = state
  const [first = '', second] = columns
  const more = columns.length > 2 ? ` and ${columns.length - 2} more` : ''
  const names = `${first}${second === undefined ? '' : `, ${second}`}${more}`
  const place = `${task}, up to record ${record} of ${records} (${number} of ${tasks})`
  return `fields are given their values: ${names}; at ${place}${trouble === undefined ? '' : `; ${trouble}`}`
}

/** Parts of one filling. */
interface Filling {
  readonly services: Services
  readonly options: FillOptions
  readonly plan: FillPlan
  readonly cells: Map<string, ComputedCells>
  readonly job: FillJob | undefined
  readonly signal: AbortSignal
  readonly tell: (state: FillState) => void
}

/** A page that was done, and the place of its task among all. */
interface Step extends FilledPage {
  readonly at: number
}

/** Whether its job was stopped before all was done. */
async function fillAll(filling: Filling): Promise<boolean> {
  const { services, options } = filling
  const { database, unfilled } = services
  const { isBeside, onProgress = () => undefined } = options
  const told = { at: -1, since: Date.now(), changed: 0, records: 0 }
  let isFirst = true
  while (!filling.signal.aborted) {
    try {
      // What an older process has begun, it may still commit; all later changes are refused to it.
      if (isFirst) await awaitStanding(database.read, database.kind, 'svc_events')
      isFirst = false
      const step = await database.write((tx) => fillNext(tx, filling))
      // Newer definitions hold: what waits is theirs to fill, and this process takes no changes any more.
      if (step === 'superseded') return false
      if (step === 'over') break
      if (step === 'stopped') {
        services.eventsCommitted()
        tellStopped(filling, told.at)
        return true
      }
      await tellOf(filling, step, told, onProgress)
      if (isBeside) await rest(REST, filling)
    } catch (error) {
      if (!isBeside) throw error
      const reason = error instanceof Error ? error.message : String(error)
      const task = filling.plan.tasks[Math.max(told.at, 0)]
      const place = { task, at: Math.max(told.at, 0), record: 0, records: told.records }
      filling.tell({ ...stateOf(filling, place), trouble: reason })
      onProgress(`fields could not be given their values, which is tried again: ${reason}`)
      await rest(RETRY_AFTER, filling)
    }
  }
  services.eventsCommitted()
  if (!filling.signal.aborted) unfilled.set([])
  return false
}

/** Tells that somebody has stopped the job; what waits goes on waiting until the next start. */
function tellStopped(filling: Filling, reached: number): void {
  const at = Math.max(reached, 0)
  const trouble = 'its job was stopped; the next start goes on'
  const place = { task: filling.plan.tasks[at], at, record: 0, records: 0 }
  filling.tell({ ...stateOf(filling, place), trouble })
  filling.options.onProgress?.(`fields are given no more values: ${trouble}`)
}

/** Waits, unless it is stopped meanwhile. */
function rest(ms: number, { signal }: Filling): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined)
}

/** Does the next page, wherever the database says that is; all in one transaction. */
async function fillNext(
  tx: Db,
  { services, options, plan, cells, job }: Filling,
): Promise<Step | 'over' | 'superseded' | 'stopped'> {
  const { kind } = services.database
  await lockKey(tx, kind, 'svc:filling')
  const newest = await newestGeneration(tx, kind)
  if (newest && newest.number > options.generation) return 'superseded'
  if ((await readUnfilled(tx)).length === 0) return 'over'
  const position = await readPosition(tx)
  const known = plan.tasks.findIndex(({ name }) => name === position?.task)
  const at = Math.max(known, 0)
  const task = plan.tasks[at]
  const now = isoDateTime(services.clock)
  if (!task) {
    await noteFilled(tx)
    await job?.reached(tx, undefined, 0)
    return 'over'
  }
  const after = known < 0 ? 0 : (position?.rid ?? 0)
  if (job && !(await job.reached(tx, at, after))) return 'stopped'
  const computed = cells.get(task.name) ?? computedCells(plan.program, task.definition)
  cells.set(task.name, computed)
  const size = options.pageSize ?? (options.isBeside ? PAGE_BESIDE : PAGE)
  const page = await fillPage(tx, services, task, computed, { after, size })
  const next = plan.tasks[at + 1]
  if (page.last !== undefined) await writePosition(tx, { task: task.name, rid: page.last }, now)
  else if (next) await writePosition(tx, { task: next.name, rid: 0 }, now)
  else {
    await noteFilled(tx)
    await job?.reached(tx, undefined, 0)
  }
  return { ...page, at }
}

/** Notes a page: for who asks how far it is, and as a line when the task is done or takes long. */
async function tellOf(
  filling: Filling,
  { at, last, changed }: Step,
  told: { at: number; since: number; changed: number; records: number },
  onProgress: (line: string) => void,
): Promise<void> {
  const task = filling.plan.tasks[at]!
  if (told.at !== at) {
    const records = await lastRid(filling.services.database.read, task.definition)
    Object.assign(told, { at, changed: 0, records })
  }
  told.changed += changed
  const { records } = told
  const state = stateOf(filling, { task, at, record: last ?? records, records })
  filling.tell(state)
  if (last === undefined) {
    if (told.changed > 0) onProgress(`gave ${told.changed} records their ${task.name}`)
    return
  }
  if (Date.now() - told.since < LINE_EVERY) return
  told.since = Date.now()
  onProgress(fillSentence(state))
}

function stateOf(
  { plan }: Filling,
  place: {
    readonly task: FillTask | undefined
    readonly at: number
    readonly record: number
    readonly records: number
  },
): FillState {
  const { task, at, record, records } = place
  return {
    columns: [...plan.columns],
    task: task?.name ?? '',
    number: at + 1,
    tasks: plan.tasks.length,
    record,
    records,
  }
}
