import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { open, seal } from '../../../engine/base/seal.ts'

const test = suite('sealed texts')
const key = Buffer.alloc(32, 1)

test('a sealed text opens again, differs every time and does not show the text', () => {
  const text = 'svc_live_ü€😀'
  const sealed = seal(key, 'purpose', text)
  assert.is(open(key, 'purpose', sealed), text)
  assert.is.not(seal(key, 'purpose', text), sealed)
  assert.not.match(Buffer.from(sealed, 'base64url').toString('latin1'), 'svc_live_')
  assert.is(open(key, '', seal(key, '', '')), '')
})

test('a changed text, another key and another purpose do not open it', () => {
  const sealed = seal(key, 'purpose', 'secret')
  assert.throws(() => open(Buffer.alloc(32, 2), 'purpose', sealed))
  assert.throws(() => open(key, 'other', sealed))
  assert.throws(() =>
    open(key, 'purpose', `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`),
  )
  assert.throws(() => open(key, 'purpose', 'short'))
})

test.run()
