import { hash } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Write } from './commit.ts'
import type { Database } from './database.ts'
import type { ItemStore, Saved } from './items.ts'
import { readListQuery } from './list-query.ts'
import { Refusal } from './refusal.ts'
import { readCreate, readUpdate } from './validation.ts'

/**
 * The floor: `items` over node:http alone, with the same statements, checks of bodies and key, and nothing that a server has
 * besides (no log, no headers but those of the body, no limits, no compression). What is lost above it is lost in the server.
 */
export function createFloor(database: Database, items: ItemStore, write: Write): RequestListener {
  const find = database.prepare<[string], { readonly id: string; readonly revoked: string | null }>(
    'select id, revoked from svc_api_keys where hash = ?',
  )

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request
    const key = find.get(hash('sha256', headers.authorization?.slice('Bearer '.length) ?? ''))
    if (!key || key.revoked !== null) throw new Refusal(401, 'UNAUTHORIZED', 'expected a valid key')
    const [path = '', query = ''] = url.split('?', 2)
    const id = decodeURIComponent(path.slice('/v1/items/'.length))
    if (method === 'GET' && id === '')
      return send(response, 200, items.list(readListQuery(new URLSearchParams(query))))
    if (method === 'GET') return sendSaved(response, 200, items.get(id))
    const body: unknown = JSON.parse(await bodyOf(request))
    if (method === 'PATCH') {
      const input = readUpdate(body)
      return sendSaved(response, 200, await write(() => items.update(id, input, key.id)))
    }
    const input = readCreate(body)
    sendSaved(response, 201, await write(() => items.create(input, key.id)))
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { status, message } = error as Refusal
      send(response, status ?? 500, JSON.stringify({ error: { message } }))
    })
  }
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => resolve(text))
    request.on('error', reject)
  })
}

function sendSaved(response: ServerResponse, status: number, { json, etag }: Saved): void {
  send(response, status, json, ['ETag', etag])
}

function send(
  response: ServerResponse,
  status: number,
  json: string,
  more: readonly string[] = [],
): void {
  const length = String(Buffer.byteLength(json))
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', length]
  response.writeHead(status, [...head, ...more])
  response.end(json)
}
