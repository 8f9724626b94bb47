import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Client, type Dispatcher } from 'undici'
import type { Actor } from '../../engine/access/actor.ts'
import { type CreatedKey, createKey, type KeyRequest } from '../../server/auth/api-keys.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../server/test-app.ts'

/** An answer, as far as the tests look at it. */
export interface Reply {
  readonly status: number
  readonly location: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** A workspace behind real HTTP whose database is watched from outside. */
export interface Watched {
  readonly app: TestApp
  /** The database by a connection of its own. */
  readonly database: Sqlite.Database
  send(method: string, path: string, request?: Sent): Promise<Reply>
  /** A key that somebody made, with any property. */
  keyOf(maker: Maker, request?: Partial<KeyRequest>): Promise<CreatedKey>
  /** A number that changes with every commit of the workspace, also of one that was taken back in part. */
  version(): number
  /** A digest of every row of every table. */
  contents(): string
  close(): Promise<void>
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a text as a form. */
  readonly body?: object | string | undefined
  /** Where it comes from; by itself an address of its own, so that nobody is slowed down by the others. */
  readonly address?: string
}

type Maker = Pick<Actor, 'name' | 'user'>

/** Somebody as the maker of a key; without a name the command line. */
export function maker(login?: string): Maker {
  return login === undefined
    ? { name: 'Administrator' }
    : { name: login, user: { login, email: login } }
}

/** Opens a workspace for one test file. */
export async function openWatched(options: TestAppOptions = {}): Promise<Watched> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-security-'))
  const file = join(folder, 'svc.db')
  const app = await openTestApp({
    ...options,
    database: { kind: 'sqlite', file },
    settings: { rateLimit: false, trustProxy: ['loopback'], ...options.settings },
  })
  const database = new Sqlite(file)
  // A test may work for longer than a connection would otherwise be kept.
  const server = createServer({ keepAliveTimeout: 0 }, app.app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new Client(`http://127.0.0.1:${port}`)
  const nextAddress = addresses()
  return {
    app,
    database,
    async send(method, path, { headers = {}, body, address = nextAddress() } = {}) {
      const type = typeof body === 'string' ? 'x-www-form-urlencoded' : 'json'
      const answer = await client.request({
        method: method as 'GET',
        path,
        headers: {
          ...(body === undefined ? {} : { 'content-type': `application/${type}` }),
          'x-forwarded-for': address,
          ...headers,
        },
        body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
      })
      const { location } = answer.headers
      return {
        status: answer.statusCode,
        location: typeof location === 'string' ? location : undefined,
        headers: answer.headers,
        text: await textOf(answer),
      }
    },
    keyOf: (by, request = {}) =>
      app.engine.services.database.write((tx) =>
        createKey(tx, app.clock, by, {
          scope: 'admin',
          env: 'live',
          label: null,
          allow_ips: [],
          expires: null,
          ...request,
        }),
      ),
    version: () => database.pragma('data_version', { simple: true }) as number,
    contents: () => digestOf(database),
    async close() {
      await client.close()
      await closed(server)
      database.close()
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What was answered; a stream has no end, and is left as soon as it begins. */
async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (!String(headers['content-type']).startsWith('text/event-stream')) return body.text()
  body.on('error', () => undefined).destroy()
  return ''
}

function digestOf(database: Sqlite.Database): string {
  const tables = database
    .prepare(`select name from sqlite_master where type = 'table' order by name`)
    .pluck()
    .all() as string[]
  const digest = createHash('sha256')
  for (const table of tables)
    digest.update(JSON.stringify([table, database.prepare(`select * from "${table}"`).raw().all()]))
  return digest.digest('hex')
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** One address after the other, of networks that limits tell apart. */
function addresses(): () => string {
  let last = 0
  return () => {
    last++
    return `10.${last >> 16}.${(last >> 8) & 255}.${last & 255}`
  }
}
