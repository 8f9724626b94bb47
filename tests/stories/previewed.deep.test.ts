import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory } from './story.ts'
import { CHAPTERS } from './tried-chapters.ts'
import { type TriedStory, triedStory } from './tried-story.ts'

/** Previews of each operation. */
const TIMES = 9

forEachDatabase('a thousand previews of business of all kinds', ({ test, create }) => {
  let story: TriedStory
  test.before(async () => {
    const database = await create()
    story = triedStory(await openStory(database), database, TIMES)
  })
  test.after(() => story.close())

  for (const [name, tell] of Object.entries(CHAPTERS))
    test(`leave the database byte for byte as it was: ${name}`, () => tell(story))

  test('were that many, of as many kinds', () => {
    assert.ok(story.previews() >= 1000, `${story.previews()} previews`)
    assert.ok(story.kinds.size >= 60, `${story.kinds.size} kinds: ${[...story.kinds].join(', ')}`)
  })
})
