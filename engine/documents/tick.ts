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
  /** What `onFailure` was told of: records that no longer hold, so that their status stayed what it was. */
  readonly failed: number
}

export interface TickOptions {
  readonly onProgress?: (line: string) => void
  /** Told of every record that could not be derived again; without a name, that those of a DocType could not be found. */
  readonly onFailure?: (doctype: string, name: string | undefined, error: unknown) => void
  /** Stops between two pages. */
  readonly signal?: AbortSignal
}

/** Records of one transaction. */
const PAGE = 200
/** Records that one statement looks at: SQLite reads in this thread, and a long scan would hold up every request. */
const WINDOW = 10_000

const CONDITION = { kind: 'bool', scale: 0 } as const

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
      yield* pagesOf(services, definition)
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
  const context: Context = {
    services,
    actor: SYSTEM_ACTOR,
    tier: definition.tier,
    plans: services.plans,
    grants: services.grants,
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

/**
 * Names of the records a tick is for, oldest first. What changes on the way moves nothing; records made after
 * the start are of today already.
 */
async function* pagesOf(
  { database, clock }: Services,
  definition: DocTypeDefinition,
): AsyncGenerator<readonly string[]> {
  const condition = conditionOf(definition, database.kind)
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  const environment = { today, now: `${today}T00:00:00.000Z`, records: {} }
  const run = <Row>(query: SqlFragment): Promise<readonly Row[]> =>
    runFragment<Row>(database.read, database.kind, query, environment)

  const [newest] = await run<{ rid: bigint | null }>(
    sqlOf`select max("rid") as rid from "${definition.table}"`,
  )
  const end = Number(newest?.rid ?? 0)
  let last = 0
  while (last < end) {
    const upTo = Math.min(last + WINDOW, end)
    const rows = await run<{ rid: bigint; name: string }>(
      sqlOf`select "rid" as rid, "name" as name from "${definition.table}"
        where "rid" > ${last} and "rid" <= ${upTo} and ${condition} order by "rid" limit ${PAGE}`,
    )
    if (rows.length > 0) yield rows.map(({ name }) => name)
    last = rows.length === PAGE ? Number(rows.at(-1)!.rid) : upTo
  }
}

function conditionOf(definition: DocTypeDefinition, kind: 'sqlite' | 'postgres'): SqlFragment {
  const source = definition.behaviour.status!.tick!.daily!
  const result = compileExpression(source, scopesOf(definition).document, CONDITION)
  if (!result.ok) throw new Error(`${definition.doctype}: ${result.problem.message}`)
  return toSqlCondition(result.expression.tree, kind, columnOfDocument)
}
