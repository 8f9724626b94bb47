import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError, validationError } from '../../engine/base/errors.ts'
import { findUnsafeJson } from '../../engine/base/json-text.ts'
import { shown } from '../../engine/base/shown.ts'
import { turnOfBody } from './body-turns.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { type HeldBytes, heldOfPeople } from './held-bytes.ts'
import type { Stage } from './request-state.ts'

/** Time for a body to arrive, in ms: files alone may take longer (`claim-address.ts`). */
const MOST_MS = 60_000

/** Longest body, in bytes (contract §3, PAYLOAD_TOO_LARGE). */
const MAX_BODY = 1_048_576

const LATE = 'the body took too long to arrive; send it again'

const WITH_BODY = new Set(['POST', 'PATCH', 'PUT'])

/**
 * Reads the JSON object of a POST, PATCH or PUT into `response.locals.body`; other methods' bodies are
 * ignored. Below the paths of `bare` it may be any JSON; what is sent to those of `streamed`, forms to those of `forms`, and
 * plain bytes to those of `bytes`, their routes read. Throws 413 above 1 MB, 415 for another type, 400 when it is not a JSON object in UTF-8, and
 * 422 for JSON that cannot be kept as it came.
 */
export function body({
  bare = [],
  streamed = [],
  forms = [],
  bytes = [],
}: {
  readonly bare?: readonly string[]
  readonly streamed?: readonly string[]
  readonly forms?: readonly string[]
  readonly bytes?: readonly string[]
} = {}): Stage {
  const isBare = (path: string): boolean => bare.some((prefix) => path.startsWith(prefix))
  return async function bodyStage(request, response, next) {
    const isTheirs =
      streamed.includes(request.path) ||
      (forms.includes(request.path) && isMultipart(request)) ||
      (bytes.includes(request.path) && isBytes(request))
    const isRead = WITH_BODY.has(request.method) && !isTheirs
    if (isRead && hasBody(request)) {
      assertJson(request)
      const read = await readBytes(request, { held: heldOfPeople(request) })
      await turnOfBody(request, response, read.length)
      response.locals.body = isBare(request.path) ? parseJson(read) : parseObject(read)
    }
    next()
  }
}

/** True for a request that brings a form, which may hold files. */
export function isMultipart({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')
}

/** True for a request that brings plain bytes, such as those of one file. */
export function isBytes({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /^application\/octet-stream\s*(;|$)/i.test(headers['content-type'] ?? '')
}

/** True when a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function assertJson(request: IncomingMessage): void {
  const type = request.headers['content-type']
  if (type !== 'application/json' && !isJsonType(type)) {
    throw unsupported(`expected Content-Type: application/json, got ${type ?? 'none'}`)
  }
  assertNotCompressed(request)
}

/** Throws 415 for a compressed body: it could grow to any size. */
export function assertNotCompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupported(`expected a body that is not compressed, got Content-Encoding: ${encoding}`)
  }
}

/** True for JSON in UTF-8, by its Content-Type. */
export function isJsonType(type: string | undefined): boolean {
  if (type === undefined) return false
  const [media = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return (
    media === 'application/json' &&
    parameters.every((parameter) => ['', 'charset=utf-8', 'charset="utf-8"'].includes(parameter))
  )
}

/** 415 */
export function unsupported(message: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', message)
}

/** Limits of a body beside those of everybody's. */
export interface BodyLimits {
  /** Most bytes. */
  readonly most?: number
  /** Counter of the bytes that are waited for together with others. */
  readonly held?: HeldBytes
}

/**
 * The body's bytes; throws 413, and UNAVAILABLE where `held` has no room. What comes after the limit is read and thrown
 * away, so that the answer arrives.
 */
export function readBytes(
  request: IncomingMessage,
  { most = MAX_BODY, held }: BodyLimits = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > most) {
      request.resume()
      reject(tooLarge(most))
      return
    }
    let chunks: Buffer[] | undefined = []
    let size = 0
    const late = setTimeout(() => {
      const error = Object.assign(new Error(LATE), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      answerBrokenRequest(error, request.socket)
      refuse(badRequest(LATE))
    }, MOST_MS).unref()
    const leave = (): void => {
      clearTimeout(late)
      if (chunks) held?.give(size)
      chunks = undefined
    }
    const refuse = (error: unknown): void => {
      leave()
      reject(error)
    }
    request.on('data', (chunk: Buffer) => {
      if (!chunks) return
      if (size + chunk.length > most) return refuse(tooLarge(most))
      try {
        held?.take(chunk.length)
      } catch (error) {
        return refuse(error)
      }
      size += chunk.length
      chunks.push(chunk)
    })
    request.on('end', () => {
      const whole = chunks?.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks ?? [])
      leave()
      resolve(whole)
    })
    request.on('error', () => refuse(badRequest('the connection broke before the whole body came')))
    request.on('close', leave)
  })
}

function tooLarge(most: number): AppError {
  const size = most >= MAX_BODY ? '1 MB' : `${most / 1024} KB`
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    `expected a body of at most ${most} bytes (${size}); send less at once`,
  )
}

/** 400 */
export function badRequest(message: string): AppError {
  return new AppError('BAD_REQUEST', message)
}

/** The JSON object of a body. Throws 400 when it is none, 422 for JSON that cannot be kept as it came. */
export function parseObject(bytes: Buffer): object {
  const value = parse(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`expected a JSON object, got ${shown(value)}`)
  }
  assertSafe(value)
  return value
}

/** The JSON of a body, of any kind. Throws as `parseObject` does. */
function parseJson(bytes: Buffer): unknown {
  const value = parse(bytes)
  assertSafe(value)
  return value
}

function assertSafe(value: unknown): void {
  const unsafe = findUnsafeJson(value)
  if (!unsafe) return
  const { path: field, message, code } = unsafe
  throw validationError([{ field, message, code }])
}

/** Throws 400 for bytes that are no UTF-8: read as text they would change silently. */
export function assertUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw badRequest('expected a body in UTF-8, got bytes that are not')
}

function parse(bytes: Buffer): unknown {
  assertUtf8(bytes)
  const text = bytes.toString('utf8')
  try {
    // Some clients on Windows put a byte order mark first; RFC 8259 §8.1 lets us ignore it.
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (cause) {
    const why = cause instanceof SyntaxError ? cause.message : 'nested too deeply'
    throw new AppError(
      'BAD_REQUEST',
      `expected a JSON object, got text that is not JSON: ${printable(why)}`,
      { cause },
    )
  }
}

/** The parser's message quotes the body, which may hold control characters. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, '?').slice(0, 120)
}
