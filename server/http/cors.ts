import type { Stage } from './request-state.ts'

const ALLOWED_METHODS = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-API-Key, X-Request-Id'

const EXPOSED_HEADERS =
  'ETag, Idempotent-Replayed, Location, Retry-After, X-Filling, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Stream-At, X-Work-Limit, X-Work-Remaining, X-Work-Reset'

/** Time a browser may remember a preflight, in seconds. */
const MAX_AGE = '600'

/**
 * Lets pages of the configured origins call the API (reliability.md S5): an origin is compared whole and
 * never merely sent back. `*` lets every page call with a key in a header, without cookies.
 */
export function cors(origins: readonly string[]): Stage {
  const allowed = new Set(origins)
  const anyone = allowed.has('*')
  return function corsStage(request, response, next) {
    const { origin } = request.headers
    if (allowed.size > 0) response.setHeader('Vary', 'Origin')
    if (origin !== undefined && (anyone || allowed.has(origin))) {
      response.setHeader('Access-Control-Allow-Origin', allowed.has(origin) ? origin : '*')
      if (allowed.has(origin)) response.setHeader('Access-Control-Allow-Credentials', 'true')
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    }
    // A browser that asks before it calls; any other OPTIONS is answered by the route (`methodNotAllowed`).
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) {
      next()
      return
    }
    if (response.hasHeader('Access-Control-Allow-Origin')) {
      response.setHeader('Access-Control-Allow-Methods', ALLOWED_METHODS)
      response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS)
      response.setHeader('Access-Control-Max-Age', MAX_AGE)
    }
    response.setHeader('Allow', ALLOWED_METHODS)
    response.statusCode = 204
    response.end()
  }
}
