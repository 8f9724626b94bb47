import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openTrade } from './trading.ts'
import { eventsOf, invalid, type Workspace } from './workspace.ts'

forEachDatabase('rollups', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openTrade(await create())
  })
  test.after(() => workspace.close())

  async function customer(customer_name: string, more: object = {}): Promise<string> {
    return (await workspace.create('Customer', { customer_name, ...more })).id
  }
  async function invoice(name: string, amount: number, more: object = {}): Promise<string> {
    const { id } = await workspace.create('Invoice', {
      customer: name,
      items: [{ item: 'A', qty: 1, rate: amount }],
      ...more,
    })
    await workspace.submit('Invoice', id)
    return id
  }
  async function pay(name: string, ...references: [string, number][]): Promise<string> {
    const { id } = await workspace.create('Payment', {
      customer: name,
      paid_amount: references.reduce((sum, [, amount]) => sum + amount, 0),
      references: references.map(([invoice, amount]) => ({ invoice, amount })),
    })
    await workspace.submit('Payment', id)
    return id
  }
  const read = async (doctype: string, id: string, ...fields: string[]): Promise<unknown[]> => {
    const { record } = await workspace.get(doctype, id)
    return fields.map((field) => record[field])
  }
  const owed = (name: string) =>
    read('Customer', name, 'outstanding', 'invoices', 'first_invoice', 'largest', 'is_good')

  test('over nothing are 0, the smallest and largest of nothing are unset', async () => {
    assert.equal(await owed(await customer('Nobody')), [0, 0, null, null, true])
  })

  test('follow submits, payments and cancels through every level', async () => {
    const ann = await customer('Ann')
    const first = await invoice(ann, 100, { posting_date: '2026-02-02' })
    const second = await invoice(ann, 40.5, { posting_date: '2026-01-05' })
    assert.equal(await owed(ann), [140.5, 2, '2026-01-05', 100, false])
    const payment = await pay(ann, [first, 60], [second, 40.5])
    assert.equal(await read('Invoice', first, 'paid', 'outstanding', 'status'), [
      60,
      40,
      'Partly Paid',
    ])
    assert.equal(await read('Invoice', second, 'outstanding', 'status', 'is_settled'), [
      0,
      'Paid',
      true,
    ])
    assert.equal(await owed(ann), [40, 2, '2026-01-05', 100, false])
    await workspace.cancel('Payment', payment)
    assert.equal(await read('Invoice', second, 'outstanding', 'status', 'paid_at', 'is_settled'), [
      40.5,
      'Unpaid',
      null,
      false,
    ])
    // The smallest and the largest go away with their invoices; the rows know the next ones.
    await workspace.cancel('Invoice', second)
    assert.equal(await owed(ann), [100, 1, '2026-02-02', 100, false])
    await workspace.cancel('Invoice', first)
    assert.equal(await owed(ann), [0, 0, null, null, true])
  })

  test('a record that no longer holds refuses the whole request', async () => {
    const bob = await customer('Bob', { credit_limit: 50 })
    const first = await invoice(bob, 45)
    const { id } = await workspace.create('Invoice', {
      customer: bob,
      items: [{ item: 'A', qty: 1, rate: 6 }],
    })
    const error = await invalid(['outstanding'], workspace.submit('Invoice', id))
    assert.match(error.message, /Customer Bob: exceeds the credit limit/)
    assert.equal(await read('Invoice', id, 'docstatus'), [0])
    await invalid(['outstanding'], pay(bob, [first, 45.01]))
    assert.equal(await owed(bob), [45, 1, '2026-03-09', 45, false])
  })

  test('reach into rows of other documents', async () => {
    await customer('Cid')
    const order = await workspace.create('Order', {
      customer: 'Cid',
      items: [
        { item: 'A', qty: 3, rate: 2 },
        { item: 'B', qty: 1, rate: 5 },
      ],
    })
    await workspace.submit('Order', order.id)
    const [a, b] = order.record.items as { row_id: string }[]
    const bill = async (...rows: [string, number][]) => {
      const { id } = await workspace.create('Invoice', {
        customer: 'Cid',
        items: rows.map(([order_row, qty]) => ({ item: 'A', qty, rate: 1, order_row })),
      })
      return (await workspace.submit('Invoice', id)).id
    }
    const first = await bill([a!.row_id, 1], [a!.row_id, 1], [b!.row_id, 1])
    assert.equal(await read('Order', order.id, 'per_billed', 'status'), [75, 'Open'])
    const second = await bill([a!.row_id, 1])
    assert.equal(await read('Order', order.id, 'per_billed', 'status'), [100, 'Billed'])
    const error = await invalid(['items'], bill([b!.row_id, 1]))
    assert.match(error.message, /billed more than ordered/)
    await workspace.cancel('Invoice', second)
    await workspace.cancel('Invoice', first)
    assert.equal(await read('Order', order.id, 'per_billed', 'status'), [0, 'Open'])
  })

  test('move with a link that changes, and go with a deleted record', async () => {
    await customer('Dora')
    await customer('Eve')
    const visits = (name: string) => read('Customer', name, 'visits', 'last_visit')
    const first = await workspace.create('Visit', { customer: 'Dora', day: '2026-01-05' })
    const second = await workspace.create('Visit', { customer: 'Dora', day: '2026-02-01' })
    await workspace.create('Visit', { day: '2026-02-01' })
    assert.equal(await visits('Dora'), [2, '2026-02-01'])
    await workspace.update('Visit', second.id, { customer: 'Eve' })
    assert.equal(
      [await visits('Dora'), await visits('Eve')],
      [
        [1, '2026-01-05'],
        [1, '2026-02-01'],
      ],
    )
    await workspace.update('Visit', second.id, { day: null })
    assert.equal(await visits('Eve'), [1, null])
    await workspace.remove('Visit', first.id)
    await workspace.remove('Visit', second.id)
    assert.equal(
      [await visits('Dora'), await visits('Eve')],
      [
        [0, null],
        [0, null],
      ],
    )
    assert.is((await eventsOf(workspace, 'Eve')).join(' '), 'created updated updated updated')
  })

  test('touch a record once for all that one transaction changes, and tell of it once', async () => {
    const gus = await customer('Gus')
    const first = await invoice(gus, 10)
    const second = await invoice(gus, 20)
    const version = (await workspace.get('Customer', gus)).etag
    await pay(gus, [first, 10], [second, 20])
    assert.is.not((await workspace.get('Customer', gus)).etag, version)
    assert.equal(await eventsOf(workspace, gus), [
      'created',
      'updated',
      'updated',
      'updated',
      'owes_nothing',
    ])
    assert.equal(await eventsOf(workspace, first), ['created', 'submitted', 'updated', 'paid'])
  })
})
