import { forEachDatabase } from '../../helpers/databases.ts'
import { rounds, seedsOf } from '../../helpers/random.ts'
import { assertTwins } from './twin-days.ts'

/** Fresh seeds come with the deep run; each draws other DocTypes, so many small workspaces say more than a long one. */
const SEEDS = seedsOf(import.meta.filename, [7])

forEachDatabase('many DocTypes that are drawn, and their flat twins', ({ test, create }) => {
  for (const seed of SEEDS)
    for (let round = 0; round < rounds(4); round += 1)
      test(`behave alike on whatever is done (seed ${seed}, round ${round})`, async () => {
        await assertTwins(await create(), seed + 7919 * round, { pairs: 12, steps: 400 })
      })
})
