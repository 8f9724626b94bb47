import { isIP } from 'node:net'
import type { Express, Request } from 'express'
import { GUEST_ACTOR } from '../../engine/access/actor.ts'
import { assertManager } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import { fillSentence } from '../../engine/documents/start/filling.ts'
import type { Engine } from '../../engine/index.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { TROUBLES } from '../../engine/storage/database/write-trouble.ts'
import { allowList } from '../auth/allow-list.ts'
import { sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler, Identify } from '../http/request-state.ts'
import { newerDefinitions } from './definition-watch.ts'
import { header, type Metrics } from './metrics.ts'

export interface HealthOptions {
  readonly engine: Engine
  readonly metrics: Metrics
  readonly identify: Identify
  /** True once the server takes no new work. */
  readonly isDraining: () => boolean
}

/** `/healthz` (the process), `/readyz` (it, its database, that no newer definitions hold there and no field waits for its values) and `/metrics`: for machines, without rate limit. */
export function healthRoutes(app: Express, options: HealthOptions): void {
  app.get('/healthz', takes(), healthz)
  app.get('/readyz', takes(), readyz(options))
  app.get('/metrics', takes(), metricsRoute(options))
  for (const path of ['/healthz', '/readyz', '/metrics'])
    app.all(path, methodNotAllowed('GET, HEAD'))
}

const healthz: Handler = (_request, response) => {
  sendJson(response, 200, '{"status":"ok"}')
}

function readyz({ engine, isDraining }: HealthOptions): Handler {
  return async (_request, response) => {
    if (isDraining()) {
      throw new AppError('UNAVAILABLE', 'this process is shutting down', {
        headers: { 'Retry-After': '1' },
      })
    }
    const newer = await engine.newer()
    if (newer) throw new AppError('UNAVAILABLE', newerDefinitions(newer))
    const filling = await engine.filling()
    if (filling) throw new AppError('UNAVAILABLE', fillSentence(filling))
    sendJson(response, 200, JSON.stringify(stateOf(engine.services.database)))
  }
}

/** State of a workspace that can be read. One that takes no changes still serves readers: nobody is sent elsewhere. */
function stateOf(database: Database): object {
  const trouble = database.trouble()
  if (!trouble) return { status: 'ready' }
  const { kind, since } = trouble
  return { status: 'degraded', reason: `${TROUBLES[kind]}: it can be read, not changed`, since }
}

function metricsRoute({ metrics, identify }: HealthOptions): Handler {
  return async (request, response) => {
    if (!isLocal(request)) {
      const { actor = GUEST_ACTOR } = (await identify(request)) ?? {}
      assertManager(actor, 'admin', 'read metrics')
    }
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
    response.end(metrics.render())
  }
}

/** Lines of `/metrics` that tell whether the workspace takes changes. */
export function writeLines({ services }: Engine): string[] {
  const name = 'svc_writes_failing'
  return [
    ...header(name, 'gauge', '1 while nothing can be written to the database.'),
    `${name} ${services.database.trouble() ? 1 : 0}`,
  ]
}

const LOOPBACK = allowList(['127.0.0.0/8', '::1'])

/** A proxy on this machine that we were not told of hands on strangers: its header gives it away. */
function isLocal(request: Request): boolean {
  const { ip = '', headers, socket } = request
  const wasForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  const isOwnPeer = ip === socket.remoteAddress
  return isIP(ip) !== 0 && LOOPBACK.includes(ip) && !(wasForwarded && isOwnPeer)
}
