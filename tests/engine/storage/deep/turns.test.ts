import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AppError } from '../../../../engine/base/errors.ts'
import { createTurns } from '../../../../engine/storage/deep/turns.ts'

const turns = suite('turns of long work')

/** A job that ends when it is told to, and notes when it began. */
function jobs(): {
  readonly begun: string[]
  job(name: string): () => Promise<void>
  end(name: string): Promise<void>
} {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    job: (name) => () =>
      new Promise((resolve) => {
        begun.push(name)
        ends.set(name, resolve)
      }),
    async end(name) {
      ends.get(name)!()
      await turn()
    },
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

turns('of one person are as many at the same time as is said', async () => {
  const { begun, job, end } = jobs()
  const { take } = createTurns(['a', 'b', 'c', 'd'], { mostOfOne: 2 })
  const all = Array.from({ length: 3 }, (_, at) => take('greedy', job(`greedy ${at}`)))
  await turn()
  assert.equal(begun, ['greedy 0', 'greedy 1'])
  for (let at = 0; at < 3; at += 1) await end(`greedy ${at}`)
  await Promise.all(all)
})

turns('who asks for sixty things holds nobody else up', async () => {
  const { begun, job, end } = jobs()
  const { take } = createTurns(['a', 'b'])
  const waiting = Array.from({ length: 60 }, (_, at) => take('greedy', job(`greedy ${at}`)))
  await turn()
  assert.equal(begun, ['greedy 0'], 'of two lanes one person has one')
  const other = take('other', job('other'))
  await turn()
  assert.equal(begun, ['greedy 0', 'other'])
  await end('other')
  await other
  for (let at = 0; at < 60; at += 1) await end(`greedy ${at}`)
  await Promise.all(waiting)
  assert.is(begun.length, 61)
})

turns('persons come one after the other, whoever asked first', async () => {
  const { begun, job, end } = jobs()
  const { take } = createTurns(['only'])
  const all = [
    take('anna', job('anna 1')),
    take('anna', job('anna 2')),
    take('anna', job('anna 3')),
    take('bert', job('bert 1')),
    take('bert', job('bert 2')),
    take('cleo', job('cleo 1')),
  ]
  await turn()
  for (let at = 0; at < all.length; at += 1) await end(begun[at]!)
  await Promise.all(all)
  assert.equal(begun, ['anna 1', 'anna 2', 'bert 1', 'cleo 1', 'anna 3', 'bert 2'])
})

turns('a job that fails gives its lane back', async () => {
  const { take } = createTurns(['only'])
  const failed = take('anna', () => Promise.reject(new Error('broken')))
  assert.match(String(await failed.catch((error: unknown) => error)), 'broken')
  assert.is(await take('anna', async (lane) => lane), 'only')
})

turns('too many that wait are refused, with a time to come back', async () => {
  const { job, end } = jobs()
  const { take } = createTurns(['only'], { mostWaiting: 2 })
  const all = [take('anna', job('1')), take('anna', job('2')), take('anna', job('3'))]
  await turn()
  const refused = await take('anna', job('4')).catch((error: unknown) => error)
  assert.instance(refused, AppError)
  assert.is((refused as AppError).code, 'UNAVAILABLE')
  assert.equal((refused as AppError).headers, { 'Retry-After': '5' })
  const other = take('bert', job('bert'))
  await end('1')
  await end('2')
  await end('bert')
  await end('3')
  await Promise.all([...all, other])
})

turns('who has waited long enough is told so, and keeps no lane', async () => {
  const { job, end } = jobs()
  const { take } = createTurns(['only'], { patienceMs: 20 })
  const first = take('anna', job('first'))
  const late = await take('bert', job('late')).catch((error: unknown) => error)
  assert.is((late as AppError).code, 'UNAVAILABLE')
  assert.match(String(late), /kept this waiting/)
  await end('first')
  await first
  assert.is(await take('bert', async (lane) => lane), 'only')
})

turns.run()
