import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { allOf } from '../database/fragment.ts'
import { runSql } from '../database/statements.ts'
import { boundValues, condition, conditionShape } from './condition.ts'
import type { RawRow } from './record-row.ts'
import type { RecordStore } from './record-store.ts'
import type { SearchHits } from './search.ts'
import {
  orderSql,
  type PageQuery,
  pageForm,
  positionOf,
  type RawPage,
  selectedColumns,
  sortColumns,
} from './select.ts'

/** First page of a search on SQLite, with the number of all that is found. */
export interface SearchedPage extends RawPage {
  readonly total: number
}

/**
 * Columns whose index gives the order: such a list of records may be walked, and each asked whether it was found, instead of
 * sorting all that were found.
 */
const WALKED: ReadonlySet<string> = new Set(['modified', 'created', 'name'])

/** Names no column of a DocType has. */
const HIT = sql.ref('svc hit')
const FOUND = sql.ref('svc found')
const PAGE_RID = sql.ref('svc rid')
const TOTAL = 'svc total'

/**
 * One page and the total of a search, in one statement that asks the index once. Few hits are sorted by their order alone, and
 * rows are read of those on the page; many are walked to in the order of an index. In between, walking to `limit` of `hits` among
 * `records` costs about `records × limit / hits` look-ups and sorting costs `hits`, so the number of hits decides while the statement runs.
 */
export async function searchPage(
  db: Db,
  store: RecordStore,
  query: PageQuery,
  hits: SearchHits,
  records: number,
): Promise<SearchedPage> {
  const { filters, where, limit, offset = 0 } = query
  const build = (): RawBuilder<unknown> => statement(store, query, hits, records)
  const given = filters.flatMap(boundValues)
  const edge = limitOf(records, limit, offset)
  const values = mayWalk(query) ? [edge, edge] : [...given, ...given]
  const rows = where
    ? (await sql<RawRow>`${build()}`.execute(db)).rows
    : await runSql<RawRow>(
        db,
        store.lists(shapeOf(query, hits), () => build().compile(db)),
        [...hits.values, ...values],
      )
  const found = rows.filter(({ rid }) => rid !== null)
  const more = found.length > limit
  const shown = more ? found.slice(0, limit) : found
  const last = shown.at(-1)
  return {
    rows: shown,
    total: Number(rows[0]?.[TOTAL] ?? 0),
    next: more && last ? positionOf(query, last) : undefined,
  }
}

/** Number of hits times itself from which it is cheaper to walk. */
function limitOf(records: number, limit: number, offset: number): number {
  return records * (limit + offset)
}

function mayWalk({ sort, then, filters, where }: PageQuery): boolean {
  return WALKED.has(sort) && !then && filters.length === 0 && !where
}

function shapeOf(query: PageQuery, hits: SearchHits): string {
  const { filters, limit, offset = 0 } = query
  const form = `search ${hits.shape} ${pageForm(query)} ${limit} ${offset}`
  return [form, ...filters.map(conditionShape)].join('\n')
}

function statement(
  store: RecordStore,
  query: PageQuery,
  hits: SearchHits,
  records: number,
): RawBuilder<unknown> {
  const { filters, where, limit, offset = 0 } = query
  const table = sql.table(store.plan.table)
  const rid = sql`${table}.rid`
  const conditions = [...filters.map((one) => condition('sqlite', one)), ...(where ? [where] : [])]
  const further =
    conditions.length === 0 ? sql`` : sql` and ${allOf(conditions as RawBuilder<boolean>[])}`
  const last = sortColumns(query).at(-1)!.order === 'asc' ? sql`asc` : sql`desc`
  const order = sql`order by ${sql.join(sortColumns(query).map((one) => orderSql('sqlite', one)))}, ${rid} ${last}`
  const end = sql`limit ${sql.lit(limit + 1)}${offset > 0 ? sql` offset ${sql.lit(offset)}` : sql``}`
  const total =
    conditions.length === 0
      ? sql`select count(*) from hits`
      : sql`select count(*) from hits cross join ${table} where ${rid} = ${HIT}${further}`
  const isWalked = mayWalk(query)
  const edge = sql`${limitOf(records, limit, offset)}`
  const sorted = sql`select * from (select ${rid} as ${PAGE_RID} from counted cross join hits cross join ${table}
    where ${rid} = ${HIT}${isWalked ? sql` and ${FOUND} * ${FOUND} < ${edge}` : sql``}${further} ${order} ${end})`
  const walked = sql`select * from (select ${rid} as ${PAGE_RID} from counted cross join ${table}
    where ${FOUND} * ${FOUND} >= ${edge} and +${rid} in hits${further} ${order} ${end})`
  const columns = selectedColumns(store, query).map((name) => sql`${table}.${sql.ref(name)}`)
  return sql`with hits(${HIT}) as materialized (${hits.select}),
    counted(${FOUND}) as materialized (${total}),
    page(${PAGE_RID}) as (${sorted}${isWalked ? sql` union all ${walked}` : sql``})
    select (select ${FOUND} from counted) as ${sql.ref(TOTAL)}, ${sql.join(columns)}
    from counted left join page on true left join ${table} on ${rid} = ${PAGE_RID} ${order}`
}
