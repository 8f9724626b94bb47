import { forEachDatabase } from '../../helpers/databases.ts'
import { rounds, seedsOf } from '../../helpers/random.ts'
import { assertTwins } from './twin-days.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 20_261_124])

forEachDatabase('DocTypes that are drawn, and their flat twins', ({ test, create }) => {
  for (const seed of SEEDS)
    test(`behave alike on whatever is done (seed ${seed})`, async () => {
      await assertTwins(await create(), seed, { pairs: 4, steps: rounds(90) })
    })
})
