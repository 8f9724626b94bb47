import { refuse } from '../engine/definition/model/hook.ts'
import { type BankTransaction, readAmount, readDate, transactionOf } from './bank-transaction.ts'

const ELEMENT = /<(\/?)([A-Za-z0-9._]+)>([^<]*)/g
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['nbsp', ' '],
])

/**
 * The transactions of an OFX statement, of version 1 (SGML, whose values have no end) or 2 (XML): in both a value
 * follows its name. Throws AppError.
 */
export function ofxTransactions(content: string): readonly BankTransaction[] {
  if (!/<OFX>/i.test(content)) return refuse('expected a statement of OFX, got no <OFX>')
  const transactions: BankTransaction[] = []
  let currency = ''
  let values: Map<string, string> | undefined
  for (const [, end, written = '', text = ''] of content.matchAll(ELEMENT)) {
    const name = written.toUpperCase()
    if (name === 'STMTTRN') {
      if (values)
        transactions.push(transaction(values, currency, `transaction ${transactions.length + 1}`))
      values = end === '/' ? undefined : new Map()
    } else if (end !== '/' && name === 'CURDEF') currency = text.trim()
    else if (end !== '/') values?.set(name, decoded(text.trim()))
  }
  return transactions
}

function transaction(
  values: ReadonlyMap<string, string>,
  currency: string,
  where: string,
): BankTransaction {
  const value = (name: string): string => values.get(name) ?? ''
  const date = value('DTPOSTED')
  const amount = value('TRNAMT')
  const separator = amount.includes(',') && !amount.includes('.') ? ',' : '.'
  return transactionOf(readAmount(amount, separator, where), {
    date: readDate(date.slice(0, 4), date.slice(4, 6), date.slice(6, 8), where),
    description: [value('NAME') || value('PAYEE'), value('MEMO')]
      .filter((part) => part !== '')
      .join(' '),
    reference_number: value('CHECKNUM') || value('REFNUM'),
    transaction_id: value('FITID'),
    currency,
  })
}

function decoded(text: string): string {
  return text.replace(/&(\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity)
}
