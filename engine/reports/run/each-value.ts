import { sql } from 'kysely'
import { validationError } from '../../base/errors.ts'
import type { Context } from '../../documents/work/context.ts'
import { deepReads } from '../../documents/work/deep-reads.ts'
import { runText } from '../../storage/database/statements.ts'
import type { Period } from '../declare/periods.ts'
import { DATE_OF, type QueryPlan, type Report } from '../declare/report.ts'
import { liveColumns } from './live-columns.ts'
import { querySql } from './query-sql.ts'
import { queryTable } from './source-sql.ts'
import { bytewise, type Run } from './statement.ts'

/** Most values that have a column. */
const MOST = 120

/**
 * The values that a report has a column for each of (`for_each`), in the order of their texts; none where it has no
 * such column. Throws VALIDATION_ERROR for more than a table can show.
 */
export async function eachValue(
  context: Context,
  { main, queries }: Report,
  run: Run,
  hint: string,
): Promise<readonly Period[]> {
  const plan = valuesOf(main)
  if (!plan) return []
  const named = queries.map(
    (query) =>
      sql`${sql.ref(queryTable(query.name))} as (${querySql(run, query, liveColumns(query, []), undefined)})`,
  )
  const common = named.length === 0 ? sql`` : sql`with ${sql.join(named)} `
  const text = bytewise(run, 'str', '"v"."each"')
  const rows = querySql(run, plan, liveColumns(plan, []), undefined)
  const on = deepReads(context, hint)
  const statement = sql`${common}select distinct ${text} as "each" from (${rows}) "v" where coalesce("v"."each", '') <> '' order by 1 limit ${sql.lit(MOST + 1)}`
  const { sql: written, parameters } = statement.compile(on)
  const found = await runText<{ each: string }>(on, written, parameters)
  if (found.rows.length > MOST) {
    const message = `expected at most ${MOST} columns for values; ${hint}`
    throw validationError([{ field: '', message, code: 'out_of_range' }])
  }
  const keys = new Set<string>()
  return found.rows.map(({ each }) => {
    const key = keyOf(each, keys)
    keys.add(key)
    return { key, label: each, from: '', to: '', value: each }
  })
}

/** Query of the values alone. */
function valuesOf({ name, columns, sources }: QueryPlan): QueryPlan | undefined {
  const spread = columns.find(({ period }) => period === 'each')
  const [source] = sources
  const node = spread && source?.values.get(DATE_OF + spread.name)
  if (!node || !source) return undefined
  const field = { ...spread.field, name: 'each', type: 'data' }
  return {
    name,
    columns: [
      { ...spread, name: 'each', field, role: 'value', period: undefined, isPeriodic: false },
    ],
    isGrouped: false,
    sources: [{ ...source, values: new Map([['each', node]]) }],
    having: undefined,
    order: [],
  }
}

/** A value as a part of a column's name: `VAT 5.5 %` is vat_5_5; what would be there already gets a number. */
function keyOf(value: string, taken: ReadonlySet<string>): string {
  const plain = value
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
  const first = plain === '' ? 'other' : plain
  for (let count = 1; ; count += 1) {
    const key = count === 1 ? first : `${first}_${count}`
    if (!taken.has(key)) return key
  }
}
