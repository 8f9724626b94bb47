import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const FOLDER = fileURLToPath(new URL('../../docs/decisions', import.meta.url))
const pages = globSync('*.md', { cwd: FOLDER }).toSorted()

test('decisions are numbered without a gap, in the name of the file and in the heading', () => {
  pages.forEach((page, index) => {
    assert.is(page.slice(0, 5), `${String(index + 1).padStart(4, '0')}-`)
    assert.match(readFileSync(`${FOLDER}/${page}`, 'utf8'), new RegExp(`^# ${index + 1}\\. \\S`))
  })
})

test('a decision says whether it holds, or which one does', () => {
  const numbers = new Set(pages.map((page) => Number(page.slice(0, 4))))
  for (const page of pages) {
    const [, , status = ''] = readFileSync(`${FOLDER}/${page}`, 'utf8').split('\n')
    const said = /^Status: (?:accepted|withdrawn|superseded by (\d+))$/.exec(status)
    assert.ok(
      said,
      `${page}: expected Status: accepted, withdrawn or superseded by N, got ${status}`,
    )
    const [, successor] = said
    assert.ok(successor === undefined || numbers.has(Number(successor)), `${page}: ${status}`)
  }
})

test.run()
