import * as assert from 'uvu/assert'
import { runScheduled, type ScheduledResult } from '../../../engine/documents/schedule/scheduled.ts'
import { type Engine, openEngine } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { eventsOf, openWorkspace, refused, type Workspace, writeDoctypes } from './workspace.ts'

/** Rents fall due by the month; a question is late by the hour; a door is opened again and again. */
const DOCTYPES = `
doctype: Tenant
module: billing
tier: free
naming: field:tenant_name
fields:
  tenant_name: {type: data, required: true}
  bills: {type: int, rollup: {from: Rent Bill, match: tenant, count: true}}
validate:
  - {check: bills < 4 || tenant_name != "Bob", field: bills, message: owes too much}
---
doctype: Rent Bill
module: billing
tier: free
submittable: true
naming: "RB-{####}"
fields:
  tenant: {type: link, options: Tenant, required: true}
  day: {type: date, filterable: true}
  amount: {type: currency}
---
doctype: Rent
module: billing
tier: free
naming: "RENT-{####}"
fields:
  tenant: {type: link, options: Tenant}
  amount: {type: currency}
  next_day: {type: date}
  until: {type: date}
  last_bill: {type: link, options: Rent Bill, readOnly: true}
actions:
  bill:
    every: day
    when: 'next_day != "" && next_day <= today() && (until == "" || next_day <= until)'
    system: true
    steps:
      - create: Rent Bill
        as: made
        set: {tenant: tenant, day: next_day, amount: amount}
        submit: true
      - set: {next_day: 'add_months(next_day, 1)', last_bill: made.name}
events:
  billed: {trigger: change, field: last_bill}
---
doctype: Question
module: support
tier: free
naming: "Q-{####}"
fields:
  answer_by: {type: datetime}
  is_late: {type: check, readOnly: true}
  late_at: {type: datetime, readOnly: true}
actions:
  be_late:
    every: hour
    when: '!is_late && answer_by != "" && answer_by < now()'
    steps:
      - set: {is_late: "true", late_at: now()}
---
doctype: Door
module: assets
tier: free
naming: "DOOR-{####}"
fields:
  opened: {type: int, default: 0}
actions:
  open: {every: day, when: opened < 100, steps: [{set: {opened: opened + 1}}]}
`

forEachDatabase('a scheduled action', ({ test, create }) => {
  let workspace: Workspace
  let twin: Engine
  test.before.each(async () => {
    const database = await create()
    workspace = await openWorkspace(database, DOCTYPES)
    twin = await openEngine({
      hooks,
      database,
      doctypes: [writeDoctypes(DOCTYPES)],
      secretKey: Buffer.alloc(32, 7),
      clock: workspace.clock,
    })
    for (const tenant_name of ['Ann', 'Bob']) await workspace.create('Tenant', { tenant_name })
  })
  test.after.each(async () => {
    await twin?.close()
    await workspace?.close()
  })

  const run = (): Promise<ScheduledResult> => runScheduled(workspace.engine.services)
  const rent = async (body: object): Promise<string> =>
    (await workspace.create('Rent', { tenant: 'Ann', amount: 700, ...body })).id
  const get = async (doctype: string, id: string) => (await workspace.get(doctype, id)).record
  const days = async (): Promise<unknown[]> =>
    (await workspace.list('Rent Bill', { sort: 'name', order: 'asc' })).data.map(({ day }) => day)

  test('catches up what was missed, each time by itself, and then rests', async () => {
    const id = await rent({ next_day: '2026-01-31' })
    await rent({ next_day: '2026-03-10' })
    await rent({ next_day: '2026-01-05', until: '2026-02-01' })
    await rent({})
    // From 31 January (28 February) and from 5 January (until February): 2 + 1.
    assert.equal(await run(), { ran: 3, failed: 0 })
    assert.equal(await days(), ['2026-01-31', '2026-02-28', '2026-01-05'])
    const billed = await get('Rent', id)
    assert.equal([billed.next_day, billed.last_bill], ['2026-03-28', 'RB-0002'])
    assert.equal(await eventsOf(workspace, id), [
      ...['created', 'updated', 'billed', 'updated', 'billed'],
    ])
    assert.is((await get('Rent Bill', 'RB-0001')).docstatus, 1)
    assert.equal(await run(), { ran: 0, failed: 0 })
    workspace.clock.time += 24 * 60 * 60 * 1000
    assert.equal(await run(), { ran: 1, failed: 0 })
  })

  test('is done once by several processes at the same moment', async () => {
    for (let at = 0; at < 5; at += 1) await rent({ next_day: '2026-01-31' })
    const results = await Promise.all([run(), runScheduled(twin.services), run()])
    assert.is(
      results.reduce((sum, { ran }) => sum + ran, 0),
      10,
    )
    assert.is((await get('Tenant', 'Ann')).bills, 10)
  })

  test('that is refused is told, undone and stops nothing else', async () => {
    const first = await rent({ tenant: 'Bob', next_day: '2025-10-01' })
    const second = await rent({ next_day: '2026-03-01' })
    const failures: string[] = []
    const lines: string[] = []
    const result = await runScheduled(workspace.engine.services, {
      onFailure: (doctype, name, error) =>
        failures.push(`${doctype} ${name}: ${(error as Error).message}`),
      onProgress: (line) => lines.push(line),
    })
    // October, November and December; the bill of January is one too many.
    assert.equal(result, { ran: 4, failed: 1 })
    assert.is(failures.length, 1)
    assert.match(failures[0]!, new RegExp(`^Rent ${first}: .*owes too much`))
    assert.equal(lines, ['bill of Rents ran 4 times'])
    assert.is((await get('Rent', first)).next_day, '2026-01-01')
    assert.is((await get('Rent', second)).next_day, '2026-04-01')
  })

  test('runs 60 times at most at once', async () => {
    const { id } = await workspace.create('Door', {})
    assert.equal(await run(), { ran: 60, failed: 0 })
    assert.equal(await run(), { ran: 40, failed: 0 })
    assert.is((await get('Door', id)).opened, 100)
  })

  test('of the hour goes by the hour, and stops when it is told to', async () => {
    const { id } = await workspace.create('Question', { answer_by: '2026-03-09T13:00:00.000Z' })
    await rent({ next_day: '2026-01-31' })
    const hourly = (): Promise<ScheduledResult> =>
      runScheduled(workspace.engine.services, { periods: ['hour'] })
    assert.equal(await hourly(), { ran: 0, failed: 0 })
    workspace.clock.time += 61 * 60 * 1000
    const stopped = { signal: AbortSignal.abort() }
    assert.equal(await runScheduled(workspace.engine.services, stopped), { ran: 0, failed: 0 })
    assert.equal(await hourly(), { ran: 1, failed: 0 })
    assert.equal(await hourly(), { ran: 0, failed: 0 })
    const { is_late, late_at } = await get('Question', id)
    assert.equal([is_late, late_at], [true, '2026-03-09T13:01:00.000Z'])
  })

  test('can be called by hand, unless it is of the workspace alone', async () => {
    const { id } = await workspace.create('Door', { opened: 98 })
    await workspace.act('Door', id, 'open')
    assert.is((await workspace.act('Door', id, 'open')).record.opened, 100)
    await refused('CONFLICT', workspace.act('Door', id, 'open'))
    const people = { actor: { ...workspace.context().actor, kind: 'key' as const } }
    await refused('FORBIDDEN', workspace.act('Rent', await rent({}), 'bill', {}, people))
  })
})
