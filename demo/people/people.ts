import type { Dice } from '../../engine/base/dice.ts'
import { addDays } from '../../engine/expression/run/calendar.ts'
import { bankLine } from '../books/paying.ts'
import { daysFrom, isWorkday, monthly, workdayFrom } from '../play/days.ts'
import { begin, create, draftOf, type Flow, make, submit, until, update } from '../play/flow.ts'
import type { DemoEmployee } from '../world/company.ts'
import { employeeRecord } from '../world/parties.ts'
import type { Worker, World } from '../world/world.ts'

/** Working days before the end whose attendance is kept. */
const ATTENDANCE_DAYS = 22

/** Days a year of each kind of leave; the demo counts weekends too. */
const LEAVE_DAYS = { 'Annual Leave': 25, 'Sick Leave': 30 }

/** People join and leave, go on holiday, travel, and are there or not. */
export function* people(world: World): Flow {
  const { company, last } = world
  for (const employee of company.employees) {
    if (employee.joins !== undefined) yield* begin(joins(world, employee))
  }
  for (const worker of world.workers) {
    if (worker.leaves !== undefined) yield* begin(leaves(world, worker))
  }
  for (const { id, from } of world.workers) {
    yield* make('hr', 'Shift Assignment', {
      employee: id,
      shift_type: 'Day',
      start_date: from,
    })
  }
  const away = new Set<string>()
  for (const worker of world.workers) yield* begin(holidays(world, worker, away))
  yield* begin(expenses(world))
  yield* begin(advance(world))
  const days = daysFrom(addDays(last, -ATTENDANCE_DAYS * 2), last)
    .filter((day) => isWorkday(day) && day > world.first)
    .slice(-ATTENDANCE_DAYS)
  for (const day of days) yield* begin(attendance(world, day, away))
}

function* joins(world: World, employee: DemoEmployee): Flow {
  yield* until(addDays(world.first, employee.joins ?? 0))
  const { id } = yield* create('hr', 'Employee', employeeRecord(world, employee))
  world.workers.push({ ...employee, id, from: world.today(), to: world.last })
}

function* leaves(world: World, { id, leaves: day = 0 }: Worker): Flow {
  yield* until(addDays(world.first, day))
  yield* update('hr', 'Employee', id, { relieving_date: world.today(), status: 'Left' })
}

/** A holiday in summer, some days around Christmas, and now and then the flu. `away` fills with `id day`. */
function* holidays(world: World, worker: Worker, away: Set<string>): Flow {
  const dice = world.dice.fork(`leave ${worker.first} ${worker.last}`)
  const wishes = [
    { month: '12', day: dice.between(20, 23), days: dice.between(4, 8), type: 'Annual Leave' },
    { month: '02', day: dice.between(3, 24), days: dice.between(1, 3), type: 'Sick Leave' },
    { month: dice.one(['07', '08']), day: dice.between(1, 24), days: 11, type: 'Annual Leave' },
    {
      month: '10',
      day: dice.between(1, 24),
      days: 2,
      type: dice.one(['Sick Leave', 'Annual Leave']),
    },
  ]
  const asked = wishes.flatMap(({ month, day, ...wish }) =>
    monthly(addDays(world.first, 20), world.last, day)
      .filter((date) => date.slice(5, 7) === month)
      .map((date) => ({ ...wish, from: workdayFrom(date) }))
      .filter(
        ({ from, days }) => addDays(from, days - 1) <= worker.to || worker.leaves === undefined,
      ),
  )
  yield* begin(allocations(world, worker))
  for (const { from, days, type } of asked.sort((a, b) => (a.from < b.from ? -1 : 1))) {
    // Who is ill is missed at once; a holiday has to be granted first.
    if (type === 'Sick Leave') noteAway(away, worker.id, from, days)
    yield* begin(holiday(world, worker, { from, days, type, dice, away }))
  }
}

/** The days off of each year, granted on the first day. */
function* allocations(world: World, { id, leaves: left, to }: Worker): Flow {
  for (
    let year = Number(world.first.slice(0, 4));
    year <= Number((left === undefined ? world.last : to).slice(0, 4));
    year += 1
  )
    for (const [leave_type, days] of Object.entries(LEAVE_DAYS))
      yield* make('hr', 'Leave Allocation', {
        employee: id,
        leave_type,
        from_date: `${year}-01-01`,
        to_date: `${year}-12-31`,
        new_leaves_allocated: days,
      })
}

interface Wish {
  readonly from: string
  readonly days: number
  readonly type: string
  readonly dice: Dice
  readonly away: Set<string>
}

function* holiday(world: World, worker: Worker, { from, days, type, dice, away }: Wish): Flow {
  const isPlanned = type === 'Annual Leave'
  yield* until(addDays(from, isPlanned ? -15 : 0))
  const to = addDays(from, days - 1)
  const { id } = yield* create('hr', 'Leave Application', {
    employee: worker.id,
    leave_type: type,
    from_date: from,
    to_date: to,
    description: isPlanned ? 'Holiday' : 'Sick note follows',
  })
  yield* until(addDays(world.today(), 1))
  const isGranted = !isPlanned || dice.chance(0.88)
  yield* update('hr', 'Leave Application', id, { status: isGranted ? 'Approved' : 'Rejected' })
  yield* submit('hr', 'Leave Application', id)
  if (isGranted) noteAway(away, worker.id, from, days)
}

function noteAway(away: Set<string>, worker: string, from: string, days: number): void {
  for (const day of daysFrom(from, addDays(from, days - 1))) away.add(`${worker} ${day}`)
}

/** The evening's list of who was there. */
function* attendance(world: World, day: string, away: ReadonlySet<string>): Flow {
  const dice = world.dice.fork(`attendance ${day}`)
  yield* until(day)
  for (const { id, from, to } of world.workers) {
    // Those on leave have their attendance from it.
    if (from > day || to < day || away.has(`${id} ${day}`)) continue
    if (dice.chance(0.02)) {
      yield* make('hr', 'Attendance', { employee: id, attendance_date: day, status: 'Absent' })
      continue
    }
    const isLate = dice.chance(0.08)
    yield* make('hr', 'Attendance', {
      employee: id,
      attendance_date: day,
      status: dice.chance(0.1) ? 'Work From Home' : 'Present',
      in_time: `${day}T0${isLate ? 8 : 7}:${dice.between(10, 29)}:00.000Z`,
      out_time: `${day}T15:${dice.between(31, 59)}:00.000Z`,
      late_entry: isLate,
    })
  }
}

/** Money for a journey that is not accounted for yet. */
function* advance(world: World): Flow {
  yield* until(addDays(world.last, -17))
  const { id: employee, first, last } = world.workers[1]!
  const { id } = yield* make('accounts', 'Employee Advance', {
    employee,
    company: world.name,
    purpose: 'Bicycle fair, three days',
    advance_amount: 600,
  })
  const draft = yield* draftOf('accounts', 'Employee Advance', id, 'make_payment')
  yield* update('accounts', 'Payment Entry', draft.id, { reference_no: id })
  const payment = yield* submit('accounts', 'Payment Entry', draft.id)
  yield* begin(bankLine(world, payment, { amount: -600, party: `${first} ${last}` }))
}

/** Expenses of each month: claimed, decided, booked and paid back. */
function* expenses(world: World): Flow {
  const dice = world.dice.fork('expenses')
  for (const [index, day] of monthly(world.first, world.last, 6).entries()) {
    yield* begin(claim(world, day, dice.fork(`${index} a`), false))
    yield* begin(claim(world, addDays(day, 9), dice.fork(`${index} b`), index % 5 === 3))
  }
}

function* claim(world: World, day: string, dice: Dice, isRejected: boolean): Flow {
  yield* until(day)
  const {
    id: employee,
    first,
    last,
  } = dice.one(
    world.workers.filter(
      ({ from, to }) => from <= day && (to === world.last || to > addDays(day, 30)),
    ),
  )
  const rows = Array.from({ length: dice.between(1, 2) }, () => dice.one(world.company.expenses))
  const { id, total_claimed_amount: amount } = yield* create('hr', 'Expense Claim', {
    employee,
    company: world.name,
    remark: rows[0]!.remark,
    expenses: rows.map(({ kind, remark, amount: cost }, index) => ({
      expense_date: addDays(world.today(), -3 - index),
      expense_type: kind,
      description: remark,
      amount: cost,
    })),
  })
  yield* until(addDays(world.today(), 3))
  const approval = isRejected ? 'Rejected' : 'Approved'
  yield* update('accounts', 'Expense Claim', id, { approval_status: approval })
  yield* submit('accounts', 'Expense Claim', id)
  if (isRejected) return
  yield* until(addDays(world.today(), 8))
  const payment = yield* make('accounts', 'Payment Entry', {
    payment_type: 'Pay',
    party_type: 'Employee',
    party: employee,
    company: world.name,
    paid_amount: amount,
    claims: [{ expense_claim: id }],
    reference_no: id,
    remarks: `Expenses ${first} ${last}`,
  })
  yield* begin(
    bankLine(world, payment, {
      amount: -payment.base_paid_amount,
      party: `${first} ${last}`,
    }),
  )
}
