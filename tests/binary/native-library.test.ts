import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Installation, installBinary } from './binary.ts'

const library = suite('the native library of the binary')

const NOT_A_LIBRARY = 'this would run as them'

let installation: Installation
let name = ''

library.before(() => {
  installation = installBinary()
})
library.after(() => installation.remove())

function at(...parts: readonly string[]): string {
  return join(installation.home, ...parts)
}

function folder(path: string, mode = 0o700): string {
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
  return path
}

/** Opens the workspace, which needs the library, and returns what stderr says. */
function open(env: Readonly<Record<string, string>> = {}): string {
  const { code, stderr } = installation.svc(['tier', 'show'], env)
  return code === 0 ? '' : stderr
}

library('lies in the data folder, closed to others, and is used again', () => {
  const { code, stderr } = installation.svc([
    'setup',
    '--email',
    'ann@example.com',
    '--password',
    'a long sentence',
    '--company',
    'Bolts',
    '--country',
    'Austria',
    '--currency',
    'EUR',
  ])
  assert.is(code, 0, stderr)
  const cache = at('data/cache')
  assert.is(statSync(cache).mode & 0o777, 0o700)
  const files = readdirSync(cache)
  assert.is(files.length, 1)
  name = files[0]!
  assert.match(name, /^svc-[0-9a-f]{64}\.node$/)
  const { uid, mode, ino } = statSync(join(cache, name))
  assert.equal([uid, mode & 0o777], [installation.user, 0o500])
  assert.is(open(), '')
  assert.is(statSync(join(cache, name)).ino, ino)
})

library('is written anew where something else lies in its place', () => {
  const file = at('data/cache', name)
  const right = readFileSync(file)
  for (const wrong of [NOT_A_LIBRARY, Buffer.alloc(right.length)]) {
    chmodSync(file, 0o600)
    writeFileSync(file, wrong)
    assert.is(open(), '')
    assert.ok(readFileSync(file).equals(right))
  }
})

library('is not loaded through a link that somebody has put there', () => {
  const folderOfOthers = folder(at('others'))
  const target = join(folderOfOthers, 'evil.node')
  writeFileSync(target, NOT_A_LIBRARY)
  const own = folder(at('own'))
  symlinkSync(target, join(own, name))
  installation.give(own)
  assert.is(open({ SVC_NATIVE_DIR: own }), '')
  assert.is(readFileSync(target, 'utf8'), NOT_A_LIBRARY)
  assert.ok(statSync(join(own, name)).size > 100_000)
})

library('is not put where others may write; the next folder serves', () => {
  const temporary = folder(at('temporary'), 0o777)
  const planted = folder(join(temporary, `svc-native-${installation.user}`), 0o777)
  writeFileSync(join(planted, name), NOT_A_LIBRARY)
  chmodSync(at('data/cache'), 0o777)
  try {
    assert.is(open({ TMPDIR: temporary }), '')
    assert.is(readFileSync(join(planted, name), 'utf8'), NOT_A_LIBRARY)
    assert.equal(readdirSync(at('.svc-native')), [name])
  } finally {
    chmodSync(at('data/cache'), 0o700)
  }
})

library('says what to do when no folder will do', () => {
  const none = at('none')
  writeFileSync(none, '')
  chmodSync(at('data/cache'), 0o777)
  chmodSync(at('.svc-native'), 0o777)
  const stderr = open({ TMPDIR: none, SVC_NATIVE_DIR: none })
  assert.match(
    stderr,
    /^svc: SQLite's library can be loaded from none of these folders: .*others may write to it.*SVC_NATIVE_DIR/,
  )
  assert.is(stderr.trim().split('\n').length, 1)
})

library.run()
