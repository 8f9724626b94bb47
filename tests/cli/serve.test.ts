import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runHere } from './in-process.ts'
import { eventually, readFirstRun, svc } from './process.ts'
import { servedFolder } from './served-folder.ts'

const serving = suite('svc serve')
const { data, endsWell, headers, path, start, totalOf } = servedFolder(serving)

serving('sets up an empty data folder by itself and says where the secrets are', async () => {
  const { url, output } = await start()
  const { user, password, admin_key, url: written } = readFirstRun(data())
  assert.is(user, 'Administrator')
  assert.ok(password.length >= 20)
  assert.is(written, url)
  assert.is(statSync(data()).mode & 0o777, 0o700)
  for (const file of ['first-run.json', 'secret.key', 'workspace.db']) {
    assert.is(statSync(join(data(), file)).mode & 0o777, 0o600, file)
  }
  const { stdout, stderr } = output()
  assert.is(stdout, `svc listening on ${url}\n`)
  const notes = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  assert.equal(notes, [
    `svc set up a new workspace: user, password and admin key are in ${join(data(), 'first-run.json')}`,
  ])
  assert.not.match(stderr, password)
  assert.not.match(stderr, admin_key)

  assert.is(await totalOf('companies'), 1)
  assert.ok((await totalOf('countries')) > 200)
  assert.is((await fetch(`${url}/v1/customers`)).status, 401)
  await endsWell('SIGTERM')
})

serving('keeps what was set up when it starts again, and refuses a second setup', async () => {
  const before = readFirstRun(data())
  const { url, output } = await start()
  assert.equal(readFirstRun(data()), { ...before, url })
  assert.match(output().stderr, `first start are in ${join(data(), 'first-run.json')}; delete it`)
  assert.not.match(output().stderr, before.password)
  assert.is(await totalOf('companies'), 1)
  const setup = await runHere(['setup', '--data', data()])
  assert.is(setup.code, 1)
  assert.match(setup.stderr, 'set up already')
  await endsWell('SIGINT')
})

serving('makes no workspace for a port that is taken', async () => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  const { port } = taken.address() as AddressInfo
  const none = join(path(), 'none')
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
    const broken = join(path(), 'broken')
    mkdirSync(broken)
    const file = join(broken, 'vehicle.yaml')
    writeFileSync(
      file,
      'doctype: Vehicle\nmodule: assets\ntier: free\nfields:\n  km: {type: nit}\n',
    )
    const { code, stdout, stderr } = await svc(['serve', '--data', data(), '--doctypes', broken])
    assert.is(code, 1)
    assert.is(stdout, '')
    assert.match(stderr, `${file}:5:`)
  },
)

serving.run()
