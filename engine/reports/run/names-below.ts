import { sql } from 'kysely'
import { readable } from '../../documents/rights/door.ts'
import type { Context } from '../../documents/work/context.ts'
import { treeNames } from '../../storage/finding/tree.ts'
import type { Report } from '../declare/report.ts'
import type { Parameters } from './parameters.ts'

/** Most names of a branch that are read: a list takes no more values of one field. */
const MOST = 500

/**
 * The names in the branch of each parameter that filters by a tree, for the lists behind the numbers; none of a branch with
 * more than a list can be asked for.
 */
export async function namesBelow(
  context: Context,
  { queries, main }: Pick<Report, 'queries' | 'main'>,
  { values }: Parameters,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const filters = [...queries, main].flatMap(({ sources }) => sources.flatMap((one) => one.filters))
  const trees = new Map(
    filters.flatMap(({ param, tree }) => (tree ? [[param, tree] as const] : [])),
  )
  const found = new Map<string, readonly string[]>()
  for (const [param, { definition, parent }] of trees) {
    const value = values[param]
    if (typeof value !== 'string' || value === '') continue
    const limit = readable(context, definition)
    const tree = { table: definition.table, parent, ...(limit ? { limit } : {}) }
    const names = treeNames(tree, 'descendants or self', value)
    const { read } = context.services.database
    const { rows } = await sql<{ name: string }>`
      select name from (${names}) branch order by name limit ${sql.lit(MOST + 1)}`.execute(read)
    if (rows.length <= MOST)
      found.set(
        param,
        rows.map(({ name }) => name),
      )
  }
  return found
}
