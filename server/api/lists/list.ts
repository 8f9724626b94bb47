import { blankObject } from '../../../engine/base/blank-object.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import {
  countQueried,
  fitsOneAnswer,
  queryRecords,
  recordsWithTables,
} from '../../../engine/documents/lists/query.ts'
import {
  type QueryScope,
  recordScope,
  rowsScope,
} from '../../../engine/documents/lists/query-scope.ts'
import { assertMay, may } from '../../../engine/documents/rights/door.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import type { ChildDefinition } from '../../../engine/fields/field.ts'
import { publicField } from '../../../engine/fields/public-fields.ts'
import {
  isGrouped,
  type Matching,
  type Query,
  type Selected,
} from '../../../engine/storage/query/query.ts'
import { DataError, shortened } from '../data-error.ts'
import { shownRows } from '../shown-record.ts'
import { dialectScope } from './dialect-scope.ts'
import { namedColumn } from './list-columns.ts'
import { type Asked, readFields } from './list-fields.ts'
import { assertFewPatterns, readFilters } from './list-filters.ts'
import { readGroups, readOrder } from './list-order.ts'
import {
  countParameter,
  flagParameter,
  invalidParameter,
  type Params,
  textParameter,
} from './list-parameter.ts'

/** Definition that may be listed: a DocType, or rows by their own definition or as they stand in a parent's. */
export type Listed = DocTypeDefinition | ChildDefinition

/** A row of the answer: an object, or an array with `as_dict=0`. */
export type ListRow = Readonly<Record<string, unknown>> | readonly unknown[]

/** Records read together with their tables; then others have their turn. */
const RECORDS_AT_ONCE = 20

/** Rows of one list that who may read the records gets; to take more of them away at once is to export them. */
const MOST_READ = 5000

/** Rows of a list that says nothing of its size. */
const DEFAULT_LENGTH = 20

/**
 * A list by Frappe's parameters (`fields filters or_filters order_by group_by limit_start limit_page_length
 * limit as_dict parent`; docs/surface-a-lists.md). `params` are texts, JSON or its text; others are ignored.
 * Permissions are those of surface B, for linked records and rows too. Throws 401/403, DataError for names
 * that may not stand in a query, 422 for the rest.
 */
export async function listRecords(
  context: Context,
  listed: Listed,
  params: Params,
): Promise<ListRow[]> {
  const rows: ListRow[] = []
  await eachListed(context, listed, params, (row) => rows.push(row))
  return rows
}

/**
 * The same a row at a time, in order: of a long list others have their turn in between. `take` may throw. Throws 403
 * where there are more rows than one reads, for who may not export the records. `begin` is called before the first row of a
 * list that nothing refuses any more but the time that it takes.
 */
export async function eachListed(
  context: Context,
  listed: Listed,
  params: Params,
  take: (row: ListRow) => void,
  begin: () => void = () => undefined,
): Promise<void> {
  const owner = ownerOf(context, listed, params)
  const scope = scopeOf(context, listed, owner)
  const asked = readFields(scope, params)
  const query = readQuery(context, scope, params, asked)
  const isWhole = query.limit === 0 || query.limit > MOST_READ
  if (!isWhole || may(context, owner, 'export')) {
    if (isWhole && (await fitsOneAnswer(context, query))) begin()
    await eachOf(context, listed, { scope, asked, query, params }, take)
    return
  }
  let given = 0
  const few = { ...query, limit: MOST_READ + 1 }
  await eachOf(context, listed, { scope, asked, query: few, params }, (row) => {
    given += 1
    if (given > MOST_READ) assertMay(context, owner, 'export')
    take(row)
  })
}

/** A list as it was asked for. */
interface ListAsked {
  readonly scope: QueryScope
  readonly asked: readonly Asked[]
  readonly query: Query
  readonly params: Params
}

async function eachOf(
  context: Context,
  listed: Listed,
  { scope, asked, query, params }: ListAsked,
  take: (row: ListRow) => void,
): Promise<void> {
  const tables = asked.flatMap((one) => ('table' in one ? [one.table] : []))
  const toRow = rowMaker(asked, flagParameter(params, 'as_dict'))
  if (tables.length === 0 || !isDocType(listed)) {
    await queryRecords(context, query, (page) => {
      for (const values of page) take(toRow(values, () => []))
    })
    return
  }
  if (isGrouped(query))
    throw new DataError(`${tables[0]}: a group has no rows; name one of their fields`)
  // Last, where it stands in nobody's way.
  const name: Selected = { is: 'column', column: namedColumn(scope, 'name').column }
  const found: (readonly unknown[])[] = []
  const withName = { ...query, select: [...query.select, name] }
  await queryRecords(context, withName, (page) => found.push(...page))
  for (let at = 0; at < found.length; at += RECORDS_AT_ONCE) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve))
    const page = found.slice(at, at + RECORDS_AT_ONCE)
    const names = [...new Set(page.map((values) => String(values.at(-1))))]
    const records = await recordsWithTables(context, listed, names, tables)
    for (const values of page)
      take(toRow(values, tableReader(context, listed, records.get(String(values.at(-1))))))
  }
}

/** Number of records, or rows, that meet `filters` and `or_filters`. Throws as `listRecords`. */
export async function countRecords(
  context: Context,
  listed: Listed,
  params: Params,
): Promise<number> {
  const scope = scopeOf(context, listed, ownerOf(context, listed, params))
  return countQueried(context, readMatching(context, scope, params))
}

function readQuery(
  context: Context,
  scope: QueryScope,
  params: Params,
  asked: readonly Asked[],
): Query {
  const select = asked.flatMap((one) => ('selected' in one ? [one.selected] : []))
  const groupBy = readGroups(scope, textParameter(params, 'group_by'))
  const matching = readMatching(context, scope, params)
  const orderBy = textParameter(params, 'order_by')
  const length = countParameter(params, 'limit_page_length') ?? countParameter(params, 'limit')
  return {
    ...matching,
    select,
    groupBy,
    sort: readOrder(scope, orderBy, asked, isGrouped({ select, groupBy, sort: [] })),
    offset: countParameter(params, 'limit_start') ?? 0,
    limit: length ?? DEFAULT_LENGTH,
  }
}

function readMatching(context: Context, scope: QueryScope, params: Params): Matching {
  const all = readFilters(context, scope, params, 'filters')
  const any = readFilters(context, scope, params, 'or_filters')
  assertFewPatterns([...all, ...any])
  return { root: scope.root, all, any }
}

function isDocType(listed: Listed): listed is DocTypeDefinition {
  return 'doctype' in listed && !listed.isChild
}

function rowsName(listed: Listed): string {
  return 'doctype' in listed ? listed.doctype : listed.name
}

/** The DocType whose records are listed, or whose rows are: rows are read with the rights to their records. */
function ownerOf(context: Context, listed: Listed, params: Params): DocTypeDefinition {
  if (isDocType(listed)) return listed
  const name = rowsName(listed)
  const parents = context.services.knownRegistry(context).parentsOf(name)
  const wanted = textParameter(params, 'parent')
  const parent =
    wanted === undefined && parents.length === 1
      ? parents[0]
      : parents.find(({ doctype }) => doctype === wanted)
  if (parent) return parent
  const known = parents.map(({ doctype }) => doctype).join(', ')
  throw invalidParameter(
    'parent',
    `expected the DocType whose rows of ${name} to list (${known}), got ${shortened(wanted ?? 'nothing')}`,
  )
}

function scopeOf(context: Context, listed: Listed, owner: DocTypeDefinition): QueryScope {
  const dialect = context.services.dialect()
  if (isDocType(listed))
    return dialectScope(
      recordScope(context, listed),
      dialect,
      (table) => publicField(listed, table)?.child?.name,
    )
  const child = context.services.knownRegistry(context).child(rowsName(listed))
  if (!child) throw new Error(`there are no rows of ${rowsName(listed)}`)
  return dialectScope(rowsScope(context, { child, parent: owner }), dialect, () => undefined)
}

type RowsOf = (table: string) => readonly unknown[]

function rowMaker(
  asked: readonly Asked[],
  asDict: boolean,
): (values: readonly unknown[], rowsOf: RowsOf) => ListRow {
  const blank = blankObject(asked.map(({ key }) => key))
  return (values, rowsOf) => {
    let at = 0
    const shown = asked.map((one) =>
      'table' in one ? rowsOf(one.table) : one.show(values[at++] ?? null),
    )
    if (!asDict) return shown
    const row = blank()
    for (const [index, { key }] of asked.entries()) row[key] = shown[index]
    return row
  }
}

function tableReader(
  { services }: Context,
  definition: DocTypeDefinition,
  record: Readonly<Record<string, unknown>> | undefined,
): RowsOf {
  return (table) => {
    const child = publicField(definition, table)?.child
    return child && record ? shownRows(definition, table, child, record, services.dialect()) : []
  }
}
