import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Cron } from 'croner'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import type { EventSink } from '../../engine/documents/work/context.ts'
import { type Engine, openEngine } from '../../engine/index.ts'
import { readSetting } from '../../engine/storage/workspace/settings.ts'
import { hooks } from '../../hooks/index.ts'
import { type DailyJob, runDaily } from '../../server/jobs/daily-jobs.ts'
import {
  EVERY_HOUR,
  type Scheduler,
  type SchedulerOptions,
  startScheduler,
  statusTick,
} from '../../server/jobs/scheduler.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { type RunningServer, startServer } from '../../server/start.ts'
import { type TestClock, writeDoctypes } from '../engine/documents/workspace.ts'
import { forEachDatabase, type TestDatabase } from '../helpers/databases.ts'

const DOCTYPES = `
doctype: Reminder
module: crm
tier: free
naming: "REM-{####}"
fields:
  day: {type: date}
status:
  field: status
  derive:
    Overdue: 'day < today()'
    Waiting: "true"
  tick: {daily: 'status == "Waiting"'}
`

const MINUTE = 60 * 1000
const DAY = 24 * 60 * MINUTE

/** Never by itself: these tests say when. */
const NEVER = 2 ** 31 - 1

/** A line of the log. */
type Line = Readonly<Record<string, unknown>>

forEachDatabase('the scheduler', ({ kind, test, create }) => {
  const doctypes = writeDoctypes(DOCTYPES)
  const clock: TestClock = {
    time: 0,
    now() {
      return this.time
    },
  }
  const opened: Engine[] = []
  const schedulers: Scheduler[] = []
  let database: TestDatabase
  let lines: Line[] = []

  test.before.each(async () => {
    clock.time = Date.parse('2026-03-09T12:00:00.000Z')
    lines = []
    database = await create()
  })
  test.after.each(async () => {
    for (const scheduler of schedulers.splice(0)) await scheduler.stop()
    for (const engine of opened.splice(0)) await engine.close()
  })
  test.after(() => rmSync(doctypes, { recursive: true }))

  /** Another process of the workspace, as far as the database can tell. */
  async function open(sinks: readonly EventSink[] = []): Promise<Engine> {
    const engine = await openEngine({
      hooks,
      database,
      doctypes: [doctypes],
      secretKey: Buffer.alloc(32, 7),
      clock,
      sinks,
    })
    opened.push(engine)
    return engine
  }

  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line) as Line) },
  })
  const messages = (): readonly unknown[] => lines.map(({ msg }) => msg)

  /** A process with this job, which does nothing until it is told to. */
  async function scheduling(
    run: DailyJob['run'],
    options: SchedulerOptions = {},
  ): Promise<Scheduler> {
    const scheduler = startScheduler(await open(), logger, {
      firstLook: NEVER,
      jobs: [{ name: 'test', run }],
      ...options,
    })
    schedulers.push(scheduler)
    return scheduler
  }

  test('does a job once a day, in one of several processes that come at the same moment', async () => {
    const days: string[] = []
    const run: DailyJob['run'] = async (day) => ({ runs: days.push(day) })
    const processes = [await scheduling(run), await scheduling(run), await scheduling(run)]
    const expected: string[] = []
    for (let at = 0; at < 20; at += 1) {
      expected.push(new Date(clock.time).toISOString().slice(0, 10))
      await Promise.all(processes.map(({ look }) => look()))
      await Promise.all(processes.map(({ look }) => look()))
      clock.time += DAY
    }
    assert.equal(days, expected)
    assert.equal(
      lines.map(({ msg, job, day, runs }) => [msg, job, day, runs]),
      expected.map((day, at) => ['daily job done', 'test', day, at + 1]),
    )
  })

  test('does the work of an hour once an hour, in one of several processes', async () => {
    const hours: string[] = []
    const run: DailyJob['run'] = async (hour) => ({ runs: hours.push(hour) })
    const jobs: DailyJob[] = [{ name: 'hourly', every: 'hour', run }]
    const processes = [await scheduling(run, { jobs }), await scheduling(run, { jobs })]
    for (let at = 0; at < 4; at += 1) {
      await Promise.all(processes.map(({ look }) => look()))
      clock.time += 30 * MINUTE
    }
    assert.equal(hours, ['2026-03-09T12', '2026-03-09T13'])
  })

  test('tries a job again that failed, and does the others meanwhile', async () => {
    const runs: string[] = []
    const done = Promise.withResolvers<void>()
    const failing: DailyJob = {
      name: 'failing',
      async run() {
        runs.push('failing')
        if (runs.length === 1) throw new Error('no disk')
        done.resolve()
        return {}
      },
    }
    const other: DailyJob = { name: 'other', run: async () => ({ runs: runs.push('other') }) }
    const { look } = await scheduling(failing.run, { jobs: [failing, other], retryAfter: 1 })
    await look()
    assert.equal(runs.slice(0, 2), ['failing', 'other'])
    await waiting(done.promise)
    assert.equal(runs, ['failing', 'other', 'failing'])
    const [line] = lines
    assert.is(line?.msg, 'daily job failed; it is tried again')
    assert.match(JSON.stringify(line?.err), 'no disk')
  })

  test('tries again after the database was away, when not even the claim can be had', async () => {
    const done = Promise.withResolvers<void>()
    const job = async (): Promise<Record<string, unknown>> => {
      done.resolve()
      return {}
    }
    const { look } = await scheduling(job, { retryAfter: 1 })
    const { write } = (opened[0] as Engine).services.database
    await write((tx) => tx.schema.alterTable('svc_settings').renameTo('gone').execute())
    await look()
    assert.is(lines[0]?.msg, 'daily job could not run; it is tried again')
    await write((tx) => tx.schema.alterTable('gone').renameTo('svc_settings').execute())
    await waiting(done.promise)
  })

  test('takes a job over from a process that was killed at it, after the lease', async () => {
    let runs = 0
    const { look } = await scheduling(async () => ({ runs: ++runs }))
    const { signal, output } = await daily('dies')
    assert.is(signal, 'SIGKILL')
    assert.match(output, 'running')
    clock.time += 29 * MINUTE
    await look()
    assert.is(runs, 0)
    clock.time += 2 * MINUTE
    await look()
    assert.is(runs, 1)
  })

  test('waits for no lease on a new day', async () => {
    let runs = 0
    const { look } = await scheduling(async () => ({ runs: ++runs }))
    clock.time = Date.parse('2026-03-09T23:59:00.000Z')
    await daily('dies')
    clock.time += 2 * MINUTE
    await look()
    assert.is(runs, 1)
  })

  test('ends a running job when it stops, and leaves the day to the next start', async () => {
    const entered = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const steps: string[] = []
    const one = await scheduling(async (_day, signal) => {
      entered.resolve()
      await released.promise
      steps.push('first')
      if (!signal.aborted) steps.push('second')
      return {}
    })
    const looked = one.look()
    await entered.promise
    const stopped = one.stop()
    released.resolve()
    await stopped
    assert.equal(steps, ['first'])
    await looked
    const next = await scheduling(async () => ({ runs: steps.push('next start') }))
    await next.look()
    assert.equal(steps, ['first', 'next start'])
  })

  test('comes by itself, first after the start and then by the clock', async () => {
    const days: string[] = []
    const twice = Promise.withResolvers<void>()
    const run: DailyJob['run'] = async (day) => {
      if (days.push(day) === 2) twice.resolve()
      clock.time += DAY
      return {}
    }
    const looked: number[] = []
    const afterFirstLook = async (): Promise<void> => void looked.push(days.length)
    await scheduling(run, { firstLook: 0, schedule: '* * * * * *', afterFirstLook })
    await waiting(twice.promise)
    assert.equal(days.slice(0, 2), ['2026-03-09', '2026-03-10'])
    assert.equal(looked, [1])
  })

  test('does the work of the day and tries again where its timetable could not be started', async () => {
    const days: string[] = []
    const started = Promise.withResolvers<void>()
    let tries = 0
    await scheduling(async (day) => ({ runs: days.push(day) }), {
      firstLook: 0,
      retryTimetableAfter: 1,
      openTimetable: async () => {
        tries += 1
        if (tries === 1) throw new Error('too many open files')
        started.resolve()
        return () => undefined
      },
    })
    await waiting(started.promise)
    while (days.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.is(tries, 2)
    assert.is(
      messages()[0],
      'the timetable of the daily work could not be started; it is tried again',
    )
  })

  test('leaves a job of hours to the process that is at it', async () => {
    const entered = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const job: DailyJob = {
      name: 'long',
      async run() {
        entered.resolve()
        await released.promise
        return {}
      },
    }
    const engine = await open()
    const other = await open()
    const never = new AbortController().signal
    const run = runDaily(engine, job, logger, never, 5)
    await entered.promise
    for (let hours = 0; hours < 3; hours += 1) {
      clock.time += 29 * MINUTE
      const { read } = engine.services.database
      while (!(await readSetting(read, 'daily:long'))?.includes(`"at":${clock.time}`))
        await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.is(await runDaily(other, job, logger), 'claimed elsewhere')
    released.resolve()
    assert.is(await run, 'done')
    assert.is(await runDaily(other, job, logger), 'done already')
  })

  // A pool of PostgreSQL connections lives on for a while by itself.
  if (kind === 'sqlite') {
    test('keeps no process alive', async () => {
      const { signal, output } = await daily('ends')
      assert.is(signal, null)
      assert.match(output, 'running')
      const job: DailyJob = { name: 'test', run: async () => ({}) }
      assert.is(await runDaily(await open(), job, logger), 'done already')
    })
  }

  test('tries the statuses again that failed for another reason than a rule', async () => {
    let isAway = false
    const engine = await open([
      async () => {
        if (isAway) throw new Error('connection lost')
      },
    ])
    const [definition] = engine.services.registry.all
    assert.ok(definition)
    const context = engine.context(SYSTEM_ACTOR, 'free')
    const { id } = await createDocument(context, definition, { day: '2026-03-09' })
    clock.time += DAY
    isAway = true
    const job = statusTick(engine, logger)
    assert.is(await runDaily(engine, job, logger), 'failed')
    assert.equal(messages(), [
      'the status could not be derived again',
      'daily job failed; it is tried again',
    ])
    isAway = false
    assert.is(await runDaily(engine, job, logger), 'done')
    assert.is((await getDocument(context, definition, id)).record.status, 'Overdue')
  })

  test('of a server brings the statuses to the day, once, over restarts', async () => {
    const engine = await open()
    const context = engine.context(SYSTEM_ACTOR, 'free')
    const [definition] = engine.services.registry.all
    assert.ok(definition)
    const { id } = await createDocument(context, definition, { day: '2026-03-10' })
    const status = async (): Promise<unknown> =>
      (await getDocument(context, definition, id)).record.status
    const done = (): Line | undefined => lines.find(({ msg }) => msg === 'daily job done')

    const first = await serve()
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 10))
    await first.close()
    assert.equal([done()?.day, done()?.changed], ['2026-03-09', 0])
    assert.is(await status(), 'Waiting')

    lines = []
    clock.time += 2 * DAY
    const second = await serve()
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 10))
    await second.close()
    assert.equal([done()?.day, done()?.changed], ['2026-03-11', 1])
    assert.is(await status(), 'Overdue')
  })

  test('of a server that closes ends before the database is closed', async () => {
    const setup = await open()
    const [definition] = setup.services.registry.all
    assert.ok(definition)
    await createDocument(setup.context(SYSTEM_ACTOR, 'free'), definition, { day: '2026-03-09' })
    clock.time += DAY
    const entered = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const server = await serve([
      async () => {
        entered.resolve()
        await released.promise
      },
    ])
    await entered.promise
    const closed = server.close()
    released.resolve()
    await closed
    assert.equal(
      messages().filter((message) => !/^daily job (done|stopped)/.test(String(message))),
      [],
    )
    const job: DailyJob = { name: 'status', run: async () => ({}) }
    assert.is(await runDaily(setup, job, logger), 'done')
  })

  async function serve(sinks: readonly EventSink[] = []): Promise<RunningServer> {
    return startServer({
      engine: await open(sinks),
      secretKey: Buffer.alloc(32, 7),
      logger,
      firstLook: 1,
      settings: {
        port: 0,
        host: '127.0.0.1',
        env: 'live',
        corsOrigins: [],
        trustProxy: [],
        rateLimit: true,
      },
    })
  }

  /** Waits for what the scheduler does by itself: its timers keep no process alive, not even that of the tests. */
  async function waiting(event: Promise<void>): Promise<void> {
    const timer = setInterval(() => undefined, 1000)
    await event
    clearInterval(timer)
  }

  /** Runs `daily-job-process.ts` to its end. */
  async function daily(moment: string): Promise<{ signal: string | null; output: string }> {
    const now = new Date(clock.time).toISOString()
    const script = fileURLToPath(import.meta.resolve('./daily-job-process.ts'))
    const child = spawn(
      process.execPath,
      [script, JSON.stringify(database), doctypes, moment, now],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    const [, signal] = (await once(child, 'close')) as [number | null, string | null]
    return { signal, output }
  }
})

const schedule = suite('the schedule of daily work')

schedule('is shortly after each full hour, that after midnight (UTC) among them', () => {
  const cron = new Cron(EVERY_HOUR, { timezone: 'UTC', paused: true })
  const next = cron.nextRuns(2, new Date('2026-12-31T23:59:30.000Z'))
  assert.equal(
    next.map((date) => date.toISOString()),
    ['2027-01-01T00:02:00.000Z', '2027-01-01T01:02:00.000Z'],
  )
})

schedule.run()
