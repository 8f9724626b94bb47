import { suite } from 'uvu'
import { testKinds } from '../helpers/databases.ts'
import { printedSeed } from '../helpers/random.ts'
import { stopRounds, stopTwice } from './stop-rounds.ts'

/** Every other round takes as long as attempts are waited for. */
const ROUNDS = { sqlite: 2, postgres: 1 } as const
const seed = printedSeed('stop.test.ts')

for (const kind of testKinds()) {
  const rounds = ROUNDS[kind]
  const test = suite(`SIGTERM under load on ${kind}`)
  test('answers what was done, exits 0 in time, holds nothing, and the next process goes on', () =>
    stopRounds({ kind, seed, rounds, tell: console.log }))
  test.run()
}

const twice = suite('SIGTERM twice')
twice('ends at once with 1, and the next process takes over what was held', () =>
  stopTwice({ kind: 'sqlite', seed, rounds: 1, tell: console.log }),
)
twice.run()
