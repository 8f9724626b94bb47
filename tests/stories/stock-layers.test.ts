import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])
const STEPS = rounds(15)

forEachDatabaseWhenDeep(
  'stock that leaves in the order it came, or the other way round',
  ({ test, fresh }) => {
    let story: Story
    let customer: string

    test.before(async () => {
      story = await openStory(await fresh())
      customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    })
    test.after(() => story.close())

    const item = (item_code: string, valuation_method: string): Promise<Shown> =>
      story.create('Item', { item_code, item_name: item_code, valuation_method })
    const receive = (item_code: string, qty: number, basic_rate: number): Promise<Shown> =>
      story.make('Stock Entry', {
        stock_entry_type: 'Material Receipt',
        to_warehouse: 'Stores',
        items: [{ item_code, qty, basic_rate }],
      })
    const deliver = (item_code: string, ...quantities: readonly number[]): Promise<Shown> =>
      story.make('Delivery Note', {
        customer,
        items: quantities.map((qty) => ({ item_code, qty })),
      })
    const move = (item_code: string, ...quantities: readonly number[]): Promise<Shown> =>
      story.make('Stock Entry', {
        stock_entry_type: 'Material Transfer',
        from_warehouse: 'Stores',
        to_warehouse: 'Finished Goods',
        items: quantities.map((qty) => ({ item_code, qty })),
      })
    const bin = async (item_code: string, warehouse = 'Stores'): Promise<readonly number[]> => {
      const { actual_qty, stock_value } = await story.get('Bin', `${item_code}::${warehouse}`)
      return [actual_qty, stock_value]
    }
    const costs = ({ items }: Shown): unknown => items.map((row: Shown) => row.cost)

    test('what came in first leaves first', async () => {
      await item('FIRST', 'FIFO')
      await receive('FIRST', 10, 1)
      const dear = await receive('FIRST', 10, 3)
      // 4 of those at 1; then two rows: the other 6 at 1, and 5 at 3
      assert.equal(costs(await deliver('FIRST', 4)), [4])
      const delivery = await deliver('FIRST', 6, 5)
      assert.equal(costs(delivery), [6, 15])
      assert.equal(await story.books(delivery.id), {
        'Cost of Goods Sold': 21,
        'Stock In Hand': -21,
      })
      assert.equal(await bin('FIRST'), [5, 15])
      // The delivery back: 16 worth 36. 4 at 2 more, 12 leave: 6 at 1, 6 at 3
      await story.cancel('Delivery Note', delivery.id)
      assert.equal(await bin('FIRST'), [16, 36])
      await receive('FIRST', 4, 2)
      const moved = await move('FIRST', 12)
      assert.equal(moved.items[0].amount, 24)
      assert.equal(await bin('FIRST', 'Finished Goods'), [12, 24])
      // 4 at 3 and 4 at 2 stay; the 10 that came at 3 cannot be taken back from them
      assert.equal(await bin('FIRST'), [8, 20])
      await refusedFor(
        '',
        '2 of FIRST in Stores would be missing',
        story.cancel('Stock Entry', dear.id),
      )
    })

    test('an invoice that moves its goods takes them in the same order', async () => {
      await item('BILLED', 'FIFO')
      await receive('BILLED', 2, 1)
      await receive('BILLED', 2, 5)
      // 2 at 1 and one at 5
      const items = [{ item_code: 'BILLED', qty: 3, rate: 10, warehouse: 'Stores' }]
      const invoice = await story.make('Sales Invoice', { customer, update_stock: true, items })
      assert.is((await story.books(invoice.id))['Cost of Goods Sold'], 7)
      assert.equal(await bin('BILLED'), [1, 5])
    })

    test('what came in last leaves first', async () => {
      await item('LAST', 'LIFO')
      await receive('LAST', 10, 1)
      await receive('LAST', 10, 3)
      // 4 at 3; then 6 at 3 and 2 at 1
      assert.equal(costs(await deliver('LAST', 4)), [12])
      assert.equal(
        (await move('LAST', 6, 2)).items.map((row: Shown) => row.amount),
        [18, 2],
      )
      assert.equal(await bin('LAST'), [8, 8])
      await receive('LAST', 1, 9)
      assert.equal(costs(await deliver('LAST', 2)), [10])
    })

    test('a count begins a new layer, and the way of an item stays once it has moved', async () => {
      await item('COUNTED', 'FIFO')
      await receive('COUNTED', 2, 1)
      await receive('COUNTED', 2, 5)
      // 6 at 4 by the count, then 1 at 10: the first four cost 4 each
      const count = { item_code: 'COUNTED', warehouse: 'Stores', qty: 6, valuation_rate: 4 }
      await story.make('Stock Reconciliation', { items: [count] })
      await receive('COUNTED', 1, 10)
      assert.equal(costs(await deliver('COUNTED', 4)), [16])
      assert.equal(await bin('COUNTED'), [3, 18])
      const change = story.update('Item', 'COUNTED', { valuation_method: 'Moving Average' })
      await refusedFor('valuation_method', 'cannot change', change)
    })

    /** Each piece with what it cost, the oldest first; prices are whole, so that nothing is rounded. */
    async function walk(method: 'FIFO' | 'LIFO', seed: number): Promise<void> {
      const random = randomOf(seed)
      const code = `R-${method}-${seed}`
      await item(code, method)
      let pieces: readonly number[] = []
      let undo:
        | { readonly doctype: string; readonly id: string; readonly pieces: readonly number[] }
        | undefined
      for (let step = 0; step < STEPS; step += 1) {
        const label = `${method} step ${step}, seed ${seed}`
        const qty = 1 + random.below(6)
        if (undo && random.chance(0.2)) {
          await story.cancel(undo.doctype, undo.id)
          pieces = undo.pieces
          undo = undefined
        } else if (pieces.length < qty || random.chance(0.4)) {
          const price = random.below(50)
          const { id } = await receive(code, qty, price)
          undo = { doctype: 'Stock Entry', id, pieces }
          pieces = [...pieces, ...Array.from({ length: qty }, () => price)]
        } else {
          const first = random.below(qty)
          const rows = [first, qty - first].filter((one) => one > 0)
          const isMove = random.chance(0.3)
          const { id } = isMove ? await move(code, ...rows) : await deliver(code, ...rows)
          undo = { doctype: isMove ? 'Stock Entry' : 'Delivery Note', id, pieces }
          pieces = method === 'FIFO' ? pieces.slice(qty) : pieces.slice(0, pieces.length - qty)
        }
        const value = pieces.reduce((sum, price) => sum + price, 0)
        assert.equal(await bin(code), [pieces.length, value], label)
      }
    }

    test(`is worth what the pieces on paper cost after each step`, async () => {
      for (const seed of SEEDS) {
        await walk('FIFO', seed)
        await walk('LIFO', seed)
      }
      assert.equal(await story.differences(), [])
    })
  },
)
