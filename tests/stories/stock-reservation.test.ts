import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusalOf, refusedFor, type Shown, type Story } from './story.ts'

/** Ten lamps, for which several customers ask. */
forEachDatabase('stock that is kept for orders', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let first: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Reader' })).id
    await story.create('Item', { item_code: 'LAMP', item_name: 'Lamp', standard_rate: 30 })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'LAMP', qty: 10, basic_rate: 5 }],
    })
  })
  test.after(() => story.close())

  const order = (qty: number): Promise<Shown> =>
    story.make('Sales Order', {
      customer,
      set_warehouse: 'Stores',
      items: [{ item_code: 'LAMP', qty }],
    })
  const reserve = (id: string): Promise<Shown> => story.draftOf('Sales Order', id, 'reserve_stock')
  const deliver = async (id: string, qty: number): Promise<Shown> => {
    const [{ row_id }] = (await story.get('Sales Order', id)).items
    const rows = [{ row_id, qty }]
    const draft = await story.draftOf('Sales Order', id, 'make_delivery_note', { rows })
    return story.submit('Delivery Note', draft.id)
  }
  const bin = async (): Promise<readonly number[]> => {
    const { actual_qty, reserved_qty, reserved_stock } = await story.get('Bin', 'LAMP::Stores')
    return [actual_qty, reserved_qty, reserved_stock]
  }
  const entry = (id: string): Promise<Shown> => story.get('Stock Reservation Entry', id)

  test('an order keeps what is free, and never more than there is', async () => {
    first = await reserve((await order(6)).id)
    assert.equal([first.status, first.reserved_qty, first.open_qty], ['Reserved', 6, 6])
    assert.equal(await bin(), [10, 6, 6])
    const second = await order(7)
    // 4 of 7 are free
    const rest = await reserve(second.id)
    assert.equal([rest.status, rest.reserved_qty, rest.voucher_qty], ['Partially Reserved', 4, 7])
    const more = await order(1)
    await refusedFor(
      'reserved_qty',
      'nothing is free to be kept: 10 of LAMP in Stores, 10 of it kept',
      story.act('Sales Order', more.id, 'reserve_stock'),
    )
    await story.cancel('Sales Order', more.id)
    const kept = await reportsOf(story)('reserved-stock', { item_code: 'LAMP' })
    assert.equal(rowsOf(kept, ['reservation', 'customer', 'reserved_qty', 'open_qty', 'status']), [
      [first.id, customer, 6, 6, 'Reserved'],
      [rest.id, customer, 4, 4, 'Partially Reserved'],
    ])
    assert.is(kept.totals?.open_qty, 10)
    const [{ row_id }] = second.items
    const again = story.make('Stock Reservation Entry', { voucher_detail_no: row_id })
    await refusedFor('reserved_qty', 'nothing is free', again)
    await refusedFor(
      'reserved_qty',
      '5 of LAMP wanted in Stores, 4 there and kept for nobody',
      story.revise('Stock Reservation Entry', rest.id, { reserved_qty: 5 }),
    )
    await story.cancel('Stock Reservation Entry', rest.id)
    const rows = [{ row_id, qty: 3 }]
    const part = await story.draftOf('Sales Order', second.id, 'reserve_stock', { rows })
    assert.equal([part.reserved_qty, await bin()], [3, [10, 13, 9]])
    const both = story.make('Stock Reservation Entry', { voucher_detail_no: row_id })
    assert.match(JSON.stringify((await refusalOf(both)).details), 'kept for it already')
    await story.cancel('Stock Reservation Entry', part.id)
    assert.equal(await bin(), [10, 13, 6])
  })

  test('others take what is left, the order what is kept for it', async () => {
    const wants = (qty: number): object => ({
      set_warehouse: 'Stores',
      items: [{ item_code: 'LAMP', qty }],
    })
    const words = '5 of LAMP wanted from Stores, 10 there, 6 kept for others'
    await refusedFor(
      'items[0].item_code',
      words,
      story.make('Delivery Note', { customer, ...wants(5) }),
    )
    await refusedFor(
      'items[0].item_code',
      'kept for orders',
      story.make('Stock Entry', {
        stock_entry_type: 'Material Issue',
        from_warehouse: 'Stores',
        items: [{ item_code: 'LAMP', qty: 5 }],
      }),
    )
    await refusedFor(
      'items',
      'kept for orders',
      story.make('Sales Invoice', { customer, update_stock: true, ...wants(5) }),
    )
    const one = await deliver(first.voucher_no, 4)
    assert.equal(await bin(), [6, 9, 2])
    assert.equal(
      [(await entry(first.id)).status, (await entry(first.id)).open_qty],
      ['Partially Delivered', 2],
    )
    await story.cancel('Delivery Note', one.id)
    assert.equal([await bin(), (await entry(first.id)).open_qty], [[10, 13, 6], 6])
    await story.make('Delivery Note', { customer, ...wants(4) })
    await deliver(first.voucher_no, 6)
    assert.equal(await bin(), [0, 7, 0])
    assert.is((await entry(first.id)).status, 'Delivered')
    assert.ok((await story.events(first.id)).includes('delivered'))
  })

  test('an order that is closed keeps nothing, and svc verify finds nothing wrong', async () => {
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'LAMP', qty: 3, basic_rate: 5 }],
    })
    const third = await reserve((await order(2)).id)
    const draft = await story.draftOf('Sales Order', third.voucher_no, 'make_invoice')
    await story.update('Sales Invoice', draft.id, { update_stock: true, set_warehouse: 'Stores' })
    await story.submit('Sales Invoice', draft.id)
    assert.equal([await bin(), (await entry(third.id)).status], [[1, 7, 0], 'Delivered'])
    const last = await reserve((await order(1)).id)
    assert.equal(await bin(), [1, 8, 1])
    await story.act('Sales Order', last.voucher_no, 'close')
    assert.equal(await bin(), [1, 7, 0])
    assert.equal(await story.differences(), [])
  })
})
