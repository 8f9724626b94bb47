import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hooks } from '../../hooks/index.ts'

const PAGE = readFileSync(
  join(import.meta.dirname, '../../docs/doctypes/cookbook/hooks.md'),
  'utf8',
)

const test = suite('the table of hooks in the cookbook')

test('names all hooks, what each takes and what it gives', () => {
  const start = PAGE.indexOf('| hook | inputs | gives |')
  const table = PAGE.slice(start, PAGE.indexOf('\n\n', start))
  const rows = table.split('\n').slice(2)
  const told = new Map(
    rows.map((row) => {
      const [, name = '', inputs = '', outputs = ''] = row.split('|')
      const [gives = ''] = outputs.split(':')
      return [namesIn(name)[0], { inputs: namesIn(inputs), outputs: namesIn(gives) }]
    }),
  )
  assert.equal([...told.keys()].sort(), [...hooks.keys()].sort())
  for (const [name, { inputs, outputs }] of hooks) {
    assert.equal(told.get(name)?.inputs, Object.keys(inputs).sort(), name)
    assert.equal(told.get(name)?.outputs, Object.keys(outputs).sort(), name)
  }
})

/** The words in backticks, sorted. */
function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, words = '']) => words.split(' ')).sort()
}

test.run()
