import { type RawBuilder, sql } from 'kysely'
import type { DatabaseKind, Db } from '../database/database.ts'
import { integer, MAX_INTEGER, notConvertible, power } from './converted-value.ts'
import { ALLOW_DROP, type MigrationStep, type Refusal, type RowCheck } from './migration-plan.ts'

const SHOWN = 5
const MAX_SHOWN_LENGTH = 60

/** Refusals of a step: for rows it cannot take along, or for want of the permission to lose values. */
export async function refusalsOf(
  db: Db,
  kind: DatabaseKind,
  step: MigrationStep,
  allowDrop: boolean,
): Promise<Refusal[]> {
  const { table, sentence } = step
  const refusals: Refusal[] = []
  for (const check of step.checks) {
    const reason = await violation(db, kind, check)
    if (reason === undefined) continue
    refusals.push({ table, sentence, reason, remedy: 'change these records, or the definition' })
  }
  if (refusals.length === 0 && step.safety === 'destructive' && !allowDrop) {
    refusals.push({ table, sentence, reason: 'it may lose values', remedy: ALLOW_DROP })
  }
  return refusals
}

/** Description of the rows that break `check`, with examples; undefined when there are none. */
async function violation(db: Db, kind: DatabaseKind, check: RowCheck): Promise<string | undefined> {
  if (check.kind === 'duplicates') return duplicates(db, check)
  const column = sql.id(check.column)
  const found = await offending(db, check.table, column, offends(check, column, kind))
  if (found.count === 0) return undefined
  const rows = found.count === 1 ? '1 row is' : `${found.count} rows are`
  const examples = found.examples.join(', ')
  switch (check.kind) {
    case 'not-numbers': {
      const expected =
        check.scale === 0 ? 'a whole number' : `a number of ${check.scale} decimal places`
      return `${rows} not ${expected} in its plain form: ${examples}`
    }
    case 'too-large':
      return `${rows} too large for ${check.digits} more decimal places: ${examples}`
    case 'lost-digits':
      return `${rows} not representable with ${check.digits} fewer decimal places: ${examples} (as stored)`
    case 'unset':
      return `${rows} unset`
  }
}

type ColumnCheck = Exclude<RowCheck, { readonly kind: 'duplicates' }>

function offends(
  check: ColumnCheck,
  column: RawBuilder<unknown>,
  kind: DatabaseKind,
): RawBuilder<unknown> {
  switch (check.kind) {
    case 'not-numbers':
      return sql`${column} is not null and ${notConvertible(column, check.scale, kind)}`
    case 'too-large': {
      const most = MAX_INTEGER / 10n ** BigInt(check.digits)
      return sql`${column} not between ${integer(-most)} and ${integer(most)}`
    }
    case 'lost-digits':
      return sql`${column} % ${power(check.digits)} <> 0`
    case 'unset':
      return sql`${column} is null`
  }
}

async function offending(
  db: Db,
  table: string,
  column: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<{ count: number; examples: string[] }> {
  const { rows } = await sql<{ value: unknown }>`
    select ${column} as value from ${sql.id(table)} where ${condition} limit ${sql.lit(SHOWN)}`.execute(
    db,
  )
  if (rows.length < SHOWN)
    return { count: rows.length, examples: rows.map(({ value }) => shown(value)) }
  const total = await sql<{ n: unknown }>`
    select count(*) as n from ${sql.id(table)} where ${condition}`.execute(db)
  return {
    count: Number(total.rows[0]?.n),
    examples: [...rows.map(({ value }) => shown(value)), '…'],
  }
}

async function duplicates(
  db: Db,
  { table, columns, whereNotNull, where }: Extract<RowCheck, { readonly kind: 'duplicates' }>,
): Promise<string | undefined> {
  // Rows with an unset value are never equal to one another for a unique index.
  const set = [...new Set([...columns, ...(whereNotNull === undefined ? [] : [whereNotNull])])]
  const conditions = set.map((column) => sql`${sql.id(column)} is not null`)
  if (where !== undefined) conditions.push(sql`(${sql.raw(where)})`)
  const list = sql.join(columns.map((column) => sql.id(column)))
  const { rows } = await sql<Record<string, unknown>>`
    select ${list} from ${sql.id(table)} where ${sql.join(conditions, sql` and `)}
    group by ${list} having count(*) > 1 limit ${sql.lit(SHOWN + 1)}`.execute(db)
  if (rows.length === 0) return undefined
  const values = rows.map((row) => columns.map((column) => shown(row[column])).join(' + '))
  const more = values.length > SHOWN ? ', …' : ''
  return `expected each value of ${columns.join(' + ')} once, several rows have ${values.slice(0, SHOWN).join(', ')}${more}`
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}
