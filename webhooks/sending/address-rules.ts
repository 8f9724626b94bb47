import { BlockList, isIP, isIPv4 } from 'node:net'

/**
 * Class of an address: `public` may be called, `loopback` and `private` where the policy says so, `reserved`
 * never.
 */
export type AddressClass = 'public' | 'loopback' | 'private' | 'reserved'

/** An address as it was judged; `name` says in words which range it is from. */
export interface JudgedAddress {
  readonly class: AddressClass
  readonly name: string
}

interface AddressRule extends JudgedAddress {
  readonly ranges: readonly string[]
}

/**
 * The special ranges of the IANA registries (RFC 6890 and what came later), the first that matches counts.
 * The last row refuses all of IPv6 outside 2000::/3, from where global addresses are given: what is not
 * assigned is no receiver, and a machine may route it in a way of its own.
 */
const RULES: readonly AddressRule[] = [
  rule('loopback', 'a loopback address', ['127.0.0.0/8', '::1/128']),
  rule('private', 'a private address (RFC 1918)', [
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
  ]),
  rule('private', 'an address of a carrier network (100.64.0.0/10)', ['100.64.0.0/10']),
  rule('private', 'a link-local address, where clouds keep metadata', [
    '169.254.0.0/16',
    'fe80::/10',
  ]),
  // A public number that every Azure machine reaches its host agent by.
  rule('private', 'an address of the cloud platform', ['168.63.129.16/32']),
  rule('private', 'a private address (fc00::/7)', ['fc00::/7']),
  rule('private', 'a site-local address (fec0::/10)', ['fec0::/10']),
  // Linux takes 0.0.0.0 and :: for loopback.
  rule('reserved', 'an unspecified address', ['0.0.0.0/8', '::/128']),
  rule('reserved', 'a multicast address', ['224.0.0.0/4', 'ff00::/8']),
  rule('reserved', 'the broadcast address', ['255.255.255.255/32']),
  rule('reserved', 'an address kept for the future (240.0.0.0/4)', ['240.0.0.0/4']),
  rule('reserved', 'an address kept for documentation', [
    '192.0.2.0/24',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '2001:db8::/32',
    '3fff::/20',
  ]),
  rule('reserved', 'an address kept for benchmarks (198.18.0.0/15)', ['198.18.0.0/15']),
  rule('reserved', 'an address kept for protocols', ['192.0.0.0/24', '2001::/23', '5f00::/16']),
  rule('reserved', 'an address that discards what it gets', ['100::/64', '100:0:0:1::/64']),
  // Each of these carries an IPv4 address within, which a gateway may call: ::127.0.0.1, 64:ff9b::7f00:1, …
  rule('reserved', 'an IPv6 address that stands for an IPv4 one', [
    '::/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2002::/16',
    '192.88.99.0/24',
  ]),
  rule('reserved', 'an address that is not assigned', ['::/3', '4000::/2', '8000::/1']),
]

const PUBLIC: JudgedAddress = { class: 'public', name: 'a public address' }
const UNREADABLE: JudgedAddress = { class: 'reserved', name: 'no IP address' }

/** A list of its own for each family: a BlockList takes 8.8.8.8 for ::ffff:8.8.8.8, which is in ::/3. */
const MATCHERS = RULES.map((rule) => ({
  rule,
  ipv4: blockList(rule.ranges, 'ipv4'),
  ipv6: blockList(rule.ranges, 'ipv6'),
}))

/**
 * Judges an IPv4 or IPv6 address in the forms of WHATWG URLs (without brackets) and of resolvers. An
 * IPv4-mapped address (`::ffff:7f00:1`) is judged as the IPv4 one; what is no address is `reserved`.
 */
export function judgeAddress(address: string): JudgedAddress {
  const plain = plainAddress(address)
  if (plain === undefined) return UNREADABLE
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6'
  return MATCHERS.find((matcher) => matcher[family].check(plain, family))?.rule ?? PUBLIC
}

/** The canonical text of an address, mapped IPv4 as IPv4, without the zone of `fe80::1%eth0`. */
function plainAddress(address: string): string | undefined {
  const [numbers = ''] = address.split('%')
  if (isIP(numbers) !== 6) return isIP(numbers) === 4 ? numbers : undefined
  const canonical = new URL(`http://[${numbers}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!mapped) return canonical
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function rule(kind: AddressClass, name: string, ranges: readonly string[]): AddressRule {
  return { class: kind, name, ranges }
}

function blockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    if (isIPv4(network) === (family === 'ipv4')) list.addSubnet(network, Number(bits), family)
  }
  return list
}
