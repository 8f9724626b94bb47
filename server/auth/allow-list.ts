import { BlockList, isIP, isIPv4 } from 'node:net'

/** The addresses a key may be used from, once read. */
export interface AllowList {
  includes(address: string): boolean
}

/** Problem of one entry of an allow list; undefined for an address or a range such as `10.0.0.0/8`. */
export function allowEntryProblem(entry: unknown): string | undefined {
  const expected = 'expected an IPv4 or IPv6 address or a range such as 203.0.113.0/24'
  if (typeof entry !== 'string') return `${expected}, got ${JSON.stringify(entry)}`
  return parseEntry(entry) === undefined
    ? `${expected}, got ${JSON.stringify(entry.slice(0, 60))}`
    : undefined
}

/** A list of checked entries. Throws an Error for one that `allowEntryProblem` refuses. */
export function allowList(entries: readonly string[]): AllowList {
  const list = new BlockList()
  for (const entry of entries) {
    const parsed = parseEntry(entry)
    if (!parsed) throw new Error(`expected an address or a range, got ${JSON.stringify(entry)}`)
    list.addSubnet(parsed.address, parsed.bits, parsed.family)
  }
  return {
    includes(address) {
      const plain = unmapped(address)
      const version = isIP(plain)
      return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

/** `::ffff:1.2.3.4` is how a socket for both families shows `1.2.3.4` (reliability.md P1). */
export function unmapped(address: string): string {
  const rest = address.toLowerCase().startsWith('::ffff:')
    ? address.slice('::ffff:'.length)
    : address
  return isIPv4(rest) ? rest : address
}

interface Entry {
  readonly address: string
  readonly bits: number
  readonly family: 'ipv4' | 'ipv6'
}

function parseEntry(entry: string): Entry | undefined {
  const [given = '', bitsText, ...rest] = entry.split('/')
  const address = unmapped(given)
  const version = isIP(address)
  // A zone (`fe80::1%eth0`) names an interface of one machine and has no place in a list.
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined
  const most = version === 4 ? 32 : 128
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (bitsText === undefined) return { address, bits: most, family }
  const wasMapped = address !== given
  if (!/^\d{1,3}$/.test(bitsText)) return undefined
  const bits = Number(bitsText) - (wasMapped ? 96 : 0)
  return bits >= 0 && bits <= most ? { address, bits, family } : undefined
}
