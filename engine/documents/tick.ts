import { SYSTEM_ACTOR } from '../access/actor.ts'
import type { DocTypeDefinition } from '../definition/definition.ts'
import { compileExpression } from '../expression/expression.ts'
import type { SqlFragment } from '../expression/sql-fragment.ts'
import { toSqlCondition } from '../expression/to-sql.ts'
import { columnOfDocument } from '../rules/columns.ts'
import { scopesOf } from '../rules/scopes.ts'
import { runFragment, sqlOf } from '../rules/sql-parts.ts'
import type { Context, Services } from './context.ts'
import { rederiveDocuments } from './rederive.ts'

/** What a day's tick did. */
export interface TickResult {
  /** Records that were looked at. */
  readonly looked: number
  readonly changed: number
  /** Records that no longer hold, so that their status stayed what it was. */
  readonly failed: number
}

export interface TickOptions {
  readonly onProgress?: (line: string) => void
  /** Told of every record that could not be derived again. */
  readonly onFailure?: (doctype: string, name: string, error: unknown) => void
  /** Stops between two pages. */
  readonly signal?: AbortSignal
}

/** Records of one transaction. */
const PAGE = 200

const CONDITION = { kind: 'bool', scale: 0 } as const

/** DocTypes whose status depends on the day (rules.md §4.1, `status.tick`). */
export function tickDoctypes({ registry }: Services): readonly DocTypeDefinition[] {
  return registry.all.filter(({ behaviour }) => behaviour.status?.tick?.daily !== undefined)
}

/**
 * Derives statuses that depend on today() again, for the records each DocType's `tick` names. To run it twice
 * does no harm. A record that fails stops no other.
 */
export async function runTick(services: Services, options: TickOptions = {}): Promise<TickResult> {
  const { onProgress, signal } = options
  const total = { looked: 0, changed: 0, failed: 0 }
  for (const definition of tickDoctypes(services)) {
    const before = total.changed
    for await (const names of pagesOf(services, definition)) {
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
  const context: Context = {
    services,
    actor: SYSTEM_ACTOR,
    tier: definition.tier,
    plans: services.plans,
  }
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

/** Names of the records a tick is for, oldest first; what changes on the way moves nothing. */
async function* pagesOf(
  { database, clock }: Services,
  definition: DocTypeDefinition,
): AsyncGenerator<readonly string[]> {
  const condition = conditionOf(definition, database.kind)
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  let last = 0n
  for (;;) {
    const query = sqlOf`select "rid" as rid, "name" as name from "${definition.table}"
      where "rid" > ${String(last)} and ${condition} order by "rid" limit ${PAGE}`
    const environment = { today, now: `${today}T00:00:00.000Z`, records: {} }
    const rows = await runFragment<{ rid: bigint; name: string }>(
      database.read,
      database.kind,
      query,
      environment,
    )
    if (rows.length === 0) return
    last = BigInt(rows.at(-1)!.rid)
    yield rows.map(({ name }) => name)
  }
}

function conditionOf(definition: DocTypeDefinition, kind: 'sqlite' | 'postgres'): SqlFragment {
  const source = definition.behaviour.status!.tick!.daily!
  const result = compileExpression(source, scopesOf(definition).document, CONDITION)
  if (!result.ok) throw new Error(`${definition.doctype}: ${result.problem.message}`)
  return toSqlCondition(result.expression.tree, kind, columnOfDocument)
}
