import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { processTime, timeLeft } from '../../../../engine/storage/deep/process-time.ts'

const time = suite('the time of a process')

function work(ms: number): void {
  const before = process.cpuUsage()
  while (process.cpuUsage(before).user < ms * 1000) Math.sqrt(ms)
}

time('is what it works, not what it waits', async () => {
  if (process.platform !== 'linux') return
  const left = timeLeft(process.pid, 400)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const waited = left()
  assert.ok(waited > 150, `${waited}`)
  work(200)
  assert.ok(left() < waited - 100, `${left()} after ${waited}`)
})

time('ends some time, however little it works', async () => {
  const left = timeLeft(process.pid, 10)
  await new Promise((resolve) => setTimeout(resolve, 60))
  assert.ok(left() < 0)
})

time('is unknown of a process that is not there', () => {
  assert.is(processTime(undefined), undefined)
  assert.is(processTime(2 ** 22 + 1), undefined)
})

time.run()
