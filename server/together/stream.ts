import { hash } from 'node:crypto'
import type { Request, Router } from 'express'
import type { Logger } from 'pino'
import { workerOf } from '../../engine/access/actor.ts'
import { assertScope } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import { lastPlace } from '../../engine/storage/finding/logged-changes.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler, Identify } from '../http/request-state.ts'
import { StreamHub } from './stream-hub.ts'
import { type Audience, frame, heartbeat, type Listener } from './stream-listener.ts'

/** Streams that a person may have open at once (contract §7.4), in one process. */
const MOST_STREAMS = 10

/** Time after which a client that lost its stream comes again, in ms. */
const COME_AGAIN = 2_000

/** Parameter with the place that a first stream goes on behind: browsers send `Last-Event-ID` only when they come again. */
const FROM = '_last_event_id'

export interface StreamDeps {
  readonly engine: Engine
  readonly identify: Identify
  readonly logger: Logger
}

/**
 * `GET /v1/stream`: Server-Sent Events of every change that the caller may read, and of what they are told. `id` is the place
 * in the event log; with it in `Last-Event-ID`, or else in `_last_event_id`, a stream goes on where it was.
 */
export function streamRoutes(router: Router, { engine, identify, logger }: StreamDeps): void {
  const hub = new StreamHub({
    engine,
    identify,
    onError: (err) => logger.warn({ err }, 'could not tell those who listen of changes'),
  })
  router.get('/stream', takes(FROM), stream(engine, hub))
  router.all('/stream', methodNotAllowed('GET'))
}

function stream(engine: Engine, hub: StreamHub): Handler {
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', 'listen to changes')
    if (request.method === 'HEAD') return begin(response).end()
    const given = placeGiven(request)
    const resumed = given === undefined ? null : await placeOf(engine, given)
    const place = resumed ?? (await hub.place())
    const worker = workerOf(actor)
    if (hub.streamsOf(({ context }) => workerOf(context.actor) === worker) >= MOST_STREAMS)
      throw new AppError(
        'RATE_LIMITED',
        `a person has at most ${MOST_STREAMS} streams open at once; close one, or share one between pages`,
        { headers: { 'Retry-After': '20' } },
      )
    if (response.destroyed) return
    const key = credentialOf(request, response)
    const audience: Audience = hub.audience(key) ?? {
      key,
      login: actor.user?.login,
      context: engine.context(actor, tier),
      listeners: new Set(),
      whole: new Map(),
    }
    const listener: Listener = { audience, request, response, place }
    begin(response)
    response.write(`retry: ${COME_AGAIN}\n`)
    response.write(resumed === undefined ? frame('reset', {}, place) : heartbeat(place))
    response.on('close', () => hub.leave(listener))
    hub.join(listener)
  }
}

/** The place that a client has heard up to; the header is that of one that comes again, and newer. */
function placeGiven(request: Request): string | undefined {
  const header = request.headers['last-event-id']
  if (typeof header === 'string' && header !== '') return header
  const parameter = new Map(readQuery(request.url)).get(FROM)
  return parameter === '' ? undefined : parameter
}

function begin(response: ApiResponse): ApiResponse {
  response.statusCode = 200
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
  // Nobody on the way keeps it, packs it or holds it back.
  response.setHeader('Cache-Control', 'private, no-store, no-transform')
  response.setHeader('X-Accel-Buffering', 'no')
  response.flushHeaders()
  return response
}

/** The place that a stream goes on from; undefined where the log has not, or no longer, what followed it. */
async function placeOf({ services }: Engine, text: string): Promise<bigint | undefined> {
  if (!/^\d{1,18}$/.test(text)) return undefined
  const place = BigInt(text)
  const { read, kind } = services.database
  const pruned = await services.events.pruned(read)
  if (pruned && place < pruned.seq) return undefined
  return place <= (await lastPlace(read, kind)) ? place : undefined
}

/** What tells one credential from another: streams of the same one are asked together who they are. */
function credentialOf(request: Request, { locals }: ApiResponse): string {
  const { authorization, 'x-api-key': apiKey } = request.headers
  const text = JSON.stringify([authorization, apiKey, locals.session?.id])
  return hash('sha256', text, 'base64url')
}
