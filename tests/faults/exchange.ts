/** A request with the key under which it happens once. */
export interface KeyedRequest {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
  readonly key: string
}

/** An answer that came whole. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly isReplayed: boolean
  /** The server asks to come back: the request of this key is still running elsewhere. */
  readonly isTooEarly: boolean
}

/**
 * Sends a request. `unknown`: nobody can say whether it happened; `refused`: nobody listens there, so it did
 * not.
 */
export async function send(
  url: string,
  apiKey: string,
  { method, path, body, key }: KeyedRequest,
): Promise<Answer | 'unknown' | 'refused'> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { status, headers } = response
    return {
      status,
      text: await response.text(),
      isReplayed: headers.get('idempotent-replayed') === 'true',
      isTooEarly: status === 409 && headers.has('retry-after'),
    }
  } catch (error) {
    return isRefusal(error) ? 'refused' : 'unknown'
  }
}

function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException) : undefined
  return cause?.code === 'ECONNREFUSED'
}

/** Asks for something that must be there. Throws with the answer when it is not. */
export async function call<Body>(
  url: string,
  apiKey: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<Body> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as Body
}
