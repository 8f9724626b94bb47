import { tablesWithChanges } from '../../storage/finding/changed-tables.ts'
import { type Changes, changesAfter, type Point } from '../../storage/finding/logged-changes.ts'
import { filledTables } from '../../storage/records/filled-tables.ts'
import type { Services } from '../work/context.ts'

/** Part of the workspace that one verification looks at: all of it, or what was written after a point. */
export interface Scope {
  /** Moment (ISO) from which on records are looked at; undefined = all are. */
  readonly from: string | undefined
  /** Tables that have records to look at; all others need no statement. */
  readonly filled: ReadonlySet<string>
  /** Tables from which records were deleted since `from`. */
  readonly shrunk: ReadonlySet<string>
}

/** Whether sums over the rows of a table may have become others. */
export function isTouched({ filled, shrunk }: Scope, table: string): boolean {
  return filled.has(table) || shrunk.has(table)
}

/**
 * Scope of a verification. Everything where no point is given, and where the event log does not reach back to it: it
 * alone tells what was deleted and whether the clock was put back.
 */
export async function scopeOf(
  { registry, database }: Services,
  since: Point | undefined,
): Promise<Scope> {
  const { read, kind } = database
  const tables = registry.all.map(({ table }) => table)
  const changes = since === undefined ? undefined : await changesAfter(read, since)
  const filled = await filledTables(read, kind, tables)
  if (!changes) return { from: undefined, filled, shrunk: new Set() }
  const { from } = changes
  const asked = tables.filter((table) => filled.has(table))
  return {
    from,
    filled: await tablesWithChanges(read, asked, from),
    shrunk: tablesShrunk(registry, changes),
  }
}

function tablesShrunk(
  registry: Services['registry'],
  { deletedFrom }: Changes,
): ReadonlySet<string> {
  return new Set(
    [...deletedFrom].flatMap((slug) => {
      const definition = registry.bySlug(slug)
      return definition ? [definition.table] : []
    }),
  )
}
