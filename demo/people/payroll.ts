import type { Dice } from '../../engine/base/dice.ts'
import { addDays, addMonths, monthStart } from '../../engine/expression/run/calendar.ts'
import { bankLine, transfer } from '../books/paying.ts'
import { monthly } from '../play/days.ts'
import { act, begin, create, draftOf, type Flow, make, submit, until } from '../play/flow.ts'
import type { Worker, World } from '../world/world.ts'

const STRUCTURE = 'Staff'
/** Day of the month on which salaries are paid, and that on which the tax office gets what was withheld. */
const PAYDAY = 26
const TAX_DAY = 12

/** Employee who borrows from the company, by their place in it, and the day of the story. */
const BORROWER = 6
const LOAN_DAY = 35
const LOAN = {
  loan_amount: 3000,
  monthly_repayment_amount: 250,
  purpose: 'Winter tyres and a move',
}

/** Salaries, month by month: slips, books, bank, and the tax that was withheld. */
export function* payroll(world: World): Flow {
  const { first, last, workers } = world
  const dice = world.dice.fork('pay')
  yield* make('hr', 'Salary Structure', {
    name: STRUCTURE,
    company: world.name,
    earnings: [{ salary_component: 'Basic' }],
    deductions: [
      {
        salary_component: 'Income Tax',
        amount_based_on_formula: true,
        formula: 'gross_pay * 0.18',
      },
    ],
  })
  yield* begin(loan(world))
  const assigned = new Set<string>()
  for (const day of monthly(first, last, PAYDAY)) {
    yield* until(day)
    for (const worker of workers.filter(({ id, from }) => !assigned.has(id) && from <= day)) {
      assigned.add(worker.id)
      yield* assign(world, worker, dice.fork(worker.last))
    }
    yield* pay(world)
  }
}

function* assign({ company, first }: World, { id, from }: Worker, dice: Dice): Flow {
  const average = Math.round(company.payroll / company.employees.length)
  const start = monthStart(first)
  yield* make('hr', 'Salary Structure Assignment', {
    employee: id,
    salary_structure: STRUCTURE,
    from_date: from > start ? from : start,
    base: dice.between(average - 300, average + 600),
  })
}

function* pay(world: World): Flow {
  const month = world.today().slice(0, 7)
  const { id } = yield* create('hr', 'Payroll Entry', { company: world.name })
  yield* act('hr', 'Payroll Entry', id, 'get_employees')
  const run = yield* submit('hr', 'Payroll Entry', id)
  const entry = yield* draftOf('accounts', 'Payroll Entry', id, 'make_bank_entry')
  yield* begin(
    bankLine(
      world,
      { ...entry, reference_no: `Salaries ${month}` },
      { amount: -run.total_net_pay, party: 'Payroll', document: 'Journal Entry' },
    ),
  )
  yield* begin(payTax(world, run.total_deduction, month))
}

function* payTax(world: World, amount: number, month: string): Flow {
  const next = addMonths(monthStart(world.today()), 1)
  yield* until(addDays(next, TAX_DAY - 1))
  const remarks = `Income tax ${month}`
  const paid = yield* transfer(world, 'Bank', 'Withheld Tax', { amount, remarks })
  yield* begin(bankLine(world, paid, { amount: -amount, party: 'Tax office' }))
}

/** Lends somebody money, which they pay back from their salary. */
function* loan(world: World): Flow {
  yield* until(addDays(world.first, LOAN_DAY))
  yield* make('hr', 'Loan', {
    employee: world.workers[BORROWER]!.id,
    company: world.name,
    ...LOAN,
  })
}
