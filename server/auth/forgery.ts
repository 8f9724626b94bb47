import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../../engine/base/errors.ts'
import type { Session } from './sessions.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What is asked of a request. */
type Sent = { readonly method: string } & Pick<IncomingMessage, 'headers'>

/** Headers that carry the token of a session; the second is Frappe's. */
const TOKEN_HEADERS = ['x-csrf-token', 'x-frappe-csrf-token'] as const

/** A request that a page of somebody else may have made in the signed-in person's browser. */
export class ForgeryError extends AppError {}

/** Token that our own pages send with every form of a session; it follows from the session and is kept nowhere. */
export function csrfToken(secretKey: Buffer, sessionId: string): string {
  return createHmac('sha256', secretKey).update(`csrf:${sessionId}`).digest('base64url')
}

/**
 * Refuses a change that another site may have caused (reliability.md S4): one whose browser says that it came
 * from elsewhere, and, in a session that our own page started, one without its token. `token` comes from a
 * form; without it the headers are read. Requests without a session are not asked.
 */
export function assertNoForgery(
  request: Sent,
  { id, byPage }: Session,
  { secretKey, origins }: { readonly secretKey: Buffer; readonly origins: readonly string[] },
  token?: string,
): void {
  if (SAFE_METHODS.has(request.method)) return
  assertSameOrigin(request, origins)
  if (!byPage) return
  const header = TOKEN_HEADERS.map((name) => request.headers[name]).find(Boolean)
  const given = token ?? (typeof header === 'string' ? header : '')
  if (isSameText(given, csrfToken(secretKey, id))) return
  throw new ForgeryError(
    'FORBIDDEN',
    `Invalid Request: expected the session's token in X-CSRF-Token; GET /api/method/frappe.sessions.get_csrf_token gives it`,
  )
}

/**
 * Refuses a form or call that the browser says came from another site. `origins` are further ones that may:
 * those of `SVC_CORS_ORIGINS`, and the addresses people reach the workspace under.
 */
export function assertSameOrigin(request: Sent, origins: readonly string[]): void {
  const { origin, host } = request.headers
  const from = request.headers['sec-fetch-site']
  if (from === 'same-origin' || from === 'none') return
  if (from === undefined && origin === undefined) return
  if (origin !== undefined && (origins.includes(origin) || hostOf(origin) === host)) {
    // A browser that knows of `Sec-Fetch-Site` calls another port or scheme of our own host foreign.
    if (from === undefined || origins.includes(origin)) return
  }
  throw new ForgeryError('FORBIDDEN', 'Invalid Request: this call came from another site')
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hash('sha256', a)), Buffer.from(hash('sha256', b)))
}
