import { WORDS } from '../words/en.ts'
import type { Problem } from './types.ts'

/** A record that links to another, by one of its fields. */
export interface LinkedRecord {
  readonly resource: string
  readonly id: string
}

/** An answer that is none of success. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: readonly Problem[]
  /** Records that stand in the way because they link to this one. */
  readonly linked: readonly LinkedRecord[]

  constructor(
    status: number,
    code: string,
    message: string,
    details: readonly Problem[] = [],
    linked: readonly LinkedRecord[] = [],
  ) {
    super(message)
    this.linked = linked
    this.status = status
    this.code = code
    this.details = details
  }
}

/** An answer with what its headers say. */
export interface Answer<T> {
  readonly body: T
  readonly etag: string | undefined
}

/** What a request carries besides its path. */
export interface Sending {
  readonly method?: string
  readonly body?: unknown
  readonly etag?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Idempotency-Key of a change that may be sent again; without it one of its own. */
  readonly key?: string
}

/** Whether nobody answered, or nobody who could: what was asked may well be done when it is asked again. */
export function isUnreached(error: unknown): boolean {
  if (error instanceof TypeError) return true
  return error instanceof ApiError && ([401, 429].includes(error.status) || error.status >= 500)
}

/** Asks the API of this very origin, as the person whose session the browser has. */
export interface Client {
  /** Place in the log of events before the first answer that named one was read: what changed since, the stream behind it tells. */
  readAt(): number | undefined
  /** Throws ApiError; leads to the sign-in page where the session has ended. */
  ask<T>(path: string, sending?: Sending): Promise<Answer<T>>
  /** Sends a form with files, or a file alone; `onShare` hears how much of it has gone, 0 to 1. Throws ApiError. */
  send<T>(path: string, sent: FormData | Blob, onShare: (share: number) => void): Promise<Answer<T>>
}

/**
 * A client; `token` gives the session's token, which every change carries (SESSION pages refuse others), `language` the one that
 * answers are wanted in, where it is not the browser's.
 */
export function createClient(token: () => string, language: () => string | undefined): Client {
  let readAt: number | undefined
  return {
    readAt: () => readAt,
    async ask<T>(path: string, { method = 'GET', body, etag, signal, key }: Sending = {}) {
      const headers = new Headers({ Accept: 'application/json' })
      const wanted = language()
      if (wanted !== undefined) headers.set('Accept-Language', wanted)
      if (method !== 'GET') {
        headers.set('X-CSRF-Token', token())
        headers.set('Idempotency-Key', key ?? crypto.randomUUID())
      }
      const isForm = body instanceof FormData
      if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json')
      if (etag !== undefined) headers.set('If-Match', etag)
      const begun = method === 'GET' && etag === undefined ? takeFirst(path) : undefined
      const response = await (begun ??
        fetch(path, {
          method,
          headers,
          ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
          ...(signal ? { signal } : {}),
        }))
      if (response.status === 401) signInAgain()
      if (!response.ok) throw await errorOf(response)
      const at = response.headers.get('X-Stream-At')
      if (at !== null) readAt ??= Number(at)
      const text = await response.text()
      const answer = (text === '' ? undefined : JSON.parse(text)) as T
      return { body: answer, etag: response.headers.get('ETag') ?? undefined }
    },
    send: (path, sent, onShare) =>
      new Promise((resolve, reject) => {
        // Only this one tells how much has gone.
        const request = new XMLHttpRequest()
        request.open('POST', path)
        request.setRequestHeader('Accept', 'application/json')
        request.setRequestHeader('X-CSRF-Token', token())
        request.setRequestHeader('Idempotency-Key', crypto.randomUUID())
        if (sent instanceof Blob)
          request.setRequestHeader('Content-Type', 'application/octet-stream')
        request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
        request.onerror = () => reject(new ApiError(0, 'OFFLINE', WORDS.offline))
        request.onload = () => {
          const { status, statusText, responseText } = request
          if (status >= 400) return reject(errorIn(responseText, status, statusText))
          const etag = request.getResponseHeader('ETag') ?? undefined
          resolve({ body: JSON.parse(responseText), etag })
        }
        request.send(sent)
      }),
  }
}

/** Milliseconds after the begin of the page in which an answer that was asked for before its scripts is taken for a fresh one. */
const FRESH_MS = 10_000

/** The answer to this path that is on its way already (`desk/boot/first.ts`). */
function takeFirst(path: string): Promise<Response> | undefined {
  const answer = globalThis.deskFirst?.get(path)
  globalThis.deskFirst?.delete(path)
  return performance.now() < FRESH_MS ? answer : undefined
}

function signInAgain(): void {
  const here = `${location.pathname}${location.search}`
  location.assign(`/login?${new URLSearchParams({ 'redirect-to': here })}`)
}

async function errorOf(response: Response): Promise<ApiError> {
  return errorIn(await response.text(), response.status, response.statusText)
}

function errorIn(text: string, status: number, statusText: string): ApiError {
  try {
    const { error } = JSON.parse(text) as {
      error: {
        code: string
        message: string
        details?: readonly Problem[]
        linked?: readonly LinkedRecord[]
      }
    }
    return new ApiError(status, error.code, error.message, error.details, error.linked)
  } catch (_noJson) {
    return new ApiError(status, 'UNKNOWN', `${status} ${statusText}`)
  }
}

/** Path of a record, and of what is done with it. */
export function recordPath(slug: string, id: string, ...more: readonly string[]): string {
  return ['/v1', slug, id, ...more]
    .map((part, at) => (at ? encodeURIComponent(part) : part))
    .join('/')
}
