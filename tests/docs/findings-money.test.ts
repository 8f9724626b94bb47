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

const scenarios = readFileSync(join(DOCS, 'findings-money.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, id, named] = /^\| ([a-z]\d?(?:\/[a-z]?\d)?) \| .* \| ([^|]*?) ?\|$/.exec(line) ?? []
    return id === undefined ? [] : [{ id, named: named ?? '' }]
  })

test('every scenario of the accountant is played by a test', () => {
  const ids = new Set(scenarios.map(({ id }) => id))
  const wanted =
    'a1 a2 a2/a5 a4 a3 a5 a5/m1 g2/p1 p1 b1 v1 b2 b3 b4/b5 b6 g1 b4 c1 d1 e1 f1/2 f1 i1 k'
  assert.equal([...ids].sort(), wanted.split(' ').sort())
  for (const { id, named } of scenarios) assertPlayed(id, named)
})

test('a finding names a test that there is, or what is not there', () => {
  for (const { id, now, named } of rows) {
    if (named === '') {
      assert.match(now, /^(Not yet: |Told by the page of \[)/, id)
      continue
    }
    assertPlayed(id, named)
  }
})

function assertPlayed(id: string, named: string): void {
  const [, path = '', name = ''] = /^\[[\w-]+\]\((.*?)\): (.*)$/.exec(named) ?? []
  const file = join(DOCS, path)
  assert.ok(existsSync(file), `${id}: there is no ${path}`)
  const text = readFileSync(file, 'utf8')
  const forms = path.endsWith('.yaml') ? [`title: ${name}\n`] : [`test('${name}'`, `test("${name}"`]
  assert.ok(
    forms.some((form) => text.includes(form)),
    `${id}: ${path} has no test ${name}`,
  )
}

test.run()
