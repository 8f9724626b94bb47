import { refuse } from '../engine/definition/model/hook.ts'
import { type BankTransaction, readAmount, readDate, transactionOf } from './bank-transaction.ts'
import { elementsAt, readXml, textAt, type XmlElement } from './xml.ts'

/** The booked transactions of an ISO 20022 statement (camt.053). Throws AppError. */
export function camt053Transactions(content: string): readonly BankTransaction[] {
  const document = readXml(content)
  const statements = elementsAt(document, 'BkToCstmrStmt', 'Stmt')
  if (statements.length === 0)
    return refuse('expected a statement of camt.053 (BkToCstmrStmt), got another kind of XML')
  const entries = statements.flatMap((statement) => elementsAt(statement, 'Ntry'))
  return entries.flatMap((entry, index) =>
    isBooked(entry) ? [transaction(entry, `entry ${index + 1}`)] : [],
  )
}

/** Newer versions write the status as a code inside. */
function isBooked(entry: XmlElement): boolean {
  const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')
  return status === '' || status === 'BOOK'
}

function transaction(entry: XmlElement, where: string): BankTransaction {
  const [amount] = elementsAt(entry, 'Amt')
  if (!amount) return refuse(`${where}: expected an amount (Amt), got none`)
  const value = readAmount(amount.text, '.', where)
  const isCredit = textAt(entry, 'CdtDbtInd') === 'CRDT'
  const date = textAt(entry, 'BookgDt', 'Dt') || textAt(entry, 'BookgDt', 'DtTm')
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-')
  const details = elementsAt(entry, 'NtryDtls', 'TxDtls')
  return transactionOf(isCredit ? value : -value, {
    date: readDate(year, month, day, where),
    description: descriptionOf(entry, details, isCredit),
    reference_number: referenceOf(details),
    transaction_id:
      textAt(entry, 'AcctSvcrRef') || (details[0] ? textAt(details[0], 'Refs', 'AcctSvcrRef') : ''),
    currency: amount.attributes.Ccy ?? '',
  })
}

/** The counterpart and the purpose of each payment in the entry; without details what the bank says of it. */
function descriptionOf(
  entry: XmlElement,
  details: readonly XmlElement[],
  isCredit: boolean,
): string {
  const party = isCredit ? 'Dbtr' : 'Cdtr'
  const parts = details.flatMap((one) => [
    textAt(one, 'RltdPties', party, 'Nm') || textAt(one, 'RltdPties', party, 'Pty', 'Nm'),
    ...elementsAt(one, 'RmtInf', 'Ustrd').map(({ text }) => text.trim()),
  ])
  const known = parts.filter((part) => part !== '')
  return known.length > 0 ? known.join(' ') : textAt(entry, 'AddtlNtryInf')
}

/** The reference of the payer, or the structured one of an invoice. */
function referenceOf(details: readonly XmlElement[]): string {
  const [only, more] = details
  if (!only || more) return ''
  const own = textAt(only, 'Refs', 'EndToEndId')
  if (own !== '' && own !== 'NOTPROVIDED') return own
  return textAt(only, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref')
}
