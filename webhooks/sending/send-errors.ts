import { MAX_HEADER_BYTES } from './connections.ts'
import { ForbiddenTargetError } from './resolve.ts'

/** Aborts a send; the message goes into the log of deliveries as it is. */
export class SendAbort extends Error {}

const CLOSED = 'the connection was closed before the answer was complete'
const REFUSED_CERTIFICATE = 'the TLS certificate of the receiver is not trusted'
const TLS_FAILED = 'no TLS connection could be made; does the receiver speak HTTPS at this port?'
const UNREACHABLE = 'the address of the receiver cannot be reached from here'
const SLOW_CONNECTION = 'no connection to the receiver was made in time'

/** Sentences for the codes of Node and undici. None repeats an address, a path or a text of the receiver. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused; nothing listens at this port of the receiver',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  UND_ERR_INFO: CLOSED,
  UND_ERR_ABORTED: CLOSED,
  ENOTFOUND: 'the host name of the receiver does not resolve to an address',
  ENODATA: 'the host name of the receiver does not resolve to an address',
  EAI_AGAIN: 'the name servers gave no answer about the host name of the receiver',
  EAI_FAIL: 'the name servers gave no answer about the host name of the receiver',
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  EACCES: UNREACHABLE,
  EPERM: UNREACHABLE,
  ETIMEDOUT: SLOW_CONNECTION,
  UND_ERR_CONNECT_TIMEOUT: SLOW_CONNECTION,
  UND_ERR_HEADERS_OVERFLOW: `the answer has more than ${MAX_HEADER_BYTES / 1024} KB of headers`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the length of the answer is not its Content-Length',
  UND_ERR_INVALID_ARG: 'the request has a header that HTTP does not allow',
  CERT_HAS_EXPIRED: 'the TLS certificate of the receiver has expired',
  CERT_NOT_YET_VALID: 'the TLS certificate of the receiver is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate of the receiver is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: `${REFUSED_CERTIFICATE}, it is signed by itself`,
  SELF_SIGNED_CERT_IN_CHAIN: `${REFUSED_CERTIFICATE}, its chain is signed by itself`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${REFUSED_CERTIFICATE}, its chain is not complete`,
  UNABLE_TO_GET_ISSUER_CERT: `${REFUSED_CERTIFICATE}, its chain is not complete`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${REFUSED_CERTIFICATE}, its chain is not complete`,
  EPROTO: TLS_FAILED,
}

/** Families of codes; the first that begins the code counts. */
const PREFIXES: readonly (readonly [prefix: string, sentence: string])[] = [
  ['ERR_SSL_', TLS_FAILED],
  ['ERR_TLS_', TLS_FAILED],
  ['CERT_', REFUSED_CERTIFICATE],
]

/** Reason of a failure in one sentence that may be stored and shown to whoever set up the webhook. */
export function sendErrorText(error: unknown): string {
  if (error instanceof SendAbort || error instanceof ForbiddenTargetError) return error.message
  if (isBadAnswer(error)) return 'the answer is not valid HTTP/1.1'
  const code = codeOf(error)
  if (code === undefined) return 'the request failed for an unknown reason'
  const known = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined
  const family = PREFIXES.find(([prefix]) => code.startsWith(prefix))
  return known ?? family?.[1] ?? `the request failed (${code})`
}

/** undici has no code for what its parser refuses, nor for an answer that was not asked for (100, 101). */
function isBadAnswer(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'HTTPParserError' || /^bad (response|upgrade)$/.test(error.message))
  )
}

/** The code of an error, or of the first of those that attempts at several addresses ended with. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string' && /^[A-Z0-9_]+$/.test(error.code)) {
    return error.code
  }
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined
}
