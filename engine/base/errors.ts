/** One problem of one input field; `field` is a path such as `items[2].qty`. */
export interface Detail {
  readonly field: string
  readonly message: string
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
  CONFLICT: 409,
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
  readonly linked: readonly LinkedDocument[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = STATUS_OF_CODE[code]
    this.details = options.details
    this.linked = options.linked
    this.headers = options.headers ?? {}
  }
}

/** Whether this is a refusal, which a caller sees and can act on, rather than something that failed here. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500
}

/** Error 422 with one detail per problem (spec §7). The message repeats the first, so that a log line is enough. */
export function validationError(details: readonly Detail[]): AppError {
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  const message = first ? `${first.field}: ${first.message}${more}` : 'the request is not valid'
  return new AppError('VALIDATION_ERROR', message, { details })
}

/** Error 404 for a record. */
export function recordNotFound(doctype: string, id: string): AppError {
  return new AppError('NOT_FOUND', `${doctype} ${JSON.stringify(id)} does not exist`)
}
