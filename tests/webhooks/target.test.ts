import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AddressClass, judgeAddress } from '../../webhooks/sending/address-rules.ts'
import {
  guardedLookup,
  type Resolve,
  type ResolvedAddress,
  resolvedProblem,
  systemResolve,
} from '../../webhooks/sending/resolve.ts'
import {
  type TargetPolicy,
  type TargetSettings,
  targetPolicy,
  targetProblem,
} from '../../webhooks/sending/target.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const PUBLIC_ONLY: TargetPolicy = { loopback: false, private: false, ownPorts: [] }
const WITH_LOOPBACK: TargetPolicy = { loopback: true, private: false, ownPorts: [8000] }
const WITH_PRIVATE: TargetPolicy = { loopback: false, private: true, ownPorts: [] }
const EVERYTHING: TargetPolicy = { loopback: true, private: true, ownPorts: [] }

const addresses = suite('an address')

/** The edges of each range, from both sides. */
const CLASSES: Readonly<Record<AddressClass, string>> = {
  public: `1.0.0.0 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    168.63.129.15 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0
    192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255
    198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 ::ffff:8.8.8.8 ::ffff:808:808
    2000:: 2001:200:: 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9:: 2003:: 2606:4700:4700::1111
    2a00:1450:4001::1 3ffe:ffff:: 3fff:1000::`,
  loopback:
    '127.0.0.0 127.0.0.1 127.255.255.255 ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::FFFF:7f00:1',
  private: `10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 100.64.0.0
    100.127.255.255 169.254.0.0 169.254.169.254 169.254.255.255 168.63.129.16 ::ffff:169.254.169.254
    ::ffff:a00:1 fc00:: fd00:ec2::254 fdff:ffff:: fe80:: fe80::1%eth0 febf:ffff:: fec0:: feff:ffff::`,
  reserved: `0.0.0.0 0.255.255.255 192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.1 198.51.100.1 203.0.113.255
    192.88.99.1 198.18.0.0 198.19.255.255 224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255 :: ::2
    ::127.0.0.1 ::8.8.8.8 ::ffff:0:7f00:1 ::ffff:0.0.0.0 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1
    100::1 100:0:0:1::1 2001::1 2001:0:7f00:1:: 2001:1ff:ffff:: 2001:db8::1 2002:7f00:1:: 2002:808:808::1
    3fff::1 3fff:fff:ffff::1 4000:: 5f00::1 8000:: fe00:: fbff:ffff:: ff02::1 ffff::
    localhost 127.1 1.2.3 example.com 0x7f.1 ${'"'} 127.0.0.1:80 [::1]`,
}

for (const [kind, texts] of Object.entries(CLASSES)) {
  addresses(`that is ${kind} is judged so up to the edges of its range`, () => {
    for (const text of texts.trim().split(/\s+/)) {
      assert.is(judgeAddress(text).class, kind, text)
    }
  })
}

for (const seed of SEEDS)
  addresses(`is judged the same in every form a URL may give it (seed ${seed})`, () => {
    const random = randomOf(seed)
    for (let round = 0; round < rounds(500); round += 1) {
      const bytes = randomIPv4(random)
      const plain = bytes.join('.')
      const form = oddForm(bytes, random)
      for (const policy of [PUBLIC_ONLY, WITH_LOOPBACK, WITH_PRIVATE, EVERYTHING]) {
        const expected = targetProblem(`http://${plain}/`, policy)
        assert.is(targetProblem(`http://${form}/`, policy), expected, `${form} is ${plain}`)
      }
    }
  })

/** Anything, but half of the time from the ranges where the rules are. */
function randomIPv4(random: Random): number[] {
  const start = random.one([
    [],
    [],
    [127],
    [10],
    [0],
    [192, 168],
    [172, 16 + random.below(17)],
    [169, 254],
    [100, 63 + random.below(3)],
    [198, 17 + random.below(4)],
    [192, 0, random.below(4)],
  ])
  return [0, 1, 2, 3].map((index) => start[index] ?? random.below(256))
}

function oddForm(bytes: readonly number[], random: Random): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const hex = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const high = (hex >>> 16).toString(16)
  const low = (hex & 0xffff).toString(16)
  if (random.chance(0.3)) {
    return random.one([
      `[::ffff:${bytes.join('.')}]`,
      `[::FFFF:${high}:${low}]`,
      `[0:0:0:0:0:ffff:${high}:${low}]`,
      `[0000:0000:0000:0000:0000:ffff:${high.padStart(4, '0')}:${low.padStart(4, '0')}]`,
    ])
  }
  const parts = random.one([
    [a, b, c, d],
    [a, b, (c << 8) | d],
    [a, (b << 16) | (c << 8) | d],
    [hex],
  ])
  const written = parts.map((part) => oddNumber(part, random)).join('.')
  return disguised(random.chance(0.2) ? `${written}.` : written, random)
}

function oddNumber(number: number, random: Random): string {
  return random.one([
    String(number),
    `0${number.toString(8)}`,
    `000${number.toString(8)}`,
    `0x${number.toString(16)}`,
    `0X${number.toString(16).toUpperCase()}`,
    `0x0000${number.toString(16)}`,
  ])
}

function disguised(host: string, random: Random): string {
  if (random.chance(0.2)) {
    return [...host].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
  }
  if (random.chance(0.3)) {
    return host
      .replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
      .replaceAll('.', random.one(['。', '．', '.']))
  }
  return host
}

addresses.run()

const targets = suite('the URL of a receiver')

targets('is accepted when it is public, with any web port and path', () => {
  for (const url of [
    'https://example.com/hook',
    'http://example.com',
    'https://example.com:8443/a?b=c#d',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'http://[2606:4700:4700::1111]:8080/',
    'http://my-localhost.example/',
    'http://internal/',
    `https://example.com/${'x'.repeat(2028)}`,
  ]) {
    assert.is(targetProblem(url, PUBLIC_ONLY), undefined, url)
  }
})

/** What the URL is, and what the answer has to say about it. */
const REFUSED: readonly (readonly [url: string, says: RegExp])[] = [
  ['', /such as https:\/\/example\.com\/hook/],
  ['hook', /got none/],
  ['//example.com/', /got none/],
  ['http://', /got none/],
  ['http://1.2.3.4.5/', /got none/],
  ['http://256.0.0.1/', /got none/],
  ['http://[fe80::1%25eth0]/', /got none/],
  ['file:///etc/passwd', /got file:/],
  ['gopher://127.0.0.1:6379/_FLUSHALL', /got gopher:/],
  ['ftp://example.com/', /got ftp:/],
  ['data:text/plain,x', /got data:/],
  ['javascript:alert(1)', /got javascript:/],
  ['ws://example.com/', /got ws:/],
  ['https://user:pass@example.com/', /without user and password/],
  ['https://user@example.com/', /without user and password/],
  ['https://example.com\n/', /without spaces/],
  [' https://example.com/', /without spaces/],
  ['http://127.0.0.1\u00a0/', /without spaces/],
  [`https://example.com/${'x'.repeat(2029)}`, /at most 2048 characters, got 2049/],
  ['http://example.com:22/', /got 22/],
  ['http://example.com:0/', /got 0/],
  ['http://example.com:1023/', /got 1023/],
  ['http://example.com:6379/', /got 6379, which is the port of a cache/],
  ['http://example.com:5432/', /the port of a database/],
  ['http://example.com:2375/', /the port of a container/],
  ['http://example.com:6000/', /X window/],
  ['http://example.com:6667/', /another protocol than HTTP/],
  ['http://127.0.0.1/', /got a loopback address; .*SVC_TRUST_PROXY/],
  ['http://localhost/', /loopback/],
  ['http://LOCALHOST./', /loopback/],
  ['http://a.localhost/', /loopback/],
  ['http://[::1]/', /loopback/],
  ['http://10.0.0.1/', /SVC_WEBHOOK_ALLOW_PRIVATE=1/],
  ['http://169.254.169.254/latest/meta-data', /SVC_WEBHOOK_ALLOW_PRIVATE=1/],
  ['http://[fd00:ec2::254]/', /SVC_WEBHOOK_ALLOW_PRIVATE=1/],
  ['http://0.0.0.0/', /unspecified/],
  ['http://224.0.0.1/', /multicast/],
]

for (const [url, says] of REFUSED) {
  targets(`is refused, saying why: ${JSON.stringify(url.slice(0, 50))}`, () => {
    assert.match(targetProblem(url, PUBLIC_ONLY) ?? 'accepted', says)
  })
}

targets('is never repeated with its password', () => {
  assert.not.match(targetProblem('https://user:hunter2@10.0.0.1/', PUBLIC_ONLY) ?? '', /hunter2/)
})

targets('may be loopback only where the policy says so, private or not', () => {
  for (const url of ['http://127.0.0.1:9000/', 'http://localhost:9000/', 'http://[::1]:9000/']) {
    assert.is(targetProblem(url, WITH_LOOPBACK), undefined, url)
    assert.is(targetProblem(url, EVERYTHING), undefined, url)
    assert.type(targetProblem(url, WITH_PRIVATE), 'string', url)
  }
})

targets('may be private or metadata only where the policy says so, loopback or not', () => {
  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://[fd00::1]/']) {
    assert.is(targetProblem(url, WITH_PRIVATE), undefined, url)
    assert.type(targetProblem(url, WITH_LOOPBACK), 'string', url)
  }
})

targets('may be a reserved address or a service port under no policy', () => {
  for (const url of [
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
  ]) {
    assert.type(targetProblem(url, EVERYTHING), 'string', url)
  }
  assert.type(targetProblem('http://127.0.0.1:6379/', EVERYTHING), 'string')
})

targets('may not be the own port on loopback, in whatever form', () => {
  for (const url of [
    'http://127.0.0.1:8000/',
    'http://127.9:8000/',
    'http://[::1]:8000/',
    'http://localhost:8000/',
  ]) {
    assert.match(targetProblem(url, WITH_LOOPBACK) ?? '', /does not call itself/, url)
  }
  assert.is(targetProblem('http://example.com:8000/', WITH_LOOPBACK), undefined)
})

targets.run()

const policies = suite('the policy')

const LOCAL: TargetSettings = {
  host: '127.0.0.1',
  trustProxy: [],
  baseUrl: undefined,
  integrateUrl: undefined,
  apiUrl: undefined,
  allowPrivate: false,
}

policies('allows loopback while the workspace is reached from this machine only', () => {
  for (const settings of [
    LOCAL,
    { ...LOCAL, host: 'localhost' },
    { ...LOCAL, host: '::1' },
    { ...LOCAL, host: '127.0.0.53', baseUrl: 'http://localhost:8000', apiUrl: 'http://[::1]:8000' },
  ]) {
    assert.is(targetPolicy(settings, [8000]).loopback, true, JSON.stringify(settings))
  }
  assert.equal(targetPolicy(LOCAL, [8000]), WITH_LOOPBACK)
})

policies('refuses loopback as soon as others can reach the workspace', () => {
  for (const change of [
    { host: '0.0.0.0' },
    { host: '::' },
    { host: '192.168.1.5' },
    { host: 'svc.internal' },
    { trustProxy: ['127.0.0.1'] },
    { baseUrl: 'https://svc.example.com' },
    { integrateUrl: 'https://svc.example.com' },
    { apiUrl: 'http://10.0.0.1:8000' },
    { host: '0.0.0.0', allowPrivate: true },
  ]) {
    assert.is(targetPolicy({ ...LOCAL, ...change }, []).loopback, false, JSON.stringify(change))
  }
})

policies('allows private addresses by the setting alone', () => {
  assert.is(targetPolicy(LOCAL, []).private, false)
  assert.is(targetPolicy({ ...LOCAL, allowPrivate: true }, []).private, true)
})

policies.run()

const names = suite('a host name')

function resolvesTo(...found: readonly string[]): Resolve {
  return async () =>
    found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }) as const)
}

const unknown: Resolve = async () => {
  throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
}

names('is refused at registration when any of its addresses is forbidden', async () => {
  const problem = (resolve: Resolve, policy = PUBLIC_ONLY) =>
    resolvedProblem('https://hooks.example.com/', policy, resolve)
  assert.is(await problem(resolvesTo('8.8.8.8', '2606:4700::1')), undefined)
  assert.match((await problem(resolvesTo('8.8.8.8', 'fd00::1'))) ?? '', /private/)
  assert.match((await problem(resolvesTo('10.0.0.1', '8.8.8.8'))) ?? '', /ALLOW_PRIVATE=1/)
  assert.match((await problem(resolvesTo('::ffff:127.0.0.1'))) ?? '', /loopback/)
  assert.match((await problem(resolvesTo('::127.0.0.1'), EVERYTHING)) ?? '', /reserved/)
  assert.match((await problem(resolvesTo('no address'), EVERYTHING)) ?? '', /reserved/)
  assert.is(await problem(resolvesTo('10.0.0.1'), WITH_PRIVATE), undefined)
})

names('is refused without a word about the address behind it', async () => {
  const problem = await resolvedProblem('https://a.example/', PUBLIC_ONLY, resolvesTo('10.1.2.3'))
  assert.not.match(problem ?? '', /10\.|RFC/)
})

names(
  'that cannot be resolved yet is no problem, and neither are addresses asked for',
  async () => {
    assert.is(await resolvedProblem('https://new.example/', PUBLIC_ONLY, unknown), undefined)
    assert.is(
      await resolvedProblem('https://8.8.8.8/', PUBLIC_ONLY, resolvesTo('10.0.0.1')),
      undefined,
    )
    assert.is(
      await resolvedProblem('https://[2606::1]/', PUBLIC_ONLY, resolvesTo('::1')),
      undefined,
    )
  },
)

names('of the own port on loopback is refused', async () => {
  const local = resolvesTo('127.0.0.1')
  assert.match(
    (await resolvedProblem('http://me.example:8000/', WITH_LOOPBACK, local)) ?? '',
    /itself/,
  )
  assert.is(await resolvedProblem('http://me.example:8001/', WITH_LOOPBACK, local), undefined)
})

names('is judged as it is written, too', async () => {
  assert.match((await resolvedProblem('http://a:1/', EVERYTHING, unknown)) ?? '', /expected port/)
})

names('is resolved by the system, hosts file included', async () => {
  const found = await systemResolve('localhost')
  assert.ok(found.length > 0)
  for (const { address } of found) assert.is(judgeAddress(address).class, 'loopback', address)
})

names.run()

const lookups = suite('the lookup of a connection')

type Found = string | readonly ResolvedAddress[]

function look(policy: TargetPolicy, resolve: Resolve, options: object, port = 443): Promise<Found> {
  return new Promise((done, fail) => {
    guardedLookup(policy, resolve, port)('a.example', options, (error, found) => {
      if (error) fail(error)
      else done(found as Found)
    })
  })
}

async function refusal(...args: Parameters<typeof look>): Promise<string> {
  return look(...args).then(
    (found) => `found ${JSON.stringify(found)}`,
    (error: NodeJS.ErrnoException) => `${error.code}: ${error.message}`,
  )
}

lookups('hands on the addresses it has judged, in the form that is asked for', async () => {
  const both = resolvesTo('8.8.8.8', '2606:4700::1')
  assert.equal(await look(PUBLIC_ONLY, both, { all: true }), [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ])
  assert.is(await look(PUBLIC_ONLY, both, {}), '8.8.8.8')
  assert.is(await look(PUBLIC_ONLY, both, { family: 6 }), '2606:4700::1')
})

lookups('refuses a name with one forbidden address, whichever is asked for', async () => {
  const mixed = resolvesTo('8.8.8.8', 'fd00::1')
  for (const options of [{ all: true }, {}, { family: 4 }]) {
    assert.match(await refusal(PUBLIC_ONLY, mixed, options), /^ERR_FORBIDDEN_TARGET: .*private/)
  }
  const local = resolvesTo('127.0.0.1')
  assert.match(await refusal(WITH_LOOPBACK, local, {}, 8000), /^ERR_FORBIDDEN_TARGET: .*itself/)
  assert.is(await look(WITH_LOOPBACK, local, {}, 8001), '127.0.0.1')
})

lookups('hands on why a name has no address', async () => {
  assert.match(await refusal(PUBLIC_ONLY, unknown, {}), /^ENOTFOUND/)
  assert.match(await refusal(PUBLIC_ONLY, resolvesTo(), {}), /^ENOTFOUND/)
  assert.match(await refusal(PUBLIC_ONLY, resolvesTo('8.8.8.8'), { family: 6 }), /^ENOTFOUND/)
})

lookups.run()
