import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('stock entries', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
    for (const item_code of ['PLANK', 'SCREW', 'SHELF', 'OFFCUT', 'SUGAR', 'PACK'])
      await story.create('Item', { item_code, item_name: item_code })
    await story.create('Account', {
      account_name: 'Stock Abroad',
      root_type: 'Asset',
      account_type: 'Stock',
    })
    await story.create('Warehouse', { warehouse_name: 'Lisbon', account: 'Stock Abroad' })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'PLANK', qty: 100, basic_rate: 4 },
        { item_code: 'SCREW', qty: 1000, basic_rate: 0.05 },
        { item_code: 'SUGAR', qty: 10, basic_rate: 1.3 },
      ],
    })
  })
  test.after(() => story.close())

  const entry = (stock_entry_type: string, body: object): Promise<Shown> =>
    story.make('Stock Entry', { stock_entry_type, ...body })

  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }

  test('an issue is booked as an adjustment of the stock', async () => {
    // 10 × 4
    const issue = await entry('Material Issue', {
      from_warehouse: 'Stores',
      items: [{ item_code: 'PLANK', qty: 10 }],
    })
    assert.equal(await story.books(issue.id), { 'Stock Adjustment': 40, 'Stock In Hand': -40 })
    assert.equal([issue.total_amount, issue.value_difference], [40, -40])
    assert.equal(await bin('PLANK::Stores'), [90, 360])
  })

  test('a transfer takes the value along; the ledger sees it between stock accounts alone', async () => {
    const near = await entry('Material Transfer', {
      from_warehouse: 'Stores',
      to_warehouse: 'Work In Progress',
      items: [{ item_code: 'PLANK', qty: 20 }],
    })
    assert.equal(await story.all('GL Entry', { voucher_no: near.id }), [])
    assert.equal(await bin('PLANK::Stores'), [70, 280])
    assert.equal(await bin('PLANK::Work In Progress'), [20, 80])

    const far = await entry('Material Transfer', {
      from_warehouse: 'Stores',
      items: [{ item_code: 'PLANK', qty: 5, t_warehouse: 'Lisbon' }],
    })
    assert.equal(await story.books(far.id), { 'Stock Abroad': 20, 'Stock In Hand': -20 })
    await story.cancel('Stock Entry', far.id)
    assert.equal(await bin('PLANK::Lisbon'), [0, 0])
    assert.equal(await bin('PLANK::Stores'), [70, 280])
  })

  test('what is made is worth what was used up, less what came in beside it', async () => {
    // 10 planks of 4 and 40 screws of 0.05: 42; offcuts of 3 × 0.50 = 1.50 → 40.50 for 4 shelves, 10.125 each
    const made = await entry('Manufacture', {
      from_warehouse: 'Stores',
      to_warehouse: 'Finished Goods',
      items: [
        { item_code: 'PLANK', qty: 10 },
        { item_code: 'SCREW', qty: 40 },
        { item_code: 'SHELF', qty: 4, is_finished_item: true },
        { item_code: 'OFFCUT', qty: 3, t_warehouse: 'Stores', basic_rate: 0.5 },
      ],
    })
    assert.equal(
      made.items.map(({ s_warehouse, t_warehouse, amount }: Shown) => [
        s_warehouse,
        t_warehouse,
        amount,
      ]),
      [
        ['Stores', null, 40],
        ['Stores', null, 2],
        [null, 'Finished Goods', 40.5],
        [null, 'Stores', 1.5],
      ],
    )
    assert.equal([made.finished_qty, made.value_difference], [4, 0])
    assert.equal(await bin('SHELF::Finished Goods'), [4, 40.5])
    assert.is((await story.get('Item', 'SHELF')).valuation_rate, 10.125)
    // All within one stock account: nothing is left.
    assert.equal(await story.books(made.id), {})
  })

  test('several products share the value by quantity, to the cent', async () => {
    // 10 × 1.30 = 13.00 for 3 + 4 packs: 13 × 3/7 = 5.57, the rest 7.43
    const packed = await entry('Repack', {
      items: [
        { item_code: 'SUGAR', qty: 10, s_warehouse: 'Stores' },
        { item_code: 'PACK', qty: 3, is_finished_item: true, t_warehouse: 'Stores' },
        { item_code: 'PACK', qty: 4, is_finished_item: true, t_warehouse: 'Finished Goods' },
      ],
    })
    assert.equal(
      packed.items.map(({ amount }: Shown) => amount),
      [13, 5.57, 7.43],
    )
    assert.equal(await bin('SUGAR::Stores'), [0, 0])
    assert.equal(await bin('PACK::Stores'), [3, 5.57])
    assert.equal(await bin('PACK::Finished Goods'), [4, 7.43])
  })

  test('a manufacture entry counts towards its work order', async () => {
    const bom = await story.make('BOM', {
      item: 'SHELF',
      quantity: 1,
      items: [{ item_code: 'PLANK', qty: 2 }],
    })
    const order = await story.make('Work Order', { bom_no: bom.id, qty: 3 })
    const made = await entry('Manufacture', {
      work_order: order.id,
      from_warehouse: 'Stores',
      to_warehouse: 'Finished Goods',
      items: [
        { item_code: 'PLANK', qty: 6 },
        { item_code: 'SHELF', qty: 3, is_finished_item: true },
      ],
    })
    const { produced_qty, status } = await story.get('Work Order', order.id)
    assert.equal([produced_qty, status], [3, 'Completed'])
    assert.ok((await story.events(order.id)).includes('completed'))
    await story.cancel('Stock Entry', made.id)
    assert.is((await story.get('Work Order', order.id)).status, 'Not Started')
  })

  test('each kind insists on its warehouses', async () => {
    const one = (more: object): { items: object[] } => ({
      items: [{ item_code: 'PLANK', qty: 1, ...more }],
    })
    const refused: readonly (readonly [string, object, string])[] = [
      ['Material Receipt', one({}), 'a row needs the warehouse'],
      [
        'Material Receipt',
        one({ s_warehouse: 'Stores', t_warehouse: 'Lisbon' }),
        'a receipt comes',
      ],
      ['Material Issue', one({ s_warehouse: 'Stores', t_warehouse: 'Lisbon' }), 'an issue goes'],
      ['Material Transfer', one({ s_warehouse: 'Stores' }), 'a transfer needs'],
      ['Material Transfer', one({ s_warehouse: 'Stores', t_warehouse: 'Stores' }), 'must differ'],
      ['Manufacture', one({ s_warehouse: 'Stores' }), 'a finished item'],
      [
        'Repack',
        one({ t_warehouse: 'Stores', is_finished_item: true }),
        'needs rows that are used up',
      ],
    ]
    for (const [kind, body, words] of refused)
      await refusedFor(
        'items',
        words,
        story.create('Stock Entry', { stock_entry_type: kind, ...body }),
      )
  })

  test('more than is there cannot be moved, nor stock to where none is kept', async () => {
    await refusedFor(
      'items[0].item_code',
      'there is not enough stock',
      entry('Material Transfer', {
        from_warehouse: 'Lisbon',
        to_warehouse: 'Stores',
        items: [{ item_code: 'PLANK', qty: 1 }],
      }),
    )
    await story.create('Warehouse', { warehouse_name: 'All of Portugal', is_group: true })
    await refusedFor(
      'warehouse',
      'only its subwarehouses hold stock',
      entry('Material Receipt', {
        to_warehouse: 'All of Portugal',
        items: [{ item_code: 'PLANK', qty: 1, basic_rate: 1 }],
      }),
    )
    await story.create('Company', {
      company_name: 'Other Ltd',
      default_currency: 'USD',
      chart_of_accounts: 'General',
    })
    const take = (from_warehouse: string): Promise<Shown> =>
      entry('Material Issue', {
        company: 'Other Ltd',
        from_warehouse,
        items: [{ item_code: 'PLANK', qty: 1 }],
      })
    await refusedFor('from_warehouse', 'of "Acme Inc"', take('Stores'))
    await refusedFor('items[0].s_warehouse', 'of "Acme Inc"', take('Stores'))
    // In a warehouse of all companies each item is of one.
    await story.create('Warehouse', { warehouse_name: 'Common Yard' })
    await entry('Material Receipt', {
      to_warehouse: 'Common Yard',
      items: [{ item_code: 'PLANK', qty: 1, basic_rate: 1 }],
    })
    await refusedFor(
      'warehouse',
      'holds stock of this item for another company',
      take('Common Yard'),
    )
  })

  test('a warehouse may belong to one company, and be closed', async () => {
    const into = (warehouse: string, more: object = {}): Promise<Shown> =>
      entry('Material Receipt', {
        to_warehouse: warehouse,
        items: [{ item_code: 'SCREW', qty: 1, basic_rate: 1 }],
        ...more,
      })
    await story.create('Warehouse', { warehouse_name: 'Acme Yard', company: 'Acme Inc' })
    await refusedFor(
      'to_warehouse',
      'expected one of the Company "Other Ltd", got the Warehouse "Acme Yard" of "Acme Inc"',
      into('Acme Yard', { company: 'Other Ltd' }),
    )
    await into('Acme Yard')
    await story.create('Warehouse', { warehouse_name: 'Old Barn', disabled: true })
    await refusedFor('warehouse', 'is disabled', into('Old Barn'))
  })

  test('a warehouse is booked on a stock account', async () => {
    await refusedFor(
      'account',
      'must be a stock account',
      story.create('Warehouse', { warehouse_name: 'Odd', account: 'Bank' }),
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
