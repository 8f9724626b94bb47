import { refuse } from '../engine/definition/model/hook.ts'
import { type BankTransaction, readAmount, readDate, transactionOf } from './bank-transaction.ts'

interface Field {
  readonly tag: string
  readonly text: string
  readonly line: number
}

/** Value date, booking day, sign (R reverses), third letter of the currency, amount, kind, references. */
const STATEMENT_LINE =
  /^(\d{2})(\d{2})(\d{2})(?:\d{4})?(R?[CD])[A-Z]?(\d[\d,]*)([A-Z][A-Z0-9]{3})([^\n]*?)(?:\/\/([^\n]*))?(?:\n|$)/
const OPENING_BALANCE = /^[CD]\d{6}([A-Z]{3})/

/** The transactions of a SWIFT MT940 statement. Throws AppError naming the line. */
export function mt940Transactions(content: string): readonly BankTransaction[] {
  const fields = fieldsOf(content)
  if (!fields.some(({ tag }) => tag === '60F' || tag === '60M'))
    return refuse('expected an MT940 statement with an opening balance (:60F:), got none')
  const transactions: BankTransaction[] = []
  let currency = ''
  for (const [index, field] of fields.entries()) {
    if (field.tag === '60F' || field.tag === '60M')
      currency = OPENING_BALANCE.exec(field.text)?.[1] ?? ''
    if (field.tag !== '61') continue
    const next = fields[index + 1]
    transactions.push(transaction(field, next?.tag === '86' ? next.text : '', currency))
  }
  return transactions
}

function transaction({ text, line }: Field, details: string, currency: string): BankTransaction {
  const where = `line ${line}`
  const match = STATEMENT_LINE.exec(text)
  if (!match)
    return refuse(`${where}: expected a statement line (:61:), got ${JSON.stringify(text)}`)
  const [, year = '', month = '', day = '', sign = '', digits = '', , own = '', bank = ''] = match
  const amount = readAmount(digits, ',', where)
  const reference = own.trim() === 'NONREF' ? '' : own
  return transactionOf(sign === 'C' || sign === 'RD' ? amount : -amount, {
    date: readDate(year, month, day, where),
    description: descriptionOf(details),
    reference_number: reference,
    transaction_id: bank,
    currency,
  })
}

/** Purpose and counterpart of structured details (`166?00…?20…?32…`), else the text as it is. */
function descriptionOf(details: string): string {
  if (!/^\d{3}\?/.test(details)) return details.replaceAll('\n', ' ')
  const parts = details.replaceAll('\n', '').split('?').slice(1)
  const ofCodes = (from: number, to: number): string =>
    parts
      .filter((part) => Number(part.slice(0, 2)) >= from && Number(part.slice(0, 2)) <= to)
      .map((part) => part.slice(2))
      .join('')
  const name = ofCodes(32, 33)
  const purpose = ofCodes(20, 29) + ofCodes(60, 63)
  return [name, purpose].filter((part) => part !== '').join(' ')
}

/** The fields of a message: `:61:` and what follows up to the next one or the end of the message. */
function fieldsOf(content: string): readonly Field[] {
  const fields: { tag: string; text: string; line: number }[] = []
  let isOpen = false
  for (const [index, line] of content.split(/\r\n|\n|\r/).entries()) {
    const start = /^(?:\{4:)?:(\d{2}[A-Z]?):(.*)$/.exec(line)
    if (start) fields.push({ tag: start[1]!, text: start[2]!, line: index + 1 })
    else if (isOpen && !/^-\}?$/.test(line)) fields.at(-1)!.text += `\n${line}`
    isOpen = start !== null || (isOpen && !/^-\}?$/.test(line))
  }
  return fields
}
