import * as assert from 'uvu/assert'
import { runTick } from '../../../engine/documents/schedule/tick.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { eventsOf, openWorkspace, type Workspace } from './workspace.ts'

/** Bills turn Overdue by their date alone; a debtor counts its overdue bills. An agreement's tick divides by a field. */
const DOCTYPES = `
doctype: Debtor
module: crm
tier: free
naming: field:debtor_name
fields:
  debtor_name: {type: data, required: true, unique: true}
  overdue: {type: int, rollup: {from: Bill, match: debtor, count: true, where: 'status == "Overdue"'}}
  grade: {type: data, formula: 'overdue > 0 ? "late" : "good"'}
---
doctype: Bill
module: billing
tier: free
submittable: true
naming: "BILL-{####}"
fields:
  debtor: {type: link, options: Debtor}
  due_date: {type: date}
  open: {type: currency, default: 10}
status:
  field: status
  derive:
    Draft: docstatus == 0
    Cancelled: docstatus == 2
    Paid: open <= 0
    Overdue: 'due_date != "" && due_date < today()'
    Unpaid: "true"
  tick: {daily: 'docstatus == 1 && open > 0 && due_date < today()'}
events:
  overdue: {when: 'status == "Overdue"'}
---
doctype: Agreement
module: sales
tier: free
naming: "AGR-{####}"
fields:
  valid_till: {type: date}
  part: {type: int, default: 1}
status:
  field: status
  derive:
    Expired: 'valid_till < today()'
    Open: "true"
  tick: {daily: '100 / part > 1 && status == "Open"'}
`

const DAY = 24 * 60 * 60 * 1000

forEachDatabase('the daily tick', ({ test, create }) => {
  let workspace: Workspace
  let atEvent = (): void => undefined
  test.before.each(async () => {
    atEvent = () => undefined
    workspace = await openWorkspace(await create(), DOCTYPES, { sinks: [async () => atEvent()] })
  })
  test.after.each(() => workspace?.close())

  /** A submitted bill, due on this day; the clock stands at 2026-03-09. */
  async function bill(debtor: string | null, due_date: string, open = 10): Promise<string> {
    const { id } = await workspace.create('Bill', { debtor, due_date, open })
    await workspace.submit('Bill', id)
    return id
  }

  const debtor = async (name: string): Promise<string> =>
    (await workspace.create('Debtor', { debtor_name: name })).id

  async function fieldOf(doctype: string, id: string, field: string): Promise<unknown> {
    return (await workspace.get(doctype, id)).record[field]
  }

  const statusOf = (id: string): Promise<unknown> => fieldOf('Bill', id, 'status')

  test('derives a status again that only the day changes, and writes nothing else', async () => {
    const ann = await debtor('Ann')
    const late = await bill(ann, '2026-03-09')
    const paid = await bill(ann, '2026-03-09', 0)
    const later = await bill(ann, '2026-03-10')
    const draft = await workspace.create('Bill', { debtor: ann, due_date: '2026-03-09' })
    const untouched = [await workspace.get('Bill', paid), await workspace.get('Bill', later)]
    assert.is(await statusOf(late), 'Unpaid')

    workspace.clock.time += DAY
    const counts = await runTick(workspace.engine.services)
    assert.equal(counts, { looked: 1, changed: 1, failed: 0 })
    assert.is(await statusOf(late), 'Overdue')
    assert.is(await statusOf(draft.id), 'Draft')
    assert.equal([await workspace.get('Bill', paid), await workspace.get('Bill', later)], untouched)
    assert.is(await fieldOf('Bill', late, 'modified'), '2026-03-10T12:00:00.000Z')
  })

  test('finds the record by its new status', async () => {
    const late = await bill(await debtor('Ann'), '2026-03-09')
    workspace.clock.time += DAY
    await runTick(workspace.engine.services)
    const { data } = await workspace.list('Bill', { status: 'Overdue' })
    assert.equal(
      data.map(({ id, status }) => [id, status]),
      [[late, 'Overdue']],
    )
  })

  test('tells of a change once, however often it runs', async () => {
    const late = await bill(await debtor('Ann'), '2026-03-09')
    workspace.clock.time += DAY
    await runTick(workspace.engine.services)
    const events = await eventsOf(workspace, late)
    assert.equal(
      events.filter((kind) => kind === 'overdue'),
      ['overdue'],
    )
    for (const later of [0, 1, 30]) {
      workspace.clock.time += later * DAY
      const { changed } = await runTick(workspace.engine.services)
      assert.is(changed, 0)
    }
    assert.equal(await eventsOf(workspace, late), events)
  })

  test('carries the status on into what is counted by it', async () => {
    const ann = await debtor('Ann')
    const bob = await debtor('Bob')
    for (const due of ['2026-03-09', '2026-03-10', '2026-03-11']) await bill(ann, due)
    await bill(bob, '2026-03-11')
    assert.is(await fieldOf('Debtor', ann, 'overdue'), 0)
    for (const [overdue, bobs] of [
      [1, 0],
      [2, 0],
      [3, 1],
    ]) {
      workspace.clock.time += DAY
      await runTick(workspace.engine.services)
      assert.is(await fieldOf('Debtor', ann, 'overdue'), overdue)
      assert.is(await fieldOf('Debtor', ann, 'grade'), 'late')
      assert.is(await fieldOf('Debtor', bob, 'overdue'), bobs)
    }
  })

  test('goes through any number of records in pages, and ends between two of them when told to', async () => {
    const ids: string[] = []
    for (let at = 0; at < 450; at += 1) {
      const { id } = await workspace.create('Bill', {
        due_date: at % 9 === 0 ? '2027-01-01' : '2026-03-09',
      })
      await workspace.submit('Bill', id)
      ids.push(id)
    }
    workspace.clock.time += DAY
    const { services } = workspace.engine
    const stopping = new AbortController()
    atEvent = () => stopping.abort()
    const partial = await runTick(services, { signal: stopping.signal })
    assert.equal(partial, { looked: 200, changed: 200, failed: 0 })

    atEvent = () => undefined
    assert.equal(await runTick(services), { looked: 400, changed: 200, failed: 0 })
    for (const [at, id] of ids.entries())
      assert.is(await statusOf(id), at % 9 === 0 ? 'Unpaid' : 'Overdue', id)
  })

  test('reaches records far apart in their table', async () => {
    const { database } = workspace.engine.services
    const { table } = workspace.definition('Bill')
    const rids = [9_999, 10_000, 10_001, 25_000]
    const ids: string[] = []
    for (const rid of rids) {
      const id = await bill(null, '2026-03-09')
      ids.push(id)
      await database.write((tx) =>
        tx.updateTable(table).set({ rid }).where('name', '=', id).execute(),
      )
    }
    workspace.clock.time += DAY
    assert.equal(await runTick(workspace.engine.services), { looked: 4, changed: 4, failed: 0 })
    for (const id of ids) assert.is(await statusOf(id), 'Overdue', id)
  })

  test('does the other DocTypes when the condition of one cannot be computed', async () => {
    await workspace.create('Agreement', { valid_till: '2026-03-09', part: 0 })
    const late = await bill(await debtor('Ann'), '2026-03-09')
    workspace.clock.time += DAY
    const failures: unknown[] = []
    const counts = await runTick(workspace.engine.services, {
      onFailure: (doctype, name) => failures.push([doctype, name]),
    })
    assert.equal(counts, { looked: 1, changed: 1, failed: 1 })
    assert.equal(failures, [['Agreement', undefined]])
    assert.is(await statusOf(late), 'Overdue')
  })
})
