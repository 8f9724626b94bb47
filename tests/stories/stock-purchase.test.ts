import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('goods from suppliers', ({ test, fresh }) => {
  let story: Story
  let supplier: string
  let abroad: string

  test.before(async () => {
    story = await openStory(await fresh())
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    abroad = (
      await story.create('Supplier', { supplier_name: 'Holz GmbH', default_currency: 'EUR' })
    ).id
    await story.create('Currency Exchange', {
      from_currency: 'EUR',
      to_currency: 'USD',
      date: '2026-01-01',
      exchange_rate: 1.25,
    })
    for (const item_code of ['OAK', 'PINE', 'ASH', 'ELM', 'YEW', 'FIR'])
      await story.create('Item', { item_code, item_name: item_code, standard_buying_rate: 20 })
    await story.create('Item', { item_code: 'FREIGHT', item_name: 'Freight', is_stock_item: false })
    await story.create('Warehouse', { warehouse_name: 'Blocked', warehouse_type: 'Rejected' })
  })
  test.after(() => story.close())

  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }

  test('a receipt is owed until the bill comes', async () => {
    const order = await story.make('Purchase Order', {
      supplier,
      set_warehouse: 'Stores',
      items: [
        { item_code: 'OAK', qty: 10, rate: 30 },
        { item_code: 'FREIGHT', qty: 1, rate: 25 },
      ],
    })
    assert.equal([order.status, order.per_received], ['To Receive and Bill', 0])
    const draft = await story.draftOf('Purchase Order', order.id, 'make_receipt')
    const receipt = await story.submit('Purchase Receipt', draft.id)
    // 10 × 30; freight is no stock and waits for its bill.
    assert.equal(await story.books(receipt.id), {
      'Stock In Hand': 300,
      'Stock Received But Not Billed': -300,
    })
    assert.equal([receipt.status, receipt.per_billed], ['To Bill', 0])
    assert.equal(await bin('OAK::Stores'), [10, 300])
    assert.is((await story.get('Purchase Order', order.id)).status, 'To Bill')
    assert.equal(await story.all('Bin', { item_code: 'FREIGHT' }), [])

    const bill = await story.draftOf('Purchase Receipt', receipt.id, 'make_invoice')
    assert.equal(
      bill.items.map(({ qty, rate }: Shown) => [qty, rate]),
      [
        [10, 30],
        [1, 25],
      ],
    )
    await story.submit('Purchase Invoice', bill.id)
    assert.equal(await story.books(receipt.id, bill.id), {
      'Stock In Hand': 300,
      Purchases: 25,
      Creditors: -325,
    })
    const billed = await story.get('Purchase Receipt', receipt.id)
    assert.equal([billed.status, billed.per_billed], ['Completed', 100])
    assert.is((await story.get('Purchase Order', order.id)).status, 'Completed')
    await refusedAsConflict(story.act('Purchase Receipt', receipt.id, 'make_invoice'))
    // What a bill stands on stays.
    await refusedAsConflict(story.cancel('Purchase Receipt', receipt.id))
  })

  test('foreign prices are booked in the currency of the company', async () => {
    // 4 × 30.01 € = 120.04 € × 1.25 = 150.05 $
    const receipt = await story.make('Purchase Receipt', {
      supplier: abroad,
      items: [{ item_code: 'PINE', qty: 4, rate: 30.01 }],
    })
    assert.equal([receipt.currency, receipt.conversion_rate], ['EUR', 1.25])
    assert.equal(await bin('PINE::Stores'), [4, 150.05])
    assert.equal(await story.books(receipt.id), {
      'Stock In Hand': 150.05,
      'Stock Received But Not Billed': -150.05,
    })
    // A price nobody gave is the item's 20 $, 16 €.
    const plain = await story.create('Purchase Receipt', {
      supplier: abroad,
      items: [{ item_code: 'PINE', qty: 1 }],
    })
    assert.equal([plain.items[0].rate, plain.items[0].base_amount], [16, 20])
  })

  test('what is rejected lies apart and is worth nothing', async () => {
    const receipt = await story.make('Purchase Receipt', {
      supplier,
      items: [{ item_code: 'ASH', qty: 8, rejected_qty: 2, rate: 10 }],
    })
    assert.equal([receipt.items[0].received_qty, receipt.net_total], [10, 80])
    assert.equal(await bin('ASH::Stores'), [8, 80])
    assert.equal(await bin('ASH::Blocked'), [2, 0])
    const back = await story.draftOf('Purchase Receipt', receipt.id, 'make_return')
    await story.submit('Purchase Receipt', back.id)
    assert.equal(await story.books(receipt.id, back.id), {})
    await story.cancel('Purchase Receipt', back.id)
    assert.equal(await story.books(receipt.id), {
      'Stock In Hand': 80,
      'Stock Received But Not Billed': -80,
    })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Issue',
      from_warehouse: 'Blocked',
      items: [{ item_code: 'ASH', qty: 2 }],
    })
    assert.equal(await bin('ASH::Blocked'), [0, 0])
    await refusedFor(
      'rejected_warehouse',
      'must differ',
      story.create('Purchase Receipt', {
        supplier,
        rejected_warehouse: 'Stores',
        items: [{ item_code: 'ASH', qty: 1, rejected_qty: 1 }],
      }),
    )
  })

  test('what goes back leaves at the rate of its receipt, whatever the rest cost', async () => {
    await story.make('Purchase Receipt', {
      supplier,
      items: [{ item_code: 'ELM', qty: 10, rate: 10 }],
    })
    const dear = await story.make('Purchase Receipt', {
      supplier,
      items: [{ item_code: 'ELM', qty: 10, rate: 20 }],
    })
    // 20 worth 300. 4 of the dear ones go back: 4 × 20 = 80 leave, and are no longer owed.
    const draft = await story.draftOf('Purchase Receipt', dear.id, 'make_return')
    assert.equal([draft.is_return, draft.return_against, draft.items[0].qty], [true, dear.id, -10])
    await story.update('Purchase Receipt', draft.id, {
      items: [{ row_id: draft.items[0].row_id, qty: -4 }],
    })
    const back = await story.submit('Purchase Receipt', draft.id)
    assert.equal(await story.books(back.id), {
      'Stock In Hand': -80,
      'Stock Received But Not Billed': 80,
    })
    assert.is(back.status, 'Return')
    assert.equal(await bin('ELM::Stores'), [16, 220])
    const partly = await story.get('Purchase Receipt', dear.id)
    assert.equal(
      [partly.per_returned, partly.status, partly.items[0].returned_qty],
      [40, 'To Bill', 4],
    )

    // Only the 6 that stayed are billed.
    const bill = await story.draftOf('Purchase Receipt', dear.id, 'make_invoice')
    assert.is(bill.items[0].qty, 6)
    await story.submit('Purchase Invoice', bill.id)
    assert.is((await story.get('Purchase Receipt', dear.id)).status, 'Completed')

    await refusedAsConflict(story.cancel('Purchase Receipt', dear.id))
    await story.cancel('Purchase Receipt', back.id)
    assert.equal(await bin('ELM::Stores'), [20, 300])
    const again = await story.get('Purchase Receipt', dear.id)
    assert.equal([again.per_returned, again.per_billed, again.status], [0, 60, 'Partly Billed'])
  })

  test('a return is held to its receipt', async () => {
    const receipt = await story.make('Purchase Receipt', {
      supplier,
      items: [{ item_code: 'YEW', qty: 5, rate: 10 }],
    })
    const draft = await story.draftOf('Purchase Receipt', receipt.id, 'make_return')
    await refusedFor(
      'items[0].qty',
      'below 0 on a return, and nothing rejected: 5 returned',
      story.update('Purchase Receipt', draft.id, {
        items: [{ row_id: draft.items[0].row_id, qty: 5 }],
      }),
    )
    await story.update('Purchase Receipt', draft.id, {
      items: [{ row_id: draft.items[0].row_id, qty: -6 }],
    })
    await refusedFor(
      'items[0].item_code',
      'not enough stock',
      story.submit('Purchase Receipt', draft.id),
    )
    await story.make('Purchase Receipt', {
      supplier,
      items: [{ item_code: 'YEW', qty: 5, rate: 10 }],
    })
    await refusedFor(
      'items[0].qty',
      'returned more than received',
      story.submit('Purchase Receipt', draft.id),
    )
    await story.update('Purchase Receipt', draft.id, {
      items: [{ row_id: draft.items[0].row_id, qty: -5 }],
    })
    await story.submit('Purchase Receipt', draft.id)
    assert.is((await story.get('Purchase Receipt', receipt.id)).status, 'Return Issued')
    await refusedFor(
      'is_return',
      'must be on',
      story.create('Purchase Receipt', {
        supplier,
        return_against: receipt.id,
        items: [{ item_code: 'YEW', qty: 1 }],
      }),
    )
    await refusedFor(
      'return_against',
      'same supplier',
      story.create('Purchase Receipt', {
        supplier: abroad,
        is_return: true,
        return_against: receipt.id,
        items: [{ item_code: 'YEW', qty: -1, purchase_receipt_item: receipt.items[0].row_id }],
      }),
    )
  })

  test('more than ordered is not received, and a closed receipt not billed', async () => {
    const order = await story.make('Purchase Order', {
      supplier,
      items: [{ item_code: 'FIR', qty: 10, rate: 30 }],
    })
    const draft = await story.draftOf('Purchase Order', order.id, 'make_receipt')
    const rows = (qty: number): object => ({ items: [{ row_id: draft.items[0].row_id, qty }] })
    await story.update('Purchase Receipt', draft.id, rows(11))
    await refusedFor(
      'items[0].received_qty',
      'FIR: received more than ordered: 10 ordered, at most 10, not 11',
      story.submit('Purchase Receipt', draft.id),
    )
    await story.update('Purchase Receipt', draft.id, rows(10))
    const receipt = await story.submit('Purchase Receipt', draft.id)
    const bill = await story.draftOf('Purchase Receipt', receipt.id, 'make_invoice')
    await story.act('Purchase Receipt', receipt.id, 'close')
    await refusedFor('status', 'the receipt is closed', story.submit('Purchase Invoice', bill.id))
    await story.act('Purchase Receipt', receipt.id, 'reopen')
    await story.submit('Purchase Invoice', bill.id)
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
