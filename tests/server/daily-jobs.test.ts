import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { newLeaseName } from '../../engine/base/lease-name.ts'
import { runTick } from '../../engine/documents/schedule/tick.ts'
import { type Engine, openEngine } from '../../engine/index.ts'
import { writeSetting } from '../../engine/storage/workspace/settings.ts'
import { hooks } from '../../hooks/index.ts'
import { holdDailyJobs } from '../../server/jobs/daily-hold.ts'
import { type DailyJob, runDaily, runningJobs } from '../../server/jobs/daily-jobs.ts'
import {
  eventsOf,
  openWorkspace,
  type TestClock,
  type Workspace,
  writeDoctypes,
} from '../engine/documents/workspace.ts'
import { forEachDatabase } from '../helpers/databases.ts'

const DAY = 86_400_000
const DOCTYPES = `
doctype: Debtor
module: crm
tier: free
naming: field:debtor_name
fields:
  debtor_name: {type: data, required: true}
  late: {type: int, rollup: {from: Bill, match: debtor, count: true, where: 'status == "Overdue"'}}
validate:
  - {check: late < 3 || late <= old.late, field: late, message: has too many late bills}
---
doctype: Bill
module: billing
tier: free
submittable: true
naming: "BILL-{###}"
fields:
  debtor: {type: link, options: Debtor}
  due_date: {type: date}
status:
  field: status
  derive: {Draft: docstatus == 0, Overdue: 'due_date != "" && due_date < today()', Unpaid: "true"}
  tick: {daily: docstatus == 1}
events:
  overdue: {when: 'status == "Overdue"'}
`

const quiet = { info: () => undefined, error: () => undefined }

forEachDatabase('a new day', ({ test, create }) => {
  let workspace: Workspace
  let twin: Engine
  let jobs = 0
  test.before(async () => {
    const database = await create()
    workspace = await openWorkspace(database, DOCTYPES)
    const doctypes = [writeDoctypes(DOCTYPES)]
    twin = await openEngine({
      hooks,
      database,
      doctypes,
      secretKey: Buffer.alloc(32, 7),
      clock: workspace.clock,
    })
  })
  test.after(async () => {
    await twin.close()
    await workspace.close()
  })

  async function bill(debtor: string, due_date: string): Promise<string> {
    const { id } = await workspace.create('Bill', { debtor, due_date })
    return (await workspace.submit('Bill', id)).id
  }
  const pass = (clock: TestClock, days: number): void => {
    clock.time += days * DAY
  }

  test('makes bills overdue, with what follows from it, and tells of it once', async () => {
    await workspace.create('Debtor', { debtor_name: 'Ann' })
    const first = await bill('Ann', '2026-03-10')
    const second = await bill('Ann', '2026-03-20')
    await workspace.create('Bill', { debtor: 'Ann', due_date: '2026-03-01' })
    assert.equal(await runTick(workspace.engine.services), { looked: 2, changed: 0, failed: 0 })
    pass(workspace.clock, 2)
    assert.equal(await runTick(workspace.engine.services), { looked: 2, changed: 1, failed: 0 })
    assert.equal(await runTick(workspace.engine.services), { looked: 2, changed: 0, failed: 0 })
    assert.is((await workspace.get('Bill', first)).record.status, 'Overdue')
    assert.is((await workspace.get('Bill', second)).record.status, 'Unpaid')
    assert.is((await workspace.get('Debtor', 'Ann')).record.late, 1)
    assert.equal(await eventsOf(workspace, first), ['created', 'submitted', 'updated', 'overdue'])
  })

  test('goes on when one record no longer holds, and names it', async () => {
    await workspace.create('Debtor', { debtor_name: 'Bob' })
    const bills: string[] = []
    for (let at = 0; at < 4; at += 1) bills.push(await bill('Bob', '2026-03-12'))
    pass(workspace.clock, 3)
    const failures: string[] = []
    const result = await runTick(workspace.engine.services, {
      onFailure: (doctype, name) => failures.push(`${doctype} ${name}`),
    })
    // The third late bill is one too many for Bob, and so is the fourth.
    assert.equal([result.changed, result.failed], [2, 2])
    assert.equal(failures, [`Bill ${bills[2]}`, `Bill ${bills[3]}`])
    assert.is((await workspace.get('Debtor', 'Bob')).record.late, 2)
  })

  function counted(run: () => Promise<void> = async () => undefined): DailyJob & { runs: number } {
    jobs += 1
    return {
      name: `test${jobs}`,
      runs: 0,
      async run() {
        this.runs += 1
        await run()
        return {}
      },
    }
  }

  test('is worked once, by whichever process is first', async () => {
    const job = counted()
    const outcomes = await Promise.all([
      runDaily(workspace.engine, job, quiet),
      runDaily(twin, job, quiet),
      runDaily(workspace.engine, job, quiet),
    ])
    assert.is(job.runs, 1)
    assert.is(outcomes.filter((outcome) => outcome === 'done').length, 1)
    assert.is(await runDaily(twin, job, quiet), 'done already')
    pass(workspace.clock, 1)
    assert.is(await runDaily(twin, job, quiet), 'done')
    assert.is(job.runs, 2)
  })

  test('is tried again when it failed, and taken over from a process that died', async () => {
    let fails = true
    const job = counted(async () => {
      if (fails) throw new Error('no disk')
    })
    assert.is(await runDaily(workspace.engine, job, quiet), 'failed')
    fails = false
    assert.is(await runDaily(twin, job, quiet), 'done')

    const hanging = counted()
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const run = (): Promise<never> => {
      start()
      return new Promise(() => undefined)
    }
    void runDaily(workspace.engine, { ...hanging, run }, quiet)
    await started
    assert.is(await runDaily(twin, hanging, quiet), 'claimed elsewhere')
    workspace.clock.time += 31 * 60 * 1000
    assert.is(await runDaily(twin, hanging, quiet), 'done')
    assert.is(hanging.runs, 1)
  })

  test('waits while a command holds it, which one at a time does, and which finds what runs', async () => {
    const { database } = workspace.engine.services
    const job = counted()
    const hold = await holdDailyJobs(database)
    assert.is(await holdDailyJobs(twin.services.database), undefined)
    assert.is(await runDaily(twin, job, quiet), 'held')
    await hold!.release()
    assert.is(await runDaily(twin, job, quiet), 'done')
    assert.is(job.runs, 1)

    const { promise, resolve } = Promise.withResolvers<void>()
    const long = counted(() => promise)
    const under = runDaily(twin, long, quiet)
    while (long.runs === 0) await new Promise((tick) => setImmediate(tick))
    const { clock } = workspace
    assert.equal(await runningJobs(database, clock), [long.name])
    resolve()
    assert.is(await under, 'done')
    assert.equal(await runningJobs(database, clock), [])
  })

  test('waits no more when the command that held it has died, or its lease is over', async () => {
    const { database } = workspace.engine.services
    const job = counted()
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    const [place, , ...rest] = JSON.parse(newLeaseName()) as unknown[]
    const dead = JSON.stringify([place, child.pid, ...rest])
    const elsewhere = JSON.stringify(['another machine', 1, 0, 'x'])
    const keep = (by: string, left: number): Promise<void> =>
      database.write((tx) =>
        writeSetting(tx, 'daily-hold', JSON.stringify({ by, until: Date.now() + left })),
      )
    await keep(elsewhere, 60_000)
    assert.is(await runDaily(twin, job, quiet), 'held')
    await keep(dead, 60_000)
    assert.is(await runDaily(twin, job, quiet), 'done')
    await keep(elsewhere, -1)
    assert.is(await runDaily(twin, counted(), quiet), 'done')
    const hold = await holdDailyJobs(database)
    assert.ok(hold)
    await hold.release()
  })
})
