import { type Doc, valueIn } from '../../storage/database/document.ts'
import type { DocTypeParts } from '../work/context.ts'
import { amountIn } from './ledger-amounts.ts'

/** Longest text of the other side, in characters: a posting of hundreds of accounts names the first of them. */
const LONGEST = 140

/** Tells each row of a posting what stands on its other side (`ledger.contra`): the party, or the account without one. */
export function nameContra({ definition }: DocTypeParts, rows: readonly Doc[]): void {
  const { contra, balance: [debit, credit] = [] } = definition.behaviour.ledger ?? {}
  if (!contra || debit === undefined || credit === undefined) return
  const isDebit = (row: Doc): boolean => amountIn(row, debit) > amountIn(row, credit)
  const sides = Map.groupBy(rows, isDebit)
  const told = new Map(
    [true, false].map((side) => [side, namesOf(sides.get(!side) ?? [], contra.names)]),
  )
  for (const row of rows) row[contra.field] = told.get(isDebit(row)) ?? null
}

function namesOf(rows: readonly Doc[], names: readonly string[]): string | null {
  const all = rows.map((row) => names.map((name) => valueIn(row, name)).find((value) => value))
  const text = [...new Set(all.filter((value) => typeof value === 'string'))].join(', ')
  return text === '' ? null : text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`
}
