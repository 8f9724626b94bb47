import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Folder, svc, temporaryFolder } from './process.ts'

const exporting = suite('svc export')
let folder: Folder

exporting.before(async () => {
  folder = temporaryFolder()
  const { code, stderr } = await svc(['setup', '--data', folder.path])
  assert.is(code, 0, stderr)
})
exporting.after(() => folder.remove())

const run = (...args: string[]) => svc(['export', ...args, '--data', folder.path])

exporting('writes every record once, over many pages, in the order they were made', async () => {
  const { code, stdout, stderr } = await run('countries')
  assert.is(code, 0)
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.ok(records.length > 200, String(records.length))
  assert.is(new Set(records.map(({ id }) => id)).size, records.length)
  assert.is(stderr, `${records.length} records\n`)
  const created = records.map((record) => record.created)
  assert.equal(created, created.toSorted())
})

exporting('reads what the plan of the workspace does not have', async () => {
  assert.equal(await run('assets'), { code: 0, stdout: '', stderr: '0 records\n' })
  const { stdout } = await run('bank-accounts', '--format', 'json')
  assert.ok(Array.isArray(JSON.parse(stdout)))
})

exporting('filters as the API does, and names what is wrong with a filter', async () => {
  const { stdout } = await run('countries', '--filter', 'code=DE', '--format', 'json')
  assert.equal(
    JSON.parse(stdout).map(({ id }: { id: string }) => id),
    ['Germany'],
  )
  for (const [args, why] of [
    [['countries', '--filter', 'colour=red'], /^svc: --filter: colour: unknown parameter/],
    [['countries', '--filter', 'red'], /^svc: --filter: expected field=value, got "red"/],
    [['planets'], /^svc: there is no resource "planets"/],
  ] as const) {
    const { code, stderr } = await run(...args)
    assert.is(code, 2)
    assert.match(stderr, why)
  }
})

exporting('writes tables that quote what has to be quoted, and no secret', async () => {
  const added = await svc(['user', 'add', 'a"b,c', '--full-name', 'x', '--data', folder.path])
  assert.is(added.code, 0, added.stderr)
  const { stdout } = await run('users', '--format', 'csv')
  assert.match(stdout, /^id,name,login,email,full_name/)
  assert.match(stdout, '\r\n"a""b,c","a""b,c","a""b,c",,x,')
  assert.not.match(stdout, /scrypt|password/)
})

exporting.run()
