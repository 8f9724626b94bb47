import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import { forEachDatabaseWhenDeep, type TestDatabase } from '../helpers/databases.ts'
import { rounds, seedsOf } from '../helpers/random.ts'
import { openAgain, openStory } from './story.ts'

/** One kill after few sales, and another after more, on top of what the first left. */
const ROUNDS = rounds(2)
const SEEDS = seedsOf(import.meta.filename, [1])
const SCRIPT = fileURLToPath(import.meta.resolve('./killed-trader.ts'))

/** Trades in a process of its own and kills it after so many sales were answered. Returns what was answered. */
async function tradeUntilKilled(
  database: TestDatabase,
  seed: number,
  sales: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(database), String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const paid: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('paid ')) paid.push(line.slice('paid '.length))
    if (paid.length >= sales) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  assert.is(child.signalCode, 'SIGKILL')
  return paid
}

forEachDatabaseWhenDeep(
  'a process that is killed in the middle of business',
  ({ test, create }) => {
    for (const seed of SEEDS)
      test(`leaves true books, and all that it has answered (seed ${seed})`, async () => {
        const database = await create()
        const story = await openStory(database)
        await story.create('Customer', { customer_name: 'Ann' })
        await story.create('Item', { item_code: 'BOLT', item_name: 'Bolt', is_stock_item: true })
        const items = [{ item_code: 'BOLT', qty: 100_000, basic_rate: 4 }]
        await story.make('Stock Entry', {
          stock_entry_type: 'Material Receipt',
          to_warehouse: 'Stores',
          items,
        })
        await story.engine.close()
        for (let round = 1; round <= ROUNDS; round += 1) {
          const paid = await tradeUntilKilled(database, seed + round, 3 * round)
          const again = await openAgain(database)
          const { checks } = await verifyWorkspace(again.engine.services)
          assert.equal(
            checks.filter(({ differences }) => differences > 0),
            [],
          )
          for (const id of paid) assert.is((await again.get('Sales Invoice', id)).docstatus, 1, id)
          await again.engine.close()
        }
      })
  },
)
