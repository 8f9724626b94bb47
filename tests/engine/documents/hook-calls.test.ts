import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace } from './workspace.ts'

const DOCTYPES = `
doctype: BOM
module: manufacturing
tier: free
naming: field:item
fields:
  item: {type: data, required: true}
  quantity: {type: float, default: 1}
  items:
    type: table
    options: BOM Item
    fields:
      item_code: {type: data, required: true}
      qty: {type: float, required: true}
      rate: {type: currency}
      bom_no: {type: link, options: BOM}
  exploded_items:
    type: table
    options: BOM Explosion Item
    call: {hook: explode_bom, with: {bom: item, items: items, quantity: quantity}}
    fields:
      item_code: {type: data}
      stock_qty: {type: float}
      rate: {type: currency}
      cost: {type: currency, formula: stock_qty * rate}
      place: {type: int, formula: idx}
  cost: {type: currency, formula: "exploded_items.sum(e, e.cost)"}
---
doctype: Job
resource: tasks-to-do
module: manufacturing
tier: free
submittable: true
naming: "JOB-{###}"
fields:
  bom: {type: link, options: BOM, required: true}
  quantity: {type: float, default: 1}
  parts:
    type: table
    options: Job Part
    max: 3
    call: {hook: explode_bom, with: {bom: bom, quantity: quantity}}
    fields:
      item_code: {type: data}
      qty: {type: float, label: Needed}
      used: {type: float, rollup: {from: Usage, match: part, sum: quantity}}
  wished:
    type: table
    options: Job Wish
    call: {hook: explode_bom, with: {bom: bom, quantity: quantity, multi_level: "false"}, when: empty}
    fields:
      item_code: {type: data, required: true}
      qty: {type: float}
  few:
    type: table
    options: Job Few Part
    call: {hook: explode_bom, if: quantity < 3, with: {bom: bom, quantity: quantity}}
    fields:
      item_code: {type: data}
  at_submit:
    type: table
    options: Job Submit Part
    call: {hook: explode_bom, with: {bom: bom, quantity: quantity}, at: submit}
    fields:
      item_code: {type: data}
---
doctype: Usage
module: manufacturing
tier: free
naming: "U-{###}"
fields:
  part: {type: link, options: Job.parts}
  quantity: {type: float}
---
doctype: Service Level Agreement
module: support
tier: free
naming: prompt
fields:
  holiday_list: {type: link, options: Holiday List}
  support_and_resolution:
    type: table
    options: Service Day
    fields:
      workday: {type: select, options: [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday]}
      start_time: {type: time}
      end_time: {type: time}
---
doctype: Holiday List
module: support
tier: free
naming: prompt
fields:
  holidays: {type: table, options: Holiday, fields: {holiday_date: {type: date}}}
---
doctype: Ticket
module: support
tier: free
submittable: true
naming: "T-{###}"
fields:
  opened: {type: datetime, default: now()}
  agreement: {type: link, options: Service Level Agreement}
  seconds: {type: duration, default: 7200}
  due: {type: datetime, call: {hook: working_deadline, value: deadline, with: {start: opened, seconds: seconds, agreement: agreement}}}
  due_now: {type: datetime, call: {hook: working_deadline, value: deadline, with: {start: opened, seconds: seconds, agreement: agreement}, at: always}}
  first_due: {type: datetime, call: {hook: working_deadline, value: deadline, with: {start: opened, seconds: seconds, agreement: agreement}, at: create}}
  wished: {type: datetime, call: {hook: working_deadline, value: deadline, with: {start: opened, seconds: seconds, agreement: agreement}, when: empty}}
  is_tight: {type: check, formula: 'days_between(due, opened) < 1'}
  steps:
    type: table
    options: Ticket Step
    fields:
      started: {type: datetime}
      until: {type: datetime, call: {hook: working_deadline, value: deadline, with: {start: started, seconds: parent.seconds, agreement: parent.agreement}}}
actions:
  extend: {input: {seconds: {type: duration}}, steps: [{set: {seconds: input.seconds}}]}
`

type Row = Readonly<Record<string, unknown>>

/** BOM Chair: 4 legs, each a BOM that makes 2 of 1 wood and 3 screws; and 2 screws more. */
async function makeChair(
  create: (doctype: string, body: unknown) => Promise<unknown>,
): Promise<void> {
  await create('BOM', {
    item: 'LEG',
    quantity: 2,
    items: [
      { item_code: 'WOOD', qty: 1, rate: 3 },
      { item_code: 'SCREW', qty: 3, rate: 0.1 },
    ],
  })
  await create('BOM', {
    item: 'CHAIR',
    items: [
      { item_code: 'LEG', qty: 4, bom_no: 'LEG' },
      { item_code: 'SCREW', qty: 2, rate: 0.1 },
    ],
  })
}

forEachDatabase('a hook that a table calls', ({ test, create: database }) => {
  test('fills its columns; what follows from them is computed over its rows', async () => {
    const w = await openWorkspace(await database(), DOCTYPES)
    await makeChair(w.create)
    const { record } = await w.get('BOM', 'CHAIR')
    const rows = record.exploded_items as Row[]
    // 4 legs are twice what the BOM makes: 2 wood, 6 screws, and 2 more of the chair itself.
    assert.equal(
      rows.map(({ item_code, stock_qty, cost, place }) => [item_code, stock_qty, cost, place]),
      [
        ['WOOD', 2, 6, 1],
        ['SCREW', 8, 0.8, 2],
      ],
    )
    assert.is(record.cost, 6.8)
    await w.close()
  })

  test('keeps its rows by their place, until the submit', async () => {
    const w = await openWorkspace(await database(), DOCTYPES)
    await makeChair(w.create)
    const made = await w.create('Job', { bom: 'CHAIR', quantity: 2 })
    const id = String(made.record.id)
    const parts = made.record.parts as Row[]
    assert.equal(
      parts.map(({ item_code, qty, used }) => [item_code, qty, used]),
      [
        ['WOOD', 4, 0],
        ['SCREW', 16, 0],
      ],
    )
    await w.create('Usage', { part: parts[1]!.row_id, quantity: 5 })
    const changed = await w.update('Job', id, { quantity: 3 })
    assert.equal(
      (changed.record.parts as Row[]).map(({ row_id, qty, used }) => [row_id, qty, used]),
      [
        [parts[0]!.row_id, 6, 0],
        [parts[1]!.row_id, 24, 5],
      ],
    )
    // Its condition holds no more.
    const few = [made, changed].map(({ record }) => (record.few as Row[]).length)
    assert.equal(few, [2, 0])
    assert.equal(changed.record.at_submit, [])
    const submitted = await w.submit('Job', id)
    assert.is((submitted.record.at_submit as Row[]).length, 2)
    // The recipe changes, the submitted job does not.
    await w.update('BOM', 'CHAIR', { items: [{ item_code: 'GLUE', qty: 1 }] })
    const cancelled = await w.cancel('Job', id)
    assert.is((cancelled.record.parts as Row[])[1]!.qty, 24)
    await w.close()
  })

  test('with when: empty fills the gap and leaves to callers what they send', async () => {
    const w = await openWorkspace(await database(), DOCTYPES)
    await makeChair(w.create)
    const filled = await w.create('Job', { bom: 'CHAIR' })
    assert.equal(
      (filled.record.wished as Row[]).map(({ item_code, qty }) => [item_code, qty]),
      [
        ['LEG', 4],
        ['SCREW', 2],
      ],
    )
    const own = { item_code: 'STRING', qty: 1 }
    const sent = await w.create('Job', { bom: 'CHAIR', wished: [own] })
    assert.is((sent.record.wished as Row[])[0]!.item_code, 'STRING')
    const kept = await w.update('Job', String(sent.record.id), { quantity: 7 })
    assert.is((kept.record.wished as Row[])[0]!.qty, 1)
    await w.close()
  })

  test('cannot be sent otherwise', async () => {
    const w = await openWorkspace(await database(), DOCTYPES)
    await makeChair(w.create)
    await invalid(['parts'], w.create('Job', { bom: 'CHAIR', parts: [{ item_code: 'X' }] }))
    await w.close()
  })

  test('says what is wrong with the data on the field, and nothing is written', async () => {
    const w = await openWorkspace(await database(), DOCTYPES)
    await makeChair(w.create)
    const circle = w.update('BOM', 'LEG', {
      items: [{ item_code: 'CHAIR', qty: 1, bom_no: 'CHAIR' }],
    })
    const { details } = await invalid(['exploded_items'], circle)
    assert.is(details?.[0]?.message, 'LEG goes into itself: LEG → CHAIR → LEG')
    await w.update('BOM', 'CHAIR', {
      items: ['A', 'B', 'C', 'D'].map((item_code) => ({ item_code, qty: 1 })),
    })
    const tooMany = await invalid(
      ['parts'],
      w.create('Job', { bom: 'CHAIR', wished: [{ item_code: 'A' }] }),
    )
    assert.is(tooMany.details?.[0]?.message, 'would have 4 rows; expected at most 3')
    assert.is((await w.list('Job')).data.length, 0)
    await w.close()
  })
})

forEachDatabase('a hook that a field calls', ({ test, create: database }) => {
  test('gives its value at the moment that is declared, in rows too', async () => {
    const w = await openWorkspace(await database(), DOCTYPES)
    await w.create('Holiday List', { name: 'DE', holidays: [{ holiday_date: '2026-03-10' }] })
    const hours = { start_time: '09:00:00', end_time: '17:00:00' }
    await w.create('Service Level Agreement', {
      name: 'Gold',
      holiday_list: 'DE',
      support_and_resolution: ['Monday', 'Tuesday', 'Wednesday'].map((workday) => ({
        workday,
        ...hours,
      })),
    })
    const opened = '2026-03-09T16:00:00.000Z'
    const made = await w.create('Ticket', {
      opened,
      agreement: 'Gold',
      steps: [{ started: opened }],
    })
    const { record } = made
    // An hour on Monday; Tuesday is a holiday; one more on Wednesday.
    const due = '2026-03-11T10:00:00.000Z'
    for (const field of ['due', 'due_now', 'first_due', 'wished'])
      assert.is(record[field], due, field)
    assert.is(record.is_tight, false)
    assert.is((record.steps as Row[])[0]!.until, due)
    const id = String(record.id)
    await w.update('Ticket', id, { wished: '2026-03-12T00:00:00.000Z' })
    await w.submit('Ticket', id)
    const { record: later } = await w.act('Ticket', id, 'extend', { seconds: 10_800 })
    assert.is(later.first_due, due)
    assert.is(later.due, due)
    assert.is(later.due_now, '2026-03-11T11:00:00.000Z')
    assert.is(later.wished, '2026-03-12T00:00:00.000Z')
    await w.close()
  })

  test('is unset where the hook gives none', async () => {
    const w = await openWorkspace(await database(), DOCTYPES)
    const { record } = await w.create('Ticket', {})
    assert.is(record.due, null)
    await w.close()
  })
})
