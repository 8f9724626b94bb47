import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ENTRY } from '../cli/process.ts'
import { EXAMPLES } from '../examples/example.ts'
import { goJudge, javaJudge, needs, pythonJudge } from './judges.ts'
import { openShop, run, type Shop, SOLD } from './shop.ts'

const clients = suite('svc client')
let shop: Shop

clients.before(async () => {
  shop = await openShop()
})
clients.after(() => shop.close())

clients('in Python makes, lists and submits an order, and keeps its cents', () => {
  const bin = pythonJudge('clients')
  const out = generated('python', bin)
  cpSync(join(EXAMPLES, 'clients/sale.py'), join(out, 'sale.py'))
  assert.match(run(out, join(bin, 'python3'), ['sale.py', ...sale()]), SOLD)
})

clients('in Go compiles, makes, lists and submits an order, and keeps its cents', () => {
  const out = generated('go', goJudge())
  run(out, 'go', ['mod', 'init', 'example.com/client'])
  mkdirSync(join(out, 'sale'))
  cpSync(join(EXAMPLES, 'clients/sale.go'), join(out, 'sale/main.go'))
  run(out, 'go', ['mod', 'tidy'])
  assert.match(run(out, 'go', ['run', './sale', ...sale()]), SOLD)
})

clients('in Java compiles, makes, lists and submits an order, and keeps its cents', () => {
  const out = generated('java', javaJudge())
  cpSync(join(EXAMPLES, 'clients/Sale.java'), join(out, 'src/main/java/Sale.java'))
  run(out, 'mvn', ['-q', '-DskipTests', 'compile', 'dependency:copy-dependencies'])
  const parts = ['target/classes', 'target/dependency/*'].join(delimiter)
  assert.match(run(out, 'java', ['-cp', parts, 'Sale', ...sale()]), SOLD)
})

clients('in Rust compiles, makes, lists and submits an order, and keeps its cents', () => {
  needs('cargo', ['--version'])
  const out = generated('rust', javaJudge())
  mkdirSync(join(out, 'examples'), { recursive: true })
  cpSync(join(EXAMPLES, 'clients/sale.rs'), join(out, 'examples/sale.rs'))
  // Without a feature it has no TLS, which a server on this machine does not need.
  const built = ['run', '--quiet', '--no-default-features', '--example', 'sale', '--', ...sale()]
  assert.match(run(out, 'cargo', built), SOLD)
})

clients('says which generator is missing and how it is installed', () => {
  const out = join(shop.folder, 'missing')
  const asked = ['client', '--data', shop.folder, '--lang', 'go', '--resources', 'customers']
  const { status, stderr } = spawnSync(process.execPath, [ENTRY, ...asked, '--out', out], {
    encoding: 'utf8',
    env: { PATH: '/nothing' },
  })
  assert.is(status, 1)
  assert.match(stderr, 'oapi-codegen is not installed')
  assert.match(stderr, 'go install')
})

clients.run()

/** What the programs are called with. */
function sale(): readonly string[] {
  return [shop.server.url, shop.key, 'BELL']
}

/** The folder of a client that the generator in `bin` has made. */
function generated(language: string, bin: string): string {
  const out = join(shop.folder, `client-${language}`)
  const asked = ['--lang', language, '--resources', 'customers,sales-orders', '--out', out]
  const PATH = [bin, process.env.PATH].join(delimiter)
  const args = [ENTRY, 'client', '--data', shop.folder, ...asked]
  run(shop.folder, process.execPath, args, { ...process.env, PATH })
  return out
}
