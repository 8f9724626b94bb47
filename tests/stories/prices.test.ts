import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('prices', ({ test, fresh }) => {
  let story: Story
  let anybody: string
  let friend: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Brand', { brand: 'Oak' })
    for (const [item_code, standard_rate, item_group, brand] of [
      ['CHAIR', 50, 'Products', 'Oak'],
      ['DESK', 120, 'Products', 'Oak'],
      ['ADVICE', 80, 'Services', null],
    ])
      await story.create('Item', {
        item_code,
        item_name: item_code,
        standard_rate,
        item_group,
        brand,
        stock_uom: 'Nos',
        is_stock_item: false,
      })
    anybody = (await story.create('Customer', { customer_name: 'Anybody' })).id
    friend = (
      await story.create('Customer', {
        customer_name: 'Friend',
        customer_group: 'Commercial',
        default_price_list: 'Standard Selling',
      })
    ).id
  })
  test.after(() => story.close())

  const price = (item_code: string, price_list_rate: number, more: object = {}): Promise<Shown> =>
    story.create('Item Price', {
      item_code,
      price_list: 'Standard Selling',
      currency: 'USD',
      price_list_rate,
      valid_from: '2026-01-01',
      ...more,
    })

  /** The rates of a document's rows, beside their list prices. */
  async function rates(
    doctype: string,
    items: readonly object[],
    more: object = {},
  ): Promise<readonly (readonly [number, number])[]> {
    const made = await story.create(doctype, { customer: friend, items, ...more })
    return made.items.map((row: Shown) => [row.price_list_rate, row.rate])
  }

  test('are the items’ own while no price list is named, or it says nothing', async () => {
    const chair = [{ item_code: 'CHAIR', qty: 1 }]
    assert.equal(await rates('Sales Order', chair), [[50, 50]])
    await price('CHAIR', 47)
    assert.equal(await rates('Sales Order', chair, { customer: anybody }), [[50, 50]])
    for (const doctype of ['Quotation', 'Sales Order', 'Sales Invoice'])
      assert.equal(await rates(doctype, [...chair, { item_code: 'DESK', qty: 1 }]), [
        [47, 47],
        [120, 120],
      ])
    // What is sent stands.
    assert.equal(await rates('Sales Invoice', [{ ...chair[0], rate: 1 }]), [[47, 1]])
    assert.equal(await rates('Sales Invoice', [{ ...chair[0], price_list_rate: 40 }]), [[40, 40]])
  })

  test('follow the day, the unit, the currency, and go first to whom they were made for', async () => {
    await price('DESK', 110, { valid_upto: '2026-03-31' })
    await price('DESK', 115, { valid_from: '2026-03-05' })
    await price('DESK', 1150, { uom: 'Box' })
    await price('DESK', 99, { currency: 'EUR' })
    const desk = (more: object = {}) => [{ item_code: 'DESK', qty: 1, ...more }]
    const on = (transaction_date: string) => ({ transaction_date })
    assert.equal(await rates('Quotation', desk(), on('2025-12-31')), [[120, 120]])
    assert.equal(await rates('Quotation', desk(), on('2026-03-04')), [[110, 110]])
    assert.equal(await rates('Quotation', desk(), on('2026-03-05')), [[115, 115]])
    assert.equal(await rates('Quotation', desk({ uom: 'Box', conversion_factor: 10 })), [
      [1150, 1150],
    ])
    assert.equal(await rates('Quotation', desk(), { currency: 'EUR', conversion_rate: 1.25 }), [
      [99, 99],
    ])
    await price('DESK', 105, { customer: friend })
    assert.equal(await rates('Quotation', desk()), [[105, 105]])
    await refusedFor(
      'supplier',
      'customer',
      price('DESK', 1, {
        customer: friend,
        supplier: (await story.create('Supplier', { supplier_name: 'S' })).id,
      }),
    )
  })

  test('come once: the same price for the same days is refused, another day is not', async () => {
    const { details } = await refusedAsConflict(price('CHAIR', 48))
    assert.equal(
      details?.map(({ field, message }) => [field, message]),
      [['item_code', 'has a price for this list, unit, party and day already']],
    )
    const other = await price('CHAIR', 48, { valid_from: '2026-03-10' })
    await story.update('Item Price', other.id, { price_list_rate: 49 })
    assert.ok((await story.events(other.id)).includes('price_changed'))
    assert.is((await story.all('Item Price', { item_code: 'CHAIR' })).length, 2)
  })

  test('come from the price list of the group and of the company', async () => {
    await story.create('Price List', { price_list_name: 'Shops', currency: 'USD' })
    await price('ADVICE', 70, { price_list: 'Shops' })
    await story.update('Customer Group', 'Government', { default_price_list: 'Shops' })
    const office = await story.create('Customer', {
      customer_name: 'Town Hall',
      customer_group: 'Government',
    })
    assert.is(office.default_price_list, 'Shops')
    const advice = [{ item_code: 'ADVICE', qty: 1 }]
    assert.equal(await rates('Sales Invoice', advice, { customer: office.id }), [[70, 70]])
    await story.update('Company', 'Acme Inc', { default_selling_price_list: 'Shops' })
    assert.equal(await rates('Sales Invoice', advice, { customer: anybody }), [[70, 70]])
    await story.update('Company', 'Acme Inc', { default_selling_price_list: null })
  })

  test('come from the list an item names for the company, where the document names none', async () => {
    await price('CHAIR', 33, { price_list: 'Shops' })
    await story.update('Item', 'CHAIR', {
      item_defaults: [{ company: 'Acme Inc', default_price_list: 'Shops' }],
    })
    const chair = [{ item_code: 'CHAIR', qty: 1 }]
    assert.equal(await rates('Quotation', chair, { customer: anybody }), [[33, 33]])
    assert.not.equal(await rates('Quotation', chair), [[33, 33]])
    const order = await story.create('Sales Order', { customer: anybody, items: chair })
    const listed = await story.update('Sales Order', order.id, {
      selling_price_list: 'Standard Selling',
    })
    assert.is(order.items[0].rate, 33)
    assert.is.not(listed.items[0].rate, 33)
    await story.update('Item', 'CHAIR', { item_defaults: [] })
  })

  test('fall by rules: the highest priority, then what says more, then the quantity', async () => {
    const rule = (title: string, more: object): Promise<Shown> =>
      story.create('Pricing Rule', { title, valid_from: '2026-01-01', ...more })
    const chairs = (qty: number, more: object = {}) => [{ item_code: 'CHAIR', qty, ...more }]
    await refusedFor('rate_or_discount', 'is missing', rule('Nothing', { apply_on: 'All Items' }))
    await refusedFor(
      'brand',
      'only where',
      rule('Wrong', { apply_on: 'All Items', brand: 'Oak', discount_percentage: 1 }),
    )

    const all = await rule('All', { apply_on: 'All Items', discount_percentage: 1 })
    // 50 less 1 %
    assert.equal(await rates('Sales Order', chairs(1), { customer: anybody }), [[50, 49.5]])
    await rule('Oak', { apply_on: 'Brand', brand: 'Oak', discount_percentage: 2 })
    assert.equal(await rates('Sales Order', chairs(1), { customer: anybody }), [[50, 49]])
    await rule('Ten chairs', { item_code: 'CHAIR', min_qty: 10, discount_percentage: 10 })
    await rule('Fifty chairs', {
      item_code: 'CHAIR',
      min_qty: 50,
      rate_or_discount: 'Discount Amount',
      discount_amount: 8,
    })
    assert.equal(await rates('Sales Order', chairs(9), { customer: anybody }), [[50, 49]])
    assert.equal(await rates('Sales Order', chairs(10), { customer: anybody }), [[50, 45]])
    assert.equal(await rates('Sales Order', chairs(50), { customer: anybody }), [[50, 42]])
    await rule('Commerce', {
      apply_on: 'Item Group',
      item_group: 'Products',
      applicable_for: 'Customer Group',
      customer_group: 'Commercial',
      priority: 5,
      rate_or_discount: 'Rate',
      rate: 30,
    })
    assert.equal(await rates('Sales Order', chairs(50)), [[47, 30]])
    assert.equal(await rates('Sales Order', [{ item_code: 'ADVICE', qty: 1 }]), [[80, 79.2]])
    // The rule stays with the row on its way to the order and the invoice; neither looks for another one.
    const offer = await story.make('Quotation', { customer: anybody, items: chairs(10) })
    const draft = await story.draftOf('Quotation', offer.id, 'make_order')
    const sold = await story.submit('Sales Order', draft.id)
    const bill = await story.draftOf('Sales Order', sold.id, 'make_invoice')
    const shown = ({ items: [row] }: Shown) => [row.discount_percentage, row.rate, row.pricing_rule]
    assert.equal(shown(offer).slice(0, 2), [10, 45])
    assert.equal(shown(sold), shown(offer))
    assert.equal(shown(bill), shown(offer))
    await story.update('Pricing Rule', all.id, { disable: true })
    assert.equal(await rates('Sales Order', [{ item_code: 'ADVICE', qty: 1 }]), [[80, 80]])
  })

  test('follow item, unit and quantity of a draft, but for a price that somebody gave', async () => {
    await story.create('Item', {
      item_code: 'LAMP',
      item_name: 'LAMP',
      standard_rate: 20,
      stock_uom: 'Nos',
      is_stock_item: false,
      uoms: [{ uom: 'Box', conversion_factor: 12 }],
    })
    await price('LAMP', 18)
    await price('LAMP', 200, { uom: 'Box' })
    await story.create('Pricing Rule', {
      title: 'Ten lamps',
      item_code: 'LAMP',
      min_qty: 10,
      discount_percentage: 10,
      valid_from: '2026-01-01',
    })
    for (const doctype of ['Quotation', 'Sales Order', 'Sales Invoice']) {
      const { id, items } = await story.create(doctype, {
        customer: friend,
        items: [
          { item_code: 'LAMP', qty: 1 },
          { item_code: 'LAMP', qty: 1, rate: 7 },
        ],
      })
      const change = async (body: object): Promise<readonly unknown[]> => {
        const changed = await story.update(doctype, id, {
          items: items.map(({ row_id }: Shown) => ({ row_id, ...body })),
        })
        return changed.items.map((row: Shown) => [row.price_list_rate, row.rate])
      }
      // 18 less 10 % = 16.2
      assert.equal(await change({ qty: 10 }), [
        [18, 16.2],
        [18, 7],
      ])
      assert.equal(await change({ qty: 9 }), [
        [18, 18],
        [18, 7],
      ])
      // 9 boxes are 108 pieces.
      assert.equal(await change({ uom: 'Box' }), [
        [200, 180],
        [200, 7],
      ])
      assert.equal((await change({ discount_percentage: 5 }))[0], [200, 190])
      assert.equal((await change({ price_list_rate: 100, qty: 8 }))[0], [100, 95])
      const { items: rows } = await story.submit(doctype, id)
      assert.equal(
        rows.map((row: Shown) => [row.uom, row.rate]),
        [
          ['Box', 95],
          ['Box', 7],
        ],
      )
    }
    const offer = await story.make('Quotation', {
      customer: friend,
      items: [{ item_code: 'LAMP', qty: 10 }],
    })
    const draft = await story.draftOf('Quotation', offer.id, 'make_order')
    const { row_id } = draft.items[0]
    const less = await story.update('Sales Order', draft.id, { items: [{ row_id, qty: 2 }] })
    assert.is(less.items[0].rate, 16.2)
    const other = await story.update('Sales Order', draft.id, {
      items: [{ row_id, item_code: 'ADVICE' }],
    })
    assert.is(other.items[0].price_list_rate, 80)
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})
