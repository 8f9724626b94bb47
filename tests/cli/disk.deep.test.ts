import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  eventually,
  type Folder,
  readFirstRun,
  type Served,
  serve,
  svc,
  temporaryFolder,
} from './process.ts'

/*
 * A workspace on a real disk of 48 MB that gets full and larger again, and on one that is mounted to be read only. Only
 * root of Linux may mount; elsewhere this has nothing to look at (tests/server/disk.test.ts has the same without a disk).
 */

const disk = suite('a real disk')

let folder: Folder
let place = ''
let data = ''
let running: Served | undefined

const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryToMount()

function tryToMount(): boolean {
  const own = temporaryFolder()
  try {
    mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', own.path)
    unmount(own.path)
    return true
  } catch {
    return false
  } finally {
    own.remove()
  }
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}

function unmount(path: string): void {
  execFileSync('umount', [path], { stdio: 'pipe' })
}

disk.before(async () => {
  folder = temporaryFolder()
  place = join(folder.path, 'disk')
  data = join(place, 'data')
  mkdirSync(place)
  mount('-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', place)
  running = await serve(data)
})
disk.after(async () => {
  await running?.end('SIGKILL')
  unmount(place)
  folder.remove()
})

async function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${running?.url}${path}`, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: {
      authorization: `Bearer ${readFirstRun(data).admin_key}`,
      'content-type': 'application/json',
    },
  })
  return { status: response.status, text: await response.text() }
}

function fill(name: string): Promise<{ status: number; text: string }> {
  return ask('/v1/notes', { title: name, content: 'full '.repeat(19_000) })
}

disk('that is full is read, told of, and goes on when there is room', async () => {
  let made = 0
  let answer = await fill('first')
  for (; answer.status === 201 && made < 2_000; answer = await fill(`note ${made}`)) made += 1
  assert.is(answer.status, 503, answer.text)
  assert.match(answer.text, /disk of this workspace is full/)
  assert.is((await ask('/v1/notes?limit=1')).status, 200)
  assert.match((await ask('/readyz')).text, /degraded/)
  const began = performance.now()
  const before = (running?.output().stderr ?? '').length
  for (let at = 0; at < 200; at += 1) await fill('once more')
  const seconds = (performance.now() - began) / 1000
  const lines = (running?.output().stderr ?? '')
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('disk of this workspace is full'))
  assert.ok(lines.length <= seconds + 2, `${lines.length} lines in ${seconds} s`)

  mount('-o', 'remount,size=96m', place)
  await eventually(async () => (await ask('/readyz')).text.includes('ready'))
  assert.is((await fill('after')).status, 201)
  const verified = await svc(['verify', '--data', data])
  assert.is(verified.code, 0, verified.stderr)
})

disk('that may only be read lets a workspace be read and exported', async () => {
  await running?.end()
  running = undefined
  mount('-o', 'remount,ro', place)
  const out = join(folder.path, 'out')
  mkdirSync(out)
  const doctor = await svc(['doctor', '--data', data])
  assert.match(doctor.stdout, /cannot be written to: it can be read and exported/)
  const backup = await svc(['backup', join(out, 'backup.svc'), '--data', data])
  assert.is(backup.code, 0, backup.stderr)
  assert.match(backup.stderr, /cannot be written to; reading a copy of it in/)
  assert.ok(existsSync(join(out, 'backup.svc')))
  const notes = await svc(['export', 'notes', '--data', data])
  assert.is(notes.code, 0, notes.stderr)
  assert.match(notes.stdout, /note 3/)
  const changed = await svc(['key', 'create', '--data', data])
  assert.is.not(changed.code, 0)
  running = await serve(data)
  assert.match((await ask('/readyz')).text, /degraded.*may only be read/)
  assert.is((await ask('/v1/notes?limit=1')).status, 200)
  const refused = await fill('refused')
  assert.is(refused.status, 503)
  assert.match(refused.text, /may only be read/)
})

if (canMount) disk.run()
