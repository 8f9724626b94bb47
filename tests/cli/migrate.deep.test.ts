import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { type Folder, svc, temporaryFolder } from './process.ts'

const migrate = suite('svc migrate, types and openapi')
let folder: Folder
let data = ''

migrate.before.each(() => {
  folder = temporaryFolder()
  data = join(folder.path, 'data')
})
migrate.after.each(() => folder.remove())

function writeGoKart(fields: string): void {
  mkdirSync(join(data, 'doctypes'), { recursive: true })
  writeFileSync(
    join(data, 'doctypes', 'go-kart.yaml'),
    `doctype: Go Kart\nmodule: assets\ntier: free\nfields:\n${fields}`,
  )
}

interface Plan {
  readonly steps: readonly { readonly sentence: string }[]
  readonly applied: readonly object[]
}

migrate('says with --dry-run what it would do and changes nothing', async () => {
  const { code, stdout } = await svc(['migrate', '--dry-run', '--json', '--data', data])
  assert.is(code, 0)
  const { steps, applied } = JSON.parse(stdout) as Plan
  assert.ok(steps.length > 100)
  assert.is(applied.length, 0)
  assert.not.ok(existsSync(data))
})

migrate('does what is missing, once', async () => {
  writeGoKart('  plate: {type: data}\n')
  assert.is((await runHere(['migrate', '--data', data])).code, 0)
  assert.is(readdirSync(join(data, 'cache')).length, 1, 'the next start need not check them again')
  writeGoKart('  plate: {type: data}\n  km: {type: int, filterable: true}\n')
  const planned = await runHere(['migrate', '--dry-run', '--data', data])
  assert.match(planned.stdout, /^would .*km/)
  const beside = await runHere(['key', 'list', '--data', data])
  assert.is(beside.code, 1)
  assert.match(beside.stderr, /^svc: .*generation 1 by svc .*doctypes.*, got others by svc .*\n$/)
  const done = await runHere(['migrate', '--json', '--data', data])
  const { steps, applied } = JSON.parse(done.stdout) as Plan
  assert.ok(steps.some(({ sentence }) => sentence.includes('km')))
  assert.is(applied.length, steps.length)
  const again = await runHere(['migrate', '--data', data])
  assert.is(again.stdout, 'the tables are what the definitions want\n')
})

migrate('drops a column only with --allow-drop', async () => {
  await prepareData(data)
  writeGoKart('  plate: {type: data}\n  km: {type: int}\n')
  await runHere(['migrate', '--data', data])
  writeGoKart('  plate: {type: data}\n')
  const first = await runHere(['migrate', '--data', data])
  assert.is(first.code, 0, first.stderr)
  const waiting = await runHere(['migrate', '--dry-run', '--data', data])
  assert.match(waiting.stdout, /with --retire: .*km aside/)
  assert.match(waiting.stdout, /with --allow-drop: .*km/)
  const retired = await runHere(['migrate', '--retire', '--data', data])
  assert.match(retired.stdout, /^set column .*km aside as _dropped_km_1/)
  const dropped = await runHere(['migrate', '--allow-drop', '--data', data])
  assert.match(dropped.stdout, /drop .*km/)
  const after = await runHere(['migrate', '--data', data])
  assert.is(after.stdout, 'the tables are what the definitions want\n')
})

migrate('types prints TypeScript of the loaded DocTypes, own ones too', async () => {
  writeGoKart('  plate: {type: data, required: true}\n')
  const { code, stdout, stderr } = await svc(['types', '--data', data])
  assert.is(code, 0, stderr)
  assert.match(stdout, /export interface GoKart\b/)
  assert.match(stdout, /export interface SalesOrder\b/)
})

migrate('openapi writes OpenAPI 3.1 of the loaded DocTypes to a file', async () => {
  writeGoKart('  plate: {type: data, required: true}\n')
  const out = join(folder.path, 'openapi.json')
  const { code, stdout, stderr } = await runHere(['openapi', '--data', data, '--out', out])
  assert.is(code, 0, stderr)
  assert.is(stdout, '')
  const document = JSON.parse(readFileSync(out, 'utf8')) as { openapi: string; paths: object }
  assert.is(document.openapi, '3.1.0')
  assert.ok('/v1/go-karts' in document.paths)
})

migrate('says in one line that a file cannot be written', async () => {
  const { code, stderr } = await runHere(['openapi', '--out', join(folder.path, 'none', 'x.json')])
  assert.is(code, 1)
  assert.match(stderr, /^svc: cannot write .*: there is no such file or folder\n$/)
})

migrate.run()
