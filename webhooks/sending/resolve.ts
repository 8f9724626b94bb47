import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { resolvedAddressProblem, type TargetPolicy, targetPort, targetProblem } from './target.ts'

/** An address of a host name. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a host name. Rejects with the errors of `dns.lookup` (`ENOTFOUND`, `EAI_AGAIN`, …). */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** Asks the system, hosts file included, as every other program of the machine does. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** Milliseconds a registration waits for the name servers. */
const REGISTRATION_WAIT_MS = 3_000

/**
 * Problem of the URL of a receiver at registration: as it is written, or because any address its host name resolves
 * to now is forbidden. A name that cannot be resolved, or not in time, is no problem: it may come up later, and
 * each connection is judged again by `guardedLookup`.
 */
export async function resolvedProblem(
  url: string,
  policy: TargetPolicy,
  resolve: Resolve = systemResolve,
): Promise<string | undefined> {
  const problem = targetProblem(url, policy)
  if (problem !== undefined) return problem
  const { hostname } = new URL(url)
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return undefined
  const addresses = await withinWait(resolve(hostname).catch(() => []))
  return firstProblem(addresses, policy, targetPort(url))
}

/** Thrown to the connection when a host name leads where webhooks may not go; the message is for the caller. */
export class ForbiddenTargetError extends Error {
  readonly code = 'ERR_FORBIDDEN_TARGET'
}

/** A name without addresses, told as `dns.lookup` tells it. */
class NoAddressError extends Error {
  readonly code = 'ENOTFOUND'
}

/**
 * The `lookup` of a connection to this port: it hands on exactly the addresses it has judged, so that a name
 * that resolves otherwise the second time gains nothing (DNS rebinding). One forbidden address among public
 * ones is enough to refuse, with a ForbiddenTargetError. Connections to IP literals never ask a lookup: they
 * need `targetProblem`.
 */
export function guardedLookup(
  policy: TargetPolicy,
  resolve: Resolve,
  port: number,
): LookupFunction {
  return (hostname, options, callback) => {
    judged(hostname, options.family).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }

  async function judged(
    hostname: string,
    family: unknown,
  ): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
    const found = await resolve(hostname)
    const problem = firstProblem(found, policy, port)
    if (problem !== undefined) throw new ForbiddenTargetError(problem)
    const [first, ...others] = found.filter((one) => !isFamily(family) || one.family === family)
    if (first === undefined) throw new NoAddressError('the name has no address')
    return [first, ...others]
  }
}

function isFamily(family: unknown): boolean {
  return family === 4 || family === 6
}

function firstProblem(
  addresses: readonly ResolvedAddress[],
  policy: TargetPolicy,
  port: number,
): string | undefined {
  for (const { address } of addresses) {
    const problem = resolvedAddressProblem(address, { port, policy })
    if (problem !== undefined) return problem
  }
  return undefined
}

async function withinWait(
  resolving: Promise<readonly ResolvedAddress[]>,
): Promise<readonly ResolvedAddress[]> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<readonly ResolvedAddress[]>((done) => {
    timer = setTimeout(() => done([]), REGISTRATION_WAIT_MS)
  })
  try {
    return await Promise.race([resolving, waited])
  } finally {
    clearTimeout(timer)
  }
}
