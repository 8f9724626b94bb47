import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deliveryHeaders } from '../../webhooks/signing/headers.ts'
import { newSecret, signatureOf } from '../../webhooks/signing/signature.ts'

const EXAMPLES = new URL('../../docs/examples/webhook-receiver/', import.meta.url)

/** What a receiver has in hand. */
interface Received {
  readonly body: string
  readonly header: string | null
  readonly secret: string
}

/** The examples look at the machine's clock themselves. */
const now = Math.floor(Date.now() / 1000)
const body = '{"event":"leads.created","data":{"name":"Zoë 東京 😀"}}'
const [secret, older, plain] = [newSecret(), newSecret(), 'a-secret-of-your-own-wording']

function signed(secrets: readonly string[], timestamp = now): string {
  const event = 'leads.created'
  const headers = deliveryHeaders({ event, deliveryId: 'dlv_1', body, timestamp, secrets })
  return headers['X-Svc-Signature'] ?? ''
}

const header = signed([secret])
const [t = '', v1 = ''] = header.split(', ')

const GOOD: Readonly<Record<string, Received>> = {
  'a delivery as it is': { body, header, secret },
  'one without the space': { body, header: `${t},${v1}`, secret },
  'one with more spaces': { body, header: ` ${v1} , ${t} `, secret },
  'one of a rotation, with the new secret': { body, header: signed([secret, older]), secret },
  'one of a rotation, with the old secret': { body, header: signed([older, secret]), secret },
  'one with a version to come': { body, header: `${t}, v2=xyz, ${v1}`, secret },
  'one of a secret in plain words': { body, header: signed([plain]), secret: plain },
  'one that came 290 s late': { body, header: signed([secret], now - 290), secret },
}

const BAD: Readonly<Record<string, Received>> = {
  'a changed body': { body: body.replace('東', '西'), header, secret },
  'a changed timestamp': { body, header: `t=${now - 1}, ${v1}`, secret },
  'a changed signature': {
    body,
    header: header.replace(/.$/, (end) => (end === '0' ? '1' : '0')),
    secret,
  },
  'an old delivery': { body, header: signed([secret], now - 400), secret },
  'one of the future': { body, header: signed([secret], now + 400), secret },
  'another secret': { body, header, secret: older },
  'no header': { body, header: null, secret },
  'an empty header': { body, header: '', secret },
  'a header without signature': { body, header: t, secret },
  'a header without timestamp': { body, header: v1, secret },
  'a timestamp that is no number': { body, header: `t=soon, ${v1}`, secret },
  'a timestamp that is no number, though signed': {
    body,
    header: `t=soon, v1=${signatureOf(secret, 'soon', body).toString('hex')}`,
    secret,
  },
  'an empty timestamp': { body, header: `t=, ${v1}`, secret },
  'an endless timestamp': { body, header: `t=${'9'.repeat(9000)}, ${v1}`, secret },
  'a signature that is no hex': { body, header: `${t}, v1=ü${'z'.repeat(63)}`, secret },
  'a signature that is too short': { body, header: `${t}, ${v1.slice(0, -2)}`, secret },
  'an empty signature': { body, header: `${t}, v1=`, secret },
}

const CASES = { ...GOOD, ...BAD }

type Verify = (received: readonly Received[]) => Promise<readonly boolean[]>

const withNode: Verify = async (received) => {
  const example = (await import(new URL('verify-webhook.js', EXAMPLES).href)) as {
    verifyWebhook(body: Buffer | string, header: string | undefined, secret: string): boolean
  }
  return received.map(({ body: text, header: given, secret: key }, at) =>
    example.verifyWebhook(at % 2 ? text : Buffer.from(text), given ?? undefined, key),
  )
}

/** Answers each line of stdin, a delivery as JSON, with True or False. */
const PYTHON_DRIVER = `
import json, sys
sys.path.insert(0, sys.argv[1])
from verify_webhook import verify_webhook
for one in json.load(sys.stdin):
    print(json.dumps(verify_webhook(one["body"].encode(), one["header"], one["secret"])))
`

const withPython: Verify = async (received) => {
  const child = spawn('python3', ['-B', '-c', PYTHON_DRIVER, fileURLToPath(EXAMPLES)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  const ended = once(child, 'close') as Promise<[number | null]>
  child.stdin.on('error', () => undefined).end(JSON.stringify(received))
  const [code] = await ended.catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new Error('this test needs python3 in the PATH, from 3.8 on: `apt-get install python3`')
      : error
  })
  assert.is(code, 0, 'python3 failed; see above')
  return JSON.parse(`[${Buffer.concat(output).toString().trim().replaceAll('\n', ',')}]`)
}

const examples = suite('the examples for receivers')

for (const [name, verify] of [
  ['verify-webhook.js', withNode],
  ['verify_webhook.py', withPython],
] as const) {
  examples(`${name} takes what is genuine and refuses all else`, async () => {
    const answers = await verify(Object.values(CASES))
    const found = Object.fromEntries(Object.keys(CASES).map((each, at) => [each, answers[at]]))
    const expected = Object.fromEntries(Object.keys(CASES).map((each) => [each, each in GOOD]))
    assert.equal(found, expected)
  })
}

examples.run()
