import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('the credit limit of a customer', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', { item_code: 'BIKE', item_name: 'Bike', standard_rate: 3_000 })
  })
  test.after(() => story.close())

  test('stops orders at the credit limit, bills not counted twice', async () => {
    const { id: customer } = await story.create('Customer', {
      customer_name: 'Thin Ice',
      credit_limit: 6_500,
    })
    const sell = (qty: number): Promise<Shown> =>
      story.create('Sales Order', {
        customer,
        items: [{ item_code: 'BIKE', qty }],
        skip_delivery_note: true,
      })
    const first = await sell(2)
    await story.submit('Sales Order', first.id)
    const second = await sell(1)
    await refusedFor('credit_limit', 'exceed', story.submit('Sales Order', second.id))
    const bill = await story.draftOf('Sales Order', first.id, 'make_invoice')
    await story.submit('Sales Invoice', bill.id)
    const owing = await story.get('Customer', customer)
    assert.equal([owing.outstanding_total, owing.unbilled_total], [6_000, 0])
    await refusedFor('credit_limit', 'exceed', story.submit('Sales Order', second.id))
    await story.update('Customer', customer, { credit_limit: 9_000 })
    await story.submit('Sales Order', second.id)
    // A lower limit takes nothing back, and stops neither a payment nor a cancellation.
    await story.update('Customer', customer, { credit_limit: 1_000 })
    await story.cancel('Sales Invoice', bill.id)
    assert.is((await story.get('Customer', customer)).unbilled_total, 9_000)
    await story.act('Sales Order', second.id, 'close')
    assert.is((await story.get('Customer', customer)).unbilled_total, 6_000)
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})
