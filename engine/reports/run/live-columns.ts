import { withFields } from '../../expression/run/fold.ts'
import type { Node } from '../../expression/tree/types.ts'
import type { Period } from '../declare/periods.ts'
import type { ColumnPlan, QueryPlan } from '../declare/report.ts'

/** A column as a statement has it: one for each period where its plan stands for several. */
export interface LiveColumn {
  readonly name: string
  readonly plan: ColumnPlan
  readonly period: Period | undefined
  /** Expression over the other columns, by the names they have in the statement. */
  readonly node: Node | undefined
}

/** The columns of a query for these periods, in their order. */
export function liveColumns({ columns }: QueryPlan, periods: readonly Period[]): LiveColumn[] {
  return columns.flatMap((plan): LiveColumn[] => {
    if (!plan.isPeriodic) return [{ name: plan.name, plan, period: undefined, node: plan.node }]
    return periods.map((period) => ({
      name: inPeriod(plan.name, period),
      plan,
      period,
      node: plan.node && nodeIn(plan.node, columns, period),
    }))
  })
}

/** The name of a column in a period. */
export function inPeriod(name: string, { key }: Period): string {
  return `${name}_${key}`
}

/** An expression over columns as that of one period. */
export function nodeIn(node: Node, columns: readonly ColumnPlan[], period: Period): Node {
  const periodic = new Set(columns.filter((one) => one.isPeriodic).map(({ name }) => name))
  return withFields(node, (field) =>
    field.of === 'doc' && periodic.has(field.name)
      ? { ...field, name: inPeriod(field.name, period) }
      : field,
  )
}
