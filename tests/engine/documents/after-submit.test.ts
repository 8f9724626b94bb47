import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { eventsOf, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Delivery
module: stock
tier: free
submittable: true
naming: "DEL-{###}"
fields:
  title: {type: data}
  amount: {type: currency}
  carrier: {type: data, allow_on_submit: true}
  tracking: {type: data, formula: carrier + " for " + title}
  remarks:
    type: table
    allow_on_submit: true
    fields: {text: {type: data}}
  items:
    type: table
    fields:
      item: {type: data}
      qty: {type: float}
      serial: {type: data, allow_on_submit: true}
validate:
  - {check: 'carrier != "nobody"', field: carrier, message: has to be somebody}
---
doctype: Closed Delivery
module: stock
tier: free
submittable: true
naming: "CDEL-{###}"
fields: {title: {type: data}}
`

type Row = Readonly<Record<string, unknown>>

forEachDatabase('a submitted document', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  async function submitted(): Promise<Row> {
    const body = {
      title: 'T',
      amount: 10.5,
      items: [
        { item: 'A', qty: 1 },
        { item: 'B', qty: 2 },
      ],
    }
    const { id } = (await workspace.create('Delivery', body)).record
    return (await workspace.submit('Delivery', String(id))).record
  }
  const change = async ({ id }: Row, body: object): Promise<Row> =>
    (await workspace.update('Delivery', String(id), body)).record
  const itemsOf = ({ items }: Row): readonly Row[] => items as readonly Row[]

  test('changes in fields that may, and what follows from them', async () => {
    const record = await submitted()
    const after = await change(record, { carrier: 'Post' })
    assert.equal([after.carrier, after.tracking, after.docstatus], ['Post', 'Post for T', 1])
    assert.equal(await eventsOf(workspace, String(record.id)), ['created', 'submitted', 'updated'])
    await refused('VALIDATION_ERROR', change(record, { carrier: 'nobody' }))
  })

  test('takes what is as it was beside them, and nothing else', async () => {
    const record = await submitted()
    const same = { title: 'T', amount: 10.5, items: record.items }
    assert.is((await change(record, { ...same, carrier: 'Post' })).carrier, 'Post')
    const error = await refused(
      'CONFLICT',
      change(record, { title: 'U', amount: 11, carrier: 'Ship' }),
    )
    assert.equal(
      error.details?.map(({ field }) => field),
      ['title', 'amount'],
    )
    assert.match(error.message, 'cannot change title, amount of Delivery')
    assert.is((await workspace.get('Delivery', String(record.id))).record.carrier, 'Post')
  })

  test('is closed for a change of other fields alone, and for an empty one', async () => {
    const record = await submitted()
    for (const body of [{}, { title: 'T' }, { title: 'U' }, { amount: 10.5 }])
      await refused('CONFLICT', change(record, body))
    const { id } = (await workspace.create('Closed Delivery', { title: 'T' })).record
    await workspace.submit('Closed Delivery', String(id))
    await refused('CONFLICT', workspace.update('Closed Delivery', String(id), { title: 'U' }))
  })

  test('takes rows of tables that may change, and columns of rows that are there', async () => {
    const record = await submitted()
    assert.is(((await change(record, { remarks: [{ text: 'x' }] })).remarks as Row[]).length, 1)
    const [a, b] = itemsOf(record)
    const serials = [{ row_id: a!.row_id }, { row_id: b!.row_id, serial: 'S-1' }]
    const after = await change(record, { items: serials })
    assert.equal(
      itemsOf(after).map(({ item, serial }) => [item, serial]),
      [
        ['A', null],
        ['B', 'S-1'],
      ],
    )
    const items = (rows: readonly object[]) => change(record, { items: rows })
    await refused('CONFLICT', items([{ row_id: a!.row_id, qty: 5 }, serials[1]!]))
    await refused('CONFLICT', items(serials.slice(1)))
    await refused('CONFLICT', items(serials.toReversed()))
    await refused('CONFLICT', items([...serials, { item: 'C' }]))
  })

  test('is closed once it is cancelled', async () => {
    const record = await submitted()
    await workspace.cancel('Delivery', String(record.id))
    await refused('CONFLICT', change(record, { carrier: 'Post' }))
  })
})
