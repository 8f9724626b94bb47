import type {
  DocTypeDefinition,
  EachDeclaration,
  EachRow,
  EachSearch,
} from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { UNNAMED_ROW } from '../../definition/normalise/expand-copies.ts'
import { splitDot } from '../../definition/normalise/normalise-field.ts'
import type { ColumnOf } from '../../expression/sql/sql-fragment.ts'
import {
  type Fields,
  fieldsOf,
  isFieldName,
  OLD_PARENT,
  type Scope,
} from '../../expression/tree/scope.ts'
import { CONDITION, type ValueType } from '../../expression/tree/types.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import { column } from '../base/columns.ts'
import { type LinkPath, linkPathsOf } from '../base/reads.ts'
import { rowFields } from '../base/scopes.ts'
import { ownKindKey } from '../cells/own-kind.ts'
import { eachQuery, type Query } from './each-query.ts'
import { groupFields, guessedFields, valuesOf } from './each-values.ts'
import {
  type EachPlan,
  type EachQuery,
  MOST_RESULTS,
  RECORD_OF_ROW,
  type SearchPlan,
} from './search-plan.ts'
import { UPDATED } from './step-plans.ts'
import {
  at,
  complain,
  conditionAt,
  noteUse,
  type StepSite,
  type Variable,
  withVariable,
} from './step-site.ts'

/** Names that mean something else wherever steps are. */
const TAKEN: ReadonlySet<string> = new Set([
  ...['old', OLD_PARENT, 'user', 'input', 'this', 'document', 'parent', UPDATED],
])

/**
 * Compiles an `each` at the key of that name; the site that comes back knows its variable. `as` is the one beside it,
 * where the place has one. Undefined for a mistake, which is reported.
 */
export function compileEach(
  site: StepSite,
  declared: string | EachDeclaration,
  as?: string,
): { readonly each: EachPlan; readonly site: StepSite } | undefined {
  const here = at(site, 'each')
  const each: EachDeclaration = typeof declared === 'string' ? { table: declared } : declared
  const name = each.as ?? as ?? UNNAMED_ROW
  if (each.as !== undefined && as !== undefined)
    complain(site, ['as'], 'stands in `each` already; remove one of them')
  if (!isFieldName(name) || TAKEN.has(name)) {
    complain(site, ['each'], `${JSON.stringify(name)} cannot name what is gone through`)
    return undefined
  }
  const [isRow, isSearch] = ['table' in each, 'from' in each]
  if (isRow === isSearch) {
    complain(site, ['each'], 'needs either table (own rows) or from (a query)')
    return undefined
  }
  return isRow
    ? eachRow(here, each as EachRow, name, site)
    : eachSearch(here, each as EachSearch, name, site)
}

type Compiled = ReturnType<typeof compileEach>

function eachRow(here: StepSite, each: EachRow, as: string, outer: StepSite): Compiled {
  const { definition, scopes } = here.context
  const { table } = each
  const extra = Object.keys(each).find((key) => !['table', 'as', 'if'].includes(key))
  if (extra !== undefined)
    complain(here, [extra], 'is for what a query finds (from); the rows of a table are all taken')
  const field = definition.fields.find(({ name }) => name === table)
  if (!field?.child) {
    complain(here, [], `no table ${JSON.stringify(table)}`)
    return undefined
  }
  const columns = rowFields(scopes.of(definition), table)
  const site = withVariable(outer, as, columns, field.child.maxRows)
  const condition = conditionAt({ ...site, path: here.path }, each.if)
  return { each: { as, if: condition, table, search: undefined }, site }
}

function eachSearch(here: StepSite, each: EachSearch, as: string, outer: StepSite): Compiled {
  const origin = originOf(here, each.from)
  if (!origin) return undefined
  const query = querySite(here, origin)
  const { definition: source, table: sourceTable } = origin
  const fields =
    (sourceTable === undefined
      ? source.fields
      : source.fields.find(({ name }) => name === sourceTable)?.child?.fields) ?? []
  const links = new Map<string, LinkPath>()
  const sql = (
    path: readonly (string | number)[],
    text: string | readonly string[],
    type?: ValueType,
  ) => {
    const inSql: ColumnOf = (of, name) =>
      of === 'doc' || of === 'document' || isLinkOf(query.scope, of, outer)
        ? column('', name)
        : undefined
    const rule = here.context.compile(text, query.scope, type, [...here.path, ...path], inSql)
    if (!rule) return undefined
    noteUse(outer, rule.expression)
    const { registry } = here.context
    for (const link of linkPathsOf(rule.expression, fields, registry))
      if (link.field !== 'document') links.set(link.field, link)
    return rule
  }
  const where = each.where === undefined ? undefined : sql(['where'], each.where, CONDITION)
  const grouped = valuesOf(here, each, sql)
  const plain = plainFields(query.scope, sourceTable)
  const known = grouped ? groupFields(here, grouped) : plain
  const guesses = grouped ? guessedFields(known, plain, grouped) : []
  const site = withVariable(outer, as, known, each.limit ?? MOST_RESULTS, guesses)
  const { used } = site.variables.get(as) as Variable
  const order = orderOf(here, each, [known, ...guesses])
  for (const { name } of order) used.add(name)
  const condition = conditionAt({ ...site, path: here.path }, each.if)
  const plan = {
    source,
    sourceTable,
    where,
    links: [...links.values()],
    order,
    limit: each.limit,
    values: grouped?.values,
    used,
  }
  const { registry, definition } = here.context
  const seeker = { doctype: definition.doctype, table: undefined }
  const keyOf = where && ownKindKey(plan, seeker, where.expression.tree)
  const search: SearchPlan = { ...plan, query: queriesOf(plan, registry), keyOf }
  return { each: { as, if: condition, table: undefined, search }, site }
}

/** The query of each database, written at its first use: what the variable is asked for is known by then. */
function queriesOf(plan: Query, registry: Registry): SearchPlan['query'] {
  const made = new Map<DatabaseKind, EachQuery>()
  return (kind) => {
    const query = made.get(kind) ?? eachQuery(plan, kind, registry)
    made.set(kind, query)
    return query
  }
}

interface Origin {
  readonly definition: DocTypeDefinition
  readonly table: string | undefined
}

function originOf(site: StepSite, from: string): Origin | undefined {
  const { registry }: { registry: Registry } = site.context
  const [name, table] = splitDot(from)
  const definition = registry.byDoctype(name)
  if (!definition || definition.isChild) {
    const message = `expected a DocType with records, or Doctype.table, got ${JSON.stringify(from)}`
    complain(site, ['from'], message)
    return undefined
  }
  if (table !== undefined && !definition.fields.some((one) => one.name === table && one.child)) {
    complain(site, ['from'], `${name} has no table ${JSON.stringify(table)}`)
    return undefined
  }
  return { definition, table }
}

/**
 * Site of a query: bare names are those of what is found, and its links lead one step on; `document` is the record of
 * a found row, `this` the document of the step, and what the steps have bound keeps its name.
 */
function querySite(here: StepSite, { definition, table }: Origin): StepSite {
  const { scopes } = here.context
  const { document, rows } = scopes.momentOf(definition)
  const scope = table === undefined ? document : rows.get(table)!
  const fields = new Map(scope.fields)
  // A column of submittable DocTypes only.
  if (!definition.submittable) fields.delete('amended_from')
  const records = new Map(scope.records)
  records.delete('old')
  records.delete('parent')
  records.delete(OLD_PARENT)
  for (const [name, { fields }] of here.variables) records.set(name, fields)
  if (table !== undefined) records.set('document', document.fields)
  records.set('this', here.scope.fields)
  const links = scope.links ?? new Set()
  return { ...here, scope: { fields, records, repeat: 1, links, bare: SEARCHED } }
}

/** Records that a query goes through: what is behind their links is read from there, nothing of it is kept for a query. */
const SEARCHED: ReadonlySet<string> = new Set(['doc', 'document'])

function isLinkOf({ records }: Scope, name: string, { variables }: StepSite): boolean {
  if (name.includes('.')) return true
  return records.has(name) && !variables.has(name) && name !== 'this' && name !== 'user'
}

/** The fields of a record or row that is found, without its tables. */
function plainFields({ fields }: Scope, table: string | undefined): Fields {
  const plain = [...fields].filter(([, { kind }]) => kind !== 'rows' && kind !== 'record')
  const record = fieldsOf([{ name: RECORD_OF_ROW, kind: 'str' }])
  return new Map(table === undefined ? plain : [...plain, ...record])
}

/** Order of what is found, by names of the first of `known`; the others guess what its fields were meant to be. */
function orderOf(
  here: StepSite,
  { order }: EachSearch,
  known: readonly Fields[],
): SearchPlan['order'] {
  const names = order === undefined ? [] : typeof order === 'string' ? [order] : order
  return names.flatMap((text, index) => {
    const isDown = text.startsWith('-')
    const name = isDown ? text.slice(1) : text
    if (known.some((fields) => (fields.get(name)?.kind ?? 'json') !== 'json'))
      return [{ name, isDown }]
    const path = typeof order === 'string' ? ['order'] : ['order', index]
    const have = [...known[0]!.keys()].join(', ')
    complain(here, path, `no field ${JSON.stringify(name)} (have: ${have})`)
    return []
  })
}
