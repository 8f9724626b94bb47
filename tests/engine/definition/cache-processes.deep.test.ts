import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadCached } from '../../../engine/definition/load/load-cached.ts'
import { loadChecked } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { thing } from './marked-files.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SHIPPED = join(ROOT, 'doctypes')

const cache = suite('the cache of checked definitions, by several processes')
let root = ''

cache.before(() => {
  root = mkdtempSync(join(tmpdir(), 'definition-cache-'))
  mkdirSync(join(root, 'b'))
  writeFileSync(join(root, 'b/thing.yaml'), thing('fields: {b: {type: data}}'))
})

cache.after(() => {
  rmSync(root, { recursive: true, force: true })
})

cache('serves processes that start at the same time', async () => {
  const folder = join(root, 'cache')
  const script = `
    const { loadChecked } = await import(${JSON.stringify(`${ROOT}/engine/index.ts`)})
    const { hooks } = await import(${JSON.stringify(`${ROOT}/hooks/index.ts`)})
    const [first, second, cacheFolder] = process.argv.slice(1)
    process.stdin.once('data', () => {
      for (let start = 0; start < 5; start += 1) {
        const { registry } = loadChecked({ doctypes: [first, second], hooks, cacheFolder })
        console.log(registry.checksum)
      }
      process.stdin.destroy()
    })
    console.log('ready')`
  const children = [1, 2, 3].map(() => {
    const args = ['--input-type=module', '-e', script, SHIPPED, join(root, 'b'), folder]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString()
    })
    return { child, ready: once(child.stdout, 'data'), output: () => output }
  })
  await Promise.all(children.map(({ ready }) => ready))
  const ended = children.map(({ child }) => once(child, 'close') as Promise<[number | null]>)
  for (const { child } of children) child.stdin.write('go\n')
  for (const [code] of await Promise.all(ended)) assert.is(code, 0)

  const { checksum } = loadChecked({ doctypes: [SHIPPED, join(root, 'b')], hooks }).registry
  for (const { output } of children)
    assert.equal(output().trim().split('\n'), ['ready', ...Array<string>(5).fill(checksum)])
  assert.is(readdirSync(folder).length, 1)
  const { registry } = loadCached(
    { doctypes: [SHIPPED, join(root, 'b')], hooks, cacheFolder: folder },
    () => {
      throw new Error('expected the definitions from the cache')
    },
  )
  assert.is(registry.checksum, checksum)
})

cache.run()
