import { defineHook, refuse } from '../engine/definition/model/hook.ts'
import { camt053Transactions } from './bank-camt053.ts'
import { csvTransactions } from './bank-csv.ts'
import { mt940Transactions } from './bank-mt940.ts'
import { ofxTransactions } from './bank-ofx.ts'
import { type BankTransaction, MAX_TRANSACTIONS } from './bank-transaction.ts'

/** The transactions in the text of a statement that a bank offers as a file, in its order. */
export const bankStatementRows = defineHook({
  inputs: {
    content: 'str',
    /** CSV, MT940, CAMT.053 or OFX. */
    format: 'str',
    delimiter: 'str?',
    date_column: 'str?',
    description_column: 'str?',
    reference_column: 'str?',
    deposit_column: 'str?',
    withdrawal_column: 'str?',
    /** Column of an amount with a sign; instead of the two. */
    amount_column: 'str?',
    transaction_id_column: 'str?',
    currency_column: 'str?',
    /** YYYY-MM-DD unless it says otherwise. */
    date_format: 'str?',
    decimal_separator: 'str?',
  },
  reads: {},
  outputs: {
    date: 'date',
    description: 'str',
    reference_number: 'str',
    deposit: 'money',
    withdrawal: 'money',
    transaction_id: 'str',
    currency: 'str',
    /** True where the bank's id stood in the file before. */
    repeated: 'bool',
  },
  gives: 'rows',
  run({ content, format, ...layout }) {
    if (content.trim() === '') return []
    if (format === 'MT940') return marked(mt940Transactions(content))
    if (format === 'CAMT.053') return marked(camt053Transactions(content))
    if (format === 'OFX') return marked(ofxTransactions(content))
    if (format !== 'CSV')
      refuse(`expected the format CSV, MT940, CAMT.053 or OFX, got ${JSON.stringify(format)}`)
    return marked(
      csvTransactions(content, {
        delimiter: layout.delimiter ?? '',
        dateFormat: layout.date_format ?? '',
        decimalSeparator: layout.decimal_separator ?? '',
        columns: {
          date: layout.date_column ?? '',
          description: layout.description_column ?? '',
          reference: layout.reference_column ?? '',
          deposit: layout.deposit_column ?? '',
          withdrawal: layout.withdrawal_column ?? '',
          amount: layout.amount_column ?? '',
          transaction_id: layout.transaction_id_column ?? '',
          currency: layout.currency_column ?? '',
        },
      }),
    )
  },
})

/** The transactions, each with whether its id stood there before. */
function marked(
  transactions: readonly BankTransaction[],
): (BankTransaction & { readonly repeated: boolean })[] {
  if (transactions.length > MAX_TRANSACTIONS)
    return refuse(
      `expected at most ${MAX_TRANSACTIONS} transactions in a file; split it into shorter periods`,
    )
  const ids = new Set<string>()
  return transactions.map((transaction) => {
    const repeated = ids.has(transaction.transaction_id)
    if (transaction.transaction_id !== '') ids.add(transaction.transaction_id)
    return { ...transaction, repeated }
  })
}
