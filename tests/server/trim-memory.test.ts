import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { trimMemory } from '../../server/observe/trim-memory.ts'

const memory = suite('memory after the start')

memory('that nothing uses is given back, and the collector is not left open', async () => {
  let rubbish: unknown[] = Array.from({ length: 400_000 }, (_, at) => ({ at, text: `text ${at}` }))
  const before = process.memoryUsage()
  rubbish = rubbish.slice(0, 1)
  await trimMemory()
  const after = process.memoryUsage()
  assert.ok(after.heapTotal < before.heapTotal, `${before.heapTotal} → ${after.heapTotal} bytes`)
  assert.is(rubbish.length, 1)
  assert.not('gc' in globalThis)
})

memory.run()
