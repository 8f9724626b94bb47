import { suite } from 'uvu'
import { kindsWhenDeep } from '../helpers/databases.ts'
import { rounds, seedsOf } from '../helpers/random.ts'
import { killRounds } from './kill-rounds.ts'

const ROUNDS = rounds(1)
const SEEDS = seedsOf(import.meta.filename, [1])

for (const kind of kindsWhenDeep()) {
  const test = suite(`kill -9 on ${kind}`)
  for (const seed of SEEDS)
    test(`nothing answered is lost, nothing happens twice, all is delivered (seed ${seed})`, () =>
      killRounds({ kind, seed, rounds: ROUNDS, tell: console.log }))
  test.run()
}
