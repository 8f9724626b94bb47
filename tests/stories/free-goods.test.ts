import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** With five packets of tea goes a cup; from ten on they are cheaper. */
forEachDatabase('goods that are given with others', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let scheme: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Café' })).id
    for (const [item_code, standard_rate] of [
      ['TEA', 10],
      ['CUP', 4],
    ] as const)
      await story.create('Item', { item_code, item_name: item_code, standard_rate })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'TEA', qty: 20, basic_rate: 6 },
        { item_code: 'CUP', qty: 5, basic_rate: 1 },
      ],
    })
  })
  test.after(() => story.close())

  const order = (qty: number, more: object = {}): Promise<Shown> =>
    story.create('Sales Order', {
      customer,
      set_warehouse: 'Stores',
      items: [{ item_code: 'TEA', qty }],
      ...more,
    })
  const rows = ({ items }: Shown): unknown =>
    items.map((row: Shown) => [row.item_code, row.qty, row.rate, row.is_free_item])

  test('a scheme makes the rules for its steps', async () => {
    await refusedFor(
      'price_discount_slabs',
      'gives nothing yet',
      story.create('Promotional Scheme', { title: 'None', item_code: 'TEA' }),
    )
    await refusedFor(
      'free_qty',
      'how much is free is missing',
      story.create('Pricing Rule', {
        title: 'None',
        item_code: 'TEA',
        price_or_product_discount: 'Product',
      }),
    )
    scheme = await story.make('Promotional Scheme', {
      title: 'Tea Time',
      item_code: 'TEA',
      price_discount_slabs: [{ min_qty: 10, discount_percentage: 5 }],
      product_discount_slabs: [{ min_qty: 5, free_item: 'CUP', free_qty: 1, is_recursive: true }],
    })
    const rules = await story.all('Pricing Rule')
    assert.equal(
      rules.map((rule) => [rule.promotional_scheme, rule.price_or_product_discount, rule.min_qty]),
      [
        [scheme.id, 'Price', 10],
        [scheme.id, 'Product', 5],
      ],
    )
  })

  test('free rows follow the quantities of a draft', async () => {
    assert.equal(rows(await order(4)), [['TEA', 4, 10, false]])
    const draft = await order(12)
    // Two times five; 12 × 9.50
    assert.equal(rows(draft), [
      ['TEA', 12, 9.5, false],
      ['CUP', 2, 0, true],
    ])
    assert.is(draft.grand_total, 114)
    const [tea, cup] = draft.items
    const change = (qty: number): Promise<Shown> =>
      story.update('Sales Order', draft.id, {
        items: [{ row_id: tea.row_id, qty }, { row_id: cup.row_id }],
      })
    const less = await change(5)
    assert.equal(rows(less), [
      ['TEA', 5, 10, false],
      ['CUP', 1, 0, true],
    ])
    assert.is(less.items[1].row_id, cup.row_id)
    assert.equal(rows(await change(4)), [['TEA', 4, 10, false]])
    const more = await story.update('Sales Order', draft.id, {
      items: [
        { row_id: tea.row_id, qty: 10 },
        { item_code: 'TEA', qty: 5 },
      ],
    })
    assert.equal(rows(more), [
      ['TEA', 10, 9.5, false],
      ['TEA', 5, 10, false],
      ['CUP', 2, 0, true],
      ['CUP', 1, 0, true],
    ])
  })

  test('they are delivered and billed with the others, once', async () => {
    const { id } = await order(10)
    await story.submit('Sales Order', id)
    const note = await story.draftOf('Sales Order', id, 'make_delivery_note')
    const given = [
      ['TEA', 10, 9.5],
      ['CUP', 2, 0],
    ]
    const plain = ({ items }: Shown): unknown =>
      items.map((row: Shown) => [row.item_code, row.qty, row.rate])
    assert.equal(plain(note), given)
    const delivered = await story.submit('Delivery Note', note.id)
    // 10 packets at 6 and 2 cups at 1
    assert.equal(await story.books(delivered.id), {
      'Stock In Hand': -62,
      'Cost of Goods Sold': 62,
    })
    const invoice = await story.draftOf('Delivery Note', note.id, 'make_invoice')
    assert.equal([plain(invoice), invoice.grand_total], [given, 95])
    await story.submit('Sales Invoice', invoice.id)
    const billed = await story.get('Sales Order', id)
    assert.equal([billed.status, billed.per_delivered, billed.per_billed], ['Completed', 100, 100])
    const back = await story.draftOf('Sales Invoice', invoice.id, 'make_return')
    assert.equal(plain(back), [
      ['TEA', -10, 9.5],
      ['CUP', -2, 0],
    ])
  })

  test('a scheme that is stopped gives nothing any more', async () => {
    const stopped = await story.act('Promotional Scheme', scheme.id, 'stop')
    assert.is(stopped.status, 'Disabled')
    assert.equal(rows(await order(10)), [['TEA', 10, 10, false]])
    await story.act('Promotional Scheme', scheme.id, 'resume')
    assert.is((await order(10)).items.length, 2)
    assert.equal(await story.differences(), [])
  })
})
