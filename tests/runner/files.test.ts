import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { groupsOf } from './files.ts'

const groups = suite('test files of one process')

function sizes(count: number, jobs: number): number[] {
  const files = Array.from({ length: count }, (_, at) => `${at}.test.ts`)
  const made = groupsOf(files, jobs)
  assert.equal(made.flat(), files)
  return made.map(({ length }) => length)
}

groups('are twenty, and fewer towards the end, so that all processes end together', () => {
  assert.equal(sizes(140, 3), [20, 20, 17, 14, 12, 10, 8, 7, 6, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1])
})

groups('are no more than there is work for each process', () => {
  assert.equal(sizes(3, 3), [1, 1, 1])
  assert.equal(sizes(0, 3), [])
})

groups('are twenty for a process that has nobody beside it', () => {
  assert.equal(sizes(24, 1), [20, 4])
})

groups.run()
