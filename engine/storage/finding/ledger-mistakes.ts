import { type RawBuilder, sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { REVERSES, VOUCHER_NO, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import type { Db } from '../database/database.ts'

/** How many such rows there are in all, beside each of those that were asked for. */
interface Counted {
  readonly total: bigint
}

/** What is asked for: at most `limit` rows; with `from`, of what was written at that moment (ISO) or later alone. */
export interface Asked {
  readonly limit: number
  readonly from: string | undefined
}

/** Sums of a document's rows that are not equal. */
export interface Unbalanced extends Counted {
  readonly type: string | null
  readonly no: string | null
  /** 1 for the rows that take others back. */
  readonly mirror: bigint | number
  readonly debit: bigint | string
  readonly credit: bigint | string
}

/**
 * Documents whose rows do not balance, in what they posted or in what took that back; at most `limit`. With `from`, those
 * with a row that was written at that moment (ISO) or later.
 */
export async function unbalancedVouchers(
  db: Db,
  { table }: DocTypeDefinition,
  [debit, credit]: readonly [debit: string, credit: string],
  { limit, from }: Asked,
): Promise<readonly Unbalanced[]> {
  const sum = (column: string): RawBuilder<unknown> => sql`sum(coalesce(${sql.ref(column)}, 0))`
  const voucher = sql`${sql.ref(VOUCHER_TYPE)}, ${sql.ref(VOUCHER_NO)}`
  const written =
    from === undefined
      ? sql``
      : sql`where (${voucher}) in (select ${voucher} from ${sql.table(table)} where modified >= ${from})`
  const { rows } = await sql<Unbalanced>`select v.*, count(*) over () as total from (
      select ${sql.ref(VOUCHER_TYPE)} as type, ${sql.ref(VOUCHER_NO)} as no,
        case when ${sql.ref(REVERSES)} is null then 0 else 1 end as mirror,
        ${sum(debit)} as debit, ${sum(credit)} as credit
      from ${sql.table(table)} ${written} group by 1, 2, 3
    ) v where v.debit <> v.credit order by v.type, v.no, v.mirror limit ${sql.lit(limit)}`.execute(
    db,
  )
  return rows
}

/** A column of a mirror row and the one of the row it takes back that it is a copy of. */
export interface MirroredColumn {
  readonly column: string
  readonly from: string
  readonly isNegated: boolean
}

/** Rows that take back none, another mirror row, or one with other values: what they take back is as old as its ledger. */
export async function differingMirrors(
  db: Db,
  { table }: DocTypeDefinition,
  columns: readonly MirroredColumn[],
  { limit, from }: Asked,
): Promise<readonly (Counted & { readonly name: string })[]> {
  const reverses = sql.ref(`m.${REVERSES}`)
  const written = from === undefined ? sql`` : sql`and m.modified >= ${from}`
  const wrong = [
    sql`r.rid is null`,
    sql`${sql.ref(`r.${REVERSES}`)} is not null`,
    ...columns.map(({ column, from, isNegated }) => {
      const original = sql.ref(`r.${from}`)
      const expected = isNegated ? sql`-${original}` : original
      return sql`${sql.ref(`m.${column}`)} is distinct from ${expected}`
    }),
  ]
  const { rows } = await sql<
    Counted & { readonly name: string }
  >`select m.name as name, count(*) over () as total
    from ${sql.table(table)} m left join ${sql.table(table)} r on r.name = ${reverses}
    where ${reverses} is not null ${written} and (${sql.join(wrong, sql` or `)})
    order by m.rid limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** DocTypes of the documents that rows of a ledger name; null where a row names none. */
export async function voucherTypes(
  db: Db,
  { table }: DocTypeDefinition,
): Promise<readonly (string | null)[]> {
  const { rows } = await sql<{ readonly type: string | null }>`
    select distinct ${sql.ref(VOUCHER_TYPE)} as type from ${sql.table(table)} order by 1`.execute(
    db,
  )
  return rows.map(({ type }) => type)
}

/** A row whose document is missing, or in a state in which it has no such row. */
export interface Unbacked extends Counted {
  readonly id: string
  readonly type: string | null
  readonly no: string | null
  readonly docstatus: bigint | null
  readonly reverses: string | null
}

/**
 * Rows of one type of document (null for none) that no document backs; all of them where `voucher` is undefined, since
 * there is no such DocType. At most `limit`; with `from`, rows that were written at that moment (ISO) or later, or whose
 * document was.
 */
export async function unbackedRows(
  db: Db,
  { table }: DocTypeDefinition,
  type: string | null,
  voucher: DocTypeDefinition | undefined,
  { limit, from }: Asked,
): Promise<readonly Unbacked[]> {
  const typeColumn = sql.ref(`r.${VOUCHER_TYPE}`)
  const number = sql.ref(`r.${VOUCHER_NO}`)
  const reverses = sql.ref(`r.${REVERSES}`)
  const isType = type === null ? sql`${typeColumn} is null` : sql`${typeColumn} = ${type}`
  const isLive = voucher?.submittable ? sql`v.docstatus = 1` : sql`v.docstatus = 0`
  const join =
    voucher && !voucher.isChild
      ? sql`left join ${sql.table(voucher.table)} v on v.name = ${number}`
      : sql`left join (select null as rid, null as docstatus) v on 1 = 1`
  const isWrong = sql`v.rid is null
    or not ((${isLive} and ${reverses} is null)
      or (v.docstatus = 2 and (${reverses} is not null or m.rid is not null)))`
  const condition = voucher ? isWrong : sql`1 = 1`
  const ofVouchers =
    voucher && !voucher.isChild
      ? sql`union select l.rid from ${sql.table(voucher.table)} w join ${sql.table(table)} l
          on ${sql.ref(`l.${VOUCHER_NO}`)} = w.name where w.modified >= ${from}`
      : sql``
  const written =
    from === undefined
      ? sql``
      : sql`and r.rid in (select rid from ${sql.table(table)} where modified >= ${from} ${ofVouchers})`
  const { rows } = await sql<Unbacked>`
    select r.name as id, ${typeColumn} as type, ${number} as no, v.docstatus as docstatus,
      ${reverses} as reverses, count(*) over () as total
    from ${sql.table(table)} r ${join}
      left join ${sql.table(table)} m on ${sql.ref(`m.${REVERSES}`)} = r.name
    where ${isType} and (${condition}) ${written} order by r.rid limit ${sql.lit(limit)}`.execute(
    db,
  )
  return rows
}
