import { suite } from 'uvu'
import { testKinds } from '../helpers/databases.ts'
import { printedSeed } from '../helpers/random.ts'
import { interruptedStarts } from './interrupted-start.ts'

const ROUNDS = 2
const seed = printedSeed('interrupted-start.test.ts')

for (const kind of testKinds()) {
  const test = suite(`SIGTERM while it starts, on ${kind}`)
  test('leaves a workspace that the next start sets up and migrates to the end', () =>
    interruptedStarts({ kind, seed, rounds: ROUNDS, tell: console.log }))
  test.run()
}
