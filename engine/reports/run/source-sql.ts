import { sql } from 'kysely'
import { fold } from '../../expression/run/fold.ts'
import type { ColumnOf, SqlColumn } from '../../expression/sql/sql-fragment.ts'
import { isText, type Node, type ScalarKind, unsetValue } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { column } from '../../rules/base/columns.ts'
import { treeNames } from '../../storage/finding/tree.ts'
import type { Period } from '../declare/periods.ts'
import {
  type ColumnPlan,
  DATE_OF,
  type FilterPlan,
  type OrderBy,
  type SourcePlan,
} from '../declare/report.ts'
import type { LiveColumn } from './live-columns.ts'
import {
  bytewise,
  conditionSql,
  quoted,
  type Run,
  type Sql,
  scalarKind,
  valueSql,
  visible,
  whole,
} from './statement.ts'

/** Columns in which rows of a query that groups nothing keep the order they have in their tables. */
const TIES = ['_source', '_record', '_row'] as const

/** Columns of `TIES` that tell rows in this order apart: an index that gives the order serves fewer columns sooner. */
export function tiesBetween(
  sources: readonly SourcePlan[],
  order: readonly OrderBy[],
): readonly string[] {
  const [source, ...others] = sources
  if (!source || others.length > 0) return TIES
  const { query, table, values } = source
  if (query !== undefined) return []
  const isNamed = order.some(({ column }) => {
    const value = values.get(column)
    const record = table === undefined ? 'doc' : 'document'
    return value?.node === 'field' && value.of === record && value.name === 'name'
  })
  const record = isNamed ? [] : ['_record']
  return table === undefined ? record : [...record, '_row']
}

/** Place of a source among those of its query. */
interface Place {
  readonly index: number
  readonly isOnly: boolean
  /** Whether its rows keep the order they have in their tables. */
  readonly withTies: boolean
  /** Whether it adds up by itself, before the sums of several sources are put together. */
  readonly isAdded: boolean
}

/**
 * The rows of one source with what the columns take of them; undefined where its condition can never hold for
 * these parameters.
 */
export function sourceSql(
  run: Run,
  source: SourcePlan,
  columns: readonly LiveColumn[],
  place: Place,
): Sql | undefined {
  const aliases = new Map([...source.links.keys()].map((field, index) => [field, `l${index}`]))
  const known = columnsOf(source, aliases)
  const used = new Set<string>()
  const columnOf: ColumnOf = (of, name) => {
    used.add(of).add(THIS_COLUMN)
    return known(of, name)
  }
  const where = source.where ? conditionSql(run, source.where, columnOf) : undefined
  if (where === 'never') return undefined
  const conditions = [
    ...(where ? [where] : []),
    ...source.filters.flatMap((filter) => filterSql(run, filter, columnOf) ?? []),
  ]
  const own = columns.filter(({ plan }) => plan.role !== 'node')
  const keys: Sql[] = []
  const taken = own.map((one, index) => {
    used.delete(THIS_COLUMN)
    const value = takenSql(run, source, one, columnOf, place)
    const as = sql` as ${sql.ref(one.name)}`
    if (!place.isAdded) return sql`${value}${as}`
    if (one.plan.role !== 'value') return sql`${aggregateSql(run, one, value)}${as}`
    // What is the same in every row makes no group; a text as it is kept lets an index group.
    if (used.has(THIS_COLUMN))
      keys.push(keptSql(run, source, one, columnOf) ?? sql.raw(String(index + 1)))
    return sql`${value}${as}`
  })
  const selected = place.withTies ? [...taken, ...tiesOf(source, place.index)] : taken
  // What is known of the parameters may leave nothing to look up through a link.
  const joins = [...source.links]
    .filter(([field]) => used.has(field))
    .map(([field, target]) => {
      const alias = aliases.get(field)!
      const own = known('doc', field)!.sql
      return sql`left join ${visible(run, target, alias)} on ${sql.raw(`${quoted(alias)}."name" = ${own}`)}`
    })
  const from = sql`${fromSql(run, source)} ${sql.join(joins, sql` `)}`
  const body =
    conditions.length === 0 ? from : sql`${from} where ${sql.join(conditions, sql` and `)}`
  // A query that only counts takes nothing of its rows.
  const rows = sql`select ${selected.length === 0 ? sql.raw('1 as "_one"') : sql.join(selected)} from ${body}`
  if (!place.isAdded) return rows
  return keys.length === 0
    ? sql`${rows} having count(*) > 0`
    : sql`${rows} group by ${sql.join(keys)}`
}

/** Mark among the records that are looked at: any of them, for the column being written. */
const THIS_COLUMN = ' '

/** Aggregate that a grouped query makes of a column's values, which are `value`. */
export function aggregateSql(run: Run, { plan: { role, field } }: LiveColumn, value: Sql): Sql {
  if (role === 'count') return sql`count(*)`
  const operation = sql.raw(role)
  const kind = scalarKind(field.type)
  // An unset date or text is no smallest and no largest one.
  if (isText(kind) && role !== 'sum')
    return sql`${operation}(nullif(${value}, '')${bytewise(run, kind, '')})`
  return whole(run, sql`coalesce(${operation}(${value}), 0)`)
}

function fromSql(run: Run, { definition, table, query }: SourcePlan): Sql {
  if (query !== undefined) return sql.raw(`${quoted(queryTable(query))} "d"`)
  if (table === undefined) return visible(run, definition!, 'd')
  const rows = sql.table(`${definition!.table}__${table}`)
  return sql`${rows} "c" join ${visible(run, definition!, 'd')} on ${sql.raw('"d"."rid" = "c"."parent"')}`
}

/** The name a named query has in the statement, where no table can hide it. */
export function queryTable(query: string): string {
  return `query ${query}`
}

/**
 * The columns of a source. What has to be given is never null: without `coalesce` around it a million rows are
 * read in half the time.
 */
function columnsOf(source: SourcePlan, aliases: ReadonlyMap<string, string>): ColumnOf {
  const { definition, table, query } = source
  const rows = definition?.fields.find(({ name }) => name === table)?.child?.fields
  const given = requiredOf(definition?.fields)
  const givenOfRow = requiredOf(rows)
  const ofRecord = (name: string): SqlColumn => {
    const { sql: text, nullable } = column('"d".', name)
    return { sql: text, nullable: nullable && !given.has(name) }
  }
  return (of, name) => {
    if (of === 'document') return ofRecord(name)
    if (of !== 'doc') {
      const alias = aliases.get(of)
      return alias === undefined
        ? undefined
        : { ...column(`${quoted(alias)}.`, name), nullable: true }
    }
    if (query !== undefined) return { sql: `"d".${quoted(name)}`, nullable: true }
    if (table === undefined) return ofRecord(name)
    const isGiven = name === 'row_id' || name === 'idx' || givenOfRow.has(name)
    return { sql: `"c".${quoted(name)}`, nullable: !isGiven }
  }
}

function requiredOf(fields: readonly Field[] | undefined): ReadonlySet<string> {
  return new Set(fields?.filter(({ required }) => required).map(({ name }) => name))
}

/** Value a column takes of a row; unset where this source has nothing for it. */
function takenSql(
  run: Run,
  source: SourcePlan,
  column: LiveColumn,
  columnOf: ColumnOf,
  { isOnly }: Place,
): Sql {
  const kind = scalarKind(column.plan.field.type)
  const unset = unsetNode(kind)
  const value = source.values.get(column.plan.name) ?? unset
  const date = source.values.get(DATE_OF + column.plan.name)
  // Of several sources some say unset by an empty text.
  const kept = isOnly ? keptSql(run, source, column, columnOf) : undefined
  if (kept) return kept
  if (!column.period || !date) return valueSql(run, value, columnOf)
  const when = within(date, column.period, column.plan.period)
  const { kind: type, scale, at } = value
  const chosen: Node = { node: 'choose', kind: type, scale, at, when, yes: value, no: unset }
  return valueSql(run, chosen, columnOf)
}

/** A text as it is kept, unset as null, which lets an index group. */
function keptSql(
  run: Run,
  { values }: SourcePlan,
  { name, plan, period }: LiveColumn,
  columnOf: ColumnOf,
): Sql | undefined {
  const given = values.get(name)
  const value = given && fold(given, run.known)
  if (value?.node !== 'field' || !isText(scalarKind(plan.field.type)) || period) return undefined
  const kept = columnOf(value.of, value.name)
  return kept && sql.raw(kept.sql)
}

function within(of: Node, { from, to, value }: Period, period: ColumnPlan['period']): Node {
  if (period === 'each') {
    const right: Node = { node: 'literal', kind: 'str', scale: 0, at: [0, 0], value: value ?? '' }
    return { ...MADE, node: 'binary', op: '==', left: of, right }
  }
  const date = of
  const upTo = comparison(date, '<=', to)
  if (period === 'until') return upTo
  return { ...MADE, node: 'binary', op: '&&', left: comparison(date, '>=', from), right: upTo }
}

/** A condition that no text says. */
const MADE = { kind: 'bool', scale: 0, at: [0, 0] } as const

function comparison(left: Node, op: '<=' | '>=', day: string): Node {
  const right: Node = { node: 'literal', kind: 'date', scale: 0, at: [0, 0], value: day }
  return { ...MADE, node: 'binary', op, left, right }
}

function unsetNode(kind: ScalarKind): Node {
  const value = unsetValue(kind)
  return {
    node: 'literal',
    kind,
    scale: 0,
    at: [0, 0],
    value: typeof value === 'bigint' ? '0' : value,
  }
}

/** A field that equals a parameter, or lies below it in its tree; nothing while the parameter is not given. */
function filterSql(
  run: Run,
  { field, of, param, tree }: FilterPlan,
  columnOf: ColumnOf,
): Sql | undefined {
  const value = run.params[param]
  if (value === null || value === undefined || value === '') return undefined
  const own = sql.raw(columnOf(of, field)!.sql)
  // A check that nobody has set is not set.
  if (value === false) return sql`coalesce(${own}, 0) = 0`
  if (!tree) return sql`${own} = ${value === true ? 1n : value}`
  const limit = run.limit(tree.definition)
  const names = treeNames(
    { table: tree.definition.table, parent: tree.parent, ...(limit ? { limit } : {}) },
    'descendants or self',
    String(value),
  )
  return sql`${own} in (${names})`
}

function tiesOf({ query, table }: SourcePlan, index: number): Sql[] {
  const values = [
    String(index),
    query === undefined ? '"d"."rid"' : '0',
    table === undefined ? '0' : '"c"."idx"',
  ]
  return TIES.map((name, at) => sql.raw(`${values[at]} as ${quoted(name)}`))
}
