import { isoDateTime } from '../../base/clock.ts'
import type { Db } from '../../storage/database/database.ts'
import { lastRid } from '../../storage/finding/record-names.ts'
import { newestGeneration, supersededHere } from '../../storage/migration/generations.ts'
import {
  type FillPosition,
  lockUnfilled,
  noteFilled,
  readPosition,
  readUnfilled,
  writePosition,
} from '../../storage/migration/schema-store.ts'
import { type ComputedCells, computedCells } from '../verify/verify-cells.ts'
import type { Services } from '../work/context.ts'
import { fillPage } from './fill-page.ts'
import type { FillPlan, FillTask } from './fill-tasks.ts'

/** Filling as one process does it. */
export interface Filling {
  /** Those of the moment it began: a workspace that is loaded again meanwhile has others. */
  readonly services: Services
  readonly plan: FillPlan
  /** Number of the last record of each task when this process began. */
  readonly sizes: readonly number[]
  /** What is computed in the records of a task, by its name, once it was asked for. */
  readonly cells: Map<string, ComputedCells>
}

/** What a page has come to. */
export interface FillStep {
  /** Task that it belongs to; undefined where there was none. */
  readonly task: FillTask | undefined
  /** Records that it gave other values. */
  readonly changed: number
  /** Whether the task is through with it. */
  readonly isLast: boolean
  /** Records of all tasks that are through, of the sum of `sizes`. */
  readonly done: number
  /** Whether nothing waits any more. */
  readonly isOver: boolean
}

/** Begins to fill what waits, by the definitions of these services. */
export async function beginFilling(services: Services, plan: FillPlan): Promise<Filling> {
  const sizes: number[] = []
  for (const { definition } of plan.tasks)
    sizes.push(await lastRid(services.database.read, definition))
  return { services, plan, sizes, cells: new Map() }
}

/**
 * Does the next page, wherever the database says that is, with the place behind it, in the caller's transaction. Throws
 * UNAVAILABLE where newer definitions hold, also those that came while it was at it: what waits is theirs to fill, and
 * no page is written by others.
 */
export async function fillNext(tx: Db, filling: Filling, size: number): Promise<FillStep> {
  const { services, plan } = filling
  await assertHold(tx, services)
  const all = sum(filling.sizes)
  const over = { isLast: true, done: all, isOver: true }
  if ((await readUnfilled(tx)).length === 0) return { task: undefined, changed: 0, ...over }
  const { at, after, records } = await placeOf(tx, filling)
  const task = plan.tasks[at]
  const page = task && (await pageOf(tx, filling, task, { after, size }))
  await lockUnfilled(tx, services.database.kind)
  await assertHold(tx, services)
  const isLast = page?.last === undefined
  const next = isLast ? at + 1 : at
  const follows = plan.tasks[next]
  if (!follows) {
    await noteFilled(tx)
    return { task, changed: page?.changed ?? 0, ...over }
  }
  const position: FillPosition = {
    ...{ generation: services.generation, number: next + 1, tasks: plan.tasks.length },
    task: follows.name,
    rid: page?.last ?? 0,
    records: isLast ? await lastRid(tx, follows.definition) : records,
  }
  await writePosition(tx, position, isoDateTime(services.clock))
  const done = Math.min(sum(filling.sizes.slice(0, next)) + position.rid, all)
  return { task, changed: page?.changed ?? 0, isLast, done, isOver: false }
}

/** Where to go on: the task, the record behind which it is, and the last there was when the task began. */
async function placeOf(
  tx: Db,
  { services, plan, sizes }: Filling,
): Promise<{ readonly at: number; readonly after: number; readonly records: number }> {
  const position = await readPosition(tx)
  const isOurs = position?.generation === services.generation
  const at = isOurs ? plan.tasks.findIndex(({ name }) => name === position.task) : -1
  if (!isOurs || at < 0) return { at: 0, after: 0, records: sizes[0] ?? 0 }
  return { at, after: position.rid, records: position.records }
}

function pageOf(
  tx: Db,
  { services, plan, cells }: Filling,
  task: FillTask,
  place: { readonly after: number; readonly size: number },
): ReturnType<typeof fillPage> {
  const computed = cells.get(task.name) ?? computedCells(plan.program, task.definition)
  cells.set(task.name, computed)
  return fillPage(tx, services, task, computed, place)
}

async function assertHold(tx: Db, { database, generation }: Services): Promise<void> {
  const newest = await newestGeneration(tx, database.kind)
  if (newest && newest.number > generation) throw supersededHere()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
