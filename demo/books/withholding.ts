import { addDays, addMonths } from '../../engine/expression/run/calendar.ts'
import { begin, create, type Flow, make, until, update } from '../play/flow.ts'
import type { Shown } from '../world/hands.ts'
import { PROJECT_COST } from '../world/places.ts'
import type { World } from '../world/world.ts'
import { bankLine, payBill, transfer } from './paying.ts'

/** Supplier that tax is kept back from (`suppliers` of the data). */
const SUPPLIER = 'designer'

const CATEGORY = 'Advice from abroad'

/** Days before the last one on which the bills come, and their amounts. */
const BILLS = [
  { before: 84, amount: 2400, remark: 'Colours of the coming season' },
  { before: 24, amount: 1800, remark: 'Lettering of the frames' },
]

/** A designer abroad bills advice: tax is kept back of it, and paid to the tax office in the month after. */
export function* withholding(world: World): Flow {
  const seller = world.sellers.get(SUPPLIER)!
  yield* create('accounts', 'Tax Withholding Category', {
    category_name: CATEGORY,
    rates: [
      {
        from_date: `${world.first.slice(0, 4)}-01-01`,
        to_date: `${world.last.slice(0, 4)}-12-31`,
        tax_withholding_rate: 20,
      },
    ],
    accounts: [{ company: world.name, account: 'Withheld Tax' }],
  })
  yield* update('accounts', 'Supplier', seller.id, { tax_withholding_category: CATEGORY })
  for (const { before, amount, remark } of BILLS) {
    yield* until(addDays(world.last, -before))
    const bill = yield* make('accounts', 'Purchase Invoice', {
      supplier: seller.id,
      company: world.name,
      bill_no: `SM-${world.today()}`,
      bill_date: world.today(),
      remarks: remark,
      items: [{ item_code: PROJECT_COST, qty: 1, rate: amount }],
    })
    yield* begin(payBill(world, seller.name, bill, world.dice.fork(remark)))
    yield* begin(payOffice(world, bill))
  }
}

/** The tax office gets what was kept back on the 15th of the next month. */
function* payOffice(world: World, bill: Shown): Flow {
  yield* until(`${addMonths(bill.posting_date, 1).slice(0, 8)}15`)
  const remarks = `Withheld from ${bill.bill_no}`
  const amount: number = bill.withheld_amount
  const paid = yield* transfer(world, 'Bank', 'Withheld Tax', { amount, remarks })
  yield* begin(bankLine(world, paid, { amount: -amount, party: 'Tax office' }))
}
