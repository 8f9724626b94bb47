import { suite } from 'uvu'
import { testKinds } from '../helpers/databases.ts'
import { printedSeed, rounds } from '../helpers/random.ts'
import { killRounds } from './kill-rounds.ts'

const ROUNDS = rounds(2)
const seed = printedSeed('kill.test.ts')

for (const kind of testKinds()) {
  const test = suite(`kill -9 on ${kind}`)
  test(`${ROUNDS} times: nothing answered is lost, nothing happens twice, all is delivered`, () =>
    killRounds({ kind, seed, rounds: ROUNDS, tell: console.log }))
  test.run()
}
