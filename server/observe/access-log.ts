import type { Logger } from 'pino'
import { unmapped } from '../auth/allow-list.ts'
import type { Asked, Reply, Stage } from '../http/request-state.ts'
import type { Metrics } from './metrics.ts'

/**
 * One log line and one count per request, when its answer is done. The route is the pattern, never the
 * path: a path holds ids, and a body is never logged (reliability.md H3).
 */
export function accessLog(logger: Logger, metrics: Metrics): Stage {
  return function accessLogStage(request, response, next) {
    metrics.started()
    // A connection that is gone tells its address no more.
    const address = request.ip === undefined ? undefined : unmapped(request.ip)
    response.on('close', () => finish({ logger, metrics, address }, request, response))
    next()
  }
}

interface Arrival {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly address: string | undefined
}

function finish({ logger, metrics, address }: Arrival, request: Asked, response: Reply): void {
  const { requestId, startedAt, actor, resource } = response.locals
  const { method } = request
  const milliseconds = performance.now() - startedAt
  const route = routeOf(request)
  // A client that left before the answer: 499, as proxies write it.
  const status = response.writableFinished ? response.statusCode : 499
  metrics.finished(method, route, status, milliseconds / 1000)
  logger.info({
    request_id: requestId,
    method,
    route,
    resource,
    status,
    ms: Math.round(milliseconds * 100) / 100,
    principal: actor.id,
    address,
  })
}

/** The pattern of the route that answered; `none` when there was none. */
function routeOf(request: Asked): string {
  const route: unknown = request.route
  if (typeof route !== 'object' || route === null || !('path' in route)) return 'none'
  const path = String(route.path)
  const [, surface] = /^\/(v1|api)(?:\/|$)/.exec(request.originalUrl) ?? []
  return surface === undefined || path.startsWith(`/${surface}/`) ? path : `/${surface}${path}`
}
