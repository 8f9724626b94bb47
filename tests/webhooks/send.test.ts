import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Resolve } from '../../webhooks/sending/resolve.ts'
import {
  createSender,
  isDelivered,
  type SenderOptions,
  type Sent,
} from '../../webhooks/sending/send.ts'
import type { TargetPolicy } from '../../webhooks/sending/target.ts'
import {
  answers,
  answersEarly,
  behaves,
  breaksOff,
  CERTIFICATE_FILE,
  dripsBody,
  dripsHeaders,
  endlessBody,
  endsKeptConnections,
  gzipBomb,
  hangs,
  hugeBody,
  hugeHeaders,
  invalidHttp,
  keepsOnHinting,
  neverReads,
  ok,
  type Receiver,
  redirectsTo,
  resets,
  selfSigned,
  switchesProtocols,
  tooMany,
} from '../helpers/receivers.ts'

const PUBLIC_ONLY: TargetPolicy = { loopback: false, private: false, ownPorts: [] }
const WITH_LOOPBACK: TargetPolicy = { loopback: true, private: false, ownPorts: [] }

/** A limit that only receivers which never end can reach. */
const SHORT = { timeoutMs: 300 }

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))

let toClose: { close(): Promise<void> }[] = []

async function up(receiver: Promise<Receiver>): Promise<Receiver> {
  toClose.push(await receiver)
  return receiver
}

function senderOf(options: Partial<SenderOptions> = {}) {
  const sender = createSender({ policy: WITH_LOOPBACK, ...options })
  toClose.push(sender)
  return {
    close: sender.close,
    to: (url: string, body = '{"a":1}') =>
      sender.send({ url, headers: { 'content-type': 'application/json' }, body }),
  }
}

async function closeAll(): Promise<void> {
  const closing = toClose.reverse()
  toClose = []
  for (const one of closing) await one.close()
  assert.equal(unhandled, [])
}

const sending = suite('a send')
sending.after.each(closeAll)

sending('delivers headers and body as they are and tells the answer', async () => {
  const receiver = await up(answers(201, 'thanks'))
  const sent = await senderOf().to(`${receiver.url}?q=1#part`, '{"name":"Zoë"}')
  const { latencyMs, ...rest } = sent
  assert.equal(rest, { statusCode: 201, preview: 'thanks', error: null, retryAfter: null })
  assert.ok(Number.isInteger(latencyMs) && latencyMs >= 0)
  assert.ok(isDelivered(sent))
  const [request] = receiver.requests()
  assert.is(request?.method, 'POST')
  assert.is(request?.path, '/hook?q=1')
  assert.is(request?.body, '{"name":"Zoë"}')
  assert.is(request?.headers['content-type'], 'application/json')
  assert.is(request?.headers['accept-encoding'], 'identity')
  assert.is(request?.headers['content-length'], '15')
  assert.is(request?.headers.host, `127.0.0.1:${receiver.port}`)
})

sending('is delivered by every 2xx and by nothing else', async () => {
  const sender = senderOf()
  for (const status of [200, 202, 204, 299]) {
    const sent = await sender.to((await up(answers(status))).url)
    assert.ok(isDelivered(sent), String(status))
    assert.is(sent.preview, '')
  }
  for (const status of [304, 400, 404, 410, 500, 503]) {
    const sent = await sender.to((await up(answers(status, status === 304 ? '' : 'no'))).url)
    assert.not.ok(isDelivered(sent), String(status))
    assert.is(sent.statusCode, status)
    assert.match(sent.error ?? '', `the receiver answered ${status}`)
  }
})

sending('tells Retry-After as it came', async () => {
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
  assert.is((await senderOf().to((await up(tooMany('120'))).url)).retryAfter, '120')
  assert.is((await senderOf().to((await up(tooMany(date))).url)).retryAfter, date)
})

sending('follows no redirect', async () => {
  const secret = await up(ok())
  for (const status of [301, 302, 303, 307, 308]) {
    const sent = await senderOf().to((await up(redirectsTo(secret.url, status))).url)
    assert.is(sent.statusCode, status)
    assert.match(sent.error ?? '', /redirects are not followed/)
    assert.is(secret.connections(), 0)
  }
})

sending('uses connections again', async () => {
  const receiver = await up(ok())
  const sender = senderOf()
  for (let count = 0; count < 20; count += 1) assert.ok(isDelivered(await sender.to(receiver.url)))
  assert.is(receiver.requests().length, 20)
  assert.ok(receiver.connections() < 10, `${receiver.connections()} connections`)
})

for (const how of ['end', 'reset'] as const) {
  sending(`repeats once, over a new connection, what a kept one broke under (${how})`, async () => {
    const receiver = await up(endsKeptConnections(how))
    const sender = senderOf()
    let sends = 0
    while (receiver.requests().length < sends + 5) {
      const sent = await Promise.all([1, 2, 3].map(() => sender.to(receiver.url)))
      assert.ok(sent.every(isDelivered), JSON.stringify(sent))
      sends += sent.length
      await connectionIsFree()
    }
    // A second try goes over a connection of its own: another kept one may be as dead as the first.
    const single = receiver.requests().filter(({ headers }) => headers.connection === 'close')
    assert.is(single.length, receiver.requests().length - sends)
  })
}

sending('does not repeat what was answered badly over a kept connection', async () => {
  let isBad = false
  const receiver = await up(
    behaves((response, socket) => {
      if (isBad) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      else response.end('ok')
    }),
  )
  const sender = senderOf()
  assert.ok(isDelivered(await sender.to(receiver.url)))
  isBad = true
  await connectionIsFree()
  assert.match((await sender.to(receiver.url)).error ?? '', /not valid HTTP/)
  assert.equal([receiver.requests().length, receiver.connections()], [2, 1])
})

sending('repeats nothing when a new connection breaks', async () => {
  const receiver = await up(resets())
  const sent = await senderOf().to(receiver.url)
  assert.is(sent.statusCode, null)
  assert.is(sent.preview, null)
  assert.match(sent.error ?? '', /connection was closed/)
  assert.is(receiver.requests().length, 1)
})

sending('repeats no more than once', async () => {
  let isBreaking = false
  const receiver = await up(
    behaves((response, socket) => {
      if (isBreaking) socket.resetAndDestroy()
      else response.end('ok')
    }),
  )
  const sender = senderOf()
  assert.ok(isDelivered(await sender.to(receiver.url)))
  isBreaking = true
  await connectionIsFree()
  assert.match((await sender.to(receiver.url)).error ?? '', /connection was closed/)
  assert.is(receiver.requests().length, 3)
})

/** The library takes up a connection again in the turn after the answer. */
async function connectionIsFree(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done))
}

sending.run()

const hostile = suite('a receiver')
hostile.after.each(closeAll)

/** Receivers that never end: the limit covers every stage, however busy it looks. */
const ENDLESS: readonly (readonly [
  name: string,
  start: () => Promise<Receiver>,
  status: number | null,
])[] = [
  ['hangs', hangs, null],
  ['drips headers', dripsHeaders, null],
  ['sends 103 Early Hints for ever', keepsOnHinting, null],
  ['drips its body', dripsBody, 200],
]

for (const [name, start, status] of ENDLESS) {
  hostile(`that ${name} is cut off when the time is up`, async () => {
    const receiver = await up(start())
    let { timeoutMs } = SHORT
    let sent = await senderOf({ timeoutMs }).to(receiver.url)
    // On a machine so slow that not even the status came in time, it needs more time to come.
    while (sent.statusCode !== status) {
      timeoutMs *= 2
      sent = await senderOf({ timeoutMs }).to(receiver.url)
    }
    assert.not.ok(isDelivered(sent))
    assert.match(sent.error ?? '', `within ${timeoutMs / 1000} s`)
    assert.is(sent.preview === null, status === null)
    await receiver.idle()
  })
}

hostile('that reads nothing is cut off when the time is up', async () => {
  const receiver = await up(neverReads())
  const sent = await senderOf(SHORT).to(receiver.url, 'x'.repeat(5_000_000))
  assert.match(sent.error ?? '', /no answer came within/)
})

hostile('whose TLS handshake hangs is cut off when the time is up', async () => {
  const receiver = await up(neverReads())
  const sent = await senderOf(SHORT).to(receiver.url.replace('http:', 'https:'))
  assert.match(sent.error ?? '', /no answer came within|no connection/)
})

hostile('whose name servers never answer is cut off when the time is up', async () => {
  const resolve: Resolve = () => new Promise(() => undefined)
  const sent = await senderOf({ ...SHORT, resolve }).to('http://slow.example/')
  assert.match(sent.error ?? '', /no answer came within|no connection/)
})

/** What is wrong with each answer, and what is said about it. */
const BROKEN: readonly (readonly [string, () => Promise<Receiver>, number | null, RegExp])[] = [
  ['resets the connection', resets, null, /connection was closed/],
  ['speaks no HTTP', invalidHttp, null, /not valid HTTP/],
  ['switches protocols', switchesProtocols, null, /not valid HTTP/],
  ['sends 1 MB of headers', hugeHeaders, null, /more than 16 KB of headers/],
  ['breaks off in its body', breaksOff, 200, /connection was closed/],
]

for (const [name, start, status, says] of BROKEN) {
  hostile(`that ${name} is a failed attempt`, async () => {
    const receiver = await up(start())
    const sent = await senderOf().to(receiver.url)
    assert.is(sent.statusCode, status)
    assert.not.ok(isDelivered(sent))
    assert.match(sent.error ?? '', says)
    await receiver.idle()
  })
}

hostile('that nobody runs is a failed attempt', async () => {
  const receiver = await ok()
  await receiver.close()
  const sent = await senderOf().to(receiver.url)
  assert.match(sent.error ?? '', /connection was refused/)
  assert.not.match(sent.error ?? '', /127\.0\.0\.1/)
})

hostile('that answers and closes before it has read the body ends the attempt', async () => {
  const receiver = await up(answersEarly())
  const sent = await senderOf().to(receiver.url, 'x'.repeat(5_000_000))
  // Its reset may overtake its answer.
  assert.ok(
    sent.statusCode === 413 || /connection was closed/.test(sent.error ?? ''),
    sent.error ?? '',
  )
  assert.not.ok(isDelivered(sent))
})

hostile('with a body that never ends is delivered to, and left after 4 KB', async () => {
  const receiver = await up(endlessBody())
  const sent = await senderOf().to(receiver.url)
  assert.ok(isDelivered(sent))
  assert.is(sent.preview, 'x'.repeat(4096))
  await receiver.idle()
})

hostile('with huge bodies takes no memory here', async () => {
  const receivers = [await up(endlessBody()), await up(hugeBody()), await up(gzipBomb())]
  const sender = senderOf()
  async function round(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      const sent = await Promise.all(receivers.map(({ url }) => sender.to(url)))
      assert.ok(sent.every(isDelivered))
    }
  }
  await round(5)
  const before = process.memoryUsage().rss
  await round(30)
  const grown = process.memoryUsage().rss - before
  assert.ok(grown < 50 * 1024 * 1024, `grew by ${grown} bytes`)
})

hostile('that compresses its answer is not unpacked', async () => {
  assert.is((await senderOf().to((await up(gzipBomb())).url)).preview, '(gzip, not shown)')
  const odd = await up(answers(200, 'abc', { 'content-encoding': '<script>' }))
  assert.is((await senderOf().to(odd.url)).preview, '(encoded, not shown)')
  const plain = await up(answers(200, 'abc', { 'content-encoding': 'identity' }))
  assert.is((await senderOf().to(plain.url)).preview, 'abc')
})

hostile('leaves no socket behind, however many attempts fail', async () => {
  const receivers = [
    await up(resets()),
    await up(hangs()),
    await up(invalidHttp()),
    await up(hugeHeaders()),
  ]
  const sender = senderOf(SHORT)
  await Promise.all(
    receivers.flatMap(({ url }) => Array.from({ length: 10 }, () => sender.to(url))),
  )
  for (const receiver of receivers) await receiver.idle()
})

hostile.run()

const previews = suite('a preview')
previews.after.each(closeAll)

async function previewOf(body: string | Buffer, maxPreview = 4096): Promise<string | null> {
  const receiver = await up(behaves((response) => response.end(body)))
  return (await senderOf({ maxPreview }).to(receiver.url)).preview
}

previews('is cut between characters', async () => {
  assert.is(await previewOf('é'.repeat(10), 7), 'ééé')
  assert.is(await previewOf('😀😀', 7), '😀')
  assert.is(await previewOf('abcdefg', 7), 'abcdefg')
})

previews('has no control characters except tab and line breaks', async () => {
  assert.is(await previewOf('a\0b\u001b[31mc\td\r\ne\u0085f\u007f'), 'ab[31mc\td\r\nef')
})

previews('is valid UTF-8 within its size, whatever the bytes', async () => {
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256))
  const preview = (await previewOf(bytes, 200)) ?? ''
  assert.ok(preview.isWellFormed())
  assert.ok(Buffer.byteLength(preview) <= 200)
  assert.is(await previewOf(Buffer.from([0x61, 0xff, 0xc3])), 'a\ufffd\ufffd')
})

previews.run()

const tls = suite('HTTPS')
tls.after.each(closeAll)

tls('to a receiver whose certificate nobody has signed is a failed attempt', async () => {
  const receiver = await up(selfSigned())
  const sent = await senderOf().to(receiver.url)
  assert.match(sent.error ?? '', /certificate .* not trusted, it is signed by itself/)
  assert.is(receiver.requests().length, 0)
})

tls('to a receiver that speaks plain HTTP is a failed attempt', async () => {
  const receiver = await up(ok())
  const sent = await senderOf().to(receiver.url.replace('http:', 'https:'))
  assert.match(sent.error ?? '', /no TLS connection|connection was closed/)
})

tls('delivers to a trusted certificate of that name and to no other', async () => {
  const receiver = await up(selfSigned())
  const [right, wrong] = await Promise.all([
    sentByProcess(`https://receiver.test:${receiver.port}/`),
    sentByProcess(`https://other.test:${receiver.port}/`),
  ])
  assert.equal([right.statusCode, right.error], [200, null])
  assert.is(wrong.statusCode, null)
  assert.match(wrong.error ?? '', /for another host name/)
  assert.is(receiver.requests().length, 1)
})

async function sentByProcess(url: string): Promise<Sent> {
  const file = fileURLToPath(import.meta.resolve('./send-process.ts'))
  const { stdout } = await promisify(execFile)(process.execPath, [file, url], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: fileURLToPath(CERTIFICATE_FILE) },
  })
  return JSON.parse(stdout) as Sent
}

tls.run()

const forbidden = suite('a forbidden target')
forbidden.after.each(closeAll)

/** Ways to write an address of this machine, `PORT` being that of the receiver with the secret. */
const LOOPBACK_FORMS = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7F000001:PORT/',
  'http://2130706433:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.0.0.2:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://１２７。０。０。１:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST.:PORT/',
  'http://ⓛocalhost:PORT/',
  'http://user:pass@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT@127.0.0.1:PORT/',
  'http://example.com\\@127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'ht\ntp://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'file:///etc/hostname',
  'gopher://127.0.0.1:PORT/_POST',
  'http://169.254.169.254:PORT/latest/meta-data',
  'http://[::ffff:169.254.169.254]:PORT/',
  'http://[fd00:ec2::254]:PORT/',
  'http://10.0.0.1:PORT/',
  'http://127.0.0.1:6379/',
  'http://8.8.8.8:6379/',
]

forbidden('is never dialled, in whatever way it is written', async () => {
  const secret = await up(ok())
  const asked: string[] = []
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname)
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const closedTo = senderOf({ policy: PUBLIC_ONLY, resolve })
  for (const form of LOOPBACK_FORMS) {
    const sent = await closedTo.to(form.replaceAll('PORT', String(secret.port)))
    assert.is(sent.statusCode, null, form)
    assert.match(sent.error ?? '', /^expected /, form)
  }
  assert.is(secret.connections(), 0)
  // Only a name that may be a public one is looked up.
  assert.equal(asked, ['example.com'])
  assert.ok(isDelivered(await senderOf().to(secret.url)), 'the secret can be had by whoever may')
})

forbidden('behind a name of any kind is not dialled', async () => {
  const secret = await up(ok())
  const url = `http://hooks.example.com:${secret.port}/`
  for (const addresses of [
    [{ address: '127.0.0.1', family: 4 }],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
    [
      { address: '8.8.8.8', family: 4 },
      { address: 'fd00::1', family: 6 },
    ],
    [
      { address: '127.0.0.1', family: 4 },
      { address: '8.8.8.8', family: 4 },
    ],
  ] as const) {
    const sent = await senderOf({ policy: PUBLIC_ONLY, resolve: async () => addresses }).to(url)
    assert.match(sent.error ?? '', /^expected a public address, got a host name of a/)
  }
  assert.is(secret.connections(), 0)
})

forbidden('is judged again for each connection (DNS rebinding)', async () => {
  const harmless = await up(answers(200, 'harmless', { connection: 'close' }))
  let looked = 0
  // 127.0.0.1 stands for the public address here, 10.0.0.1 for the one the policy forbids.
  const resolve: Resolve = async () => {
    looked += 1
    return [{ address: looked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
  }
  const sender = senderOf({ resolve })
  const url = `http://rebound.example:${harmless.port}/`
  assert.ok(isDelivered(await sender.to(url)))
  await harmless.idle()
  assert.match((await sender.to(url)).error ?? '', /got a host name of a private address/)
  assert.is(looked, 2)
})

forbidden('is the own port on loopback, by address and by name', async () => {
  const own = await up(ok())
  const sender = senderOf({
    policy: { loopback: true, private: false, ownPorts: [own.port] },
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  for (const host of ['127.0.0.1', 'localhost', 'me.example']) {
    const sent = await sender.to(`http://${host}:${own.port}/`)
    assert.match(sent.error ?? '', /does not call itself/, host)
  }
  assert.is(own.connections(), 0)
})

forbidden('is told as such when it cannot be resolved', async () => {
  const resolve: Resolve = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND secret-dns'), { code: 'ENOTFOUND' })
  }
  const sent = await senderOf({ resolve }).to('http://gone.example/')
  assert.match(sent.error ?? '', /does not resolve/)
  assert.not.match(sent.error ?? '', /secret-dns/)
})

forbidden.run()

const closing = suite('a sender that is closed')
closing.after.each(closeAll)

closing('ends what is under way with an error and sends no more', async () => {
  const receiver = await up(behaves(() => arrived()))
  let arrived = (): void => undefined
  const waiting = new Promise<void>((done) => {
    arrived = done
  })
  const sender = senderOf()
  const sent = sender.to(receiver.url)
  await waiting
  await sender.close()
  assert.match((await sent).error ?? '', /svc was stopped/)
  assert.match((await sender.to(receiver.url)).error ?? '', /svc is stopping/)
  await receiver.idle()
  assert.is(receiver.requests().length, 1)
})

closing('never rejects, not even for a header that cannot be sent', async () => {
  const receiver = await up(ok())
  const sender = createSender({ policy: WITH_LOOPBACK })
  toClose.push(sender)
  for (const headers of [
    { 'x-a': 'b\r\nx-evil: 1' },
    { 'bad name': 'a' },
    { 'transfer-encoding': 'x' },
  ]) {
    const sent = await sender.send({
      url: receiver.url,
      headers: headers as Record<string, string>,
      body: '',
    })
    assert.match(sent.error ?? '', /header that HTTP does not allow/)
  }
  assert.is(receiver.requests().length, 0)
})

closing.run()
