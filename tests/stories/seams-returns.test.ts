import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from './story.ts'

forEachDatabase('goods that go back', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    for (const item_code of ['LAMP', 'SHADE'])
      await story.create('Item', { item_code, item_name: item_code })
    await story.create('Item', { item_code: 'LIGHT', item_name: 'Light', is_stock_item: false })
    await story.create('Product Bundle', {
      new_item_code: 'LIGHT',
      items: [{ item_code: 'SHADE', qty: 1 }],
    })
    await story.create('Company', {
      company_name: 'Blue Inc',
      abbr: 'BI',
      default_currency: 'USD',
      country: 'United States',
      chart_of_accounts: 'United States',
    })
  })
  test.after(() => story.close())

  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }
  const noBin = async (warehouse: string): Promise<void> =>
    assert.equal(await story.all('Bin', { warehouse }), [])
  /** A submitted note for `qty` of each row. */
  const takeBack = async (doctype: string, id: string, qty: number): Promise<Shown> => {
    const draft = await story.draftOf(doctype, id, 'make_return')
    const items = draft.items.map(({ row_id }: Shown) => ({ row_id, qty }))
    await story.update(doctype, draft.id, { items })
    return story.submit(doctype, draft.id)
  }

  test('go to the warehouse they were sold from, by document, row or item', async () => {
    await story.make('Purchase Invoice', {
      supplier,
      update_stock: true,
      set_warehouse: 'Finished Goods',
      items: [
        { item_code: 'LAMP', qty: 10, rate: 20 },
        { item_code: 'SHADE', qty: 10, rate: 3 },
      ],
    })
    const sold = await story.make('Sales Invoice', {
      customer,
      update_stock: true,
      set_warehouse: 'Finished Goods',
      items: [
        { item_code: 'LAMP', qty: 5, rate: 50 },
        { item_code: 'LIGHT', qty: 5, rate: 9 },
      ],
    })
    await takeBack('Sales Invoice', sold.id, -2)
    // 10 − 5 + 2 = 7 at 20 and at 3
    assert.equal(await bin('LAMP::Finished Goods'), [7, 140])
    assert.equal(await bin('SHADE::Finished Goods'), [7, 21])
    // A note by hand names no warehouse at all; the item has another usual one by now
    await story.update('Item', 'LAMP', { default_warehouse: 'Stores' })
    await story.make('Sales Invoice', {
      customer,
      is_return: true,
      return_against: sold.id,
      update_stock: true,
      items: [
        { item_code: 'LAMP', qty: -1, rate: 50, sales_invoice_item: sold.items[0].row_id },
        { item_code: 'LIGHT', qty: -1, rate: 9, sales_invoice_item: sold.items[1].row_id },
      ],
    })
    assert.equal(await bin('LAMP::Finished Goods'), [8, 160])
    assert.equal(await bin('SHADE::Finished Goods'), [8, 24])
    await noBin('Stores')
  })

  test('go elsewhere where the note says so', async () => {
    const sold = await story.make('Sales Invoice', {
      customer,
      update_stock: true,
      items: [{ item_code: 'LAMP', qty: 1, rate: 50, warehouse: 'Finished Goods' }],
    })
    const draft = await story.draftOf('Sales Invoice', sold.id, 'make_return')
    assert.is(draft.items[0].warehouse, 'Finished Goods')
    const items = [{ row_id: draft.items[0].row_id, warehouse: 'Stores' }]
    await story.update('Sales Invoice', draft.id, { items })
    await story.submit('Sales Invoice', draft.id)
    assert.equal(await bin('LAMP::Finished Goods'), [7, 140])
    assert.equal(await bin('LAMP::Stores'), [1, 20])
  })

  test('leave the warehouse that the bill brought them to', async () => {
    const bill = await story.make('Purchase Invoice', {
      supplier,
      update_stock: true,
      set_warehouse: 'Work In Progress',
      items: [{ item_code: 'LAMP', qty: 4, rate: 20 }],
    })
    await takeBack('Purchase Invoice', bill.id, -1)
    assert.equal(await bin('LAMP::Work In Progress'), [3, 60])
    await story.make('Purchase Invoice', {
      supplier,
      is_return: true,
      return_against: bill.id,
      update_stock: true,
      items: [
        { item_code: 'LAMP', qty: -1, rate: 20, purchase_invoice_item: bill.items[0].row_id },
      ],
    })
    assert.equal(await bin('LAMP::Work In Progress'), [2, 40])
    assert.equal(await bin('LAMP::Stores'), [1, 20])
  })

  test('never go to a warehouse of another company', async () => {
    const company = { company: 'Blue Inc', update_stock: true }
    await story.make('Purchase Invoice', {
      ...company,
      supplier,
      set_warehouse: 'Finished Goods - BI',
      items: [{ item_code: 'LAMP', qty: 5, rate: 10 }],
    })
    const sold = await story.make('Sales Invoice', {
      ...company,
      customer,
      set_warehouse: 'Finished Goods - BI',
      items: [{ item_code: 'LAMP', qty: 4, rate: 30 }],
    })
    const credit = await takeBack('Sales Invoice', sold.id, -3)
    assert.equal(await bin('LAMP::Finished Goods - BI'), [4, 40])
    assert.equal(await bin('LAMP::Stores'), [1, 20])
    await noBin('Stores - BI')
    // 3 × 30 back to the customer, 3 × 10 back into the stock
    assert.equal(
      Object.values(await story.books(credit.id)).sort((a, b) => a - b),
      [-90, -30, 30, 90],
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
