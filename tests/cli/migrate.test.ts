import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { locateWorkspace, openWorkspace } from '../../cli/workspace.ts'
import { readUnfilled } from '../../engine/storage/migration/schema-store.ts'
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

migrate(
  'tells definitions apart by what they say, and lets a file be taken away again',
  async () => {
    await prepareData(data)
    assert.is((await runHere(['migrate', '--data', data])).code, 0)
    const plate = '  plate: {type: data}\n'
    writeGoKart(plate)
    const generation = async (): Promise<unknown> => {
      const { code, stdout, stderr } = await runHere(['migrate', '--json', '--data', data])
      assert.is(code, 0, stderr)
      return (JSON.parse(stdout) as { generation: number }).generation
    }
    const first = (await generation()) as number
    writeGoKart(`${plate}  # Only a remark.\n`)
    assert.is((await runHere(['key', 'list', '--data', data])).code, 0)
    assert.is(await generation(), first)
    writeGoKart('  plate: {type: data, label: Sign}\n')
    const { stdout } = await runHere(['doctor', '--json', '--data', data])
    const { checks } = JSON.parse(stdout) as {
      checks: readonly { name: string; message: string }[]
    }
    const told = checks.find(({ name }) => name === 'migrations')
    assert.match(told?.message ?? '', /^the definitions are others than those of generation/)
    rmSync(join(data, 'doctypes', 'go-kart.yaml'))
    assert.is(await generation(), first + 1, 'without --accept-definitions')
  },
)

migrate('gives what it adds its values', async () => {
  await prepareData(data)
  writeGoKart('  plate: {type: data}\n  km: {type: int}\n')
  const file = join(folder.path, 'karts.csv')
  writeFileSync(file, 'plate,km\nA,3\nB,4\n')
  assert.is((await runHere(['migrate', '--data', data])).code, 0)
  assert.is((await runHere(['import', 'go-karts', file, '--data', data])).code, 0)
  writeGoKart('  plate: {type: data}\n  km: {type: int}\n  miles: {type: float, formula: km * 2}\n')
  const told = await runHere(['migrate', '--plan', '--data', data])
  assert.match(
    told.stdout,
    /^STEP +LOCK +ROWS +ABOUT\nadd column go_karts.miles \(integer\) +the writer +2 +under 1 s\ncompute formulas of Go Kart +the writer, page by page +2 +under 1 s\n\nOne transaction: .*\n1 step in about under 1 s, then 1 task beside the server in about under 1 s; nothing was changed\n$/,
  )
  const { stdout: planned } = await runHere(['migrate', '--plan', '--json', '--data', data])
  const { plan, applied } = JSON.parse(planned) as { plan: { fills: object[] }; applied: object[] }
  assert.equal(applied, [])
  assert.equal(plan.fills, [
    {
      task: 'formulas of Go Kart',
      doctype: 'Go Kart',
      lock: 'the writer, page by page',
      rows: 2,
      seconds: 2 / 5000,
    },
  ])
  assert.is((await runHere(['migrate', '--data', data])).code, 0)
  const { stdout } = await runHere(['export', 'go-karts', '--data', data])
  const karts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { miles: number })
  assert.equal(karts.map(({ miles }) => miles).sort(), [6, 8])
  const { services } = (await openWorkspace(locateWorkspace({ data }))).engine
  assert.equal(await readUnfilled(services.database.read), [])
  await services.database.close()
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
