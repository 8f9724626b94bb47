import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cursors, listFingerprint, type Position } from '../../../engine/storage/records/cursor.ts'

const KEY = Buffer.alloc(32, 7)
const LIST = listFingerprint(['customers', 'modified', 'desc'])
const { write, read } = cursors(KEY)

const cursor = suite('a cursor')

const POSITIONS: readonly Position[] = [
  { value: 'Müller & Söhne 💶 "x"', rid: 1 },
  { value: '', rid: 2 },
  { value: null, rid: 3 },
  { value: 9_223_372_036_854_775_807n, rid: 4 },
  { value: -1n, rid: Number.MAX_SAFE_INTEGER },
  { value: '💶'.repeat(1000), rid: 5 },
]

for (const position of POSITIONS) {
  cursor(`comes back as it went: ${String(position.value).slice(0, 30)}`, () => {
    assert.equal(read(LIST, write(LIST, position)), position)
  })
}

cursor('is refused after any change of a character', () => {
  const whole = write(LIST, { value: 'abc', rid: 12 })
  for (let at = 0; at < whole.length; at += 1) {
    for (const character of ['A', 'B', '.', '!', '=', ' ']) {
      if (whole[at] === character) continue
      const changed = whole.slice(0, at) + character + whole.slice(at + 1)
      assert.is(read(LIST, changed), undefined, changed)
    }
    assert.is(read(LIST, whole.slice(0, at)), undefined)
  }
})

cursor('is refused with anything added, also what base64 decoders skip', () => {
  const whole = write(LIST, { value: 'abc', rid: 12 })
  for (const more of ['!', '=', '==', ' ', '\n', 'A', '.', '.x', '\u{1f4b6}']) {
    assert.is(read(LIST, whole + more), undefined, JSON.stringify(more))
    assert.is(read(LIST, more + whole), undefined, JSON.stringify(more))
  }
})

cursor('is refused for another list and under another key', () => {
  const whole = write(LIST, { value: 'abc', rid: 12 })
  assert.is(read(listFingerprint(['customers', 'modified', 'asc']), whole), undefined)
  assert.is(cursors(Buffer.alloc(32, 8)).read(LIST, whole), undefined)
})

cursor('is refused when it is no cursor at all', () => {
  for (const text of ['', '.', '..', 'x', 'a.b', `${'A'.repeat(100_000)}.A`, '\0', 'null', '[]']) {
    assert.is(read(LIST, text), undefined)
  }
})

cursor.run()

const fingerprint = suite('the fingerprint of a list')

fingerprint('differs for what would read alike as text', () => {
  const lists = [[1n], [1], ['1'], ['1n '], [['a', 'b']], ['a', 'b'], ['a,b'], [null], [], ['']]
  assert.is(new Set(lists.map(listFingerprint)).size, lists.length)
})

fingerprint.run()
