import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from './story.ts'

forEachDatabase('stock that many want at once', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    for (const item_code of ['CAKE', 'PIE'])
      await story.create('Item', { item_code, item_name: item_code })
  })
  test.after(() => story.close())

  const receipt = (item_code: string, qty: number, basic_rate: number): Promise<Shown> =>
    story.create('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code, qty, basic_rate }],
    })

  test('is handed out once, to the cent', async () => {
    await story.submit('Stock Entry', (await receipt('CAKE', 10, 3.333333)).id)
    const notes = await Promise.all(
      Array.from({ length: 6 }, () =>
        story.create('Delivery Note', { customer, items: [{ item_code: 'CAKE', qty: 3 }] }),
      ),
    )
    const outcomes = await Promise.allSettled(
      notes.map(({ id }) => story.submit('Delivery Note', id)),
    )
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.equal(
      refused.map((error: unknown) => error instanceof AppError && error.code),
      ['VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
    )
    // 33.33 of 10: 23.33, 13.33, 3.33 are left.
    const { actual_qty, stock_value } = await story.get('Bin', 'CAKE::Stores')
    assert.equal([actual_qty, stock_value], [1, 3.33])
  })

  test('comes into a bin that nobody had seen', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 6 }, (_, index) => receipt('PIE', index + 1, 2)),
    )
    await Promise.all(receipts.map(({ id }) => story.submit('Stock Entry', id)))
    // 1 + 2 + … + 6 = 21
    const { actual_qty, stock_value } = await story.get('Bin', 'PIE::Stores')
    assert.equal([actual_qty, stock_value], [21, 42])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
