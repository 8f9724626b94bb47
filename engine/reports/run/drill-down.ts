import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { fold } from '../../expression/run/fold.ts'
import { isNumeric, type Node } from '../../expression/tree/types.ts'
import { publicField } from '../../fields/public-fields.ts'
import type { Period } from '../declare/periods.ts'
import {
  type ColumnPlan,
  type ColumnRole,
  DATE_OF,
  type QueryPlan,
  type Report,
  type SourcePlan,
} from '../declare/report.ts'
import { conditionsOf, type ListCondition, listField, parametersOf } from './list-conditions.ts'
import { type Added, addedOf } from './list-terms.ts'
import type { LiveColumn } from './live-columns.ts'
import { type Run, scalarKind } from './statement.ts'

/**
 * The list that a number of a report adds up (contract §3, Reports). Nobody declares it: it is read from what the column
 * adds up, from where, and under which condition, so it cannot say anything else than the number does.
 */
export interface DrillDown {
  /** Slug of the resource. */
  readonly resource: string
  /** Parameters of the list, as in an address. */
  readonly filter: string
  /**
   * Field of the list → column: in a row the field is what the row has there; in a tree it is that or what a row below it has.
   * Undefined where no parameters tell the rows apart.
   */
  readonly by?: Readonly<Record<string, string>>
  /** Field → factor: what is added up. */
  readonly sums?: Readonly<Record<string, number>>
  /** Whether the records are counted. */
  readonly counts?: true
  /** Whether the sign is that of the row: of two sides of an account one is taken from the other. */
  readonly either_sign?: true
  /** Table whose rows have the fields of `sums`. */
  readonly table?: string
  /** Whether the total of the column adds up the list without `by`. */
  readonly total: boolean
}

/** What a column of a query takes from the records of one DocType. */
interface Part {
  readonly definition: DocTypeDefinition
  readonly table: string | undefined
  readonly conditions: readonly ListCondition[]
  readonly added: Added | undefined
  /** Field of the record → column of the query that has its value; undefined where that does not tell the rows apart. */
  readonly keys: ReadonlyMap<string, string> | undefined
  /** Column of the query → the field of the record that it is. */
  readonly fields: ReadonlyMap<string, string>
  /** Whether the sum over all rows is that over all records: no condition on rows takes one away. */
  readonly isWhole: boolean
}

/** The lists behind the columns of a report as it runs, by the columns' names. */
export function drillDowns(
  report: Report,
  run: Run,
  columns: readonly LiveColumn[],
): ReadonlyMap<string, DrillDown> {
  const found = new Map<string, DrillDown>()
  for (const { name, plan, period } of columns) {
    if (plan.hidden || !isNumeric(scalarKind(plan.field.type))) continue
    const part = partOf(report, run, report.main, plan.name, period)
    const filter = part && parametersOf(part.definition, part.conditions)
    if (!part || filter === undefined) continue
    const by = shownKeys(report, run, part)
    const { definition, table, added, isWhole } = part
    const total = isWhole && isSummed(report, run, plan.name)
    if (!by && !total) continue
    found.set(name, {
      resource: definition.slug,
      filter,
      ...(by ? { by } : {}),
      ...(added ?? {}),
      ...(table === undefined ? {} : { table }),
      total,
    })
  }
  return found
}

/** Whether the total of a column is the sum of it and nothing else. */
function isSummed({ totals }: Report, run: Run, name: string): boolean {
  const total = totals.find(({ column }) => column === name)
  return total !== undefined && columnIn(fold(total.node, run.known)) === name
}

/** The column that an expression over columns is, where it is no more than one. */
function columnIn(node: Node): string | undefined {
  if (node.node === 'rescale' && node.scale >= node.value.scale) return columnIn(node.value)
  return node.node === 'field' && node.of === 'doc' ? node.name : undefined
}

function partOf(
  report: Report,
  run: Run,
  plan: QueryPlan,
  name: string,
  period: Period | undefined,
): Part | undefined {
  const column = plan.columns.find((one) => one.name === name)
  if (!column) return undefined
  if (column.role === 'formula') {
    const other = columnIn(fold(column.node!, run.known))
    return other === undefined ? undefined : partOf(report, run, plan, other, period)
  }
  if (column.role === 'value' ? plan.isGrouped : !ADDED_UP.has(column.role)) return undefined
  const source = onlySource(run, plan)
  if (!source) return undefined
  const part =
    source.query === undefined
      ? ofRecords(run, plan, source, name, period)
      : ofQuery(report, run, plan, source, name, period)
  if (!part || !plan.having) return part
  const isEmpty = leavesOutZeros(fold(plan.having, run.known), name)
  return isEmpty ? part : { ...part, isWhole: false }
}

const ADDED_UP: ReadonlySet<ColumnRole> = new Set(['sum', 'count'])

/** The one source that may have rows as the parameters are. */
function onlySource(run: Run, { sources }: QueryPlan): SourcePlan | undefined {
  const [source, ...others] = sources.filter(({ where }) => {
    const folded = where && fold(where, run.known)
    return !(folded?.node === 'literal' && folded.value === false)
  })
  return others.length === 0 ? source : undefined
}

/** Whether rows that the condition leaves out have nothing in the column: `a != 0 || b != 0`. */
function leavesOutZeros(node: Node, column: string): boolean {
  if (node.node !== 'binary') return false
  if (node.op === '||')
    return leavesOutZeros(node.left, column) || leavesOutZeros(node.right, column)
  return (
    node.op === '!=' &&
    columnIn(node.left) === column &&
    node.right.node === 'literal' &&
    Number(node.right.value) === 0
  )
}

function ofRecords(
  run: Run,
  plan: QueryPlan,
  source: SourcePlan,
  name: string,
  period: Period | undefined,
): Part | undefined {
  const { definition, table, values } = source
  const column = plan.columns.find((one) => one.name === name)!
  const fieldOf = fieldsOf(source)
  const taken = column.role === 'count' ? undefined : values.get(name)
  if (column.role !== 'count' && !taken) return undefined
  const added =
    taken === undefined
      ? { conditions: [], added: COUNTED }
      : addedOf(fold(taken, run.known), fieldOf, (field) => isAddedField(source, field))
  if (!definition || !added) return undefined
  // A row that stands once in a list of rows is no number of records.
  if (table !== undefined && added.added?.counts) return undefined
  const where = source.where ? conditionsOf(fold(source.where, run.known), fieldOf) : []
  const given = filtersOf(run, source, fieldOf)
  const dated = period ? within(run, source, name, column.period, period, fieldOf) : []
  if (!where || !given || !dated) return undefined
  return {
    definition,
    table,
    conditions: [...where, ...given, ...dated, ...added.conditions],
    added: added.added,
    keys: keysOf(run, plan, source, fieldOf),
    fields: fieldsIn(run, plan, source, fieldOf),
    isWhole: true,
  }
}

const COUNTED: Added = { counts: true }

/** The fields of a source that its list has: those of the record. */
function fieldsOf({ definition, table }: SourcePlan): (node: Node) => string | undefined {
  const own = table === undefined ? 'doc' : 'document'
  return (node) =>
    node.node === 'field' && node.of === own && definition && listField(definition, node.name)
      ? node.name
      : undefined
}

/** Whether a field is one whose values are added up: of the record, or of the rows of its table. */
function isAddedField({ definition, table }: SourcePlan, node: Node): boolean {
  if (node.node !== 'field' || node.of !== 'doc' || !definition) return false
  if (table === undefined) return listField(definition, node.name) !== undefined
  const child = publicField(definition, table)?.child
  return child !== undefined && publicField(child, node.name) !== undefined
}

function filtersOf(
  run: Run,
  { filters, table }: SourcePlan,
  fieldOf: (node: Node) => string | undefined,
): readonly ListCondition[] | undefined {
  const own = table === undefined ? 'doc' : 'document'
  const conditions: ListCondition[] = []
  for (const { field, of, param, tree } of filters) {
    const value = run.params[param]
    if (value === null || value === undefined || value === '') continue
    const at = { node: 'field', of, name: field, kind: 'str', scale: 0, at: [0, 0] } as const
    if (of !== own || fieldOf(at) === undefined) return undefined
    const values = tree ? run.below.get(param) : [String(value)]
    if (!values) return undefined
    conditions.push({ field, operator: values.length === 1 ? 'eq' : 'in', values })
  }
  return conditions
}

function within(
  run: Run,
  { values }: SourcePlan,
  name: string,
  span: ColumnPlan['period'],
  { from, to, value }: Period,
  fieldOf: (node: Node) => string | undefined,
): readonly ListCondition[] | undefined {
  const date = values.get(DATE_OF + name)
  const field = date && fieldOf(fold(date, run.known))
  if (field === undefined) return undefined
  if (span === 'each') return [{ field, operator: 'eq', values: [value ?? ''] }]
  const upTo: ListCondition = { field, operator: 'lte', values: [to] }
  return span === 'until' ? [upTo] : [{ field, operator: 'gte', values: [from] }, upTo]
}

/** The columns of a query that are fields of the records. */
function fieldsIn(
  run: Run,
  { columns }: QueryPlan,
  { values }: SourcePlan,
  fieldOf: (node: Node) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    columns.flatMap(({ name, role }) => {
      const value = role === 'value' ? values.get(name) : undefined
      const field = value && fieldOf(fold(value, run.known))
      return field === undefined ? [] : [[name, field] as const]
    }),
  )
}

/** Fields that tell the rows of a query apart: what it groups by, else the record of each. */
function keysOf(
  run: Run,
  { columns, isGrouped }: QueryPlan,
  { values, links, table }: SourcePlan,
  fieldOf: (node: Node) => string | undefined,
): ReadonlyMap<string, string> | undefined {
  const keys = new Map<string, string>()
  const rest: Node[] = []
  for (const { name, role } of columns) {
    const value = role === 'value' ? values.get(name) : undefined
    if (!value) continue
    const folded = fold(value, run.known)
    const field = fieldOf(folded)
    if (field !== undefined) keys.set(field, name)
    else if (folded.node !== 'literal') rest.push(folded)
  }
  if (!isGrouped) {
    // A record has several rows of a table.
    if (table !== undefined) return undefined
    const name = keys.get('name') ?? keys.get('id')
    return name === undefined ? undefined : new Map([['id', name]])
  }
  // What follows from a link that is shown too makes no row of its own.
  const isFollowing = (node: Node): boolean => {
    if (node.node !== 'field' || !links.has(node.of)) return false
    const link = fieldOf({ ...node, of: 'doc', name: node.of })
    return link !== undefined && keys.has(link)
  }
  return rest.every(isFollowing) ? keys : undefined
}

/** A column over the rows of a named query: what that takes of its records, under what this asks of them. */
function ofQuery(
  report: Report,
  run: Run,
  plan: QueryPlan,
  source: SourcePlan,
  name: string,
  period: Period | undefined,
): Part | undefined {
  const inner = report.queries.find((one) => one.name === source.query)
  const taken = source.values.get(name)
  const from = taken && columnIn(fold(taken, run.known))
  if (!inner || from === undefined) return undefined
  const part = partOf(report, run, inner, from, undefined)
  if (!part?.isWhole) return undefined
  const column = plan.columns.find((one) => one.name === name)
  const fieldOf = (node: Node): string | undefined =>
    node.node === 'field' && node.of === 'doc' ? part.fields.get(node.name) : undefined
  const where = source.where ? conditionsOf(fold(source.where, run.known), fieldOf) : []
  const given = filtersOf(run, source, fieldOf)
  const dated = period ? within(run, source, name, column?.period, period, fieldOf) : []
  if (!where || !given || !dated) return undefined
  const asked = given.map((one) => ({ ...one, field: part.fields.get(one.field)! }))
  return {
    ...part,
    conditions: [...part.conditions, ...asked, ...where, ...dated],
    keys: plan.isGrouped
      ? keysOf(run, plan, source, fieldOf)
      : part.keys && carriedKeys(run, plan, source, part.keys),
    fields: fieldsIn(run, plan, source, fieldOf),
  }
}

/** The keys of a query by the columns that take them on; undefined where one is left behind. */
function carriedKeys(
  run: Run,
  { columns }: QueryPlan,
  { values }: SourcePlan,
  keys: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | undefined {
  const carried = new Map<string, string>()
  for (const [field, inner] of keys) {
    const taking = columns.find(({ name, role }) => {
      const value = role === 'value' ? values.get(name) : undefined
      return value !== undefined && columnIn(fold(value, run.known)) === inner
    })
    if (!taking) return undefined
    carried.set(field, taking.name)
  }
  return carried
}

/** Keys by the columns that people see; undefined where one of them is hidden, or there are none. */
function shownKeys(
  { main, tree }: Report,
  run: Run,
  { keys, conditions }: Part,
): Readonly<Record<string, string>> | undefined {
  if (!keys) return undefined
  const shown: Record<string, string> = {}
  for (const [field, name] of keys) {
    const column = main.columns.find((one) => one.name === name)
    const visible = column?.hidden
      ? main.columns.find(
          ({ hidden, role, node }) =>
            !hidden && role === 'formula' && columnIn(fold(node!, run.known)) === name,
        )
      : column
    const isFixed = conditions.some((one) => one.field === field && one.operator === 'eq')
    if (!visible && isFixed) continue
    if (!visible || (tree && visible.name !== tree.column)) return undefined
    shown[field] = visible.name
  }
  return shown
}
