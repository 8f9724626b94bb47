import { suite } from 'uvu'
import { kindsWhenDeep } from '../helpers/databases.ts'
import { rounds, seedsOf } from '../helpers/random.ts'
import { dispatcherRun } from './dispatcher-run.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

// On SQLite there is one server: a second one is refused (tests/cli/serve.test.ts).
for (const kind of kindsWhenDeep().filter((one) => one === 'postgres')) {
  const test = suite(`two processes that dispatch on ${kind}`)
  for (const seed of SEEDS)
    test(`make each delivery once between them, under load (seed ${seed})`, () =>
      dispatcherRun({ kind, seed, rounds: rounds(1), tell: console.log }))
  test.run()
}
