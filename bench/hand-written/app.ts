import compression from 'compression'
import express, { type Express, type Response } from 'express'
import helmet from 'helmet'
import type { Write } from './commit.ts'
import type { Database } from './database.ts'
import type { Outbox } from './deliveries.ts'
import type { ItemStore, Saved } from './items.ts'
import { readListQuery } from './list-query.ts'
import { authenticate, rateLimit, requestLog } from './middlewares.ts'
import { answerErrors } from './refusal.ts'
import { readCreate, readUpdate } from './validation.ts'

const REQUESTS_PER_MINUTE = 1_000_000_000

/** `items` over HTTP: the same stages in the same order as the server it is compared with. */
export function createHandWrittenApp(
  database: Database,
  items: ItemStore,
  write: Write,
  outbox?: Outbox,
): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false)
  app.use(requestLog())
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
    }),
  )
  app.use(compression({ threshold: 1024 }))
  app.use('/v1', authenticate(database), rateLimit(REQUESTS_PER_MINUTE))
  app.use(express.json({ limit: '1mb' }))

  app.get('/v1/items', (request, response) => {
    const query = request.url.split('?', 2)[1] ?? ''
    send(response, 200, items.list(readListQuery(new URLSearchParams(query))))
  })

  app.get('/v1/items/:id', (request, response) => {
    const { json, etag } = items.get(request.params.id)
    response.setHeader('ETag', etag)
    if (request.headers['if-none-match'] === etag) response.status(304).end()
    else send(response, 200, json)
  })

  app.post('/v1/items', async (request, response) => {
    const input = readCreate(request.body)
    const saved = await write(() => items.create(input, response.locals.principal))
    outbox?.send(saved.deliveries ?? [])
    response.setHeader('Location', `/v1/items/${encodeURIComponent(saved.id)}`)
    sendSaved(response, 201, saved)
  })

  app.patch('/v1/items/:id', async (request, response) => {
    const input = readUpdate(request.body)
    const { id } = request.params
    const saved = await write(() => items.update(id, input, response.locals.principal))
    outbox?.send(saved.deliveries ?? [])
    sendSaved(response, 200, saved)
  })

  app.use(answerErrors)
  return app
}

function sendSaved(response: Response, status: number, { json, etag }: Saved): void {
  response.setHeader('ETag', etag)
  send(response, status, json)
}

function send(response: Response, status: number, json: string): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(json))
  response.end(json)
}
