import { sql } from 'kysely'
import type { TreePlan } from '../declare/report.ts'
import type { LiveColumn } from './live-columns.ts'
import { quoted, type Run, type Sql, visible, whole } from './statement.ts'

/** The name of the record above, on every row of a tree; null at the top. */
export const ABOVE = '_above'

/**
 * The groups of a query rolled up in a tree: one row for each record that rows were found for or below, with
 * their sums. A circle of parents ends the walk, because no pair is taken twice.
 */
export function rolledUp(
  run: Run,
  { column, definition, parent }: TreePlan,
  columns: readonly LiveColumn[],
  grouped: Sql,
): Sql {
  const tree = (alias: string): Sql => visible(run, definition, alias)
  const above = sql.raw(`"n".${quoted(parent)}`)
  const walk = sql`with recursive "up"("leaf", "node") as (
    select "n"."name", "n"."name" from ${tree('n')}
    union select "up"."leaf", ${above} from "up" join ${tree('n')} on "n"."name" = "up"."node" where ${above} is not null)`
  const sums = columns.filter(({ plan }) => plan.role === 'sum').map(({ name }) => name)
  const added = sums.map(
    (name) => sql`${whole(run, sql`sum(${sql.raw(`"g".${quoted(name)}`)})`)} as ${sql.ref(name)}`,
  )
  const totals = sql`select "up"."node" as "node"${sql.join([sql``, ...added])} from (${grouped}) "g" join "up" on "up"."leaf" = "g".${sql.ref(column)} group by "up"."node"`
  const shown = columns.flatMap(({ name, plan }) => {
    if (plan.role === 'node') return [sql.raw(`"n".${quoted(plan.ofNode!)} as ${quoted(name)}`)]
    if (name === column) return [sql.raw(`"r"."node" as ${quoted(name)}`)]
    return plan.role === 'sum' ? [sql.raw(`"r".${quoted(name)}`)] : []
  })
  return sql`select * from (${walk} select ${sql.join(shown)}, ${above} as ${sql.ref(ABOVE)} from (${totals}) "r" join ${tree('n')} on "n"."name" = "r"."node") "t"`
}

/** The rows as the tree has them: those below one right after it, each with how deep it stands. */
export function inTreeOrder<Row extends { readonly above: string | null; readonly name: string }>(
  rows: readonly Row[],
): { readonly row: Row; readonly indent: number }[] {
  const names = new Set(rows.map(({ name }) => name))
  const below = Map.groupBy(rows, ({ above }) => (above !== null && names.has(above) ? above : ''))
  const placed: { readonly row: Row; readonly indent: number }[] = []
  const seen = new Set<string>()
  const place = (of: string, indent: number): void => {
    for (const row of below.get(of) ?? []) {
      if (seen.has(row.name)) continue
      seen.add(row.name)
      placed.push({ row, indent })
      place(row.name, indent + 1)
    }
  }
  place('', 0)
  return placed
}
