import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { runHere } from './in-process.ts'
import { type Folder, svc, temporaryFolder } from './process.ts'

const exporting = suite('svc export')
let folder: Folder

exporting.before(async () => {
  folder = temporaryFolder()
  await prepareStarted(folder.path)
})
exporting.after(() => folder.remove())

const here = (...args: string[]) => runHere(['export', ...args, '--data', folder.path])

exporting('writes every record once, over many pages, in the order they were made', async () => {
  const { code, stdout, stderr } = await svc(['export', 'countries', '--data', folder.path])
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
  assert.equal(await here('assets'), { code: 0, stdout: '', stderr: '0 records\n' })
  const { stdout } = await here('bank-accounts', '--format', 'json')
  assert.ok(Array.isArray(JSON.parse(stdout)))
})

exporting('filters as the API does, and names what is wrong with a filter', async () => {
  const { stdout } = await here('countries', '--filter', 'code=DE', '--format', 'json')
  assert.equal(
    JSON.parse(stdout).map(({ id }: { id: string }) => id),
    ['Germany'],
  )
  for (const [args, why] of [
    [['countries', '--filter', 'colour=red'], /^svc: --filter: colour: unknown parameter/],
    [['countries', '--filter', 'red'], /^svc: --filter: expected field=value, got "red"/],
    [['planets'], /^svc: there is no resource "planets"/],
  ] as const) {
    const { code, stderr } = await here(...args)
    assert.is(code, 2)
    assert.match(stderr, why)
  }
})

exporting('writes tables that quote what has to be quoted, and no secret', async () => {
  const added = await runHere([
    'user',
    'add',
    'x@a.bc',
    '--full-name',
    'a"b,c',
    '--data',
    folder.path,
  ])
  assert.is(added.code, 0, added.stderr)
  const { stdout } = await here('users', '--format', 'csv')
  assert.match(stdout, /^id,name,login,email,full_name/)
  assert.match(stdout, '\r\nx@a.bc,x@a.bc,x@a.bc,x@a.bc,"a""b,c",')
  assert.not.match(stdout, /scrypt|password/)
})

exporting('writes the fields asked for in their order, and rows as further lines', async () => {
  const out = join(folder.path, 'roles.csv')
  const done = await here(
    'users',
    '--out',
    out,
    '--fields',
    'full_name,enabled,roles.role',
    '--json',
  )
  assert.equal(JSON.parse(done.stdout), { records: 2, format: 'csv', out })
  const [head, first, ...more] = readFileSync(out, 'utf8').split('\r\n')
  assert.is(head, 'id,name,full_name,enabled,roles.role')
  assert.is(first, 'Administrator,Administrator,Administrator,true,System Manager')
  assert.ok(more.includes('x@a.bc,x@a.bc,"a""b,c",true,'))
  const asJson = join(folder.path, 'roles.json')
  await here('users', '--out', asJson, '--fields', 'full_name,roles.role')
  const [administrator] = JSON.parse(readFileSync(asJson, 'utf8'))
  assert.equal(administrator.roles, [{ role: 'System Manager' }])
})

exporting('names a file only when it is whole, and says what cannot be written', async () => {
  const out = join(folder.path, 'none', 'users.csv')
  const done = await here('users', '--out', out)
  assert.is(done.code, 1)
  assert.match(done.stderr, `svc: cannot write ${out}: `)
  const intoFolder = await here('users', '--out', folder.path)
  assert.is(intoFolder.code, 1)
  assert.match(intoFolder.stderr, `svc: ${folder.path} is no file`)
  for (const [args, why] of [
    [['users', '--json'], '--json: stdout has the records'],
    [
      ['users', '--fields', 'full_nam,roles.rle'],
      /no field "full_nam" \(did you mean full_name\?\)/,
    ],
  ] as const) {
    const { code, stderr } = await here(...args)
    assert.is(code, 2)
    assert.match(stderr, why)
  }
  assert.equal(
    readdirSync(folder.path).filter((name) => name.endsWith('.partial')),
    [],
  )
})

exporting('writes to nothing but a file of its own, and replaces no device or pipe', async () => {
  const [out, other, pipe] = ['o.jsonl', 'other', 'pipe'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string]
  writeFileSync(other, 'mine')
  symlinkSync(other, `${out}.${process.pid}.partial`)
  assert.is((await here('roles', '--out', out)).code, 0)
  assert.is(readFileSync(other, 'utf8'), 'mine')
  assert.ok(lstatSync(out).isFile())
  execFileSync('mkfifo', [pipe])
  for (const wrong of [pipe, '/dev/null']) {
    const { code, stderr } = await here('roles', '--out', wrong)
    assert.is(code, 1)
    assert.match(stderr, `${wrong} is no file`)
  }
  assert.ok(lstatSync(pipe).isFIFO())
})

exporting.run()
