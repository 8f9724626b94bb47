import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { eventsOf, invalid, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Note
module: crm
tier: free
naming: prompt
fields:
  text: {type: data}
---
doctype: Order
module: sales
tier: free
submittable: true
naming: "ORD-{###}"
fields:
  title: {type: data, filterable: true}
  secret_no: {type: data, no_copy: true}
  total: {type: currency, formula: "lines.sum(l, l.qty)"}
  lines:
    type: table
    options: Order Line
    fields:
      qty: {type: float}
status:
  field: status
  derive:
    Cancelled: docstatus == 2
    Draft: docstatus == 0
    Submitted: "true"
---
doctype: Delivery
module: sales
tier: free
submittable: true
naming: "DEL-{###}"
fields:
  title: {type: data}
  carrier: {type: data, allow_on_submit: true}
  late: {type: check, formula: 'carrier == "Snail"'}
  lines:
    type: table
    options: Delivery Line
    fields:
      qty: {type: float}
      seen: {type: check, allow_on_submit: true}
  notes:
    type: table
    options: Delivery Note Line
    allow_on_submit: true
    fields:
      text: {type: data}
validate:
  - {check: 'carrier != "Nobody"', field: carrier, message: carries nothing}
---
doctype: Wish
module: crm
tier: free
submittable: true
fields:
  title: {type: data}
status:
  field: status
  initial: Asked
  flow: {Asked: [Granted, Refused], Refused: []}
  cancelled: Withdrawn
`

const ABSENT = 'ORD-999'

forEachDatabase('the states of a document', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  async function order(...steps: readonly ('submit' | 'cancel')[]): Promise<string> {
    const { id } = await workspace.create('Order', {
      title: 't',
      secret_no: 's',
      lines: [{ qty: 1.5 }, { qty: 2 }],
    })
    for (const step of steps) await workspace[step]('Order', id)
    return id
  }

  test('are draft, submitted, cancelled, with the status and the events that belong to them', async () => {
    const id = await order()
    assert.equal([(await workspace.get('Order', id)).record.status], ['Draft'])
    const submitted = await workspace.submit('Order', id)
    assert.equal([submitted.record.docstatus, submitted.record.status], [1, 'Submitted'])
    const cancelled = await workspace.cancel('Order', id)
    assert.equal([cancelled.record.docstatus, cancelled.record.status], [2, 'Cancelled'])
    assert.equal(await eventsOf(workspace, id), ['created', 'submitted', 'cancelled'])
  })

  test('move a chosen status where the DocType says so when cancelled; an amendment begins anew', async () => {
    const { id } = await workspace.create('Wish', { title: 't' })
    await workspace.update('Wish', id, { status: 'Granted' })
    await invalid(['status'], workspace.update('Wish', id, { status: 'Withdrawn' }))
    assert.is((await workspace.submit('Wish', id)).record.status, 'Granted')
    assert.is((await workspace.cancel('Wish', id)).record.status, 'Withdrawn')
    assert.is((await workspace.amend('Wish', id)).record.status, 'Asked')
  })

  test('allow a patch on a draft only', async () => {
    for (const steps of [['submit'], ['submit', 'cancel']] as const) {
      const id = await order(...steps)
      const error = await refused('CONFLICT', workspace.update('Order', id, { title: 'x' }))
      assert.match(error.message, /amend it/)
      assert.is((await workspace.get('Order', id)).record.title, 't')
    }
  })

  test('allow changes of a submitted document where its fields say so, and nowhere else', async () => {
    const { id } = await workspace.create('Delivery', {
      title: 't',
      lines: [{ qty: 1 }, { qty: 2 }],
    })
    const { record } = await workspace.submit('Delivery', id)
    const change = (body: object) => workspace.revise('Delivery', id, body)
    await refused('CONFLICT', workspace.update('Delivery', id, { carrier: 'Snail' }))
    const lines = record.lines as readonly Record<string, unknown>[]
    const sent = lines.map(({ row_id, qty }) => ({ row_id, qty, seen: true }))
    const done = await change({ title: 't', carrier: 'Snail', lines: sent, notes: [{ text: 'n' }] })
    assert.equal([done.record.carrier, done.record.late, done.record.docstatus], ['Snail', true, 1])
    assert.equal(
      (done.record.lines as typeof lines).map(({ row_id, seen }) => [row_id, seen]),
      lines.map(({ row_id }) => [row_id, true]),
    )
    assert.is((done.record.notes as typeof lines).length, 1)

    const [first, second] = sent
    await refused('CONFLICT', change({}))
    for (const body of [
      {},
      { title: 't' },
      { title: 'x' },
      { carrier: 'Bird', title: 'x' },
      { lines: [first] },
      { lines: [second, first] },
      { lines: [...sent, { qty: 3 }] },
      { lines: [{ ...first, qty: 5 }, second] },
    ]) {
      const error = await refused('CONFLICT', change(body))
      assert.match(
        error.message,
        /nothing but carrier, lines.seen, notes may change; cancel and amend/,
      )
    }
    await invalid(['carrier'], change({ carrier: 'Nobody' }))
    assert.is((await workspace.get('Delivery', id)).record.carrier, 'Snail')
    await workspace.cancel('Delivery', id)
    await refused('CONFLICT', change({ carrier: 'Bird' }))
    assert.equal(await eventsOf(workspace, id), ['created', 'submitted', 'revised', 'cancelled'])
  })

  test('allow each step once, from the state before it', async () => {
    const draft = await order()
    await refused('CONFLICT', workspace.cancel('Order', draft))
    await refused('CONFLICT', workspace.amend('Order', draft))
    const submitted = await order('submit')
    await refused('CONFLICT', workspace.submit('Order', submitted))
    await refused('CONFLICT', workspace.amend('Order', submitted))
    await refused('CONFLICT', workspace.remove('Order', submitted))
    const cancelled = await order('submit', 'cancel')
    await refused('CONFLICT', workspace.submit('Order', cancelled))
    await refused('CONFLICT', workspace.cancel('Order', cancelled))
    await workspace.remove('Order', cancelled)
    await workspace.remove('Order', draft)
  })

  test('exist only where the DocType is submittable, else 422; of a record that is not there, 404', async () => {
    await workspace.create('Note', { name: 'n' })
    for (const step of ['submit', 'cancel', 'amend'] as const) {
      await invalid(['docstatus'], workspace[step]('Note', 'n'))
      await refused('NOT_FOUND', workspace[step]('Order', ABSENT))
    }
    await refused('NOT_FOUND', workspace.update('Order', ABSENT, {}))
    await refused('NOT_FOUND', workspace.remove('Order', ABSENT))
    await refused('NOT_FOUND', workspace.get('Order', ABSENT))
  })

  test('of two that submit at once, one does it and the other gets 409', async () => {
    const id = await order()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => workspace.submit('Order', id)),
    )
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.equal(
      refusals.map(({ code }) => code),
      Array(5).fill('CONFLICT'),
    )
    assert.equal(await eventsOf(workspace, id), ['created', 'submitted'])
  })

  test('an amendment is a draft of the same, named -1, with new rows and without what is not copied', async () => {
    const id = await order('submit', 'cancel')
    const { record: old } = await workspace.get('Order', id)
    const { id: amended, record } = await workspace.amend('Order', id)
    assert.is(amended, `${id}-1`)
    assert.equal(
      [
        record.docstatus,
        record.status,
        record.amended_from,
        record.title,
        record.secret_no,
        record.total,
      ],
      [0, 'Draft', id, 't', null, 3.5],
    )
    const [rows, oldRows] = [record.lines, old.lines] as { row_id: string; qty: number }[][]
    assert.equal(
      rows!.map(({ qty }) => qty),
      [1.5, 2],
    )
    assert.is(new Set([...rows!, ...oldRows!].map(({ row_id }) => row_id)).size, 4)
    assert.equal(await eventsOf(workspace, amended), ['created'])
  })

  test('an amendment of an amendment counts on', async () => {
    const id = await order('submit', 'cancel')
    let last = id
    for (const expected of [`${id}-1`, `${id}-2`, `${id}-3`]) {
      last = (await workspace.amend('Order', last)).id
      assert.is(last, expected)
      await workspace.submit('Order', last)
      await workspace.cancel('Order', last)
    }
  })

  test('a document is amended once, also by many at the same time', async () => {
    const id = await order('submit', 'cancel')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => workspace.amend('Order', id)),
    )
    assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    const error = await refused('CONFLICT', workspace.amend('Order', id))
    assert.equal(
      error.linked?.map((one) => [one.id, one.field]),
      [[`${id}-1`, 'amended_from']],
    )
    await refused('CONFLICT', workspace.remove('Order', id))
    await workspace.remove('Order', `${id}-1`)
    await workspace.amend('Order', id)
  })
})
