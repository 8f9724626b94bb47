import type { RawBuilder } from 'kysely'
import { validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { fieldType } from '../../fields/index.ts'
import type { Db } from '../../storage/database/database.ts'
import { allOf } from '../../storage/database/fragment.ts'
import type { ColumnFilter } from '../../storage/records/condition.ts'
import { listFingerprint, type Position } from '../../storage/records/cursor.ts'
import {
  FEW_ENTRIES,
  isPageOfIndex,
  isRangeOfIndex,
  isSmall,
  isSoonCounted,
  type ListConditions,
  readsTexts,
} from '../../storage/records/light-reads.ts'
import type { RawRow } from '../../storage/records/record-row.ts'
import { searchPage } from '../../storage/records/search-page.ts'
import type { PageQuery, RawPage } from '../../storage/records/select.ts'
import { countRecords, countUpTo, selectRows } from '../../storage/records/select.ts'
import { assertMay, knownParts, readable } from '../rights/door.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import { deepReads } from '../work/deep-reads.ts'
import type { ListedFields, WireRecord } from '../work/present.ts'
import type { Filter, ListQuery, ListResult } from './list-query.ts'
import { addTitles } from './titles.ts'

/**
 * One page of a resource's records (GET /v1/{resource}). A query that is still to be read is read once the caller is
 * let in, over the DocType as they know it: its mistakes tell of the fields there are. Throws 401/403, and 422 for a cursor that is not one of this
 * list's.
 */
export async function listDocuments(
  context: Context,
  definition: DocTypeDefinition,
  wanted: ListQuery | ((known: DocTypeDefinition) => ListQuery),
): Promise<ListResult> {
  assertMay(context, definition, 'read')
  const { services } = context
  const { database } = services
  const parts = services.partsOf(definition)
  const known = knownParts(context, parts)
  const query = typeof wanted === 'function' ? wanted(known.definition) : wanted
  const listed = known.presenter.listed(query.fields)
  const asked = query.filters.map(({ field, operator, values }) => [field, operator, values])
  const then = query.then?.map(({ field, order }) => ({ column: columnOf(field), order }))
  const further = (then ?? []).map(({ column, order }) => [column, order])
  const list = listFingerprint([
    definition.slug,
    query.sort,
    query.order,
    query.q,
    asked,
    ...(then ? [further] : []),
  ])
  const limit = readable(context, definition)
  const conditions = listConditions(context, definition, query, limit)
  const after = position(context, list, query.cursor)
  const { filters, where } = conditions
  const page: PageQuery = {
    filters,
    ...(where ? { where } : {}),
    sort: columnOf(query.sort),
    order: query.order,
    ...(then ? { then } : {}),
    limit: query.limit,
    columns: listed.columns,
    isShownOnly: listed.tables.length === 0,
    ...(query.offset === undefined ? {} : { offset: query.offset }),
    ...(after === undefined ? {} : { after }),
  }
  const { rows, next, ...counted } = await found(context, parts, query, {
    conditions,
    page,
    limit,
  })
  const data: WireRecord[] =
    listed.tables.length === 0
      ? rows.map(listed.showRaw)
      : await withTables(database.read, parts, listed, rows)
  if (query.titles) await addTitles(context, known.definition, data)
  return {
    query,
    data,
    nextCursor: next && services.cursors.write(list, next),
    ...counted,
  }
}

/** A page of records, and their number where it is asked for. */
async function found(
  context: Context,
  parts: DocTypeParts,
  query: ListQuery,
  {
    conditions,
    page,
    limit,
  }: {
    readonly conditions: ListConditions
    readonly page: PageQuery
    readonly limit: RawBuilder<boolean> | undefined
  },
): Promise<RawPage & { readonly total?: number }> {
  const { definition, store } = parts
  const { database, search } = context.services
  const hits =
    query.q === undefined || query.cursor !== undefined
      ? undefined
      : search.hits(definition, query.q)
  if (hits) {
    const { where: _, ...readable } = page
    const searched = { ...readable, ...whereOf([limit]) }
    // What is filtered besides may go through other texts.
    const isLight = query.filters.length === 0 && !limit && search.isSmall(database)
    const on = isLight ? database.read : deepList(context)
    return searchPage(on, store, searched, hits, store.size(database))
  }
  const records = readsTexts(conditions) ? Number.POSITIVE_INFINITY : store.size(database)
  const isLight = isSmall(records) || isPageOfIndex(conditions, page)
  // Counted first: while other requests take their turns, no page waits in memory for its count.
  const counted =
    query.cursor === undefined
      ? {
          total: await total(context, parts, query, {
            ...conditions,
            records,
            isLimited: limit !== undefined,
          }),
        }
      : {}
  const on = isLight ? database.read : deepList(context)
  return { ...(await selectRows(on, database.kind, store, page)), ...counted }
}

/** Conditions on the records of a list: its filters, what is searched, and what the caller may read. */
export function listConditions(
  context: Context,
  definition: DocTypeDefinition,
  { filters, q }: Pick<ListQuery, 'filters' | 'q'>,
  limit = readable(context, definition),
): ListConditions {
  const { search } = context.services
  return {
    filters: filters.map((filter) => columnFilter(context, definition, filter)),
    isSearch: q !== undefined,
    ...whereOf([q === undefined ? undefined : search.matches(definition, q), limit]),
  }
}

/** Records whose tables are read together, each with up to thousands of rows; then others have their turn. */
const RECORDS_AT_ONCE = 20

function whereOf(conditions: readonly (RawBuilder<boolean> | undefined)[]): {
  readonly where?: RawBuilder<boolean>
} {
  const given = conditions.filter((one) => one !== undefined)
  return given.length === 0 ? {} : { where: allOf(given) }
}

async function withTables(
  db: Db,
  { store }: DocTypeParts,
  { columns, tables, show }: ListedFields,
  rows: readonly RawRow[],
): Promise<WireRecord[]> {
  const docs = rows.map(store.rowDecoder(columns))
  const shown: WireRecord[] = []
  for (let at = 0; at < docs.length; at += RECORDS_AT_ONCE) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve))
    const page = docs.slice(at, at + RECORDS_AT_ONCE)
    await store.loadRows(db, page, tables)
    shown.push(...page.map(show))
  }
  return shown
}

/** What is counted: of so many records at most, and of those only that the caller may read. */
interface Counted extends ListConditions {
  readonly records: number
  readonly isLimited: boolean
}

/** Exact number of records, remembered where it is of their own columns alone. */
async function total(
  context: Context,
  parts: DocTypeParts,
  query: ListQuery,
  conditions: Counted,
): Promise<number> {
  const count = (): Promise<number> => counted(context, parts, query, conditions)
  const { filters, where } = conditions
  if (where) return count()
  const { database } = context.services
  return parts.store.counted(database, JSON.stringify(filters, asText), count)
}

/** Columns keep whole numbers as BigInt, which JSON does not know. */
function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

/** The same, counted; the search index answers alone when nothing else is asked. */
async function counted(
  context: Context,
  { definition, store }: DocTypeParts,
  query: ListQuery,
  conditions: Counted,
): Promise<number> {
  const { database, search } = context.services
  const { kind, read } = database
  const { records } = conditions
  const isRange = isRangeOfIndex(conditions)
  const isLight = isSmall(records) || (isRange && isSoonCounted(records))
  if (!isLight && isRange) {
    const counted = await countUpTo(read, kind, store, conditions, FEW_ENTRIES)
    if (counted < FEW_ENTRIES) return counted
  }
  const on = isLight ? read : deepList(context)
  if (query.q !== undefined && query.filters.length === 0 && !conditions.isLimited)
    return search.count(on, definition, query.q)
  return countRecords(on, kind, store, conditions)
}

/** Database for what a list reads long. */
export function deepList(context: Context): Db {
  return deepReads(context, 'set more filters, or filter by a field for one of its values')
}

/** Column of a field. */
export function columnOf(field: string): string {
  return field === 'id' ? 'name' : field
}

function columnFilter(
  { services }: Context,
  definition: DocTypeDefinition,
  { field, operator, values }: Filter,
): ColumnFilter {
  const known = services.registry.fieldOf(definition, field)
  if (!known) throw new Error(`filter on unknown field ${field} of ${definition.doctype}`)
  // Unset has no place in an order: a comparison with it can only be a slip.
  if (values.includes(null) && operator !== 'eq' && operator !== 'ne') {
    const message = 'expected a value, got nothing; "unset" is asked for with = or __ne='
    throw validationError([{ field: `${field}__${operator}`, message, code: 'wrong_type' }])
  }
  const type = fieldType(known.type)
  const unset = type.unset === undefined ? undefined : Number(type.toColumn(type.unset, known))
  return {
    column: columnOf(field),
    operator,
    unset,
    ...(known.filterable || known.unique ? {} : { isUnindexed: true as const }),
    values: values.map((value) => (value === null ? (unset ?? null) : type.toColumn(value, known))),
  }
}

function position(
  { services }: Context,
  list: string,
  cursor: string | undefined,
): Position | undefined {
  if (cursor === undefined || cursor === '') return undefined
  const found = services.cursors.read(list, cursor)
  if (!found) {
    throw validationError([
      {
        field: 'cursor',
        message:
          'expected a next_cursor of this very list: same resource, sort, order, filters and q',
        code: 'wrong_type',
      },
    ])
  }
  return found
}
