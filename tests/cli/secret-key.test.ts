import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secretKey } from '../../cli/secret-key.ts'
import { type Folder, temporaryFolder } from './process.ts'

const key = suite('the secret key')
let folder: Folder

key.before.each(() => {
  folder = temporaryFolder()
})
key.after.each(() => folder.remove())

const source = (configured?: Buffer, shared = false) => ({
  configured,
  dataFolder: folder.path,
  shared,
})

key('is made once, for its owner only, and stays the same', () => {
  const made = secretKey(source())
  assert.is(made.length, 32)
  assert.is(statSync(join(folder.path, 'secret.key')).mode & 0o777, 0o600)
  assert.equal(secretKey(source()), made)
})

key('is that of the environment before that of the file', () => {
  secretKey(source())
  const configured = Buffer.alloc(32, 7)
  assert.equal(secretKey(source(configured)), configured)
})

key('is not made up where several processes must share it', () => {
  assert.throws(() => secretKey(source(undefined, true)), /set SVC_SECRET_KEY/)
})

key('of the file serves several processes too', () => {
  const made = secretKey(source())
  assert.equal(secretKey(source(undefined, true)), made)
})

for (const text of ['x', 'c2hvcnQ=', Buffer.alloc(33).toString('base64')]) {
  key(
    `of a damaged file (${text.slice(0, 8)}) is refused with its path and never made anew`,
    () => {
      const file = join(folder.path, 'secret.key')
      writeFileSync(file, text)
      assert.throws(() => secretKey(source()), /secret\.key: expected 32 bytes in base64/)
      assert.is(readFileSync(file, 'utf8'), text)
    },
  )
}

key.run()
