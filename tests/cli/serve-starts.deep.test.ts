import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { eventually, listening, readFirstRun, svc } from './process.ts'
import { servedFolder } from './served-folder.ts'

const serving = suite('svc serve, start after start')
const { ask, data, endsWell, run, running, start, totalOf } = servedFolder(serving)

serving.before(async () => {
  await prepareData(data())
})

serving('is refused beside another server of the same folder; commands are not', async () => {
  const { url, pid } = await start()
  const second = await svc(['serve', '--port', '0', '--data', data()])
  assert.is(second.code, 1)
  assert.is(second.stdout, '')
  assert.match(second.stderr, `served already by process ${pid} on `)
  assert.match(second.stderr, ` at ${url}, since `)
  assert.match(second.stderr, /several servers for one workspace need PostgreSQL/)
  const command = await runHere(['key', 'list', '--data', data()])
  assert.is(command.code, 0, command.stderr)
  await running().end('SIGKILL')
  await start()
  assert.is(await totalOf('companies'), 1)
})

serving('finishes the file of a first run that was killed right after its claim', async () => {
  const file = join(data(), 'first-run.json')
  const { url: _, ...before } = readFirstRun(data())
  renameSync(file, `${file}.99998`)
  writeFileSync(`${file}.99997`, JSON.stringify({ ...before, password: 'of a start before it' }))
  writeFileSync(`${file}.99999`, '{"user": "Admin')
  await start()
  const { url: _old, ...after } = readFirstRun(data())
  assert.equal(after, before)
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.equal(
    readdirSync(data()).filter((name) => name.startsWith('first-run')),
    ['first-run.json'],
  )
})

serving(
  'says nothing of the file of the first start once it is deleted, and makes no other',
  async () => {
    const file = join(data(), 'first-run.json')
    renameSync(file, `${data()}.kept`)
    const { output } = await start()
    assert.not.match(output().stderr, 'first-run.json')
    assert.not.ok(existsSync(file))
    await endsWell('SIGTERM')
    renameSync(`${data()}.kept`, file)
  },
)

serving(
  'warns of a variable that is nearly one of ours, and says that a port is taken',
  async () => {
    const server = await start([], { SVC_LOGLEVEL: 'debug', SVC_LOG_FORMAT: 'pretty' })
    assert.match(server.output().stderr, /^\d\d:\d\d:\d\d WARN SVC_LOGLEVEL is not a setting/)

    const { port } = new URL(server.url)
    const { code, stdout, stderr } = await svc(['serve', '--port', port, '--data', data()])
    assert.is(code, 1)
    assert.is(stdout, '')
    assert.match(stderr, `svc: port ${port} of 127.0.0.1 is taken: --port chooses another one`)
  },
)

serving('takes the next free port where nobody has named one', async () => {
  const taken = createServer().listen(8000, '127.0.0.1')
  // Where somebody else has it already, it is as taken as it has to be.
  await Promise.race([once(taken, 'listening'), once(taken, 'error')]).catch(() => undefined)
  try {
    const server = run(await listening(['serve', '--data', data()]))
    const { port } = new URL(server.url)
    assert.ok(Number(port) > 8000 && Number(port) < 8020, port)
    assert.is(readFirstRun(data()).url, server.url)
    assert.match(server.output().stderr, `port 8000 of 127.0.0.1 is taken, so it is ${port}`)
  } finally {
    taken.close()
  }
})

const FLEET = ['--module', 'assets', '--field', 'plate:data,required,filterable,createOnly']

serving('serves a DocType made by `svc doctype new` after a restart', async () => {
  const made = await runHere(['doctype', 'new', 'Fleet Vehicle', '--data', data(), ...FLEET])
  assert.is(made.code, 0, made.stderr)
  await start()
  const created = await ask('/v1/fleet-vehicles', { plate: 'B-XY 1' })
  assert.is(created.status, 201)
  const { id } = created.json as { id: string }
  assert.is(id, 'FV-00001')
  assert.equal((await ask(`/v1/fleet-vehicles/${id}`)).json, created.json)
  const found = await ask('/v1/fleet-vehicles?plate=B-XY%201')
  assert.equal(
    (found.json as { data: { id: string }[] }).data.map((row) => row.id),
    [id],
  )

  const catalogue = (await ask('/v1/resources')).json as { data: { slug: string }[] }
  assert.ok(catalogue.data.some(({ slug }) => slug === 'fleet-vehicles'))
  const openapi = (await ask('/v1/openapi.json')).json as { paths: object }
  assert.ok('/v1/fleet-vehicles' in openapi.paths)
})

serving(
  'loads a changed DocType with --watch and keeps the old one while it is broken',
  async () => {
    const { output } = await start(['--watch'])
    const module = join(data(), 'doctypes', 'stock')
    const file = join(module, 'rack.yaml')
    const rack = (fields: string): string =>
      `doctype: Rack\nmodule: stock\ntier: free\nfields:\n  label: {type: data, required: true}\n${fields}`

    mkdirSync(module, { recursive: true })
    writeFileSync(file, rack(''))
    await eventually(async () => (await ask('/v1/racks', { label: 'one' })).status === 201)

    writeFileSync(file, rack('  width: {type: nit}\n'))
    // The last of two lines: they are written one by one.
    await eventually(() => output().stderr.includes('the DocTypes from before are still served'))
    assert.match(output().stderr, `${file}:6:`)
    assert.is((await ask('/v1/racks', { label: 'two' })).status, 201)

    writeFileSync(file, rack('  width: {type: int}\n'))
    await eventually(
      async () => (await ask('/v1/racks', { label: 'three', width: 3 })).status === 201,
    )
    assert.is(await totalOf('racks'), 3)

    rmSync(file)
    await eventually(async () => (await ask('/v1/racks')).status === 404)
  },
)

serving.run()
