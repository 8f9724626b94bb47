import type { ProblemCode } from './problem-codes.ts'

/** A record that may have been meant: its id and what people call it. */
export interface Suggestion {
  readonly id: string
  /** Its title; its id where it has none. */
  readonly title: string
}

/** Problem of one input field; `field` is a path such as `items[2].qty`, `code` is for programs. */
export interface Detail {
  readonly field: string
  readonly message: string
  readonly code: ProblemCode
  /** Of a link to nothing: the records that are most like what it names, the nearest first. Never empty. */
  readonly suggestions?: readonly Suggestion[]
}

/** A document that stands in the way of a delete or a cancel (contract §3). */
export interface LinkedDocument {
  readonly resource: string
  readonly doctype: string
  readonly id: string
  readonly field: string
}

/** Every error code of the API with its HTTP status (spec §7, contract §3). Each has a line in docs/errors.md. */
export const STATUS_OF_CODE = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  CONFLICT: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof STATUS_OF_CODE

export interface AppErrorOptions {
  readonly details?: readonly Detail[]
  /** How many problems there are beside those in `details`. */
  readonly untold?: number
  readonly linked?: readonly LinkedDocument[]
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/**
 * The one error a caller may see. Its message says what was expected, what came and what to do;
 * anything else that is thrown is answered as INTERNAL_ERROR and only logged.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly Detail[] | undefined
  readonly untold: number
  readonly linked: readonly LinkedDocument[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = STATUS_OF_CODE[code]
    this.details = options.details
    this.untold = options.untold ?? 0
    this.linked = options.linked
    this.headers = options.headers ?? {}
  }
}

/** Whether this is a refusal, which a caller sees and can act on, rather than something that failed here. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500
}

/** Details that one answer tells: nobody reads more, and a body can have a problem in each of its bytes. */
const MOST_DETAILS = 100

/**
 * 422 with one detail per problem (spec §7), the first hundred of them. The message repeats the first, so that a log
 * line alone is enough, and counts the others, `untold` ones too.
 */
export function validationError(problems: readonly Detail[], untold = 0): AppError {
  const [first] = problems
  if (!first) return new AppError('VALIDATION_ERROR', 'the request is not valid', { details: [] })
  const details = problems.slice(0, MOST_DETAILS)
  const all = problems.length + untold
  const told = all > details.length ? `the first ${details.length} in details` : 'see details'
  const more = all > 1 ? ` (and ${all - 1} more, ${told})` : ''
  const message = `${first.field}: ${first.message}${more}`
  return new AppError('VALIDATION_ERROR', message, { details, untold: all - details.length })
}

/** Error 404 for a record. */
export function recordNotFound(doctype: string, id: string): AppError {
  return new AppError('NOT_FOUND', `${doctype} ${JSON.stringify(id)} does not exist`)
}
