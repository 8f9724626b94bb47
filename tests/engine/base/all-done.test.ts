import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { allDone } from '../../../engine/base/all-done.ts'

test('waits for all, also where one fails, and throws what the first of them says', async () => {
  let done = false
  const late = async (): Promise<void> => {
    await sleep(5)
    done = true
  }
  const fails = async (reason: string): Promise<void> => {
    throw new Error(reason)
  }
  let thrown: unknown
  try {
    await allDone([late(), fails('first'), fails('second')])
  } catch (error) {
    thrown = error
  }
  assert.ok(thrown instanceof Error)
  assert.is(thrown.message, 'first')
  assert.ok(done)
  await allDone([late(), Promise.resolve(1)])
})

test.run()
