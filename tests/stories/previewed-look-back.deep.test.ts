import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory } from './story.ts'
import { CHAPTERS } from './tried-chapters.ts'
import { triedStory } from './tried-story.ts'

forEachDatabase('previews of stock that looks back', ({ test, create }) => {
  test('tell what is done then, and leave the database byte for byte as it was', async () => {
    const database = await create()
    const story = triedStory(await openStory(database), database, 1)
    try {
      await CHAPTERS.counting!(story)
      assert.ok(story.kinds.has('Stock Reconciliation cancel'))
    } finally {
      await story.close()
    }
  })
})
