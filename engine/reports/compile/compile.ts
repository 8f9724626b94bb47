import { normaliseFields } from '../../definition/normalise/normalise-field.ts'
import { kebab } from '../../definition/normalise/slug.ts'
import type { Expression } from '../../expression/expression.ts'
import { assignedNode } from '../../expression/syntax/assign.ts'
import { type Fields, fieldsOf, type Scope } from '../../expression/tree/scope.ts'
import { CONDITION, isNumeric } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { scopeFields, valueType } from '../../rules/base/scopes.ts'
import type { ReportDeclaration } from '../declare/declaration.ts'
import { EVERY } from '../declare/periods.ts'
import type { Parameter, QueryPlan, Report, SummaryPlan, TotalPlan } from '../declare/report.ts'
import type { Site } from '../declare/site.ts'
import { columnField } from './column-field.ts'
import { columnScope, compileQuery, openSources } from './compile-query.ts'
import type { Surroundings } from './compile-source.ts'
import { treeTarget } from './compile-tree.ts'
import { readersOf } from './readers.ts'

const MOST_ROWS = 5000
/** Parameters of every report. */
const RESERVED = ['limit', 'offset', 'order_by'] as const

/** Compiles a report that has the right shape; undefined where it cannot be used. Every mistake is reported. */
export function compileReport(site: Site, declared: ReportDeclaration): Report | undefined {
  const params = paramsOf(site, declared)
  const paramFields = fieldsOf(scopeFields(params.map(({ field }) => field)))
  const queries: QueryPlan[] = []
  const around: Surroundings = { params, paramFields, queries }
  for (const [name, query] of Object.entries(declared.with ?? {})) {
    const path = ['with', name]
    const sources = openSources(site, query, around, path)
    const plan = compileQuery(site, query, sources, around, { name, path, tree: undefined })
    if (plan) queries.push(plan)
  }
  const sources = openSources(site, declared, around, [])
  const treeOf = treeTarget(site, declared, sources)
  const form = { name: '', path: [], tree: treeOf?.definition }
  const main = compileQuery(site, declared, sources, around, form)
  if (!main) return undefined
  const scope = columnScope(main.columns, around)
  const single = columnScope(
    main.columns.filter(({ isPeriodic }) => !isPeriodic),
    around,
  )
  checkForm(site, declared, main, params)
  const used = [...queries, main].flatMap(({ sources }) => sources)
  const checks = (declared.validate ?? []).flatMap(({ check, field, message }, index) => {
    const rule = site.inJs(check, paramScope(site, params), CONDITION, ['validate', index, 'check'])
    return rule ? [{ rule, field, message }] : []
  })
  const currency = currencyOf(site, declared, params)
  return {
    slug: kebab(declared.report),
    label: declared.report,
    module: declared.module,
    description: declared.description,
    ...(declared.icon === undefined ? {} : { icon: declared.icon }),
    ...(declared.roles === undefined ? {} : { roles: declared.roles }),
    params,
    checks,
    ...(currency === undefined ? {} : { currency }),
    queries,
    main,
    ...(treeOf === undefined ? {} : { tree: treeOf }),
    ...(declared.periods === undefined ? {} : { periods: declared.periods }),
    totals: totalsOf(site, declared, main, scope),
    ...(declared.total_label === undefined ? {} : { totalLabel: declared.total_label }),
    summary: summaryOf(site, declared, single, paramFields),
    ...(declared.chart === undefined ? {} : { chart: declared.chart }),
    limit: declared.limit ?? MOST_ROWS,
    sources: [...new Set(used.flatMap(({ definition }) => definition ?? []))],
    linked: [...new Set(used.flatMap(({ links }) => [...links.values()]))],
    readers: readersOf(used, treeOf?.definition, main.columns),
  }
}

/** Names of the DocTypes that declare a name. */
function declaring({ registry }: Site, name: string): readonly string[] {
  const found = registry.all.filter(({ declares }) => declares?.includes(name))
  return found.map(({ doctype }) => doctype).sort()
}

function paramsOf(site: Site, { params = {} }: ReportDeclaration): Parameter[] {
  const known: Parameter[] = []
  const fields = normaliseFields(params, ['params'], {
    doctype: 'Report',
    childFields: () => undefined,
    childNames: [],
    declared: (name) => declaring(site, name),
    isDocType: (name) => site.registry.byDoctype(name) !== undefined,
    inRows: true,
    report: (path, message, part) => site.complain(path, message, part),
  })
  for (const field of fields) {
    const path = ['params', field.name]
    const target = field.link === undefined ? undefined : site.registry.byDoctype(field.link)
    if (field.link !== undefined && !target)
      site.complain([...path, 'options'], `no DocType ${JSON.stringify(field.link)}`)
    const initial =
      field.default === undefined
        ? undefined
        : site.inJs(field.default, paramScope(site, known), valueType(field), [...path, 'default'])
    const first =
      field.defaultFrom === undefined || !target
        ? undefined
        : site.inSql(
            field.defaultFrom,
            ownScope(site.scopes.of(target).document.fields),
            CONDITION,
            [...path, 'default_from'],
          )
    known.push({ field, ...(initial ? { initial } : {}), ...(first ? { first } : {}) })
  }
  return known
}

function ownScope(fields: Fields): Scope {
  return { fields, records: new Map(), repeat: 1 }
}

/** Parameters by their names, and the records that they link to one step on. */
function paramScope(site: Site, params: readonly Parameter[]): Scope {
  const fields = params.map(({ field }) => field)
  const records = new Map<string, Fields>()
  for (const { name, link } of fields) {
    const target = link === undefined ? undefined : site.registry.byDoctype(link)
    if (target) records.set(name, site.scopes.of(target).document.fields)
  }
  return { fields: fieldsOf(scopeFields(fields)), records, repeat: 1 }
}

function currencyOf(
  site: Site,
  { currency }: ReportDeclaration,
  params: readonly Parameter[],
): Expression | undefined {
  if (currency === undefined) return undefined
  return site.inJs(currency, paramScope(site, params), { kind: 'str', scale: 0 }, ['currency'])
}

/** What the parts of a report say about each other. */
function checkForm(
  site: Site,
  declared: ReportDeclaration,
  main: QueryPlan,
  params: readonly Parameter[],
): void {
  const isParam = (name: string): boolean => params.some(({ field }) => field.name === name)
  for (const name of RESERVED)
    if (isParam(name)) site.complain(['params', name], 'is a parameter of every report', 'key')
  const { periods, chart, tree } = declared
  if (periods) {
    for (const key of ['from', 'to'] as const)
      if (!isParam(periods[key]))
        site.complain(['periods', key], `no parameter ${JSON.stringify(periods[key])}`)
    if (!isParam(periods.every) && !EVERY.has(periods.every))
      site.complain(
        ['periods', 'every'],
        `expected a parameter, or one of ${[...EVERY.keys()].join(', ')}`,
      )
  }
  for (const [query, { columns }] of Object.entries(declared.with ?? {}))
    for (const [name, one] of Object.entries(columns))
      if (
        one.in_period !== undefined ||
        one.until_period !== undefined ||
        one.for_each !== undefined
      )
        site.complain(
          ['with', query, 'columns', name],
          'columns for periods, and for values, are those of the report itself',
          'key',
        )
  for (const { name, role, period } of main.columns) {
    if (period && period !== 'each' && !periods)
      site.complain(['columns', name], 'needs the key periods of the report', 'key')
    if (period === 'each' && (periods || !isOneEach(declared)))
      site.complain(
        ['columns', name, 'for_each'],
        'stands alone: not beside periods, another for_each, or several sources (put them into a query of with)',
      )
    if (
      tree !== undefined &&
      (role === 'value'
        ? name !== tree
        : role === 'count' || role === 'min' || role === 'max' || role === 'running')
    )
      site.complain(
        ['columns', name],
        'a tree has its own column, sums, formulas over them, and fields of the record (of_node)',
        'key',
      )
  }
  if (!chart) return
  const isColumn = (name: string): boolean => main.columns.some((one) => one.name === name)
  if (!isColumn(chart.x) && !(chart.x === 'periods' && periods))
    site.complain(['chart', 'x'], `no column ${JSON.stringify(chart.x)}`)
  for (const [index, name] of chart.y.entries())
    if (!isColumn(name)) site.complain(['chart', 'y', index], `no column ${JSON.stringify(name)}`)
}

/** Whether all columns for values are for those of one expression, over one source. */
function isOneEach({ columns, sources }: ReportDeclaration): boolean {
  const said = Object.values(columns).flatMap((one) => one.for_each ?? [])
  return new Set(said).size === 1 && sources === undefined
}

function totalsOf(
  site: Site,
  { totals = [] }: ReportDeclaration,
  { columns }: QueryPlan,
  scope: Scope,
): TotalPlan[] {
  const written = Array.isArray(totals)
    ? totals.map((name: string, index) => ({ name, text: name, path: ['totals', index] }))
    : Object.entries(totals as Readonly<Record<string, string>>).map(([name, text]) => ({
        name,
        text,
        path: ['totals', name],
      }))
  return written.flatMap(({ name, text, path }) => {
    const field = columns.find((column) => column.name === name)?.field
    if (!field || !isNumeric(valueType(field).kind)) {
      site.complain(path, `no column of numbers ${JSON.stringify(name)}`)
      return []
    }
    const tree = site.inSql(text, scope, valueType(field), path)?.tree
    return tree ? [{ column: name, node: assignedNode(tree, valueType(field)) }] : []
  })
}

function summaryOf(
  site: Site,
  { summary = {} }: ReportDeclaration,
  scope: Scope,
  paramFields: Fields,
): SummaryPlan[] {
  const known: SummaryPlan[] = []
  for (const [name, one] of Object.entries(summary)) {
    const path = ['summary', name]
    const is = one.sum === undefined ? 'formula' : 'sum'
    if ((one.sum === undefined) === (one.formula === undefined)) {
      site.complain(path, 'needs either sum or formula', 'key')
      continue
    }
    const before: readonly Field[] = known.map(({ field }) => field)
    const over: Scope =
      is === 'sum'
        ? scope
        : {
            fields: fieldsOf(scopeFields(before)),
            records: new Map([['param', paramFields]]),
            repeat: 1,
          }
    const node = site.inSql((one.sum ?? one.formula)!, over, undefined, [...path, is])?.tree
    const field = node && columnField(site, name, one, path, { node })
    if (!node || !field) continue
    if (!isNumeric(valueType(field).kind)) {
      site.complain(path, 'expected a number')
      continue
    }
    known.push({ name, field, is, node: assignedNode(node, valueType(field)) })
  }
  return known
}
