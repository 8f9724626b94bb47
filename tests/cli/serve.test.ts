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
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runHere } from './in-process.ts'
import {
  eventually,
  type Folder,
  listening,
  readFirstRun,
  type Served,
  serve,
  svc,
  temporaryFolder,
} from './process.ts'

const serving = suite('svc serve')
let folder: Folder
let data = ''
let running: Served | undefined

serving.before(() => {
  folder = temporaryFolder()
  data = join(folder.path, 'data')
})
serving.after.each(async () => {
  await running?.end('SIGKILL')
  running = undefined
})
serving.after(() => folder.remove())

async function start(args: readonly string[] = []): Promise<Served> {
  running = await serve(data, args)
  return running
}

/** Asks with the admin key of the first run. */
async function ask(path: string, body?: object): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${running?.url}${path}`, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: headers(),
  })
  return { status: response.status, json: await response.json() }
}

function headers(): Record<string, string> {
  const key = readFirstRun(data).admin_key
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}

async function totalOf(slug: string): Promise<number> {
  const { json } = await ask(`/v1/${slug}?limit=1`)
  return (json as { meta: { total: number } }).meta.total
}

serving('sets up an empty data folder by itself and says where the secrets are', async () => {
  const { url, output } = await start()
  const { user, password, admin_key, url: written } = readFirstRun(data)
  assert.is(user, 'Administrator')
  assert.ok(password.length >= 20)
  assert.is(written, url)
  assert.is(statSync(data).mode & 0o777, 0o700)
  for (const file of ['first-run.json', 'secret.key', 'workspace.db']) {
    assert.is(statSync(join(data, file)).mode & 0o777, 0o600, file)
  }
  const { stdout, stderr } = output()
  assert.is(stdout, `svc listening on ${url}\n`)
  const notes = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  assert.equal(notes, [
    `svc set up a new workspace: user, password and admin key are in ${join(data, 'first-run.json')}`,
  ])
  assert.not.match(stderr, password)
  assert.not.match(stderr, admin_key)

  assert.is(await totalOf('companies'), 1)
  assert.ok((await totalOf('countries')) > 200)
  assert.is((await fetch(`${url}/v1/customers`)).status, 401)
  await endsWell('SIGTERM')
})

/** What runs exits 0 on a signal and has said nothing more on stdout. */
async function endsWell(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  const ended = await running?.end(signal)
  assert.is(ended?.code, 0, signal)
  assert.is(ended?.stdout.split('\n').length, 2)
}

serving('keeps what was set up when it starts again, and refuses a second setup', async () => {
  const before = readFirstRun(data)
  const { url, output } = await start()
  assert.equal(readFirstRun(data), { ...before, url })
  assert.match(output().stderr, `first start are in ${join(data, 'first-run.json')}; delete it`)
  assert.not.match(output().stderr, before.password)
  assert.is(await totalOf('companies'), 1)
  const setup = await runHere(['setup', '--data', data])
  assert.is(setup.code, 1)
  assert.match(setup.stderr, 'set up already')
  await endsWell('SIGINT')
})

serving('is refused beside another server of the same folder; commands are not', async () => {
  const { url, pid } = await start()
  const second = await svc(['serve', '--port', '0', '--data', data])
  assert.is(second.code, 1)
  assert.is(second.stdout, '')
  assert.match(second.stderr, `served already by process ${pid} on `)
  assert.match(second.stderr, ` at ${url}, since `)
  assert.match(second.stderr, /several servers for one workspace need PostgreSQL/)
  const command = await runHere(['key', 'list', '--data', data])
  assert.is(command.code, 0, command.stderr)
  await running?.end('SIGKILL')
  await start()
  assert.is(await totalOf('companies'), 1)
})

serving('finishes the file of a first run that was killed right after its claim', async () => {
  const file = join(data, 'first-run.json')
  const { url: _, ...before } = readFirstRun(data)
  renameSync(file, `${file}.99998`)
  writeFileSync(`${file}.99997`, JSON.stringify({ ...before, password: 'of a start before it' }))
  writeFileSync(`${file}.99999`, '{"user": "Admin')
  await start()
  const { url: _old, ...after } = readFirstRun(data)
  assert.equal(after, before)
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.equal(
    readdirSync(data).filter((name) => name.startsWith('first-run')),
    ['first-run.json'],
  )
})

serving(
  'says nothing of the file of the first start once it is deleted, and makes no other',
  async () => {
    const file = join(data, 'first-run.json')
    renameSync(file, `${data}.kept`)
    const { output } = await start()
    assert.not.match(output().stderr, 'first-run.json')
    assert.not.ok(existsSync(file))
    await endsWell('SIGTERM')
    renameSync(`${data}.kept`, file)
  },
)

serving('makes no workspace for a port that is taken', async () => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  const { port } = taken.address() as AddressInfo
  const none = join(folder.path, 'none')
  const { code, stderr } = await runHere(['serve', '--data', none, '--port', String(port)])
  taken.close()
  assert.is(code, 1)
  assert.is(
    stderr,
    `svc: port ${port} of 127.0.0.1 is taken: --port chooses another one, --port 0 a free one\n`,
  )
  assert.not.ok(existsSync(none))
})

serving('answers every request in flight when it is told to stop', async () => {
  const { url, end, output } = await start()
  const before = await totalOf('territories')
  const requests = Array.from({ length: 20 }, (_, n) =>
    halfSent(url, { territory_name: `Draining ${n}` }),
  )
  await Promise.all(requests.map(({ arrived }) => arrived))
  const ended = end('SIGTERM')
  await eventually(() => output().stderr.includes('SIGTERM'))
  await eventually(() => isRefused(url))
  const answers = await Promise.all(requests.map(({ finish }) => finish()))
  assert.equal(
    answers.map(({ statusCode }) => statusCode),
    requests.map(() => 201),
  )
  assert.is((await ended).code, 0)
  await start()
  assert.is(await totalOf('territories'), before + requests.length)
})

/** A POST whose body is sent but for its last byte, until it is finished. */
function halfSent(
  url: string,
  body: object,
): { arrived: Promise<unknown>; finish(): Promise<IncomingMessage> } {
  const text = JSON.stringify(body)
  const sent: ClientRequest = request(`${url}/v1/territories`, {
    method: 'POST',
    agent: false,
    // The server says 100 when it has read the headers: from then on the request is in flight.
    headers: { ...headers(), 'content-length': Buffer.byteLength(text), expect: '100-continue' },
  })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.resume()
      resolve(response)
    })
  })
  const arrived = new Promise((resolve) => sent.on('continue', resolve))
  sent.flushHeaders()
  void arrived.then(() => sent.write(text.slice(0, -1)))
  return {
    arrived,
    finish: () => {
      sent.end(text.slice(-1))
      return answer
    },
  }
}

async function isRefused(url: string): Promise<boolean> {
  try {
    await fetch(`${url}/healthz`, { headers: { connection: 'close' } })
    return false
  } catch (_refused) {
    return true
  }
}

serving(
  'starts with the mistakes of a broken DocType instead of serving half of them',
  async () => {
    const broken = join(folder.path, 'broken')
    mkdirSync(broken)
    const file = join(broken, 'vehicle.yaml')
    writeFileSync(
      file,
      'doctype: Vehicle\nmodule: assets\ntier: free\nfields:\n  km: {type: nit}\n',
    )
    const { code, stdout, stderr } = await svc(['serve', '--data', data, '--doctypes', broken])
    assert.is(code, 1)
    assert.is(stdout, '')
    assert.match(stderr, `${file}:5:`)
  },
)

serving(
  'warns of a variable that is nearly one of ours, and says that a port is taken',
  async () => {
    running = await serve(data, [], { SVC_LOGLEVEL: 'debug', SVC_LOG_FORMAT: 'pretty' })
    assert.match(running.output().stderr, /^\d\d:\d\d:\d\d WARN SVC_LOGLEVEL is not a setting/)

    const { port } = new URL(running.url)
    const { code, stdout, stderr } = await svc(['serve', '--port', port, '--data', data])
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
    running = await listening(['serve', '--data', data])
    const { port } = new URL(running.url)
    assert.ok(Number(port) > 8000 && Number(port) < 8020, port)
    assert.is(readFirstRun(data).url, running.url)
    assert.match(running.output().stderr, `port 8000 of 127.0.0.1 is taken, so it is ${port}`)
  } finally {
    taken.close()
  }
})

const FLEET = ['--module', 'assets', '--field', 'plate:data,required,filterable,createOnly']

serving('serves a DocType made by `svc doctype new` after a restart', async () => {
  const made = await runHere(['doctype', 'new', 'Fleet Vehicle', '--data', data, ...FLEET])
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
    const module = join(data, 'doctypes', 'stock')
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
