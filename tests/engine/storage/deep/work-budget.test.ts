import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AppError } from '../../../../engine/base/errors.ts'
import { createWorkBudget } from '../../../../engine/storage/deep/work-budget.ts'

const budget = suite('a budget of work')

budget('is each person’s own, and new with each minute of the clock', () => {
  let now = 60_005_000
  const work = createWorkBudget({ limit: 1_000, now: () => now })
  assert.is(work.of('anna'), undefined)
  work.use('anna', 400)
  assert.equal(work.of('anna'), { limit: 1_000, remaining: 600, resetsAt: 60_060_000 })
  work.use('anna', 700)
  assert.is(work.of('anna')!.remaining, 0)
  assert.is(work.of('bert'), undefined)
  work.assertLeft('bert')
  now += 20_000
  try {
    work.assertLeft('anna')
    assert.unreachable()
  } catch (error) {
    assert.is((error as AppError).code, 'RATE_LIMITED')
    assert.equal((error as AppError).headers, { 'Retry-After': '35' })
    assert.match(String(error), /at most 1 seconds of database time a minute.*what you write/)
  }
  now += 35_000
  work.assertLeft('anna')
  assert.is(work.of('anna'), undefined)
})

budget('without an end is never used up', () => {
  const work = createWorkBudget({ limit: Number.POSITIVE_INFINITY, now: () => 0 })
  work.use('anna', 1e9)
  work.assertLeft('anna')
})

budget(
  'is shared: what one process has seen used, the others hear of with their next work',
  async () => {
    let now = 60_000_000
    let all = 0
    let isBroken = false
    const share = async (_person: string, start: number, ms: number): Promise<number> => {
      assert.is(start, 60_000_000)
      if (isBroken) throw new Error('the database is away')
      all += ms
      return all
    }
    const [here, there] = [1, 2].map(() =>
      createWorkBudget({ limit: 1_000, now: () => now, share }),
    )
    here!.use('anna', 600)
    await settled()
    there!.use('anna', 300)
    await settled()
    assert.is(there!.of('anna')!.remaining, 100)
    assert.is(here!.of('anna')!.remaining, 400, 'it has not asked since')
    isBroken = true
    here!.use('anna', 50)
    await settled()
    assert.is(here!.of('anna')!.remaining, 350)
    isBroken = false
    now += 1_000
    here!.use('anna', 0.5)
    await settled()
    assert.is(all, 950, 'what could not be told is told with the next')
    assert.is(here!.of('anna')!.remaining, 49)
    here!.use('anna', 50)
    await settled()
    assert.throws(() => here!.assertLeft('anna'), /RATE_LIMITED|at most 1 seconds/)
  },
)

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

budget.run()
