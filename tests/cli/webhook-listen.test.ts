import { connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { envelopeText } from '../../webhooks/signing/envelope.ts'
import { deliveryHeaders } from '../../webhooks/signing/headers.ts'
import { newSecret } from '../../webhooks/signing/signature.ts'
import { eventually, listening, type Served, svc } from './process.ts'

const listen = suite('svc webhook listen')
const secret = newSecret()
let running: Served | undefined

listen.after.each(async () => {
  await running?.end('SIGKILL')
  running = undefined
})

async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Served> {
  const stream = args.includes('--json') ? 'stderr' : 'stdout'
  running = await listening(['webhook', 'listen', '--port', '0', ...args], env, stream)
  return running
}

interface Sent {
  readonly id?: string
  readonly body?: string
  readonly secrets?: readonly string[]
  /** Seconds before now. */
  readonly age?: number
}

/** Sends a delivery as the workspace does. */
async function send(to: string, { id = 'dlv_1', secrets = [secret], age = 0, ...rest }: Sent = {}) {
  const event = 'leads.created'
  const { body = bodyOf(id) } = rest
  const timestamp = Math.floor(Date.now() / 1000) - age
  const headers = deliveryHeaders({ event, deliveryId: id, body, timestamp, secrets })
  const response = await fetch(`${to}/any/path`, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

function bodyOf(id: string): string {
  const timestamp = '2026-03-01T12:00:00.000Z'
  const data = '{"id":"LEAD-1","lead_name":"Zoë"}'
  return envelopeText({
    event: 'leads.created',
    resource: 'leads',
    delivery_id: id,
    timestamp,
    data,
  })
}

/** What was printed after the line that says where it listens, once there is this much. */
async function printed(text: string | RegExp): Promise<string> {
  const events = () => running?.output().stdout.replace(/^listening on .*\n/, '') ?? ''
  await eventually(() => (typeof text === 'string' ? events().includes(text) : text.test(events())))
  return events()
}

listen('answers 204 to what is verified and prints it with its body', async () => {
  const { url } = await start(['--secret', secret])
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(await send(url), { status: 204, text: '' })
  const text = await printed('}\n}\n')
  const [line = '', ...body] = text.split('\n')
  assert.match(line, /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}leads\.created {2}dlv_1 {2}verified$/)
  assert.is(body.join('\n'), `${JSON.stringify(JSON.parse(bodyOf('dlv_1')), null, 2)}\n`)
})

listen('answers 401 with the reason to what is not, and prints it too', async () => {
  const { url } = await start(['--secret', secret])
  const forged = await send(url, { id: 'dlv_2', secrets: [newSecret()] })
  assert.is(forged.status, 401)
  assert.match(forged.text, /^no v1 matches: .*\n$/)
  assert.match(await printed('}\n}\n'), /dlv_2 {2}not verified: no v1 matches: /)
  const old = await send(url, { age: 400 })
  assert.is(old.status, 401)
  assert.match(old.text, /the timestamp is 40\d s old/)
  assert.is((await send(url, { secrets: [newSecret(), secret] })).status, 204, 'any v1 will do')
})

listen('marks a delivery whose id it has seen', async () => {
  const { url } = await start(['--secret', secret])
  for (const id of ['dlv_1', 'dlv_2', 'dlv_1']) assert.is((await send(url, { id })).status, 204)
  const lines = (await printed('duplicate')).split('\n').filter((line) => line.includes('verified'))
  assert.equal(
    lines.map((line) => line.split('  ').slice(2)),
    [
      ['dlv_1', 'verified'],
      ['dlv_2', 'verified'],
      ['dlv_1', 'verified', 'duplicate'],
    ],
  )
})

listen('prints one line of JSON for each with --json, and nothing else on stdout', async () => {
  const { url, output } = await start(['--secret', secret, '--json'])
  await send(url)
  await send(url, { secrets: [newSecret()] })
  await send(url, { id: 'dlv_3', body: 'no JSON \u001b[2J' })
  await send(url, { id: 'dlv_4', body: '[1]' })
  await eventually(() => output().stdout.split('\n').length > 4)
  const lines = output().stdout.trimEnd().split('\n')
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const { problem, ...refused } = parsed[1] ?? {}
  const first = {
    event: 'leads.created',
    delivery_id: 'dlv_1',
    verified: true,
    problem: null,
    duplicate: false,
    timestamp: '2026-03-01T12:00:00.000Z',
    data: { id: 'LEAD-1', lead_name: 'Zoë' },
  }
  const bare = { ...first, timestamp: null, data: null }
  assert.equal(parsed[0], first)
  assert.match(String(problem), 'no v1 matches')
  const { problem: _none, ...verified } = first
  assert.equal(refused, { ...verified, verified: false, duplicate: true })
  assert.equal(parsed.slice(2), [
    { ...bare, delivery_id: 'dlv_3' },
    { ...bare, delivery_id: 'dlv_4' },
  ])
})

listen('makes a secret when it is given none and says how to register it', async () => {
  const { url, output } = await start([], { SVC_API_URL: 'https://api.example.com/' })
  await eventually(() => output().stderr.endsWith("'\n\n"))
  const { stderr } = output()
  const [, made = ''] = /signed with (whsec_\S+)\n/.exec(stderr) ?? []
  const [, json = ''] = /-d '(.*)'/.exec(stderr) ?? []
  assert.match(stderr, 'curl https://api.example.com/v1/webhooks -H "Authorization: Bearer $KEY"')
  assert.equal(JSON.parse(json), { url, events: ['*'], secret: made, label: 'svc webhook listen' })
  assert.is((await send(url, { secrets: [made] })).status, 204)
  const { text } = await send(url)
  assert.match(text, 'no --secret given: expected the one shown at the start')
})

listen('takes deliveries only, and only of some size', async () => {
  const { url, output } = await start(['--secret', secret])
  const read = await fetch(url)
  assert.equal([read.status, read.headers.get('allow')], [405, 'POST'])
  const large = await send(url, { body: 'x'.repeat(6 * 1024 * 1024) })
  assert.is(large.status, 413)
  assert.match(large.text, 'expected a body of at most 5242880 bytes')
  await eventually(() => output().stderr.includes('svc: refused a request'))
  assert.is((await send(url)).status, 204)
})

listen('goes on when a sender hangs up in the middle of a body', async () => {
  const { url, output } = await start(['--secret', secret])
  const sender = connect(Number(new URL(url).port), '127.0.0.1')
  const part = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{'
  sender.write(part, () => sender.destroy())
  await eventually(() => output().stderr.includes('a request broke off'))
  assert.is((await send(url)).status, 204)
})

listen('keeps control characters of strangers from the terminal', async () => {
  const { url } = await start(['--secret', secret])
  await send(url, { id: 'dlv_\u009b2J', body: 'clear \u001b[2J\r\u009b2J the screen' })
  const text = await printed('the screen')
  assert.match(text, 'clear \\u001b[2J\\u000d\\u009b2J the screen')
  assert.not.match(text, /[^\P{Cc}\n]/u)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  listen(`exits 0 on ${signal}`, async () => {
    const { url, end } = await start(['--secret', secret])
    await send(url)
    const { code, stderr } = await end(signal)
    assert.equal([code, stderr], [0, ''])
  })
}

for (const [given, problem] of [
  ['', 'expected 16 to 255 characters, got 0'],
  ['whsec_my-own-wording', 'expected base64 of 24 to 64 bytes after whsec_'],
] as const) {
  listen(`refuses the secret "${given}" without repeating it and exits 2`, async () => {
    const { code, stdout, stderr } = await svc(['webhook', 'listen', '--secret', given])
    assert.equal([code, stdout], [2, ''])
    assert.ok(stderr.startsWith(`svc: --secret: ${problem}`), stderr)
    assert.not.match(stderr, 'my-own')
  })
}

listen('says in one line that a port is taken and exits 1', async () => {
  const { url } = await start(['--secret', secret])
  const { port } = new URL(url)
  const { code, stderr } = await svc(['webhook', 'listen', '--port', port])
  assert.is(code, 1)
  assert.is(
    stderr,
    `svc: port ${port} of 127.0.0.1 is taken: --port chooses another one, --port 0 a free one\n`,
  )
})

listen.run()
