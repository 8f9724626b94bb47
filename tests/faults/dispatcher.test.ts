import { suite } from 'uvu'
import { testKinds } from '../helpers/databases.ts'
import { printedSeed } from '../helpers/random.ts'
import { dispatcherRun } from './dispatcher-run.ts'

const seed = printedSeed('dispatcher.test.ts')

for (const kind of testKinds()) {
  const test = suite(`two processes that dispatch on ${kind}`)
  test('make each delivery once between them, under load', () =>
    dispatcherRun({ kind, seed, rounds: 1, tell: console.log }))
  test.run()
}
