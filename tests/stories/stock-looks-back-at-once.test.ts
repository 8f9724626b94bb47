import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from './story.ts'

/** Items that go the same way at the same time. */
const ITEMS = ['ONE', 'TWO', 'THREE', 'FOUR']
const CHAIN = ['Stores', 'Finished Goods', 'Work In Progress']

forEachDatabase('what several people tell of late at once', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    for (const item_code of ITEMS) await story.create('Item', { item_code, item_name: item_code })
  })
  test.after(() => story.close())

  const receipt = (item_code: string, day: number, to: string, qty: number, basic_rate: number) =>
    story.create('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      posting_date: `2026-03-0${day}`,
      items: [{ item_code, qty, basic_rate, t_warehouse: to }],
    })
  const move = (item_code: string, day: number, at: number, qty: number) =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      posting_date: `2026-03-0${day}`,
      items: [{ item_code, qty, s_warehouse: CHAIN[at], t_warehouse: CHAIN[at + 1] }],
    })
  const bin = async (item_code: string, warehouse: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', `${item_code}::${warehouse}`)
    return [actual_qty, stock_value]
  }

  test('goes through three warehouses to the cent, whoever comes first', async () => {
    const sold: Shown[] = []
    for (const item_code of ITEMS) {
      await story.submit('Stock Entry', (await receipt(item_code, 2, 'Stores', 100, 1)).id)
      await move(item_code, 4, 0, 50)
      await move(item_code, 5, 1, 20)
      const items = [{ item_code, qty: 10, rate: 9, warehouse: 'Work In Progress' }]
      sold.push(await story.make('Delivery Note', { customer, posting_date: '2026-03-06', items }))
    }
    const late: Shown[] = []
    for (const item_code of ITEMS) {
      late.push(await receipt(item_code, 3, 'Stores', 100, 3))
      late.push(await receipt(item_code, 3, 'Finished Goods', 50, 6))
      late.push(await receipt(item_code, 3, 'Work In Progress', 20, 8))
    }
    await Promise.all(late.map(({ id }) => story.submit('Stock Entry', id)))
    for (const [at, item_code] of ITEMS.entries()) {
      // 200 worth 400: 50 of them take 100 along; with 50 at 6 they are 100 worth 400: 20 take 80 along; with 20 at 8
      // they are 40 worth 240: 10 of them cost 60.
      assert.is((await story.books(sold[at]!.id))['Cost of Goods Sold'], 60, item_code)
      assert.equal(await Promise.all(CHAIN.map((warehouse) => bin(item_code, warehouse))), [
        [150, 300],
        [80, 320],
        [30, 180],
      ])
    }
    assert.equal(await story.differences(), [])
  })

  test('and is taken back the same way', async () => {
    const late = (await story.all('Stock Entry')).filter(
      ({ posting_date }) => posting_date === '2026-03-03',
    )
    await Promise.all(late.map(({ id }) => story.cancel('Stock Entry', id)))
    for (const item_code of ITEMS)
      assert.equal(await Promise.all(CHAIN.map((warehouse) => bin(item_code, warehouse))), [
        [50, 50],
        [30, 30],
        [10, 10],
      ])
    assert.equal(await story.differences(), [])
  })
})
