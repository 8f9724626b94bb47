import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Story } from './story.ts'

/** Receipts of one document; a posting reads the last 1,000 movements. */
const ROWS = 600

forEachDatabase('stock in more layers than a posting reads', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
  })
  test.after(() => story.close())

  for (const [method, cost] of [
    // 1 + 2 + 3 + 4 + 5; 600 + … + 596
    ['FIFO', 15],
    ['LIFO', 2990],
  ] as const)
    test(`${method}: what leaves costs what its own receipts did`, async () => {
      await story.create('Item', {
        item_code: method,
        item_name: method,
        valuation_method: method,
      })
      for (const day of ['2026-03-01', '2026-03-02'])
        await story.make('Stock Entry', {
          stock_entry_type: 'Material Receipt',
          posting_date: day,
          to_warehouse: 'Stores',
          items: Array.from({ length: ROWS }, (_, at) => ({
            item_code: method,
            qty: 1,
            basic_rate: at + 1,
          })),
        })
      const { id } = await story.make('Stock Entry', {
        stock_entry_type: 'Material Issue',
        from_warehouse: 'Stores',
        items: [{ item_code: method, qty: 5 }],
      })
      assert.equal(await story.books(id), { 'Stock Adjustment': cost, 'Stock In Hand': -cost })
      assert.equal(await story.differences(), [])
    })
})
