import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { Answer, Api, Body, Data, ListPath, Query, RecordPath, Row, Schemas } from './api.ts'
import type { paths } from './generated/svc-api.d.ts'

export interface Connection {
  /** Origin of the workspace, such as http://127.0.0.1:8000. */
  readonly url: string
  /** An API key of it. */
  readonly key: string
}

/** The workspace said no: `code` is one of its error codes, `details` names the fields that are wrong. */
export class ApiError extends Error {
  readonly code: Schemas['Error']['error']['code']
  readonly status: number
  readonly details: readonly Schemas['ErrorDetail'][]

  constructor({ code, status, message, details = [] }: Schemas['Error']['error']) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.details = details
  }
}

const MOST_TRIES = 5

/**
 * Connects to a workspace. Each POST and PATCH carries an Idempotency-Key, so that one whose answer got lost is
 * sent again without doing anything twice; where the workspace answers `Retry-After` (too many requests, or it
 * is being restarted) the client waits that long and tries again.
 */
export function connect({ url, key }: Connection): Api {
  const client = createClient<paths>({
    baseUrl: url,
    headers: { Authorization: `Bearer ${key}` },
    // Filters are objects in the description, and each a parameter of its own in the address.
    querySerializer: { object: { style: 'form', explode: true } },
    fetch: fetchAgain,
  })
  client.use({
    onRequest({ request: { method, headers } }) {
      const isNew = !headers.has('Idempotency-Key')
      if (isNew && (method === 'POST' || method === 'PATCH'))
        headers.set('Idempotency-Key', randomUUID())
    },
  })
  return client as unknown as Api
}

/** The data of an answer. Throws ApiError when the workspace said no. */
export async function unwrap<T>(answer: Answer<T> | Promise<Answer<T>>): Promise<T> {
  const { data, error } = await answer
  if (error) throw new ApiError(error.error)
  return data as T
}

/**
 * All records of a list, read page by page as they are needed:
 * `for await (const order of each(api, '/v1/sales-orders', { status: 'Draft' }))`. Throws ApiError.
 */
export async function* each<Path extends ListPath>(
  api: Api,
  path: Path,
  query?: Query<Path>,
): AsyncGenerator<Row<Path>> {
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const params = { query: { limit: 100, ...query, cursor } }
    const page: Page = await unwrap(untyped(api).GET(path, { params }))
    yield* page.data as Row<Path>[]
    cursor = page.next_cursor
  }
}

/**
 * Changes a record by what is in it: reads it, asks `edit` for the change, and writes only if nobody else has
 * written in between (ETag and If-Match); if somebody has, it begins again. Throws ApiError.
 */
export async function update<Path extends RecordPath>(
  api: Api,
  path: Path,
  id: string,
  edit: (record: Data<Path, 'get'>) => Body<Path, 'patch'> | Promise<Body<Path, 'patch'>>,
): Promise<Data<Path, 'patch'>> {
  for (;;) {
    const read = await untyped(api).GET(path, { params: { path: { id } } })
    const body = await edit((await unwrap(read)) as Data<Path, 'get'>)
    const header = { 'If-Match': read.response.headers.get('ETag') }
    const written = await untyped(api).PATCH(path, { params: { path: { id }, header }, body })
    if (written.response.status !== 412) return (await unwrap(written)) as Data<Path, 'patch'>
  }
}

/** Sends a request until it gets an answer other than "later", five times at most. */
async function fetchAgain(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === MOST_TRIES
    try {
      const response = await fetch(request.clone())
      const seconds = response.headers.get('Retry-After')
      if (response.ok || seconds === null || isLast) return response
      await response.body?.cancel()
      await pause(Number(seconds) * 1000)
    } catch (error) {
      // The connection broke, and it may have been done: only what may be done twice is sent again.
      const isSafe = request.method === 'GET' || request.headers.has('Idempotency-Key')
      if (isLast || !isSafe || request.signal.aborted) throw error
      await pause(2 ** attempt * 250)
    }
  }
}

type Page = Schemas['Page'] & { data: unknown[] }
type Untyped = (path: string, options: object) => Promise<Answer<never>>

/** For code that works with any path: the compiler knows what each path takes, but not what "some path" does. */
function untyped(api: Api): { readonly GET: Untyped; readonly PATCH: Untyped } {
  return api as unknown as { readonly GET: Untyped; readonly PATCH: Untyped }
}
