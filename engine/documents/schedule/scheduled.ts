import type { ActionDeclaration, DocTypeDefinition } from '../../definition/model/definition.ts'
import { scheduledScope } from '../../rules/steps/actions.ts'
import { runActionWhere } from '../operations/act.ts'
import type { Services } from '../work/context.ts'
import { recordsMeeting } from './records-meeting.ts'
import { runTick, systemContext, type TickOptions, type TickResult } from './tick.ts'

/** Counts of what scheduled actions did. */
export interface ScheduledResult {
  /** Number of times an action was run. */
  readonly ran: number
  /** Number of records for which an action was refused: those `onFailure` was told of. */
  readonly failed: number
}

/** Period after which an action runs by itself again. */
export type Period = NonNullable<ActionDeclaration['every']>

export const PERIODS: readonly Period[] = ['hour', 'day']

/** Times an action is run for one record at once: what was missed in two months of days is caught up. */
const MOST_RUNS = 60

interface Scheduled {
  readonly definition: DocTypeDefinition
  readonly name: string
  readonly when: string
}

/** Actions that the server runs so often (rules.md §4.1, `every`). */
export function scheduledActions(
  { registry }: Services,
  periods: readonly Period[] = PERIODS,
): readonly Scheduled[] {
  return registry.all.flatMap((definition) =>
    Object.entries(definition.behaviour.actions ?? {}).flatMap(([name, { every, when }]) =>
      every !== undefined && when !== undefined && periods.includes(every)
        ? [{ definition, name, when }]
        : [],
    ),
  )
}

/**
 * Runs each scheduled action for the records its `when` holds for, one transaction each time, again as long as it
 * still holds (60 times at most). Several processes may do it at once: each time is done once. What fails, a
 * record or the search for them, stops nothing else.
 */
export async function runScheduled(
  services: Services,
  { periods, ...options }: TickOptions & { readonly periods?: readonly Period[] } = {},
): Promise<ScheduledResult> {
  const total = { ran: 0, failed: 0 }
  for (const scheduled of scheduledActions(services, periods)) {
    const { definition, name } = scheduled
    const before = total.ran
    try {
      await runFor(services, scheduled, options, total)
    } catch (error) {
      total.failed += 1
      options.onFailure?.(definition.doctype, undefined, error)
    }
    if (options.signal?.aborted) return total
    const ran = total.ran - before
    if (ran > 0) options.onProgress?.(`${name} of ${definition.labelPlural} ran ${timesOf(ran)}`)
  }
  return total
}

/**
 * Brings a workspace to today: statuses that depend on the day (`runTick`), then scheduled actions (`runScheduled`),
 * which may go by those. `failed` counts both.
 */
export async function bringToToday(
  services: Services,
  options: TickOptions = {},
): Promise<TickResult & ScheduledResult> {
  const ticked = await runTick(services, options)
  const scheduled = await runScheduled(services, options)
  return { ...ticked, ...scheduled, failed: ticked.failed + scheduled.failed }
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

async function runFor(
  services: Services,
  { definition, name, when }: Scheduled,
  { onFailure, signal }: TickOptions,
  total: { ran: number; failed: number },
): Promise<void> {
  const context = systemContext(services, definition)
  const scope = scheduledScope(services.program.scopes, definition)
  for await (const ids of recordsMeeting(services, definition, when, scope)) {
    for (const id of ids) {
      if (signal?.aborted) return
      try {
        for (let times = 0; times < MOST_RUNS; times += 1) {
          if (!(await runActionWhere(context, definition, id, name))) break
          total.ran += 1
        }
      } catch (error) {
        total.failed += 1
        onFailure?.(definition.doctype, id, error)
      }
    }
  }
}
