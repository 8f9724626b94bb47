import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const heap = suite('the heap of a server')

const MODULE = fileURLToPath(new URL('../../server/observe/bounded-heap.ts', import.meta.url))

/** Makes much that lives on for a while, as large bodies do, and prints the size of the space for new objects, in MB. */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { boundHeap } from ${JSON.stringify(MODULE)}
  if (process.argv.at(-1) === 'bounded') boundHeap()
  let kept = []
  let most = 0
  for (let at = 0; at < 40; at += 1) {
    kept = [...kept.slice(-3), Array.from({ length: 60_000 }, (_, a) => ({ a }))]
    await new Promise((resolve) => setImmediate(resolve))
    const { space_size } = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space')
    most = Math.max(most, space_size)
  }
  console.log(most / 1024 / 1024)`

/** Of a process of its own: what V8 is told holds for all of a process. */
function newSpace(...args: readonly string[]): number {
  const argv = ['--input-type=module', '-e', PROGRAM, ...args]
  return Number(execFileSync(process.execPath, argv, { encoding: 'utf8' }))
}

heap('takes no more for new objects than it is told to', () => {
  assert.ok(newSpace('bounded') <= 16)
  assert.ok(newSpace() > 16, 'the program needs more where it may have it')
})

heap.run()
