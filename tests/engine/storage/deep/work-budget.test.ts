import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AppError } from '../../../../engine/base/errors.ts'
import { createWorkBudget } from '../../../../engine/storage/deep/work-budget.ts'

const budget = suite('a budget of work')

budget('is each person’s own, and new a minute after its first use', () => {
  let now = 5_000
  const work = createWorkBudget(1_000, () => now)
  assert.is(work.of('anna'), undefined)
  work.use('anna', 400)
  assert.equal(work.of('anna'), { limit: 1_000, remaining: 600 })
  work.use('anna', 700)
  assert.equal(work.of('anna'), { limit: 1_000, remaining: 0 })
  assert.is(work.of('bert'), undefined)
  work.assertLeft('bert')
  now += 20_000
  try {
    work.assertLeft('anna')
    assert.unreachable()
  } catch (error) {
    assert.is((error as AppError).code, 'RATE_LIMITED')
    assert.equal((error as AppError).headers, { 'Retry-After': '40' })
    assert.match(String(error), /at most 1 seconds of database time a minute/)
  }
  now += 40_000
  work.assertLeft('anna')
  assert.is(work.of('anna'), undefined)
})

budget('without an end is never used up', () => {
  const work = createWorkBudget(Number.POSITIVE_INFINITY, () => 0)
  work.use('anna', 1e9)
  work.assertLeft('anna')
})

budget.run()
