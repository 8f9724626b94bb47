import type { Dice } from '../../engine/base/dice.ts'
import { addDays } from '../../engine/expression/run/calendar.ts'
import { payBill } from '../books/paying.ts'
import { begin, create, draftOf, type Flow, make, submit, until, update } from '../play/flow.ts'
import { inputTaxOf } from '../supply/buying.ts'
import type { DemoProject } from '../world/company.ts'
import { FINISHED, PROJECT_COST } from '../world/places.ts'
import { type Buyer, money, priceIn, type World } from '../world/world.ts'
import { taxOf } from './basket.ts'
import { collect } from './collecting.ts'
import { fulfil } from './fulfilling.ts'

/** Service that hours are billed as. */
const CONSULTING = 'SV-CONS'
/** Number of an invoice that nothing is out of the ordinary with (twists.ts). */
const NO_TWIST = 0
/** Orders for projects are counted from here on, clear of those in twists.ts. */
const PROJECT_ORDER = 2000

/** Team of the projects: the designer, two mechanics and the adviser, by their place in the company. */
const TEAM = [8, 6, 5, 7] as const

/** Hour at which the first project is worked on: each has its time of the day, since nobody works on two at once. */
const FIRST_HOUR = 5
const HOURS_APART = 3

/** Projects with tasks that follow one another, and the hours that were worked on them. */
export function* projects(world: World): Flow {
  for (const [index, project] of world.company.projects.entries())
    yield* begin(oneProject(world, project, FIRST_HOUR + index * HOURS_APART))
}

function* oneProject(world: World, project: DemoProject, hour: number): Flow {
  const { name, customer, day, priority, rate, tasks, costs = [] } = project
  const dice = world.dice.fork(`project ${name}`)
  const days = tasks.reduce((sum, task) => sum + task.days, 0)
  yield* until(addDays(world.first, day))
  const buyer = world.buyers.find((one) => one.name === customer)
  const { id } = yield* create('support', 'Project', {
    project_name: name,
    company: world.name,
    priority,
    project_type: customer === undefined ? 'Internal' : 'External',
    customer: buyer?.id ?? null,
    expected_start_date: world.today(),
    expected_end_date: addDays(world.today(), days),
    estimated_costing: days * 260,
  })
  for (const cost of costs) yield* begin(buyFor(world, id, cost))
  if (buyer) yield* begin(equip(world, buyer, id, hour))
  let start = world.today()
  let previous: string | undefined
  const planned = []
  for (const { subject, days: length, late = 0 } of tasks) {
    const end = addDays(start, length)
    const task = yield* create('support', 'Task', {
      subject,
      project: id,
      priority,
      assigned_to: world.company.accounts.support?.email,
      exp_start_date: start,
      exp_end_date: end,
      expected_time: length * 2,
      ...(previous === undefined ? {} : { depends_on: [{ task: previous }] }),
    })
    planned.push({ task: task.id, start, end: addDays(end, late) })
    start = end
    previous = task.id
  }
  let before: string | undefined
  for (const { task, start: from, end } of planned) {
    yield* until(from)
    yield* update('support', 'Task', task, { status: 'Working', progress: 20 })
    yield* work(world, { project: id, task, rate, customer, end, hour, dice })
    // Writing the rows again reads how the task before has ended.
    const depends = before === undefined ? {} : { depends_on: [{ task: before }] }
    yield* update('support', 'Task', task, { status: 'Completed', progress: 100, ...depends })
    before = task
  }
  yield* update('support', 'Project', id, { status: 'Completed' })
}

/** The customer of a project orders bicycles for it. */
function* equip(world: World, buyer: Buyer, project: string, number: number): Flow {
  yield* until(addDays(world.today(), 12))
  const [bicycle] = world.company.bicycles
  const order = yield* make('sales', 'Sales Order', {
    customer: buyer.id,
    company: world.name,
    project,
    delivery_date: addDays(world.today(), 21),
    taxes_and_charges: taxOf(buyer.country),
    items: [{ item_code: bicycle!.code, qty: 4, discount_percentage: 10, warehouse: FINISHED }],
  })
  yield* fulfil(world, buyer, order, PROJECT_ORDER + number)
}

type Cost = NonNullable<DemoProject['costs']>[number]

/** Something is bought for a project. */
function* buyFor(world: World, project: string, { after, supplier, amount, remark }: Cost): Flow {
  yield* until(addDays(world.today(), after))
  const seller = world.sellers.get(supplier)!
  const bill = yield* make('accounts', 'Purchase Invoice', {
    supplier: seller.id,
    company: world.name,
    project,
    bill_no: `P-${world.today()}`,
    bill_date: world.today(),
    ...inputTaxOf(world, seller),
    remarks: remark,
    items: [{ item_code: PROJECT_COST, qty: 1, rate: priceIn(world, seller.currency, amount) }],
  })
  world.vat.paid += bill.base_total_taxes_and_charges
  yield* payBill(world, seller.name, bill, world.dice.fork(`${project} ${after}`))
}

interface Work {
  readonly project: string
  readonly task: string
  readonly rate: number
  readonly customer: string | undefined
  readonly end: string
  /** Hour of the day at which the work begins. */
  readonly hour: number
  readonly dice: Dice
}

/** A timesheet each week until the task is done; hours for a customer are billed every other time. */
function* work(world: World, { project, task, rate, customer, end, hour, dice }: Work): Flow {
  const buyer = world.buyers.find(({ name }) => name === customer)
  for (let sheet = 0; world.today() < end; sheet += 1) {
    const next = addDays(world.today(), 7)
    yield* until(next < end ? next : end)
    const worker = world.workers[dice.one(TEAM)]!
    const day = world.today()
    const hours = dice.between(1, HOURS_APART - 1)
    const { id } = yield* make('support', 'Timesheet', {
      employee: worker.id,
      company: world.name,
      customer: buyer?.id ?? null,
      parent_project: project,
      start_date: day,
      end_date: day,
      time_logs: [
        {
          activity_type: dice.one(['Planning', 'Research', 'Execution', 'Communication']),
          from_time: `${day}T${String(hour).padStart(2, '0')}:00:00.000Z`,
          to_time: `${day}T${String(hour + hours).padStart(2, '0')}:30:00.000Z`,
          project,
          task,
          is_billable: rate > 0,
          billing_rate: rate,
          costing_rate: money(38 + dice.between(0, 12)),
        },
      ],
    })
    if (buyer && sheet % 3 !== 2) yield* begin(billHours(world, buyer, id))
  }
}

/** The hours of a timesheet are billed at the end of the week after it. */
function* billHours(world: World, buyer: Buyer, sheet: string): Flow {
  yield* until(addDays(world.today(), 8))
  const draft = yield* draftOf('accounts', 'Timesheet', sheet, 'make_invoice', {
    item_code: CONSULTING,
  })
  yield* update('accounts', 'Sales Invoice', draft.id, { taxes_and_charges: taxOf(buyer.country) })
  const invoice = yield* submit('accounts', 'Sales Invoice', draft.id)
  world.vat.collected += invoice.base_total_taxes_and_charges
  const dice = world.dice.fork(`hours ${sheet}`)
  yield* collect(world, buyer, { invoice, number: NO_TWIST, dice })
}
