import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keyHash, looksLikeKey, newKeyText, shownParts } from '../../../server/auth/key-text.ts'

const test = suite('text of keys')

test('a key has its environment as prefix and 36 random characters', () => {
  const keys = Array.from({ length: 200 }, () => newKeyText('live'))
  assert.is(new Set(keys).size, 200)
  for (const key of keys) assert.match(key, /^svc_live_[0-9A-Za-z]{36}$/)
  assert.ok(looksLikeKey(newKeyText('test')))
})

test('what is shown is the prefix with three characters and the last four', () => {
  const key = newKeyText('test')
  assert.equal(shownParts(key), { prefix: key.slice(0, 12), last4: key.slice(-4) })
})

test('what is kept is the SHA-256', () => {
  assert.is(keyHash('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test.run()
