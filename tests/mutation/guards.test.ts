import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MUTATIONS } from './mutations.ts'

const guards = suite('guards that npm run mutate takes away')

guards('stand in the code exactly once', () => {
  const lost = MUTATIONS.flatMap(({ why, edits }) =>
    edits
      .map(({ file, find }) => {
        const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
        return { why, file, times: text.split(find).length - 1 }
      })
      .filter(({ times }) => times !== 1),
  )
  assert.ok(MUTATIONS.length > 0)
  assert.equal(lost, [])
})

guards.run()
