import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { allOf } from '../../expression/expression.ts'
import { dependenciesOf } from '../../expression/tree/analyse.ts'
import type { Fields } from '../../expression/tree/scope.ts'
import { CONDITION, type Node, type ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { ColumnDeclaration, SourceDeclaration } from '../declare/declaration.ts'
import {
  DATE_OF,
  type FilterPlan,
  type Parameter,
  type QueryPlan,
  type SourcePlan,
} from '../declare/report.ts'
import type { Site } from '../declare/site.ts'
import { type SourceScope, sourceScope } from './source-scope.ts'

/** Surroundings that every query of a report is compiled in. */
export interface Surroundings {
  readonly params: readonly Parameter[]
  readonly paramFields: Fields
  /** The queries before this one. */
  readonly queries: readonly QueryPlan[]
}

/** A source before the types of the columns are known: one of several may be the first to set them. */
export interface OpenSource {
  readonly scope: SourceScope
  readonly plan: Omit<SourcePlan, 'values' | 'links'>
  /** Column → its expression, and the field it is where it is nothing else. */
  readonly values: ReadonlyMap<string, OpenValue>
}

export interface OpenValue {
  readonly node: Node
  readonly field: Field | undefined
  readonly path: Path
}

const AGGREGATES = ['sum', 'min', 'max'] as const
/** The aggregate a column declares, with its expression; `true`: what the sources set. */
export function aggregateOf(
  column: ColumnDeclaration,
): { readonly role: (typeof AGGREGATES)[number]; readonly text: string | true } | undefined {
  const role = AGGREGATES.find((one) => column[one] !== undefined)
  return role && { role, text: column[role]! }
}

/** Compiles one source; `columns` are those that take something of its rows. */
export function openSource(
  site: Site,
  declared: SourceDeclaration,
  columns: ReadonlyMap<string, ColumnDeclaration>,
  around: Surroundings,
  path: Path,
): OpenSource | undefined {
  if (declared.from === undefined) {
    site.complain(path, 'needs the key from (or sources)')
    return undefined
  }
  const scope = sourceScope(
    site,
    declared.from,
    [...path, 'from'],
    around.queries,
    around.paramFields,
  )
  if (!scope) return undefined
  const values = new Map<string, OpenValue>()
  const add = (name: string, text: string, type: ValueType | undefined, at: Path): void => {
    const expression = site.inSql(text, scope.scope, type, at)
    if (!expression) return
    const { tree } = expression
    values.set(name, { node: tree, field: namedField(site, scope, tree), path: at })
  }
  for (const [name, column] of columns) {
    const found = textOf(declared, name, column, path)
    if (found) add(name, found.text, undefined, found.path)
    const date = column.in_period ?? column.until_period
    const key = column.in_period === undefined ? 'until_period' : 'in_period'
    if (date !== undefined)
      add(DATE_OF + name, date, { kind: 'date', scale: 0 }, ['columns', name, key])
    if (column.for_each !== undefined)
      add(DATE_OF + name, column.for_each, { kind: 'str', scale: 0 }, ['columns', name, 'for_each'])
  }
  for (const name of Object.keys(declared.set ?? {}))
    if (!columns.has(name))
      site.complain([...path, 'set', name], `no column ${JSON.stringify(name)} takes it`, 'key')
  const where = whereOf(site, declared, scope, [...path, 'where'])
  const { definition, table, query } = scope
  const filters = filtersOf(site, declared, scope, around.params, [...path, 'filter'])
  return { scope, plan: { definition, table, query, filters, where }, values }
}

/** The condition of a source: one, or several that must all hold. */
function whereOf(
  site: Site,
  { where }: SourceDeclaration,
  { scope }: SourceScope,
  path: Path,
): Node | undefined {
  const texts =
    typeof where === 'string'
      ? [{ text: where, at: path }]
      : (where ?? []).map((text, index) => ({ text, at: [...path, index] }))
  const [first, ...others] = texts.flatMap(
    ({ text, at }) => site.inSql(text, scope, CONDITION, at) ?? [],
  )
  return first && allOf([first, ...others]).tree
}

/** Expression of what a column takes of this source's rows: what the source sets, else what the column says itself. */
function textOf(
  { set }: SourceDeclaration,
  name: string,
  column: ColumnDeclaration,
  path: Path,
): { readonly text: string; readonly path: Path } | undefined {
  if (set) {
    const text = set[name]
    return text === undefined ? undefined : { text, path: [...path, 'set', name] }
  }
  const aggregate = aggregateOf(column)
  if (aggregate) {
    const text = aggregate.text === true ? name : aggregate.text
    return { text, path: [...path, 'columns', name, aggregate.role] }
  }
  if (column.value === undefined) return { text: name, path: [...path, 'columns', name] }
  return { text: column.value, path: [...path, 'columns', name, 'value'] }
}

/** The field that an expression is, where it is no more than one: of the source, or of what a link leads to. */
function namedField(site: Site, scope: SourceScope, tree: Node): Field | undefined {
  if (tree.node !== 'field') return undefined
  const path = tree.of === 'doc' ? tree.name : `${tree.of}.${tree.name}`
  return scope.field(path) ?? linkedField(site, scope, path)
}

/** Field of the record a link leads to: `party.customer_name`. */
function linkedField(site: Site, scope: SourceScope, text: string): Field | undefined {
  const [link, name, ...rest] = text.split('.')
  const target = rest.length === 0 && link !== undefined ? scope.linked(link) : undefined
  return target && name !== undefined ? site.registry.fieldOf(target, name) : undefined
}

function filtersOf(
  site: Site,
  { filter }: SourceDeclaration,
  scope: SourceScope,
  params: readonly Parameter[],
  path: Path,
): FilterPlan[] {
  const pairs = Array.isArray(filter)
    ? filter.map((name: string, index) => ({ name, param: name, at: [...path, index] }))
    : Object.entries((filter ?? {}) as Readonly<Record<string, string>>).map(([name, param]) => ({
        name,
        param,
        at: [...path, name],
      }))
  return pairs.flatMap(({ name, param, at }) => {
    const field = scope.field(name) ?? linkedField(site, scope, name)
    const parameter = params.find(({ field: known }) => known.name === param)
    if (!field) site.complain(at, `no field ${JSON.stringify(name)} of the source`)
    if (!parameter) site.complain(at, `no parameter ${JSON.stringify(param)}`)
    if (!field || !parameter) return []
    const target =
      parameter.field.link === undefined ? undefined : site.registry.byDoctype(parameter.field.link)
    const parent = target?.tree
    const dot = name.indexOf('.')
    return [
      {
        field: name.slice(dot + 1),
        of: dot < 0 ? 'doc' : name.slice(0, dot),
        param,
        tree: target && parent !== undefined ? { definition: target, parent } : undefined,
      },
    ]
  })
}

/** The links that expressions and filters look through. */
export function linksOf(
  scope: SourceScope,
  nodes: readonly Node[],
  filters: readonly FilterPlan[],
): ReadonlyMap<string, DocTypeDefinition> {
  const heads = [
    ...nodes
      .flatMap(dependenciesOf)
      .flatMap((name) => (name.includes('.') ? name.split('.', 1) : [])),
    ...filters.map(({ of }) => of),
  ]
  const links = new Map<string, DocTypeDefinition>()
  for (const head of heads) {
    const target = NO_LINKS.has(head) ? undefined : scope.linked(head)
    if (target) links.set(head, target)
  }
  return links
}

const NO_LINKS: ReadonlySet<string> = new Set(['doc', 'document', 'param'])
