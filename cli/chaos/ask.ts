/** Request to a server of a copy; one with a key happens once, however often it is sent. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly key?: string
}

/** An answer that came whole. */
export interface Answer {
  readonly status: number
  /** JSON of it; undefined where there is none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** Whether the same request is still being worked on elsewhere. */
  readonly isTooEarly: boolean
}

/** `silence`: nobody can say whether it happened; `closed`: nobody listens there, so it did not. */
export type Outcome = Answer | 'silence' | 'closed'

/** Time after which a client gives up waiting, in ms: longer than any freeze. */
const PATIENCE_MS = 60_000

/** Sends a request and waits for its whole answer; never rejects. */
export async function ask(
  url: string,
  apiKey: string,
  { method, path, body, key }: Request,
): Promise<Outcome> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { status, headers } = response
    const text = await response.text()
    return {
      status,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined,
      isTooEarly: status === 409 && headers.has('retry-after'),
    }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException) : undefined
    return cause?.code === 'ECONNREFUSED' ? 'closed' : 'silence'
  }
}
