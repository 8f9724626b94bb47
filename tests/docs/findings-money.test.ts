import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const DOCS = join(import.meta.dirname, '../../docs')
const rows = readFileSync(join(DOCS, 'findings-money.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, id, now, named] = /^\| (D\d+) \| (.*?) \| (.*?) ?\|$/.exec(line) ?? []
    return id === undefined ? [] : [{ id, now: now ?? '', named: named ?? '' }]
  })

test('every finding is told of, in its order', () => {
  const ids = [...new Set(rows.map(({ id }) => id))]
  assert.equal(
    ids,
    Array.from({ length: 30 }, (_, index) => `D${index + 1}`),
  )
})

test('a finding names a test that there is, or what is not there', () => {
  for (const { id, now, named } of rows) {
    if (named === '') {
      assert.match(now, /^(Not yet: |Told by the page of \[)/, id)
      continue
    }
    const [, path = '', name = ''] = /^\[[\w-]+\]\((.*?)\): (.*)$/.exec(named) ?? []
    const file = join(DOCS, path)
    assert.ok(existsSync(file), `${id}: there is no ${path}`)
    const text = readFileSync(file, 'utf8')
    const wanted = path.endsWith('.yaml') ? `title: ${name}\n` : `test('${name}'`
    assert.ok(text.includes(wanted), `${id}: ${path} has no test ${name}`)
  }
})

test.run()
