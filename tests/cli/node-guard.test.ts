import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const GUARD = import.meta.resolve('../../cli/start/node-guard.js')

/**
 * An entry point that believes to run on Node 20 until it is started again; what it starts then prints
 * what it was given and obeys SIGTERM.
 */
const entryWith = (guard: string) => `
if (process.env.NODE_GUARD_LAUNCHED === undefined) {
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2', napi: '9' } })
}
const { runOnNode24 } = await import('${guard}')
runOnNode24(() => {
  if (process.argv[2] === 'serve') {
    process.on('SIGTERM', () => process.exit(7))
    setInterval(() => {}, 1000)
  } else {
    process.exitCode = Number(process.argv[2])
  }
  console.log('pid ' + process.pid + ' ' + JSON.stringify(process.argv.slice(2)))
})
`

const guard = suite('the version guard')
let folder = ''
let entry = ''
let oldNode = ''

guard.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-guard-'))
  entry = join(folder, 'entry.mjs')
  // Another file than the packaged Node, as an old Node of the machine is.
  oldNode = join(folder, 'node')
  writeFileSync(entry, entryWith(GUARD))
  try {
    linkSync(process.execPath, oldNode)
  } catch {
    copyFileSync(process.execPath, oldNode)
  }
})

guard.after(() => rmSync(folder, { recursive: true }))

guard('starts the command again on the packaged Node with its arguments and exit code', () => {
  const { status, stdout, stderr } = spawnSync(oldNode, [entry, '3', '--x', 'a b'], {
    encoding: 'utf8',
  })
  assert.is(status, 3, stderr)
  assert.match(stdout, /^pid \d+ \["3","--x","a b"\]\n$/)
})

guard('hands SIGTERM on and exits as the command does', async () => {
  const { launcher } = await serve()
  launcher.kill('SIGTERM')
  const [code] = await once(launcher, 'exit')
  assert.is(code, 7)
})

guard('ends by the signal that ended the command', async () => {
  const { launcher, pid } = await serve()
  process.kill(pid, 'SIGKILL')
  const [, signal] = await once(launcher, 'exit')
  assert.is(signal, 'SIGKILL')
})

guard('takes the command along when it is killed itself', async () => {
  const { launcher, closed } = await serve()
  launcher.kill('SIGKILL')
  // The command holds the other end of this pipe.
  await closed
})

guard('says in one line what to do where no newer Node is at hand', () => {
  // A guard that no node_modules stands beside.
  copyFileSync(new URL(GUARD), join(folder, 'node-guard.mjs'))
  const alone = join(folder, 'alone.mjs')
  writeFileSync(alone, entryWith('./node-guard.mjs'))
  const { status, stderr } = spawnSync(oldNode, [alone, '0'], { encoding: 'utf8' })
  assert.is(status, 1)
  assert.match(
    stderr,
    /^svc needs Node\.js 24 or later, this is v\S+: `npm ci` brings one along.*\n$/,
  )
})

async function serve(): Promise<{ launcher: ChildProcess; pid: number; closed: Promise<unknown> }> {
  const launcher = spawn(oldNode, [entry, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(launcher.stdout, 'close')
  const [line] = (await once(launcher.stdout, 'data')) as [Buffer]
  return { launcher, pid: Number(/^pid (\d+)/.exec(line.toString())?.[1]), closed }
}

guard.run()
