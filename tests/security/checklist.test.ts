import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenize } from '../helpers/tokens.ts'

/** The lines of docs/security.md: how many there are of each letter. */
const LINES: Readonly<Record<string, number>> = { K: 7, P: 1, S: 10, M: 11, D: 6, H: 4, W: 5 }

const ROOT = join(import.meta.dirname, '../..')
const DOCS = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')

const test = suite('security checklist')

test('every line has exactly one test, named by its code', () => {
  const codes = Object.entries(LINES).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  )
  const found = readdirSync(import.meta.dirname)
    .filter((name) => /^checklist-.*\.test\.ts$/.test(name))
    .flatMap((name) => titlesOf(readFileSync(join(import.meta.dirname, name), 'utf8')))
    .map((title) => title.split(' ')[0] ?? '')
  assert.equal(found.toSorted(), codes.toSorted())
})

test('every finding of the security test has its test, where docs/security.md says', () => {
  const rows = [...DOCS.matchAll(/^\| (D\d+) \|(?:[^|]*\|){2} `([^`]+)`: ([^|]+) \|$/gm)]
  assert.equal(
    rows.map(([, code]) => code),
    Array.from({ length: 24 }, (_, index) => `D${index + 1}`),
  )
  const lost = rows.filter(([, , file = '', title = '']) => {
    const source = readFileSync(join(ROOT, file), 'utf8').replaceAll("\\'", "'")
    return !source.includes(title)
  })
  assert.equal(
    lost.map(([row]) => row),
    [],
  )
})

/** The first argument of each call of `test(…)`. */
function titlesOf(source: string): string[] {
  const tokens = tokenize(source)
  return tokens.flatMap(({ kind, text }, index) => {
    const [open, title] = tokens.slice(index + 1, index + 3)
    const isCall = kind === 'word' && text === 'test' && open?.text === '('
    return isCall && title?.kind === 'text' ? [title.text] : []
  })
}

test.run()
