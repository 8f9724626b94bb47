import type { Dispatcher } from 'undici'
import { encodedPreview, previewText } from './answer-preview.ts'
import { type Connections, openConnections } from './connections.ts'
import { type Resolve, systemResolve } from './resolve.ts'
import { SendAbort, sendErrorText } from './send-errors.ts'
import { type TargetPolicy, targetProblem } from './target.ts'

/** One request, as it goes out by POST. */
export interface Outgoing {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** Result of one attempt. */
export interface Sent {
  /** null when no answer came. */
  readonly statusCode: number | null
  /** Milliseconds from the call to its end. */
  readonly latencyMs: number
  /** The beginning of the answer's body as text, '' for an empty one; null when no answer came. */
  readonly preview: string | null
  /** One sentence; null exactly when a whole 2xx answer came, or its first `maxPreview` bytes. */
  readonly error: string | null
  /** The header Retry-After as it came. */
  readonly retryAfter: string | null
}

/** Sends webhooks one request at a time and keeps connections between them. */
export interface Sender {
  /** Makes one attempt. Never rejects: whatever happens is told by `error`. */
  send(outgoing: Outgoing): Promise<Sent>
  /** Ends what is under way, with an error each, and all connections. A send after it is refused. */
  close(): Promise<void>
}

/** Settings of a sender; the defaults are those of the interface. */
export interface SenderOptions {
  readonly policy: TargetPolicy
  readonly resolve?: Resolve
  /** Milliseconds for everything: name servers, connection, TLS, headers and body (spec §6: 10 s). */
  readonly timeoutMs?: number
  /** Bytes of an answer that are read and kept. */
  readonly maxPreview?: number
}

/** Whether the receiver has taken the delivery (spec §6: 2xx within the time). */
export function isDelivered(sent: Sent): boolean {
  return sent.error === null && isSuccess(sent.statusCode)
}

/**
 * Makes a sender of webhooks. Redirects are not followed, compressed answers not unpacked, and of an answer
 * no more is read than is kept; the target is judged again before each request (reliability.md §0, 2 and 4).
 *
 * When a connection that was kept from an earlier request breaks before an answer came, the request is sent
 * once more at once, over a new connection: mostly the receiver closed it as idle at that moment and has seen
 * nothing. Should it have taken the request all the same, it gets it twice, which at-least-once delivery
 * allows and `delivery_id` tells. A new connection that breaks is a failed attempt.
 */
export function createSender({
  policy,
  resolve = systemResolve,
  timeoutMs = 10_000,
  maxPreview = 4096,
}: SenderOptions): Sender {
  const underWay = new Set<AbortController>()
  let connections: Promise<Connections> | undefined
  let isClosed = false

  async function send(outgoing: Outgoing): Promise<Sent> {
    const started = performance.now()
    const answer: Answer = { head: undefined, chunks: [], isWhole: false }
    const failure = await attempt(outgoing, answer).then(() => null, sendErrorText)
    const statusCode = answer.head?.statusCode ?? null
    return {
      statusCode,
      latencyMs: Math.round(performance.now() - started),
      preview: preview(answer, maxPreview),
      error: statusProblem(statusCode) ?? failure,
      retryAfter: firstValue(answer.head?.headers['retry-after']) ?? null,
    }
  }

  /** Fills the answer as it comes, so that what came before a failure is told. */
  async function attempt(outgoing: Outgoing, answer: Answer): Promise<void> {
    if (isClosed) throw new SendAbort('svc is stopping and sends no more')
    const problem = targetProblem(outgoing.url, policy)
    if (problem !== undefined) throw new SendAbort(problem)
    const limit = new AbortController()
    const timer = setTimeout(() => {
      const missing = answer.head === undefined ? 'no answer came' : 'the answer did not end'
      limit.abort(new SendAbort(`${missing} within ${timeoutMs / 1000} s`))
    }, timeoutMs)
    underWay.add(limit)
    try {
      // A request that still waits for its connection does not hear of the signal, so this does not wait for it.
      await Promise.race([exchange(outgoing, answer, limit.signal), aborted(limit.signal)])
    } finally {
      clearTimeout(timer)
      underWay.delete(limit)
    }
  }

  async function exchange(outgoing: Outgoing, answer: Answer, signal: AbortSignal): Promise<void> {
    connections ??= openConnections({ policy, resolve, timeoutMs })
    const { kept, single, opened, wasClosedKept } = await connections
    const request = postRequest(outgoing, signal)
    const before = opened()
    const response = await kept.request(request).catch((error: unknown) => {
      if (signal.aborted || !wasClosedKept(error, before)) throw error
      return single.request(request)
    })
    await readAnswer(response, answer, maxPreview)
  }

  return {
    send,
    async close() {
      isClosed = true
      for (const limit of underWay) limit.abort(new SendAbort('svc was stopped before the answer'))
      await (await connections)?.close()
    },
  }
}

/** Answer as far as it has come; it is read while a limit may end the attempt at any moment. */
interface Answer {
  head: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> | undefined
  readonly chunks: Buffer[]
  /** Whether the chunks are all there is. */
  isWhole: boolean
}

function postRequest({ url, headers, body }: Outgoing, signal: AbortSignal) {
  const { origin, pathname, search } = new URL(url)
  return {
    origin,
    path: pathname + search,
    method: 'POST',
    headers: { 'accept-encoding': 'identity', ...headers },
    body,
    signal,
  } as const
}

/**
 * Reads up to the preview's size and one byte, to know whether there is more. Whoever leaves the loop early
 * destroys the body and its connection with it.
 */
async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  answer: Answer,
  maxPreview: number,
): Promise<void> {
  answer.head = { statusCode, headers }
  let size = 0
  for await (const chunk of body) {
    answer.chunks.push(chunk)
    size += chunk.length
    if (size > maxPreview) return
  }
  answer.isWhole = true
}

function preview({ head, chunks, isWhole }: Answer, maxPreview: number): string | null {
  if (head === undefined) return null
  const encoded = encodedPreview(firstValue(head.headers['content-encoding']))
  return encoded ?? previewText(Buffer.concat(chunks), maxPreview, !isWhole)
}

function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300
}

/** Problem of a status; undefined for a good one and when none came. */
function statusProblem(statusCode: number | null): string | undefined {
  if (statusCode === null || isSuccess(statusCode)) return undefined
  return statusCode >= 300 && statusCode < 400
    ? `the receiver answered ${statusCode}; redirects are not followed, register the final URL`
    : `the receiver answered ${statusCode}, expected a 2xx status`
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
