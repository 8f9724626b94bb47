import { type Detail, validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { fieldType } from '../../fields/index.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'

/** Difference of the columns whose sums must be equal, over these rows; 0n where the ledger declares none. */
export function imbalanceOf({ behaviour }: DocTypeDefinition, rows: readonly Doc[]): bigint {
  const [debit, credit] = behaviour.ledger?.balance ?? []
  if (debit === undefined || credit === undefined) return 0n
  return rows.reduce((sum, row) => sum + amountIn(row, debit) - amountIn(row, credit), 0n)
}

/** An amount of a row; an unset one is 0. */
export function amountIn(row: Doc, name: string): bigint {
  const value = valueIn(row, name)
  return value === null ? 0n : BigInt(value as bigint | number)
}

/** Columns that hold a row's amounts: a row in which all are 0 says nothing. */
export function amountColumns({ behaviour }: DocTypeDefinition): readonly string[] {
  const { balance = [], swap = [], negate = [] } = behaviour.ledger ?? {}
  return [...balance, ...swap, ...negate]
}

/** 422 for a posting that a ledger does not take: its fields are none that the caller could send. */
export function postingRefused(
  { label }: DocTypeDefinition,
  problems: readonly Detail[],
): ReturnType<typeof validationError> {
  // What is wrong with the day or the account is wrong with each of its rows, and told once.
  const told = new Map(problems.map((problem) => [`${problem.field}\0${problem.message}`, problem]))
  return validationError(
    [...told.values()].map(({ field, message }) => ({
      field,
      message: `posting to ${label}: ${message}`,
      code: 'rule',
    })),
  )
}

/** An amount of a ledger's field as people write it. */
export function shownAmount({ fields }: DocTypeDefinition, name: string, value: bigint): string {
  const field = fields.find((candidate) => candidate.name === name)!
  return String(fieldType(field.type).toWire(value, field))
}
