import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Story } from './story.ts'

forEachDatabase('sales', ({ test, create }) => {
  let story: Story
  test.before(async () => {
    story = await openStory(await create())
  })
  test.after(() => story.close())

  test('an invoice with nothing but a customer and items is booked', async () => {
    const { id: customer } = await story.create('Customer', { customer_name: 'Blue Whale' })
    await story.create('Item', { item_code: 'CHAIR', item_name: 'Chair', standard_rate: 50, is_stock_item: false })
    const invoice = await story.make('Sales Invoice', { customer, items: [{ item_code: 'CHAIR', qty: 2 }] })
    console.log(invoice)
    console.log(await story.all('GL Entry'))
    assert.equal(await story.books(invoice.id), { Debtors: 100, Sales: -100 })
  })
})
