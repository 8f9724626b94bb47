import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as standard from 'standardwebhooks'
import * as svix from 'svix'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deliveryHeaders } from '../../webhooks/signing/headers.ts'
import { newSecret, secretProblem } from '../../webhooks/signing/signature.ts'
import { verifyDelivery } from '../../webhooks/signing/verify.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

/** The libraries look at the machine's clock themselves. */
const now = Date.now()
const timestamp = Math.floor(now / 1000)
const body = '{"event":"leads.created","data":{"name":"Zoë 東京","amount":8.13}}'
const [secret, older, plain] = [
  newSecret(),
  newSecret(),
  'correct horse battery staple'.replaceAll(' ', '-'),
]

function sent(given: Partial<Parameters<typeof deliveryHeaders>[0]> = {}): Record<string, string> {
  const event = 'leads.created'
  return deliveryHeaders({
    event,
    deliveryId: 'dlv_1',
    body,
    timestamp,
    secrets: [secret],
    ...given,
  })
}

const headers = suite('the headers of a delivery')

headers('are those of the interface, letter by letter', () => {
  const found = deliveryHeaders({
    event: 'leads.created',
    deliveryId: 'dlv_1',
    body: '{"a":1}',
    timestamp: 1_700_000_000,
    secrets: ['whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz', 'an-older-secret-of-ours'],
  })
  // openssl dgst -sha256 -hmac SECRET over `1700000000.{"a":1}`, and with -mac HMAC -macopt hexkey:… for the last.
  const newest = '69f0e77b3944eb46083bc90bdfbeb01969233a8c18eb6911b059c706cfe82ac7'
  const old = '7645f019d8bdae196b2068b5c0a432a394dc322ec6831e1b0d0c2942d421830e'
  assert.equal(found, {
    'Content-Type': 'application/json',
    'User-Agent': 'Svc-Webhooks/1.0',
    'X-Svc-Event': 'leads.created',
    'X-Svc-Delivery': 'dlv_1',
    'X-Svc-Timestamp': '1700000000',
    'X-Svc-Signature': `t=1700000000, v1=${newest}, v1=${old}`,
    'X-Svc-Signature-256': `sha256=${newest}`,
    'webhook-id': 'dlv_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature':
      'v1,RZvIhD53Of5OXXB84KeJgjU3K1Na7s7cIzS1ibuqyCc= v1,tAegWGMBAbkt3aQnPa0cXxvfvjCrTPsOx2Zdn1CoG8M=',
  })
})

headers('are what docs/webhooks.md shows', () => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, lines = '', text = ''] = /```http\nPOST .*\n([\s\S]*?)\n\n(.*)\n```/.exec(page) ?? []
  const [, shown = ''] = /secret `(whsec_\S+)`/.exec(page) ?? []
  const pairs = lines.split('\n').map((line) => line.split(': ', 2))
  const expected = Object.fromEntries(pairs) as Record<string, string>
  const made = deliveryHeaders({
    event: expected['X-Svc-Event'] ?? '',
    deliveryId: expected['webhook-id'] ?? '',
    body: text,
    timestamp: Number(expected['X-Svc-Timestamp']),
    secrets: [shown],
  })
  assert.equal(made, expected)
})

headers('sign text and its bytes alike', () => {
  assert.equal(sent(), sent({ body: Buffer.from(body) }))
})

headers('cannot be made without a secret', () => {
  assert.throws(() => sent({ secrets: [] }), /expected at least one secret/)
})

const libraries = suite('the Standard Webhooks libraries')

for (const { name, Webhook } of [
  { name: 'standardwebhooks', Webhook: standard.Webhook },
  { name: 'svix', Webhook: svix.Webhook },
]) {
  const accepts = (key: string, given: Record<string, string>, text: string | Buffer = body) => {
    try {
      new Webhook(key).verify(text, given)
      return true
    } catch {
      return false
    }
  }

  libraries(`${name} verifies a delivery as it is`, () => {
    assert.ok(accepts(secret, sent()))
    assert.ok(accepts(secret, sent(), Buffer.from(body)))
  })

  libraries(`${name} verifies with either secret while one is being rotated`, () => {
    const rotated = sent({ secrets: [secret, older] })
    assert.ok(accepts(secret, rotated))
    assert.ok(accepts(older, rotated))
    assert.not(accepts(newSecret(), rotated))
  })

  libraries(`${name} verifies a secret of one's own wording as a raw one`, () => {
    const given = sent({ secrets: [plain] })
    new Webhook(plain, { format: 'raw' }).verify(body, given)
    assert.throws(() => new Webhook(`${plain}!`, { format: 'raw' }).verify(body, given))
  })

  libraries(`${name} refuses another body, id or timestamp, and an old delivery`, () => {
    assert.not(accepts(secret, sent(), body.replace('8.13', '8.14')))
    assert.not(accepts(secret, { ...sent(), 'webhook-id': 'dlv_2' }))
    assert.not(accepts(secret, { ...sent(), 'webhook-timestamp': String(timestamp - 1) }))
    assert.not(accepts(secret, sent({ timestamp: timestamp - 400 })))
  })
}

const verify = suite('verifyDelivery')

/** Why a delivery is refused; '' when it is verified. */
function problemOf(
  given: Record<string, string | readonly string[] | undefined>,
  change: Partial<Parameters<typeof verifyDelivery>[0]> = {},
): string {
  const result = verifyDelivery({ headers: given, body, secret, now, ...change })
  return result.verified ? '' : result.problem
}

verify('takes a delivery with names in any case, and any of several v1', () => {
  const lower = Object.fromEntries(
    Object.entries(sent({ secrets: [older, secret] })).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  )
  assert.is(problemOf(sent()), '')
  assert.is(problemOf(lower), '')
  assert.is(problemOf(lower, { secret: older, body: Buffer.from(body) }), '')
  assert.is(problemOf(sent({ secrets: [plain] }), { secret: plain }), '')
})

verify('does not mind spaces, order and versions it does not know', () => {
  const { 'X-Svc-Signature': value = '' } = sent()
  const [t = '', v1 = ''] = value.split(', ')
  for (const form of [
    `${t},${v1}`,
    ` ${v1} ,\t${t} `,
    `${t}, v0=abc, v2=x, ${v1}`,
    `${t}, v1=00, ${v1}`,
  ])
    assert.is(problemOf({ 'x-svc-signature': form }), '', form)
  assert.is(problemOf({ 'x-svc-signature': [t, v1] }), '')
})

verify('says why it refuses', () => {
  assert.match(problemOf({}), 'there is no header X-Svc-Signature')
  for (const form of ['', 'x', 't=1', 'v1=ab', `t=1, v1=zz`, `t=a, v1=${'0'.repeat(64)}`])
    assert.match(problemOf({ 'x-svc-signature': form }), 'expected X-Svc-Signature as "t=', form)
  const { 'X-Svc-Signature': value = '' } = sent()
  assert.match(problemOf({ 'x-svc-signature': `t=1, ${value}` }), 'expected X-Svc-Signature as')
  assert.match(problemOf(sent(), { body: `${body} ` }), 'no v1 matches')
  assert.match(problemOf(sent(), { secret: older }), 'no v1 matches')
  const moved = value.replace(`t=${timestamp}`, `t=${timestamp + 1}`)
  assert.match(problemOf({ 'x-svc-signature': moved }), 'no v1 matches')
})

verify('takes a timestamp 300 s off and refuses one of 301 s, before and after', () => {
  const at = (seconds: number) => problemOf(sent(), { now: (timestamp + seconds) * 1000 })
  assert.equal([at(300), at(-300)], ['', ''])
  assert.match(at(301), 'the timestamp is 301 s old, at most 300 s are taken')
  assert.match(at(-301), 'the timestamp is 301 s ahead')
  assert.is(problemOf(sent(), { now: (timestamp + 301) * 1000, toleranceSeconds: 301 }), '')
})

for (const seed of SEEDS)
  verify(`refuses whatever differs in one place (seed ${seed})`, () => {
    const random = randomOf(seed)
    for (let round = 0; round < rounds(100); round += 1) {
      const given = { ...sent() }
      const bytes = Buffer.from(body)
      const at = random.below(bytes.length)
      if (random.chance(0.5)) bytes[at] = bytes[at]! ^ (1 << random.below(8))
      else {
        const value = given['X-Svc-Signature'] ?? ''
        const place = value.indexOf('v1=') + 3 + random.below(64)
        const digit = (Number.parseInt(value[place] ?? '', 16) + 1 + random.below(15)) % 16
        given['X-Svc-Signature'] =
          value.slice(0, place) + digit.toString(16) + value.slice(place + 1)
      }
      assert.match(problemOf(given, { body: bytes }), 'no v1 matches', `round ${round}`)
    }
  })

const secrets = suite('a signing secret')

secrets('that is made is new each time and fit to be supplied', () => {
  assert.is.not(newSecret(), newSecret())
  assert.match(newSecret(), /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.is(secretProblem(newSecret()), undefined)
})

secrets('may be of 16 to 255 visible ASCII characters', () => {
  for (const good of ['!'.repeat(16), '~'.repeat(255), plain, 'c2VjcmV0IGluIGJhc2U2NA=='])
    assert.is(secretProblem(good), undefined, good)
  assert.is(secretProblem('short'), 'expected 16 to 255 characters, got 5')
  assert.is(secretProblem('x'.repeat(256)), 'expected 16 to 255 characters, got 256')
  for (const bad of [
    'sixteen letters and spaces',
    'schlüssel-des-hauses',
    'tab\tin-the-middle',
    `${plain}\n`,
  ])
    assert.match(secretProblem(bad) ?? '', 'expected visible ASCII characters only', bad)
})

secrets('with whsec_ has base64 of 24 to 64 bytes behind it, and no message repeats it', () => {
  const of = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`
  assert.equal([secretProblem(of(24)), secretProblem(of(64))], [undefined, undefined])
  assert.match(
    secretProblem(of(23)) ?? '',
    'expected base64 of 24 to 64 bytes after whsec_, got 23',
  )
  assert.match(secretProblem(of(65)) ?? '', 'got 65')
  for (const bad of [
    'whsec_my-own-wording-here',
    of(32).replace('=', ''),
    `${of(30)}=`,
    'whsec_'.padEnd(40, 'A-_'),
  ]) {
    const problem = secretProblem(bad) ?? ''
    assert.match(problem, 'after whsec_, padded with =', bad)
    assert.not.match(problem, bad.slice(6))
  }
})

secrets('that says whsec_ without base64 signs with its own bytes', () => {
  const odd = 'whsec_not base64 at all'
  const { 'webhook-signature': found } = sent({ secrets: [odd] })
  const expected = createHmac('sha256', odd).update(`dlv_1.${timestamp}.${body}`).digest('base64')
  assert.is(found, `v1,${expected}`)
})

headers.run()
libraries.run()
verify.run()
secrets.run()
