import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openTrade } from './trading.ts'
import { actorOf, eventsOf, invalid, refused, type Workspace } from './workspace.ts'

forEachDatabase('actions', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openTrade(await create())
    await workspace.create('Customer', { customer_name: 'Ann' })
  })
  test.after(() => workspace.close())

  async function order(): Promise<string> {
    const { id } = await workspace.create('Order', {
      customer: 'Ann',
      items: [
        { item: 'A', qty: 3, rate: 2 },
        { item: 'B', qty: 1, rate: 5 },
      ],
    })
    return (await workspace.submit('Order', id)).id
  }
  const createdBy = (record: Readonly<Record<string, unknown>>) =>
    (record._created ?? []) as { as: string; resource: string; doctype: string; id: string }[]

  test('create documents from documents, with what remains', async () => {
    const id = await order()
    const first = await workspace.act('Order', id, 'make_invoice', { posting_date: '2026-03-01' })
    const [made] = createdBy(first.record)
    assert.equal([made?.as, made?.resource, made?.doctype], ['invoice', 'invoices', 'Invoice'])
    assert.is(JSON.parse(first.json)._created[0].id, made?.id)
    const { record } = await workspace.get('Invoice', made!.id)
    assert.equal([record.docstatus, record.total, record.posting_date], [0, 11, '2026-03-01'])
    const items = record.items as { row_id: string; qty: number }[]
    await workspace.update('Invoice', made!.id, { items: [{ ...pick(items[0]!), qty: 1 }] })
    await workspace.submit('Invoice', made!.id)

    const second = await workspace.act('Order', id, 'make_invoice', { submit_it: true })
    assert.equal([second.record.per_billed, second.record.status], [100, 'Billed'])
    const rest = await workspace.get('Invoice', createdBy(second.record)[0]!.id)
    assert.equal(
      [rest.record.docstatus, (rest.record.items as { qty: number }[]).map(({ qty }) => qty)],
      [1, [2, 1]],
    )
    await refused('CONFLICT', workspace.act('Order', id, 'make_invoice'))
  })

  function pick(row: object): object {
    const { row_id, item, rate, order_row } = row as Record<string, unknown>
    return { row_id, item, rate, order_row }
  }

  test('may do on a submitted document what nobody else may', async () => {
    const id = await order()
    const { record } = await workspace.act('Order', id, 'close')
    assert.equal([record.closed, record.status, record.docstatus], [true, 'Closed', 1])
    const error = await refused('CONFLICT', workspace.act('Order', id, 'close'))
    assert.match(
      error.message,
      /possible only while it is submitted and Closed is off; it is Closed now/,
    )
    assert.equal(await eventsOf(workspace, id), ['created', 'submitted', 'updated'])
  })

  test('say why they are not possible, with figures and never as an expression', async () => {
    const why = async (id: string, action: string): Promise<string> =>
      (await refused('CONFLICT', workspace.act('Order', id, action))).message.replace(id, 'X')
    const draft = await workspace.create('Order', {
      customer: 'Ann',
      items: [{ item: 'A', qty: 2.5 }],
    })
    const asked = 'it is a draft, and has to be submitted'
    assert.is(await why(draft.id, 'close'), `cannot close Order "X": ${asked}`)
    assert.is(await why(draft.id, 'credit'), `cannot credit Order "X": ${asked}`)
    await workspace.submit('Order', draft.id)
    const few = '2.5 are too few, Ann needs more than 1000'
    assert.is(await why(draft.id, 'credit'), `cannot credit Order "X": ${few}`)
    await workspace.cancel('Order', draft.id)
    const gone = 'it is cancelled, and has to be submitted'
    assert.is(await why(draft.id, 'credit'), `cannot credit Order "X": ${gone}`)
  })

  test('move a chosen status off its flow, and check what they are sent', async () => {
    const { id } = await workspace.create('Lead', { lead_name: 'Lea' })
    await invalid(['status'], workspace.update('Lead', id, { status: 'Converted' }))
    await invalid(['name_as'], workspace.act('Lead', id, 'convert'))
    await invalid(['nonsense'], workspace.act('Lead', id, 'convert', { name_as: 'L', nonsense: 1 }))
    await invalid(['credit'], workspace.act('Lead', id, 'convert', { name_as: 'L', credit: 'x' }))
    const { record } = await workspace.act('Lead', id, 'convert', {
      name_as: 'Lea Ltd',
      credit: 12.5,
    })
    assert.equal([record.status, record.customer], ['Converted', 'Lea Ltd'])
    assert.is((await workspace.get('Customer', 'Lea Ltd')).record.credit_limit, 12.5)
    assert.equal(await eventsOf(workspace, id), ['created', 'updated', 'converted'])
    await refused('CONFLICT', workspace.act('Lead', id, 'convert', { name_as: 'Again' }))
  })

  test('leave nothing behind when a step is refused', async () => {
    const { id } = await workspace.create('Lead', { lead_name: 'Max' })
    await refused('CONFLICT', workspace.act('Lead', id, 'convert', { name_as: 'Ann' }))
    assert.is((await workspace.get('Lead', id)).record.status, 'Open')
    const { rows } = await sql`select 1 from svc_journal`.execute(
      workspace.engine.services.database.read,
    )
    assert.is(rows.length, 0)
  })

  test('are known by name, and some are the workspace’s own', async () => {
    const id = await order()
    const error = await refused('NOT_FOUND', workspace.act('Order', id, 'explode'))
    assert.match(error.message, /they have make_invoice, close, credit$/)
    const key = { actor: actorOf('key', 'write') }
    await refused('FORBIDDEN', workspace.act('Order', id, 'sweep', {}, key))
    await refused(
      'FORBIDDEN',
      workspace.act('Order', id, 'close', {}, { actor: actorOf('key', 'read') }),
    )
    await refused('NOT_FOUND', workspace.act('Order', 'ORD-999', 'close'))
    assert.is((await workspace.act('Order', id, 'close', {}, key)).record.status, 'Closed')
  })

  test('carry values of other records in their events', async () => {
    const id = await order()
    await workspace.act('Order', id, 'make_invoice', { submit_it: true })
    const [row] = await workspace.engine.services.database.read
      .selectFrom('svc_events')
      .select('data')
      .where('record_id', '=', id)
      .where('kind', '=', 'billed')
      .execute()
    const data = JSON.parse(String(row?.data))
    assert.equal([data.share, data.customer_name, data.status], [100, 'Ann', 'Billed'])
  })
})
