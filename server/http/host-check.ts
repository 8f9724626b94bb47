import { badRequest } from './body.ts'
import type { IsKnownHost } from './host-names.ts'
import type { Stage } from './request-state.ts'

/** Paths that probes ask for by whatever address a machine has; they tell nothing. */
const OF_PROBES = ['/healthz', '/readyz']

/**
 * Refuses requests of HTTP/1.1 that do not say which host they are for (RFC 9112 §3.2), and those for a host that is
 * not this workspace, where it knows what it is called.
 */
export function requireHost(isKnown: IsKnownHost | undefined): Stage {
  return function requireHostStage(request, _response, next) {
    const { host } = request.headers
    if (request.httpVersion === '1.1' && host === undefined)
      throw badRequest('expected a Host header, as HTTP/1.1 demands; got none')
    if (host !== undefined && isKnown?.(host) === false && !OF_PROBES.includes(request.path))
      throw badRequest(
        `expected a Host this workspace is reached by, got ${JSON.stringify(host.slice(0, 100))}; SVC_BASE_URL and SVC_PUBLIC_HOSTS name them`,
      )
    next()
  }
}
