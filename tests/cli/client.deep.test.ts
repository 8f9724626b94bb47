import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EXAMPLES } from '../examples/example.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { ENTRY, type Folder, readFirstRun, type Served, serve, temporaryFolder } from './process.ts'

/** The amount is one that 32 bits would hold as 37136952. */
const SOLD = /^true 1 37136953\.83$/im

const clients = suite('svc client')
let folder: Folder
let server: Served
let key: string

clients.before(async () => {
  folder = temporaryFolder()
  await prepareStarted(folder.path)
  server = await serve(folder.path)
  key = readFirstRun(folder.path).admin_key
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
  const body = JSON.stringify({ item_code: 'BELL', item_name: 'Bell' })
  const made = await fetch(`${server.url}/v1/items`, { method: 'POST', headers, body })
  assert.is(made.status, 201, await made.text())
})
clients.after(async () => {
  await server.end()
  folder.remove()
})

clients('in Python makes, lists and submits an order, and keeps its cents', () => {
  const out = generated('python', 'openapi-python-client')
  if (out === undefined) return
  assert.match(sold(out, 'python3', 'sale.py', []), SOLD)
})

clients('in Go compiles, makes, lists and submits an order, and keeps its cents', () => {
  const out = generated('go', 'oapi-codegen')
  if (out === undefined) return
  run(out, 'go', ['mod', 'init', 'example.com/client'])
  mkdirSync(join(out, 'sale'))
  cpSync(join(EXAMPLES, 'clients/sale.go'), join(out, 'sale/main.go'))
  run(out, 'go', ['mod', 'tidy'])
  assert.match(run(out, 'go', ['run', './sale', server.url, key, 'BELL']), SOLD)
})

clients('in TypeScript of hey-api compiles, makes, lists and submits an order', () => {
  const out = generated('ts', 'openapi-ts')
  if (out === undefined) return
  writeFileSync(join(out, 'tsconfig.json'), TSCONFIG)
  cpSync(join(EXAMPLES, 'clients/sale.ts'), join(out, 'sale.ts'))
  const root = join(EXAMPLES, '../..')
  run(out, join(root, 'node_modules/.bin/tsc'), ['-p', '.'])
  const bundle = ['sale.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=sale.mjs']
  run(out, join(root, 'node_modules/.bin/esbuild'), bundle)
  assert.match(sold(out, process.execPath, 'sale.mjs', undefined), SOLD)
})

for (const [language, compile] of [
  ['java', ['mvn', '-q', '-DskipTests', 'compile']],
  ['rust', ['cargo', 'check', '--quiet']],
] as const) {
  clients(`in ${language} compiles`, () => {
    const out = generated(language, 'openapi-generator-cli')
    if (out === undefined) return
    const [command, ...args] = compile
    run(out, command, args)
  })
}

clients('says which generator is missing and how it is installed', () => {
  const out = join(folder.path, 'missing')
  const asked = ['client', '--data', folder.path, '--lang', 'go', '--resources', 'customers']
  const env = { PATH: '/nothing' }
  const { status, stderr } = spawnSync(process.execPath, [ENTRY, ...asked, '--out', out], {
    encoding: 'utf8',
    env,
  })
  assert.is(status, 1)
  assert.match(stderr, 'oapi-codegen is not installed')
  assert.match(stderr, 'go install')
})

clients.run()

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: 'preserve',
    target: 'es2024',
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(EXAMPLES, '../../node_modules/@types')],
  },
  files: ['sale.ts'],
})

/** The folder of a client that was generated; undefined, said aloud, where the generator is not installed. */
function generated(language: string, generator: string): string | undefined {
  if (spawnSync(generator, ['--help']).error !== undefined) {
    console.log(`${generator} is not installed: the client in ${language} is not judged here`)
    return undefined
  }
  const out = join(folder.path, `client-${language}`)
  const resources = ['--resources', 'customers,sales-orders', '--out', out]
  const args = [ENTRY, 'client', '--data', folder.path, '--lang', language, ...resources]
  run(folder.path, process.execPath, args)
  return out
}

/** What the example's program prints; it is copied there first where it has to be. */
function sold(out: string, command: string, program: string, copied: unknown): string {
  if (copied !== undefined) cpSync(join(EXAMPLES, 'clients', program), join(out, program))
  return run(out, command, [program, server.url, key, 'BELL'])
}

function run(cwd: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  assert.is(status, 0, `${command}: ${error ?? ''}${stdout}${stderr}`)
  return stdout
}
