import { randomOf } from '../helpers/random.ts'
import { openAgain } from './story.ts'

/**
 * A process that sells, delivers, bills, takes money and cancels, several at a time, until somebody kills it.
 * Prints a line for every document it was told is submitted: what was answered must still be there. Its arguments are
 * the database and a seed.
 */
const database = JSON.parse(process.argv[2] ?? '') as Parameters<typeof openAgain>[0]
const story = await openAgain(database)
const random = randomOf(Number(process.argv[3]))
console.log('ready')

async function sell(): Promise<void> {
  const items = [{ item_code: 'BOLT', qty: 1 + random.below(3), rate: 9.99 }]
  const order = await story.make('Sales Order', { customer: 'CUST-00001', items })
  const note = await story.draftOf('Sales Order', order.id, 'make_delivery_note')
  await story.submit('Delivery Note', note.id)
  const invoice = await story.draftOf('Sales Order', order.id, 'make_invoice')
  await story.submit('Sales Invoice', invoice.id)
  const payment = await story.draftOf('Sales Invoice', invoice.id, 'make_payment')
  await story.submit('Payment Entry', payment.id)
  console.log(`paid ${invoice.id}`)
  if (random.chance(0.3)) await story.cancel('Payment Entry', payment.id)
}

async function trade(): Promise<never> {
  for (;;) await sell()
}

await Promise.all(Array.from({ length: 4 }, trade))
