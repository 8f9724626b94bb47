import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusalOf, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('rules for taxes', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let abroad: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', {
      item_code: 'BOOK',
      item_name: 'Book',
      is_stock_item: false,
      standard_rate: 100,
    })
    for (const [title, rate] of [
      ['Home', 20],
      ['Groups', 10],
      ['Export', 0],
    ] as const)
      await story.create('Sales Taxes and Charges Template', {
        title,
        is_default: title === 'Home',
        company: 'Acme Inc',
        taxes: [
          { charge_type: 'On Net Total', account_head: 'Output Tax', rate, description: title },
        ],
      })
    await story.create('Customer Group', { customer_group_name: 'Schools' })
    customer = (
      await story.create('Customer', { customer_name: 'School', customer_group: 'Schools' })
    ).id
    abroad = (await story.create('Customer', { customer_name: 'Librairie' })).id
    await story.create('Address', {
      address_title: 'Librairie',
      address_line1: 'Rue 1',
      city: 'Paris',
      country: 'France',
      links: [{ link_doctype: 'Customer', link_name: abroad }],
    })
  })
  test.after(() => story.close())

  const order = (more: object = {}): Promise<Shown> =>
    story.create('Sales Order', { customer, items: [{ item_code: 'BOOK', qty: 1 }], ...more })
  const rule = (sales_tax_template: string, more: object): Promise<Shown> =>
    story.create('Tax Rule', { sales_tax_template, ...more })
  const taxed = ({ taxes_and_charges, grand_total }: Shown): unknown[] => [
    taxes_and_charges,
    grand_total,
  ]
  const named = async (title: string): Promise<string> =>
    (await story.all('Sales Taxes and Charges Template')).find((one) => one.title === title)!.id

  test('choose by group, country and day; what says more goes first', async () => {
    assert.equal(taxed(await order()), [await named('Home'), 120])
    const groups = await named('Groups')
    const exported = await named('Export')
    const { id } = await rule(groups, { customer_group: 'Schools' })
    await rule(exported, { billing_country: 'France' })
    await rule(groups, { from_date: '2027-01-01', priority: 5 })
    assert.equal(taxed(await order()), [groups, 110])
    assert.equal(taxed(await order({ customer: abroad })), [exported, 100])
    const later = await order({
      customer: abroad,
      transaction_date: '2027-02-01',
      delivery_date: '2027-02-02',
    })
    // One condition each: the priority decides.
    assert.equal(taxed(later), [groups, 110])
    await rule(exported, { customer, customer_group: 'Schools' })
    assert.equal(taxed(await order()), [exported, 100])
    assert.equal(taxed(await order({ taxes_and_charges: null })), [null, 100])
    const again = await refusalOf(rule(groups, { customer_group: 'Schools' }))
    assert.match(
      `${again.message} ${JSON.stringify(again.details)}`,
      'another rule is for the same',
    )
    await story.update('Tax Rule', id, { disabled: true })
    await rule(groups, { customer_group: 'Schools' })
  })

  test('are for invoices too, and a sale has no suppliers', async () => {
    const invoice = await story.make('Sales Invoice', {
      customer: abroad,
      items: [{ item_code: 'BOOK', qty: 2 }],
    })
    assert.equal(taxed(invoice), [await named('Export'), 200])
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Press' })
    const wrong = await refusalOf(rule(await named('Home'), { supplier }))
    assert.match(JSON.stringify(wrong.details), 'what is sold has customers and sales taxes')
    assert.equal(await story.differences(), [])
  })
})
