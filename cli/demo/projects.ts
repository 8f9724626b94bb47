import { addDays } from '../../engine/expression/calendar.ts'
import type { DemoProject } from './company.ts'
import type { Dice } from './dice.ts'
import { begin, create, type Flow, make, until, update } from './flow.ts'
import { money, type World } from './world.ts'

/** Who works on projects: the designer and a mechanic, by their place in the company. */
const TEAM = [8, 6] as const

/** Each project has its time of the day, since nobody works on two at once. */
const FIRST_HOUR = 5
const HOURS_APART = 3

/** Projects with tasks that follow one another, and the hours that were worked on them. */
export function* projects(world: World): Flow {
  for (const [index, project] of world.company.projects.entries())
    yield* begin(oneProject(world, project, FIRST_HOUR + index * HOURS_APART))
}

function* oneProject(world: World, project: DemoProject, hour: number): Flow {
  const { name, customer, day, priority, rate, tasks } = project
  const dice = world.dice.fork(`project ${name}`)
  const days = tasks.reduce((sum, task) => sum + task.days, 0)
  yield* until(addDays(world.first, day))
  const { id } = yield* create('support', 'Project', {
    project_name: name,
    company: world.name,
    priority,
    project_type: customer === undefined ? 'Internal' : 'External',
    customer: world.buyers.find((buyer) => buyer.name === customer)?.id ?? null,
    expected_start_date: world.today(),
    expected_end_date: addDays(world.today(), days),
    estimated_costing: days * 260,
  })
  let start = world.today()
  let previous: string | undefined
  const planned = []
  for (const { subject, days: length } of tasks) {
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
    planned.push({ task: task.id, start, end })
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

interface Work {
  readonly project: string
  readonly task: string
  readonly rate: number
  readonly customer: string | undefined
  readonly end: string
  /** Of the day, at which the work begins. */
  readonly hour: number
  readonly dice: Dice
}

/** A timesheet every two weeks until the task is done. */
function* work(world: World, { project, task, rate, customer, end, hour, dice }: Work): Flow {
  while (world.today() < end) {
    const next = addDays(world.today(), 14)
    yield* until(next < end ? next : end)
    const worker = world.workers[dice.one(TEAM)]!
    const day = world.today()
    const hours = dice.between(1, HOURS_APART - 1)
    yield* make('support', 'Timesheet', {
      employee: worker.id,
      company: world.name,
      customer: world.buyers.find(({ name }) => name === customer)?.id ?? null,
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
  }
}
