import type { JsonSchema } from '../../fields/field-type.ts'
import { expression, FIELD_NAME, object, text, withExamples } from './schema-parts.ts'

const field = (description: string): JsonSchema => text(description, { pattern: FIELD_NAME })

/** Words of a piece: who owes a document, how much, until when, and where it is booked. */
function owed(side: string, party: string, account: string): JsonSchema {
  return withExamples(
    object(
      `${side} The words name fields of the DocType. Those in brackets are made where it has none of the name, and so are company, posting_date, project, cost_center, remarks, is_return and return_against. What is owed goes to the ledgers on submit; the other side is the DocType's own posting to the general ledger.`,
      {
        party: field(`Link to the ${party}.`),
        amount: field('What is owed, in the currency of the document.'),
        base_amount: field(
          "[base_owed_amount] The same in the company's currency; without it the amount at the exchange rate.",
        ),
        account: field(`[${account}] Link to the account it is booked on.`),
        currency: field('[currency] Link to the currency of the document.'),
        rate: field("[conversion_rate] What one unit of it is worth in the company's currency."),
        due_date: field('[due_date] Last day to pay.'),
        days: {
          type: 'integer',
          minimum: 0,
          description: 'Days to pay, where nothing else says the last day; 30 without it.',
        },
        since: field(
          '[posting_date] Day of the document that it is not due before, and that days are counted from.',
        ),
        settled: expression(
          'What else has settled a part of the amount, in the currency of the document: 0 without it.',
        ),
        base_settled: expression("The same in the company's currency."),
      },
      ['party', 'amount'],
    ),
    {
      party,
      amount: 'total',
      base_amount: 'base_total',
      account,
      currency: 'currency',
      rate: 'conversion_rate',
      due_date: 'due_date',
      days: 14,
      since: 'posting_date',
      settled: 'write_off_amount',
      base_settled: 'base_write_off_amount',
    },
  )
}

/**
 * Words of a DocType that are short for a block of the same name, used with the name of the DocType besides, behind the
 * field of its amount.
 *
 *     receivable: {party: customer, amount: total}
 *     # use: [{block: receivable, with: {doctype: Rental Agreement, party: customer, amount: total}, after: total}]
 */
export const PIECES: Readonly<Record<string, JsonSchema>> = {
  receivable: owed(
    'Makes a submittable DocType a document that a customer owes: payments, journal entries and requests refer to it, ageing shows it.',
    'customer',
    'debit_to',
  ),
  payable: owed(
    'Makes a submittable DocType a document that is owed to a supplier: payments, journal entries and requests refer to it, ageing shows it.',
    'supplier',
    'credit_to',
  ),
}
