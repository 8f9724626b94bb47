import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CallFailure } from './call-failure.ts'
import { type ApiRequest, queryText } from './request.ts'
import { type Outcome, waitBefore } from './retry.ts'
import { type ToolServerSettings, variable } from './settings.ts'

/** An answer of the API, whatever its status. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  /** The body as it came. */
  readonly text: string
}

/**
 * Sends one request and resolves with the API's answer. Throws CallFailure when there is none, ArgumentError
 * for a query that cannot be sent, and the reason of `signal` once that is aborted.
 */
export type CallApi = (request: ApiRequest, signal: AbortSignal) => Promise<ApiAnswer>

/** Largest answer that is read, in bytes; the description of the whole API has less than 3 MB. */
const MOST_BYTES = 32 * 1024 * 1024

/** Failures before anything was sent: another attempt would fare no better. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** TLS that cannot be trusted, by the names of OpenSSL and Node: CERT_HAS_EXPIRED, ERR_TLS_CERT_ALTNAME_INVALID, … */
const UNTRUSTED = /CERT|^ERR_(TLS|SSL)_|^UNABLE_TO_|^EPROTO$/

/**
 * The API over HTTP. Retries as spec §7 says within `settings.timeoutMs`, writes under one idempotency key
 * for all attempts of a call, so that none is done twice. Redirects are not followed: the key would go along.
 */
export function apiClient(
  settings: ToolServerSettings,
  wait: (ms: number, signal: AbortSignal) => Promise<unknown> = (ms, signal) =>
    sleep(ms, undefined, { signal }),
): CallApi {
  return async (request, cancelled) => {
    const key = readyKey(settings)
    const url = `${settings.apiBase}${request.path}${queryText(request)}`
    const headers = headersOf(settings, key, request)
    const body = request.body === undefined ? null : JSON.stringify(request.body)
    const end = Date.now() + settings.timeoutMs
    const deadline = AbortSignal.timeout(settings.timeoutMs)
    const signal = AbortSignal.any([cancelled, deadline])
    for (let earlier = 0; ; earlier += 1) {
      const found = await attempt(url, { method: request.method, headers, body, signal }).catch(
        (error: unknown) => {
          cancelled.throwIfAborted()
          if (deadline.aborted) throw tooSlow(settings, request)
          return connectionLost(settings, request, error)
        },
      )
      const pause = waitBefore(request, outcomeOf(found), earlier)
      // An answer now is worth more than one after the client has given up.
      if (pause === undefined || Date.now() + pause >= end) {
        if (found instanceof CallFailure) throw found
        return withoutKey(found, key)
      }
      await wait(pause, cancelled)
    }
  }
}

/** The API key, once settings allow a call at all. Throws CallFailure that says what to set, never the key. */
export function readyKey(settings: ToolServerSettings): string {
  const name = variable(settings, 'API_KEY')
  const { apiKey, problem } = settings
  if (apiKey === undefined) {
    throw new CallFailure(
      'NO_API_KEY',
      `no API key: set ${name} in the settings of this tool server to an API key of the workspace (\`svc key create --scope write\` makes one) and start it again`,
    )
  }
  if (problem !== undefined) throw new CallFailure('WRONG_SETTINGS', problem)
  return apiKey
}

function headersOf(
  { brand, version }: ToolServerSettings,
  key: string,
  { method, body }: ApiRequest,
): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: `Bearer ${key}`,
    'User-Agent': `${brand.toLowerCase()}-mcp/${version}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(method === 'POST' || method === 'PATCH' ? { 'Idempotency-Key': randomUUID() } : {}),
  }
}

async function attempt(url: string, init: RequestInit): Promise<ApiAnswer> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await textOf(response) }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) {
      throw new CallFailure('UNEXPECTED_ANSWER', `the answer is larger than ${MOST_BYTES} bytes`)
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Shortest key that is cut out: shorter ones are no keys of ours, and parts of words. */
const SHORTEST_KEY = 16

/** Answer without the key: an address that is no workspace may send back what it was sent. */
function withoutKey({ status, headers, text }: ApiAnswer, key: string): ApiAnswer {
  const clean = (value: string): string =>
    key.length < SHORTEST_KEY ? value : value.replaceAll(key, '[API key]')
  const shown = [...headers].map(([name, value]): [string, string] => [name, clean(value)])
  return { status, headers: new Headers(shown), text: clean(text) }
}

function outcomeOf(found: ApiAnswer | CallFailure): Outcome {
  if (!(found instanceof CallFailure)) return found
  return found instanceof LostConnection ? 'lost' : { status: 0, headers: new Headers() }
}

/** The connection broke after the request may have been read. */
class LostConnection extends CallFailure {}

function connectionLost(
  settings: ToolServerSettings,
  request: ApiRequest,
  error: unknown,
): CallFailure {
  if (error instanceof CallFailure) return error
  const code = networkCode(error)
  const where = `${settings.apiBase}: ${code}`
  const check = `check that the workspace runs there and that ${variable(settings, 'API_BASE')} is its address`
  if (UNTRUSTED.test(code)) {
    const advice = 'if the certificate is of your own authority, NODE_EXTRA_CA_CERTS names its file'
    return new CallFailure('NETWORK_ERROR', `no trusted TLS with ${where}; ${advice}`, {
      cause: error,
    })
  }
  if (NEVER_SENT.test(code)) {
    return new CallFailure('NETWORK_ERROR', `cannot reach ${where}; ${check}`, { cause: error })
  }
  return new LostConnection(
    'NETWORK_ERROR',
    `lost the connection to ${where}; ${check}${unknownOutcome(request)}`,
    { cause: error },
  )
}

/** Short name of what went wrong; messages of fetch could hold what was sent. */
function networkCode(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown }
  const { code } = (cause ?? error) as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'no answer'
}

function tooSlow({ apiBase, timeoutMs }: ToolServerSettings, request: ApiRequest): CallFailure {
  return new CallFailure(
    'TIMEOUT',
    `no answer of ${apiBase} within ${timeoutMs / 1000} s; ask for less at once, or try later${unknownOutcome(request)}`,
  )
}

/** Advice where nobody knows whether the request was carried out; empty for one that only reads. */
export function unknownOutcome({ method }: ApiRequest): string {
  if (method === 'GET') return ''
  return '. It is unknown whether the change was made: look (get_record, list_records) before you repeat it'
}
