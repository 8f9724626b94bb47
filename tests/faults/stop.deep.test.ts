import { suite } from 'uvu'
import { kindsWhenDeep } from '../helpers/databases.ts'
import { rounds, seedsOf } from '../helpers/random.ts'
import { stopRounds, stopTwice } from './stop-rounds.ts'

/** Every other round takes as long as attempts are waited for. */
const ROUNDS = { sqlite: rounds(2), postgres: rounds(1) } as const
const SEEDS = seedsOf(import.meta.filename, [1])

for (const kind of kindsWhenDeep()) {
  const test = suite(`SIGTERM under load on ${kind}`)
  for (const seed of SEEDS)
    test(`answers what was done, exits 0, holds nothing, and the next process goes on (seed ${seed})`, () =>
      stopRounds({ kind, seed, rounds: ROUNDS[kind], tell: console.log }))
  test.run()
}

const twice = suite('SIGTERM twice')
for (const seed of SEEDS)
  twice(`ends at once with 1, and the next process takes over what was held (seed ${seed})`, () =>
    stopTwice({ kind: 'sqlite', seed, rounds: 1, tell: console.log }),
  )
twice.run()
