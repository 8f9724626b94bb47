import { suite } from 'uvu'
import { kindsWhenDeep } from '../helpers/databases.ts'
import { seedsOf } from '../helpers/random.ts'
import { interruptedStarts } from './interrupted-start.ts'

/** The first makes the workspace, the second migrates it. */
const ROUNDS = 2
const SEEDS = seedsOf(import.meta.filename, [1])

for (const kind of kindsWhenDeep()) {
  const test = suite(`SIGTERM while it starts, on ${kind}`)
  for (const seed of SEEDS)
    test(`leaves a workspace that the next start sets up and migrates to the end (seed ${seed})`, () =>
      interruptedStarts({ kind, seed, rounds: ROUNDS, tell: console.log }))
  test.run()
}
