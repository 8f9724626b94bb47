import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { END_OF_FILE, partsOfOutput } from './parts.ts'

const parts = suite('output of several test files')

function ended(): { readonly texts: string[]; readonly parts: ReturnType<typeof partsOfOutput> } {
  const texts: string[] = []
  return { texts, parts: partsOfOutput((text) => texts.push(text)) }
}

parts('a part ends when both streams have said so, and keeps the order of what came', () => {
  const { texts, parts } = ended()
  parts.add('stdout', 'one ')
  parts.add('stderr', 'two ')
  parts.add('stdout', `three${END_OF_FILE}four`)
  assert.equal(texts, [])
  parts.add('stderr', `!${END_OF_FILE}${END_OF_FILE}`)
  assert.equal(texts, ['one two three!'])
  assert.is(parts.last(), 'four')
  parts.add('stdout', END_OF_FILE)
  assert.equal(texts, ['one two three!', 'four'])
  assert.is(parts.last(), '')
})

parts('a mark may come in pieces, and what only begins like one is text', () => {
  for (let cut = 1; cut < END_OF_FILE.length; cut += 1) {
    const { texts, parts } = ended()
    parts.add('stderr', END_OF_FILE)
    for (const text of ['a', END_OF_FILE.slice(0, cut), END_OF_FILE.slice(cut), 'b'])
      parts.add('stdout', text)
    assert.equal(texts, ['a'])
    parts.add('stdout', END_OF_FILE.slice(0, cut))
    assert.is(parts.last(), `b${END_OF_FILE.slice(0, cut)}`)
    parts.add('stdout', 'c')
    assert.is(parts.last(), `b${END_OF_FILE.slice(0, cut)}c`)
  }
})

parts.run()
