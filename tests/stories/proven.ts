import * as assert from 'uvu/assert'
import type { Story } from './story.ts'

/** The story, which proves what it has left by `svc verify` as it closes, unless it has just done so itself. */
export function provenAtClose(story: Story): Story {
  let isDue = false
  function noting<A extends unknown[], R>(work: (...input: A) => R): (...input: A) => R {
    return (...input) => {
      isDue = true
      return work(...input)
    }
  }
  return {
    ...story,
    create: noting(story.create),
    make: noting(story.make),
    update: noting(story.update),
    revise: noting(story.revise),
    submit: noting(story.submit),
    cancel: noting(story.cancel),
    amend: noting(story.amend),
    remove: noting(story.remove),
    act: noting(story.act),
    draftOf: noting(story.draftOf),
    tick: noting(story.tick),
    async differences() {
      isDue = false
      return story.differences()
    },
    async close() {
      try {
        if (isDue) assert.equal(await story.differences(), [], 'svc verify finds nothing wrong')
      } finally {
        await story.close()
      }
    },
  }
}
