import { addDays } from '../../engine/expression/run/calendar.ts'
import { monthly } from '../play/days.ts'
import { act, begin, create, type Flow, make, until } from '../play/flow.ts'
import { BANK_ACCOUNT, SAVINGS } from '../world/places.ts'
import { money, type World } from '../world/world.ts'
import { bankLine, transfer } from './paying.ts'

/** Account that holds what is booked but not yet paid out. */
const OWED = 'Accrued Expenses'

/** Books of each month: something for the savings, exchange rates; of each quarter: tax, bank fees. */
export function* bookkeeping(world: World): Flow {
  yield* begin(savings(world))
  yield* begin(exchangeRates(world))
  yield* begin(quarters(world))
}

function* savings(world: World): Flow {
  for (const day of monthly(world.first, world.last, 28)) {
    yield* until(day)
    const amount = 1500
    const moved = yield* transfer(world, 'Bank', SAVINGS, { amount, remarks: 'Reserve' })
    yield* begin(bankLine(world, moved, { amount: -amount, party: 'Reserve' }))
    yield* begin(bankLine(world, moved, { amount, party: 'Reserve', account: SAVINGS }))
  }
}

function* exchangeRates(world: World): Flow {
  const { company, first, last, rates } = world
  const dice = world.dice.fork('rates')
  for (const day of monthly(first, last, 1)) {
    // Banks publish rates on working days; the rate of the month before serves until then.
    yield* until(day)
    for (const [currency, rate] of rates) {
      const next = Math.round(rate * (1 + dice.between(-14, 14) / 1000) * 10_000) / 10_000
      rates.set(currency, next)
      yield* create('accounts', 'Currency Exchange', {
        from_currency: currency,
        to_currency: company.company.default_currency,
        exchange_rate: next,
      })
    }
  }
}

function* quarters(world: World): Flow {
  const { first, last } = world
  const months = monthly(first, last, 15).filter((_, month) => month % 3 === 2)
  for (const [index, day] of months.entries()) {
    yield* until(day)
    yield* payTax(world, index + 1)
    const fee = money(38.5 + index * 2.1)
    const line = yield* make('accounts', 'Bank Transaction', {
      bank_account: BANK_ACCOUNT,
      date: world.today(),
      amount: -fee,
      description: 'Account fees of the quarter',
      transaction_id: `fee ${world.today()}`,
    })
    yield* act('accounts', 'Bank Transaction', line.id, 'make_journal_entry', {
      account: 'Bank Charges',
    })
  }
}

/** Tax that was collected for the tax office, less what was paid to others; what is left is paid ten days later. */
function* payTax(world: World, quarter: number): Flow {
  const collected = money(world.vat.collected)
  const paid = money(world.vat.paid)
  world.vat.collected = 0
  world.vat.paid = 0
  const due = money(collected - paid)
  if (collected <= 0 || paid <= 0 || due === 0) return
  yield* make('accounts', 'Journal Entry', {
    title: `Value added tax of quarter ${quarter}`,
    company: world.name,
    accounts: [
      { account: 'Output Tax', debit: collected },
      { account: 'Input Tax', credit: paid },
      due > 0 ? { account: OWED, credit: due } : { account: OWED, debit: -due },
    ],
  })
  yield* begin(settleTax(world, due, quarter))
}

function* settleTax(world: World, due: number, quarter: number): Flow {
  yield* until(addDays(world.today(), 10))
  const remarks = `VAT quarter ${quarter}`
  const [from, to] = due > 0 ? ['Bank', OWED] : [OWED, 'Bank']
  const settled = yield* transfer(world, from!, to!, { amount: Math.abs(due), remarks })
  yield* begin(bankLine(world, settled, { amount: -due, party: 'Tax office' }))
}
