import { sql } from 'kysely'
import { isSmall } from '../../expression/run/quick-number.ts'
import type { ColumnOf } from '../../expression/sql/sql-fragment.ts'
import { dependenciesOf } from '../../expression/tree/analyse.ts'
import type { Node } from '../../expression/tree/types.ts'
import type { OrderBy, QueryPlan, TreePlan } from '../declare/report.ts'
import { lateColumns, withLateColumns } from './late-columns.ts'
import type { LiveColumn } from './live-columns.ts'
import { aggregateSql, sourceSql, tiesBetween } from './source-sql.ts'
import {
  bytewise,
  conditionSql,
  quoted,
  type Run,
  type Sql,
  scalarKind,
  valueSql,
  whole,
} from './statement.ts'
import { rolledUp } from './tree-sql.ts'

/**
 * One query: its sources one after the other, grouped where a column adds up, rolled up in a tree, then column
 * by column what is computed of the others, and at last the condition on all that.
 */
export function querySql(
  run: Run,
  plan: QueryPlan,
  columns: readonly LiveColumn[],
  tree: TreePlan | undefined,
  isPage = false,
): Sql {
  const late = plan.isGrouped && !tree ? lateColumns(run, plan, columns) : []
  const early = columns.filter((column) => !late.some((one) => one.column === column))
  const rows = rowsSql(run, plan, early)
  const grouped = plan.isGrouped
    ? withLateColumns(run, plan, late, groupedSql(run, early, rows, isAddedFirst(plan)))
    : rows
  const base = tree ? rolledUp(run, tree, columns, grouped) : grouped
  const computed = layered(run, plan, columns, base, isPage)
  const having = plan.having && conditionSql(run, plan.having, columnOfRow)
  if (!having) return computed
  const condition = having === 'never' ? sql.raw('1 = 0') : having
  return sql`select * from (${computed}) "q" where ${condition}`
}

/** Columns of a query's rows, as expressions over them name them. */
export const columnOfRow: ColumnOf = (of, name) =>
  of === 'doc' ? { sql: `"q".${quoted(name)}`, nullable: true } : undefined

/** The ORDER BY of a query's rows: what is unset comes first, and last where it is turned round. */
export function orderSql(
  run: Run,
  { order, isGrouped, sources }: Pick<QueryPlan, 'order' | 'isGrouped' | 'sources'>,
  columns: readonly LiveColumn[],
): Sql[] {
  const sorted = order.map(({ column, isDown }: OrderBy) => {
    const { plan } = columns.find(({ name }) => name === column)!
    const text = bytewise(run, scalarKind(plan.field.type), `"q".${quoted(column)}`)
    return sql`${text} ${sql.raw(isDown ? 'desc nulls last' : 'asc nulls first')}`
  })
  const ties = isGrouped
    ? columns.filter(({ plan }) => plan.role === 'value').map(({ name }) => name)
    : tiesBetween(sources, order)
  return [...sorted, ...ties.map((name) => sql.raw(`"q".${quoted(name)}`))]
}

function rowsSql(run: Run, plan: QueryPlan, columns: readonly LiveColumn[]): Sql {
  const isAdded = isAddedFirst(plan)
  const taken = columns.filter(
    ({ plan: { role } }) => role === 'value' || ADDED.has(role) || (isAdded && role === 'count'),
  )
  const place = { isOnly: plan.sources.length === 1, withTies: !plan.isGrouped, isAdded }
  const sources = plan.sources.flatMap(
    (source, index) => sourceSql(run, source, taken, { index, ...place }) ?? [],
  )
  if (sources.length > 0) return sql.join(sources, sql` union all `)
  // No source can have a row: one that nothing meets keeps the columns.
  const nothing = { ...plan.sources[0]!, where: undefined, filters: [] }
  const shape = sourceSql(run, nothing, taken, { index: 0, ...place })!
  return sql`select * from (${shape}) "s" where 1 = 0`
}

const ADDED: ReadonlySet<string> = new Set(['sum', 'min', 'max'])

/** Whether several sources each add up by themselves first, so that an index may group where one can. */
function isAddedFirst({ isGrouped, sources }: QueryPlan): boolean {
  return isGrouped && sources.length > 1
}

function groupedSql(run: Run, columns: readonly LiveColumn[], rows: Sql, isAdded: boolean): Sql {
  const keys: Sql[] = []
  const selected = columns.flatMap((column) => {
    const { name, plan } = column
    const value = sql.raw(`"s".${quoted(name)}`)
    const as = sql.raw(` as ${quoted(name)}`)
    if (plan.role === 'value') {
      keys.push(value)
      return [sql`${value}${as}`]
    }
    if (plan.role === 'count' && isAdded) return [sql`${whole(run, sql`sum(${value})`)}${as}`]
    if (plan.role !== 'count' && !ADDED.has(plan.role)) return []
    return [sql`${aggregateSql(run, column, value)}${as}`]
  })
  const by = keys.length === 0 ? sql`` : sql` group by ${sql.join(keys)}`
  return sql`select ${sql.join(selected)} from (${rows}) "s"${by}`
}

function isLarge(node: Node | undefined): boolean {
  return node !== undefined && !isSmall(node)
}

/** Formulas and sums over the rows, each after what it is computed of. */
function layered(
  run: Run,
  plan: QueryPlan,
  columns: readonly LiveColumn[],
  base: Sql,
  isPage: boolean,
): Sql {
  let inner = base
  let layer: LiveColumn[] = []
  let isCostly = plan.sources.some(({ values }) =>
    columns.some(({ name }) => isLarge(values.get(name))),
  )
  const close = (): void => {
    if (layer.length === 0) return
    // SQLite would write what a column is into every place that names it, and compute it as often.
    if (isCostly && !isPage && run.kind === 'sqlite') inner = sql`${inner} limit -1`
    isCostly = layer.some(({ node }) => isLarge(node))
    const computed = layer.map(
      (column) => sql`${computedSql(run, plan, columns, column)} as ${sql.ref(column.name)}`,
    )
    inner = sql`select "q".*, ${sql.join(computed)} from (${inner}) "q"`
    layer = []
  }
  for (const column of columns) {
    if (!column.node) continue
    const needed = [
      ...dependenciesOf(column.node),
      ...column.plan.by,
      ...(column.plan.role === 'running' ? plan.order.map((one) => one.column) : []),
    ]
    if (layer.some(({ name }) => needed.includes(name))) close()
    layer.push(column)
  }
  close()
  return inner
}

function computedSql(
  run: Run,
  plan: QueryPlan,
  columns: readonly LiveColumn[],
  { node, plan: { role, by } }: LiveColumn,
): Sql {
  const value = valueSql(run, node!, columnOfRow)
  if (role === 'formula') return value
  const within = by.map((name) => sql.raw(`"q".${quoted(name)}`))
  const partition = within.length === 0 ? sql`` : sql`partition by ${sql.join(within)}`
  const order =
    role === 'running'
      ? sql` order by ${sql.join(orderSql(run, plan, columns))} rows unbounded preceding`
      : sql``
  return whole(run, sql`coalesce(sum(${value}) over (${partition}${order}), 0)`)
}
