import { SYSTEM_ACTOR } from '../../access/actor.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Context, Services } from '../work/context.ts'
import { recordsMeeting } from './records-meeting.ts'
import { rederiveDocuments } from './rederive.ts'

/** Counts of what a day's tick did. */
export interface TickResult {
  /** Records that were looked at. */
  readonly looked: number
  readonly changed: number
  /** Number of records that no longer hold, so that their status stayed as it was: those `onFailure` was told of. */
  readonly failed: number
}

export interface TickOptions {
  readonly onProgress?: (line: string) => void
  /** Called for each record that could not be derived again; without a name where a DocType's could not be found. */
  readonly onFailure?: (doctype: string, name: string | undefined, error: unknown) => void
  /** Stops between two pages. */
  readonly signal?: AbortSignal
}

/** DocTypes whose status depends on the day (rules.md §4.1, `status.tick`). */
export function tickDoctypes({ registry }: Services): readonly DocTypeDefinition[] {
  return registry.all.filter(({ behaviour }) => behaviour.status?.tick?.daily !== undefined)
}

/**
 * Derives statuses that depend on today() again, for the records each DocType's `tick` names. To run it twice
 * does no harm. What fails, a record or a DocType's condition, stops nothing else.
 */
export async function runTick(services: Services, options: TickOptions = {}): Promise<TickResult> {
  const { onProgress, onFailure, signal } = options
  const total = { looked: 0, changed: 0, failed: 0 }

  async function* foundOf(definition: DocTypeDefinition): AsyncGenerator<readonly string[]> {
    try {
      const source = definition.behaviour.status!.tick!.daily!
      yield* recordsMeeting(
        services,
        definition,
        source,
        services.program.scopes.of(definition).document,
      )
    } catch (error) {
      total.failed += 1
      onFailure?.(definition.doctype, undefined, error)
    }
  }

  for (const definition of tickDoctypes(services)) {
    const before = total.changed
    for await (const names of foundOf(definition)) {
      if (signal?.aborted) return total
      const page = await tickPage(services, definition, names, options)
      total.looked += names.length
      total.changed += page.changed
      total.failed += page.failed
    }
    const changed = total.changed - before
    if (changed > 0) onProgress?.(`${changed} of ${definition.labelPlural} changed`)
  }
  return total
}

async function tickPage(
  services: Services,
  definition: DocTypeDefinition,
  names: readonly string[],
  { onFailure }: TickOptions,
): Promise<Pick<TickResult, 'changed' | 'failed'>> {
  const context = systemContext(services, definition)
  try {
    return { changed: await rederiveDocuments(context, definition, names), failed: 0 }
  } catch {
    // One of them is at fault; alone each finds out for itself.
    const result = { changed: 0, failed: 0 }
    for (const name of names) {
      try {
        result.changed += await rederiveDocuments(context, definition, [name])
      } catch (error) {
        result.failed += 1
        onFailure?.(definition.doctype, name, error)
      }
    }
    return result
  }
}

/** Context of the workspace itself for a DocType, whatever its plan is. */
export function systemContext(services: Services, { tier }: DocTypeDefinition): Context {
  const { plans, grants } = services
  return { services, actor: SYSTEM_ACTOR, tier, plans, grants }
}
