import { isIP } from 'node:net'
import { type AddressClass, type JudgedAddress, judgeAddress } from './address-rules.ts'
import { portProblem } from './target-ports.ts'

/** Receivers that webhooks of this process may call beyond public ones (contract §3, Receivers). */
export interface TargetPolicy {
  /** Whether 127.0.0.0/8 and ::1 may be called. */
  readonly loopback: boolean
  /** Whether private, link-local and metadata addresses may be called. */
  readonly private: boolean
  /** Ports this process listens on; on loopback they are refused, a workspace does not call itself. */
  readonly ownPorts: readonly number[]
}

/** The settings that decide about receivers; the URLs are those under which the workspace is reached. */
export interface TargetSettings {
  readonly host: string
  readonly trustProxy: readonly string[]
  readonly baseUrl: string | undefined
  readonly integrateUrl: string | undefined
  readonly apiUrl: string | undefined
  /** SVC_WEBHOOK_ALLOW_PRIVATE=1 */
  readonly allowPrivate: boolean
}

/** Characters a URL of a subscription may have. */
export const MAX_TARGET_LENGTH = 2048

/**
 * The policy of a process. Loopback receivers are for the developer's own machine: they are allowed only while
 * nobody from outside can reach the workspace, neither directly nor through a proxy (contract §3).
 */
export function targetPolicy(settings: TargetSettings, ownPorts: readonly number[]): TargetPolicy {
  const urls = [settings.baseUrl, settings.integrateUrl, settings.apiUrl]
  const loopback =
    isLoopbackHost(settings.host) &&
    settings.trustProxy.length === 0 &&
    urls.every((url) => url === undefined || isLoopbackHost(new URL(url).hostname))
  return { loopback, private: settings.allowPrivate, ownPorts }
}

/**
 * Problem of the URL of a receiver as it is written, or undefined. It is judged after WHATWG parsing, so that
 * `0x7f.1` and `①②⑦.⓪.⓪.①` are 127.0.0.1. What a host name resolves to is judged by `resolvedProblem` and, because
 * that may change, once more by `guardedLookup` for each connection (reliability.md §0, finding 2).
 */
export function targetProblem(url: string, policy: TargetPolicy): string | undefined {
  const expected = 'expected an http:// or https:// URL'
  if (url.length > MAX_TARGET_LENGTH) {
    return `${expected} of at most ${MAX_TARGET_LENGTH} characters, got ${url.length}`
  }
  // The parser drops line breaks and tabs; a URL that has them is not what its reader sees.
  if (/[\p{Cc}\p{Zs}]/u.test(url)) return `${expected} without spaces and control characters`
  if (!URL.canParse(url)) return `${expected} such as https://example.com/hook, got none`
  const { protocol, username, password, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return `${expected}, got ${protocol}`
  // What came is not repeated, it is a secret.
  if (username !== '' || password !== '') {
    return `${expected} without user and password; verify the signature of the request instead`
  }
  const port = targetPort(url)
  const refused = portProblem(port)
  if (refused !== undefined) return refused
  const judged = judgeHost(hostname)
  return judged === undefined
    ? undefined
    : addressProblem(judged, { name: judged.name, port, policy })
}

/** The port a URL that `targetProblem` accepts leads to. */
export function targetPort(url: string): number {
  const { port, protocol } = new URL(url)
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** Problem of one address a host name resolves to; the text never says which address it is. */
export function resolvedAddressProblem(
  address: string,
  target: { readonly port: number; readonly policy: TargetPolicy },
): string | undefined {
  const judged = judgeAddress(address)
  return addressProblem(judged, { ...target, name: RESOLVED_NAMES[judged.class] })
}

/** Names of the class only: to tell more would let a caller map the network behind the workspace. */
const RESOLVED_NAMES: Readonly<Record<AddressClass, string>> = {
  public: 'a host name of a public address',
  loopback: 'a host name of a loopback address',
  private: 'a host name of a private address',
  reserved: 'a host name of a reserved address',
}

interface Place {
  readonly name: string
  readonly port: number
  readonly policy: TargetPolicy
}

function addressProblem(judged: JudgedAddress, { name, port, policy }: Place): string | undefined {
  if (judged.class === 'public') return undefined
  if (judged.class === 'private') {
    return policy.private
      ? undefined
      : `expected a public address, got ${name}; whoever runs the workspace may allow it with SVC_WEBHOOK_ALLOW_PRIVATE=1`
  }
  if (judged.class === 'reserved') return `expected a public address, got ${name}`
  if (!policy.loopback) {
    return `expected a public address, got ${name}; those are allowed only while svc listens on loopback without SVC_TRUST_PROXY and public URLs`
  }
  return policy.ownPorts.includes(port)
    ? `expected another program, got the port ${port} of this workspace, which does not call itself`
    : undefined
}

/** Judges the host of a parsed URL; undefined for a name, which only a resolver can judge. */
function judgeHost(hostname: string): JudgedAddress | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) return judgeAddress(bare)
  // RFC 6761 §6.3: these names are loopback everywhere.
  return /(^|\.)localhost\.?$/i.test(bare) ? judgeAddress('127.0.0.1') : undefined
}

function isLoopbackHost(host: string): boolean {
  return judgeHost(host)?.class === 'loopback'
}
