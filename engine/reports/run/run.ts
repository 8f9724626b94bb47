import { sql } from 'kysely'
import { validationError } from '../../base/errors.ts'
import { readable } from '../../documents/rights/door.ts'
import type { Context } from '../../documents/work/context.ts'
import { deepReads } from '../../documents/work/deep-reads.ts'
import { asExpressionError } from '../../expression/sql/sql-errors.ts'
import { dependenciesOf } from '../../expression/tree/analyse.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import { type EvalValue, type Node, unsetValue } from '../../expression/tree/types.ts'
import type { Value } from '../../fields/field-type.ts'
import { runPages } from '../../storage/database/statements.ts'
import { tooManyCells } from '../../storage/deep/over-budget.ts'
import { MAX_CELLS } from '../../storage/query/query.ts'
import { periodsBetween } from '../declare/periods.ts'
import type { OrderBy, QueryPlan, Report } from '../declare/report.ts'
import { assertMayRun } from './access.ts'
import { drillDowns } from './drill-down.ts'
import { eachValue } from './each-value.ts'
import { type LiveColumn, liveColumns, nodeIn } from './live-columns.ts'
import { namesBelow } from './names-below.ts'
import { type Parameters, readParameters } from './parameters.ts'
import { columnOfRow, orderSql, querySql } from './query-sql.ts'
import {
  COUNT,
  chartOf,
  namesOf,
  plainRows,
  type RawRow,
  type ReportResult,
  shownColumns,
  summaryName,
  summaryOf,
  THERE,
  totalName,
  totalsOf,
  treeRows,
  type WireRow,
  wire,
} from './result.ts'
import { queryTable } from './source-sql.ts'
import { quoted, type Run, type Sql, valueSql, whole } from './statement.ts'
import { ABOVE } from './tree-sql.ts'

/** Question to a report: its parameters as texts, and which rows. */
export interface ReportQuery {
  readonly given: ReadonlyMap<string, string>
  readonly limit: number
  readonly offset: number
  /** Order that comes before the report's own. */
  readonly order?: OrderBy
}

/**
 * Runs a report for who asks: one statement for its rows, their number and their totals. Throws 401/403, and
 * VALIDATION_ERROR for parameters that are wrong or data it cannot compute with.
 */
export async function runReport(
  context: Context,
  report: Report,
  query: ReportQuery,
): Promise<ReportResult> {
  assertMayRun(context, report)
  const parameters = await readParameters(context, report, query.given)
  const below = await namesBelow(context, report, parameters)
  const own = runOf(context, report, parameters, below)
  const values = await eachValue(context, report, own, NARROW)
  const run = values.length === 0 ? own : { ...own, periods: values }
  const columns = liveColumns(report.main, run.periods)
  const statement = statementOf(run, report, columns, query)
  let first: RawRow | undefined
  const found: WireRow[] = []
  const nodes: RawRow[] = []
  await readRows(context, statement, (rows) => {
    if (!first) assertFits(report, columns, query, rows[0]!)
    first ??= rows[0]
    if (report.tree) nodes.push(...rows)
    else found.push(...plainRows(columns, rows))
  })
  if (report.tree) found.push(...treeRows(report, columns, nodes))
  const params = Object.fromEntries(
    report.params.map(({ field }) => [field.name, wire(field, parameters.values[field.name]!)]),
  )
  return {
    columns: shownColumns(columns, params, drillDowns(report, run, columns)),
    data: found,
    totals: report.totals.length === 0 ? null : totalsOf(report, columns, first!),
    totalLabel: report.totalLabel,
    summary: summaryOf(report, run, first!),
    chart: chartOf(report, run),
    total: report.tree ? found.length : Number(first![COUNT]),
    currency: parameters.currency,
    params,
  }
}

/** Throws UNAVAILABLE before the rows are read where there are more than an answer may have. */
function assertFits(
  { tree, limit: mostNodes }: Report,
  columns: readonly LiveColumn[],
  { limit, offset }: ReportQuery,
  first: RawRow,
): void {
  const total = Number(first[COUNT])
  const rows = tree ? Math.min(total, mostNodes) : Math.min(total - offset, limit)
  if (rows * columns.length > MAX_CELLS) throw tooManyCells(NARROW, MAX_CELLS)
}

const NARROW = 'ask for a shorter period or set more of its filters'

async function readRows(
  context: Context,
  statement: Sql,
  take: (rows: readonly RawRow[]) => void,
): Promise<void> {
  const on = deepReads(context, NARROW)
  const { sql: text, parameters } = statement.compile(on)
  try {
    await runPages<RawRow>(on, text, parameters, take)
  } catch (error) {
    const known = asExpressionError(error)
    if (!(known instanceof ExpressionError)) throw error
    throw validationError([
      {
        field: '',
        message: `the report cannot be computed: ${known.message}`,
        code: 'expression',
      },
    ])
  }
}

function runOf(
  context: Context,
  { periods }: Report,
  parameters: Parameters,
  below: Run['below'],
): Run {
  const { values, environment } = parameters
  const { today, now } = environment
  const param = (name: string): Value => values[name] ?? null
  return {
    kind: context.services.database.kind,
    known: {
      today,
      now,
      value: ({ of, name, kind }) =>
        of === 'param' ? ((param(name) ?? unsetValue(kind)) as EvalValue) : undefined,
      isSet: ({ of, name }) => (of === 'param' ? param(name) !== null : undefined),
    },
    environment,
    params: values,
    below,
    periods: periods
      ? periodsBetween(
          String(values[periods.from]),
          String(values[periods.to]),
          String(values[periods.every] ?? periods.every),
          Object.hasOwn(values, periods.every) ? periods.every : periods.to,
        )
      : [],
    limit: (definition) => readable(context, definition),
  }
}

/** The page of rows beside their number and their sums, which stand in every row of the answer. */
function statementOf(
  run: Run,
  report: Report,
  columns: readonly LiveColumn[],
  { limit, offset, order }: ReportQuery,
): Sql {
  const { main, queries, tree } = report
  const named = queries.map(
    (query) =>
      sql`${sql.ref(queryTable(query.name))} as (${querySql(run, query, liveColumns(query, []), undefined)})`,
  )
  const sorted = orderSql(run, ordered(main, columns, order), columns)
  const by = tree && main.order.length === 0 ? [sql.raw(`"q".${quoted(tree.column)}`)] : sorted
  const orderBy = by.length === 0 ? sql`` : sql` order by ${sql.join(by)}`
  const most = tree ? report.limit : limit
  const from = tree ? 0 : offset
  const isTwice = isReadTwice(report)
  const rows = querySql(run, main, columns, tree, isTwice)
  const all = isTwice
    ? { common: [], page: rows, summed: querySql(run, main, summedColumns(report, columns), tree) }
    : { common: [sql`"rows" as materialized (${rows})`], page: ROWS, summed: ROWS }
  const page = sql`select "q".*, 1 as ${sql.ref(THERE)} from (${all.page}) "q"${orderBy} limit ${sql.lit(most)} offset ${sql.lit(from)}`
  const common = [...named, ...all.common, sql`"sums" as (${sumsOf(run, report, all.summed)})`]
  return sql`with ${sql.join(common)} select * from "sums" left join (${page}) "q" on 1 = 1${orderBy}`
}

const ROWS = sql`select * from "rows"`

/**
 * Whether the page and the sums each read the tables, so that an index can give the page its order and the sums look up
 * no more than they need: where rows are as they stand in the tables. What is grouped or summed up in an order is
 * computed once for both.
 */
function isReadTwice({ main, tree }: Report): boolean {
  const isInOrder = main.columns.some(({ role }) => role === 'running' || role === 'total')
  const isOfTables = main.sources.every(({ query }) => query === undefined)
  return isOfTables && !main.isGrouped && !tree && !isInOrder
}

/** The columns that sums and the condition on rows need, with those that these are computed of. */
function summedColumns(
  { main, totals, summary }: Report,
  columns: readonly LiveColumn[],
): LiveColumn[] {
  const needed = new Set<string>()
  const add = (node: Node | undefined): void => {
    for (const name of node ? dependenciesOf(node) : []) {
      if (needed.has(name)) continue
      needed.add(name)
      add(main.columns.find((column) => column.name === name)?.node)
    }
  }
  for (const { node } of [...totals, ...summary.filter(({ is }) => is === 'sum')]) add(node)
  add(main.having)
  return columns.filter(({ plan }) => needed.has(plan.name))
}

/** Query in the order asked for: the report's own goes on where that leaves rows alike. */
function ordered(
  main: QueryPlan,
  columns: readonly LiveColumn[],
  order: OrderBy | undefined,
): QueryPlan {
  if (!order) return main
  const known = columns.filter(({ plan }) => !plan.hidden).map(({ name }) => name)
  if (!known.includes(order.column)) {
    const message = `expected one of ${known.join(', ')} (- before it turns the order round)`
    throw validationError([{ field: 'order_by', message, code: 'unknown_field' }])
  }
  return { ...main, order: [order, ...main.order] }
}

/** Sums over all rows; in a tree over those at the top, which have the others in them. */
function sumsOf(run: Run, { main, totals, summary, tree }: Report, rows: Sql): Sql {
  const sum = (node: Node, name: string): Sql =>
    sql`${whole(run, sql`coalesce(sum(${valueSql(run, node, columnOfRow)}), 0)`)} as ${sql.ref(name)}`
  const selected = [
    sql`count(*) as ${sql.ref(COUNT)}`,
    ...totals.flatMap(({ column, node }) =>
      namesOf(run, main, column).map(({ name, period }) =>
        sum(period ? nodeIn(node, main.columns, period) : node, totalName(name)),
      ),
    ),
    ...summary
      .filter(({ is }) => is === 'sum')
      .map(({ name, node }) => sum(node, summaryName(name))),
  ]
  const isTop = tree
    ? sql` where not exists (select 1 from "rows" "above" where "above".${sql.ref(tree.column)} = "q".${sql.ref(ABOVE)})`
    : sql``
  return sql`select ${sql.join(selected)} from (${rows}) "q"${isTop}`
}
