import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { locateWorkspace, openWorkspace } from '../../cli/workspace.ts'
import { readUnfilled } from '../../engine/storage/migration/schema-store.ts'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { type Folder, temporaryFolder } from './process.ts'

const migrate = suite('svc migrate of changed definitions')
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

migrate.run()
