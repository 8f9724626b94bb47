import { parseDecimal } from '../engine/base/money.ts'
import { refuse } from '../engine/definition/model/hook.ts'
import { isDate } from '../engine/expression/run/calendar.ts'
import { MONEY_SCALE } from '../engine/expression/tree/types.ts'

/** A transaction of a bank statement; texts are empty where the bank says nothing. */
export interface BankTransaction {
  readonly date: string
  readonly description: string
  readonly reference_number: string
  readonly deposit: bigint
  readonly withdrawal: bigint
  readonly transaction_id: string
  readonly currency: string
}

/** Most transactions that are read from one file: whoever sent it waits, and so does everybody else. */
export const MAX_TRANSACTIONS = 5_000

const MAX_DESCRIPTION = 1_000
const MAX_REFERENCE = 140

/** Transaction of a signed amount: what comes in is above 0. Texts are put on one line and cut to what fields hold. */
export function transactionOf(
  amount: bigint,
  texts: Omit<BankTransaction, 'deposit' | 'withdrawal'>,
): BankTransaction {
  return {
    date: texts.date,
    description: oneLine(texts.description, MAX_DESCRIPTION),
    reference_number: oneLine(texts.reference_number, MAX_REFERENCE),
    deposit: amount > 0n ? amount : 0n,
    withdrawal: amount < 0n ? -amount : 0n,
    transaction_id: oneLine(texts.transaction_id, MAX_REFERENCE),
    currency: oneLine(texts.currency, MAX_REFERENCE).toUpperCase(),
  }
}

function oneLine(text: string, length: number): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()]
  return characters.slice(0, length).join('').trim()
}

/** An amount with this decimal separator, in 1/10⁴; anything that groups digits is passed over. Throws AppError. */
export function readAmount(text: string, separator: '.' | ',', where: string): bigint {
  const group = separator === '.' ? /[,\s'’]/gu : /[.\s'’]/gu
  const plain = text.trim().replace(group, '').replace(separator, '.')
  // Bookkeepers write (12.50) for what goes out.
  const negated = /^\((.+)\)$/.exec(plain)
  const read = parseDecimal(negated ? `-${negated[1]}` : plain, MONEY_SCALE)
  if (read.ok) return read.value
  return refuse(`${where}: expected an amount like 1234${separator}50, got ${JSON.stringify(text)}`)
}

/** Year, month and day as a date of the calendar. Throws AppError. */
export function readDate(year: string, month: string, day: string, where: string): string {
  const full = year.length === 2 ? `20${year}` : year
  const date = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) ? date : refuse(`${where}: expected a date of the calendar, got ${date}`)
}
