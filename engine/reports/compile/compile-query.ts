import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { assignedNode } from '../../expression/syntax/assign.ts'
import { dependenciesOf } from '../../expression/tree/analyse.ts'
import { ExpressionProblem } from '../../expression/tree/problem.ts'
import { fieldsOf, type Scope } from '../../expression/tree/scope.ts'
import { CONDITION, type Node, type ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { scopeFields, valueType } from '../../rules/base/scopes.ts'
import type { ColumnDeclaration, QueryDeclaration } from '../declare/declaration.ts'
import type { ColumnPlan, ColumnRole, OrderBy, QueryPlan, SourcePlan } from '../declare/report.ts'
import type { Site } from '../declare/site.ts'
import { columnField } from './column-field.ts'
import {
  aggregateOf,
  linksOf,
  type OpenSource,
  openSource,
  type Surroundings,
} from './compile-source.ts'

/** Name, place and tree of a query that is compiled. */
interface Form {
  readonly name: string
  readonly path: Path
  /** The DocType of the tree its rows are rolled up in, for the report's own query. */
  readonly tree: DocTypeDefinition | undefined
}

/** Compiles the sources of a query; those that can be used. */
export function openSources(
  site: Site,
  declared: QueryDeclaration,
  around: Surroundings,
  path: Path,
): readonly OpenSource[] {
  const entries = Object.entries(declared.columns)
  const taken = new Map(entries.filter(([, one]) => TAKES.has(roleOf(one))))
  if (declared.sources === undefined) {
    const only = openSource(site, declared, taken, around, path)
    return only ? [only] : []
  }
  if (declared.from !== undefined)
    site.complain([...path, 'from'], 'a query has either from or sources')
  return declared.sources.flatMap((source, index) => {
    const one = openSource(site, source, taken, around, [...path, 'sources', index])
    return one ? [one] : []
  })
}

/** Compiles a query over its open sources; undefined where nothing of it can be used. Every mistake has been told. */
export function compileQuery(
  site: Site,
  declared: QueryDeclaration,
  open: readonly OpenSource[],
  around: Surroundings,
  { name, path, tree }: Form,
): QueryPlan | undefined {
  if (open.length === 0) return undefined
  const columns: ColumnPlan[] = []
  for (const [column, one] of Object.entries(declared.columns)) {
    const role = roleOf(one)
    const plan = columnOf(site, { column, one, role, path: [...path, 'columns', column] }, open, {
      columns,
      around,
      tree,
      declared,
    })
    if (plan) columns.push(plan)
  }
  // What stands once for each period has no one value to compare or sort by.
  const single = columns.filter((column) => !column.isPeriodic)
  const scope = columnScope(single, around)
  const isGrouped = columns.some(({ role }) => GROUPS.has(role)) || tree !== undefined
  return {
    name,
    columns,
    isGrouped,
    sources: open.map((source) => closedSource(site, source, columns)),
    having:
      declared.having === undefined
        ? undefined
        : site.inSql(declared.having, scope, CONDITION, [...path, 'having'])?.tree,
    order: orderOf(site, declared, single, path),
  }
}

/** The columns of a query, and the parameters, as expressions over them name them. */
export function columnScope(
  columns: readonly ColumnPlan[],
  { paramFields }: Pick<Surroundings, 'paramFields'>,
): Scope {
  return {
    fields: fieldsOf(scopeFields(columns.map(({ field }) => field))),
    records: new Map([['param', paramFields]]),
    repeat: 1,
  }
}

/** Columns that take something of the rows of a source. */
const TAKES: ReadonlySet<ColumnRole> = new Set(['value', 'sum', 'min', 'max'])
const GROUPS: ReadonlySet<ColumnRole> = new Set(['sum', 'min', 'max', 'count'])

function roleOf(column: ColumnDeclaration): ColumnRole {
  const aggregate = aggregateOf(column)
  if (aggregate) return aggregate.role
  if (column.count) return 'count'
  if (column.formula !== undefined) return 'formula'
  if (column.running !== undefined) return 'running'
  if (column.total !== undefined) return 'total'
  return column.of_node === undefined ? 'value' : 'node'
}

interface Named {
  readonly column: string
  readonly one: ColumnDeclaration
  readonly role: ColumnRole
  readonly path: Path
}

interface Known {
  /** The columns before this one. */
  readonly columns: readonly ColumnPlan[]
  readonly around: Surroundings
  readonly tree: DocTypeDefinition | undefined
  readonly declared: QueryDeclaration
}

function columnOf(
  site: Site,
  { column, one, role, path }: Named,
  open: readonly OpenSource[],
  { columns, around, tree, declared }: Known,
): ColumnPlan | undefined {
  let node: Node | undefined
  let from: Field | undefined
  if (TAKES.has(role)) {
    const values = open.flatMap(({ values }) => values.get(column) ?? [])
    if (values.length === 0 && open.length > 0 && declared.sources !== undefined)
      site.complain(path, 'no source sets it', 'key')
    if (values.length === 0) return undefined
    node = values[0]!.node
    from = values.find(({ field }) => field)?.field
  } else if (role === 'node') {
    from = tree && site.registry.fieldOf(tree, one.of_node!)
    if (!from)
      site.complain(
        [...path, 'of_node'],
        tree
          ? `${tree.doctype} has no field ${JSON.stringify(one.of_node)}`
          : 'is for reports with a tree',
      )
    if (!from) return undefined
  } else if (role !== 'count') {
    const text = one.formula ?? one.running ?? one.total ?? ''
    node = site.inSql(text, columnScope(columns, around), undefined, [...path, role])?.tree
    if (!node) return undefined
    if (role === 'running') checkOrder(site, declared, columns, path)
    from = role === 'formula' ? columns.find(({ name }) => name === text.trim())?.field : undefined
  }
  const shown = role === 'count' ? { type: 'int', ...one } : one
  const field = columnField(site, column, shown, path, { field: from, node })
  if (!field) return undefined
  for (const [index, name] of (one.by ?? []).entries())
    if (!columns.some((known) => known.name === name))
      site.complain([...path, 'by', index], `no column ${JSON.stringify(name)} before this one`)
  const isComputed = role === 'formula' || role === 'running' || role === 'total'
  const currency =
    one.currency ?? (declared.columns[from?.currencyField ?? ''] && from?.currencyField)
  return {
    name: column,
    field,
    role,
    node: isComputed ? assigned(site, node!, valueType(field), [...path, role]) : undefined,
    by: one.by ?? [],
    period: spanOf(one),
    currency,
    hidden: one.hidden === true,
    ofNode: one.of_node,
    isPeriodic:
      spanOf(one) !== undefined ||
      (isComputed && dependenciesOf(node!).some((name) => isPeriodic(columns, name))),
  }
}

function spanOf(column: ColumnDeclaration): ColumnPlan['period'] {
  if (column.in_period !== undefined) return 'in'
  if (column.until_period !== undefined) return 'until'
  return column.for_each === undefined ? undefined : 'each'
}

function isPeriodic(columns: readonly ColumnPlan[], name: string): boolean {
  return columns.some((column) => column.name === name && column.isPeriodic)
}

/** Checks the order of a sum so far: it needs one, of columns that stand before it. */
function checkOrder(
  site: Site,
  { order = [] }: QueryDeclaration,
  columns: readonly ColumnPlan[],
  path: Path,
): void {
  if (order.length === 0) site.complain([...path, 'running'], 'needs the key order of its query')
  for (const text of order) {
    const name = text.replace(/^-/, '')
    if (!columns.some((column) => column.name === name))
      site.complain([...path, 'running'], `the column ${name} of order has to stand before it`)
  }
}

/** The expression with the rounding of its column built in. */
function assigned(site: Site, node: Node, type: ValueType, path: Path): Node | undefined {
  try {
    return assignedNode(node, type)
  } catch (problem) {
    if (!(problem instanceof ExpressionProblem)) throw problem
    site.complain(path, problem.message)
    return undefined
  }
}

function closedSource(site: Site, open: OpenSource, columns: readonly ColumnPlan[]): SourcePlan {
  const values = new Map<string, Node>()
  for (const [name, { node, path }] of open.values) {
    const column = columns.find((one) => one.name === name)
    const typed = column ? assigned(site, node, valueType(column.field), path) : node
    if (typed) values.set(name, typed)
  }
  const nodes = [...values.values(), ...(open.plan.where ? [open.plan.where] : [])]
  return { ...open.plan, values, links: linksOf(open.scope, nodes, open.plan.filters) }
}

function orderOf(
  site: Site,
  { order = [] }: QueryDeclaration,
  columns: readonly ColumnPlan[],
  path: Path,
): OrderBy[] {
  return order.flatMap((text, index) => {
    const isDown = text.startsWith('-')
    const column = isDown ? text.slice(1) : text
    if (columns.some(({ name }) => name === column)) return [{ column, isDown }]
    site.complain([...path, 'order', index], `no column ${JSON.stringify(column)}`)
    return []
  })
}
