import type { Dice } from '../../engine/base/dice.ts'
import { addDays } from '../../engine/expression/run/calendar.ts'
import { act, begin, type Flow, make, until } from '../play/flow.ts'
import type { Shown } from '../world/hands.ts'
import { BANK_ACCOUNT } from '../world/places.ts'
import { type Buyer, money, type World } from '../world/world.ts'

/** Part of an invoice that is paid. */
export interface Share {
  readonly amount: number
  readonly mode?: string
}

/** A customer pays an invoice, and the bank tells of it. */
export function* receive(
  world: World,
  buyer: Buyer,
  invoice: Shown,
  { amount, mode = 'Bank Transfer' }: Share,
): Flow {
  const payment = yield* make('accounts', 'Payment Entry', {
    payment_type: 'Receive',
    party_type: 'Customer',
    party: buyer.id,
    company: world.name,
    mode_of_payment: mode,
    bank_account: BANK_ACCOUNT,
    paid_amount: amount,
    reference_no: `${mode === 'Card' ? 'POS' : 'SEPA'} ${invoice.id}`,
    reference_date: world.today(),
    references: [{ sales_invoice: invoice.id, allocated_amount: amount }],
  })
  yield* begin(bankLine(world, payment, { amount: payment.base_paid_amount, party: buyer.name }))
}

/** A bill is paid a few days before it is due, or after. */
export function* payBill(world: World, supplier: string, bill: Shown, dice: Dice): Flow {
  yield* until(addDays(bill.due_date, dice.between(-8, 2)))
  const payment = yield* make('accounts', 'Payment Entry', {
    payment_type: 'Pay',
    party_type: 'Supplier',
    party: bill.supplier,
    company: world.name,
    mode_of_payment: 'Bank Transfer',
    bank_account: BANK_ACCOUNT,
    paid_amount: bill.outstanding_amount,
    reference_no: bill.bill_no,
    reference_date: world.today(),
    references: [{ purchase_invoice: bill.id, allocated_amount: bill.outstanding_amount }],
  })
  yield* begin(bankLine(world, payment, { amount: -payment.base_paid_amount, party: supplier }))
}

/** Money moves between the bank and another account of the company's own, e.g. what is owed to the staff. */
export function* transfer(
  world: World,
  from: string,
  to: string,
  { amount, remarks }: { readonly amount: number; readonly remarks: string },
): Flow<Shown> {
  return yield* make('accounts', 'Payment Entry', {
    payment_type: 'Internal Transfer',
    company: world.name,
    paid_from: from,
    paid_to: to,
    paid_amount: amount,
    reference_no: remarks,
    reference_date: world.today(),
    remarks,
  })
}

/** Text and account of a line of the bank's. */
export interface Line {
  /** Above 0 for what comes in. */
  readonly amount: number
  readonly party: string
  readonly account?: string
  /** Kind of document the payment is kept as. */
  readonly document?: 'Payment Entry' | 'Journal Entry'
}

/** The bank's line of a payment a working day later; somebody matches it two weeks after, so those of the last weeks are open. */
export function* bankLine(
  world: World,
  payment: Shown,
  { amount, party, account = BANK_ACCOUNT, document = 'Payment Entry' }: Line,
): Flow {
  yield* until(addDays(world.today(), 1))
  const line = yield* make('accounts', 'Bank Transaction', {
    bank_account: account,
    date: world.today(),
    amount: money(amount),
    description: `${amount > 0 ? 'Credit' : 'Debit'} ${party}`,
    reference_number: payment.reference_no,
    transaction_id: `${payment.id}/${account.slice(0, 1)}`,
    bank_party_name: party,
  })
  yield* until(addDays(world.today(), 14))
  yield* act('accounts', 'Bank Transaction', line.id, 'match', {
    payment_document: document,
    payment_entry: payment.id,
  })
}
