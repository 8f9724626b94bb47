import { suite } from 'uvu'
import { printedSeed } from '../helpers/random.ts'
import { interruptedStarts } from './interrupted-start.ts'

const ROUNDS = 2
const seed = printedSeed('interrupted-start.test.ts')

for (const kind of ['sqlite', 'postgres'] as const) {
  const test = suite(`SIGTERM while it starts, on ${kind}`)
  test('leaves a workspace that the next start sets up and migrates to the end', () =>
    interruptedStarts({ kind, seed, rounds: ROUNDS, tell: console.log }))
  test.run()
}
