import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { MigrationStep } from './diff.ts'

const SHOWN = 3

/** What stands in the way of a step that comes next, in words; undefined when the rows allow it. */
export async function offendingRows(tx: Db, step: MigrationStep): Promise<string | undefined> {
  if (step.kind === 'create-index' && step.index.unique) return duplicates(tx, step.table, step.index.columns[0]!)
  if (step.kind === 'retype-column' && step.column.type === 'integer') return notWhole(tx, step.table, step.column.name)
  if (step.kind === 'rescale-column') return notRescalable(tx, step)
  return undefined
}

async function duplicates(tx: Db, table: string, column: string): Promise<string | undefined> {
  const ref = sql.ref(column)
  const { rows } = await sql<{ value: unknown }>`
    select ${ref} as value from ${sql.table(table)} where ${ref} is not null
    group by ${ref} having count(*) > 1 limit ${sql.lit(SHOWN)}`.execute(tx)
  return rows.length === 0 ? undefined : `expected each value once, these stand more often: ${rows.map(({ value }) => String(value)).join(', ')}`
}

async function notWhole(tx: Db, table: string, column: string): Promise<string | undefined> {
  const ref = sql.ref(column)
  const { rows } = await sql<{ value: string }>`
    select ${ref} as value from ${sql.table(table)}
    where ${ref} is not null and (length(${ref}) > 18 or trim(${ref}, '0123456789') not in ('', '-') or ${ref} in ('', '-'))
    limit ${sql.lit(SHOWN)}`.execute(tx)
  return rows.length === 0 ? undefined : `expected whole numbers, got ${rows.map(({ value }) => JSON.stringify(value)).join(', ')}`
}

async function notRescalable(tx: Db, { table, column, from, to }: Extract<MigrationStep, { kind: 'rescale-column' }>): Promise<string | undefined> {
  const factor = 10 ** Math.abs(to - from)
  const ref = sql.ref(column)
  const lost = to > from
    ? sql`abs(${ref}) > ${sql.lit(Math.floor(Number.MAX_SAFE_INTEGER / factor))}`
    : sql`${ref} % ${sql.lit(factor)} <> 0`
  const { rows } = await sql<{ n: bigint }>`select count(*) as n from ${sql.table(table)} where ${lost}`.execute(tx)
  const n = Number(rows[0]?.n ?? 0)
  return n === 0 ? undefined : `${n} value(s) would lose digits`
}
