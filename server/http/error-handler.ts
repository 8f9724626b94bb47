import type { Logger } from 'pino'
import { AppError } from '../../engine/base/errors.ts'
import { errorJson, sendAnswer } from './answer.ts'
import { hasState, newRequestId } from './request-id.ts'
import type { ErrorHandler } from './request-state.ts'
import { isUnavailable } from './unavailable.ts'

/** Seconds after which a client may try again when the database could not answer. */
const RETRY_AFTER = '1'

/**
 * The one place where errors become answers: AppError as it says, a database that cannot answer now as
 * 503, a path that cannot be decoded as 400. Anything else is INTERNAL_ERROR: logged with the request id,
 * and nothing of it is told (reliability.md H4).
 */
export function errorHandler(logger: Logger): ErrorHandler {
  return function errorStage(error, _request, response, _next) {
    if (!hasState(response)) response.setHeader('X-Request-Id', newRequestId())
    const known = appErrorOf(error)
    if (known.status >= 500) {
      logger.error({ request_id: response.getHeader('X-Request-Id'), err: error }, known.message)
    }
    // Half of another answer is already on its way: only a broken connection tells the client so.
    if (response.headersSent) {
      response.destroy()
      return
    }
    const { status, headers } = known
    sendAnswer(response, { status, headers, body: errorJson(known) })
  }
}

/** The error a client is told about for anything that was thrown. */
export function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isUnavailable(error)) {
    return new AppError('UNAVAILABLE', 'the database cannot answer at the moment; try again', {
      headers: { 'Retry-After': RETRY_AFTER },
      cause: error,
    })
  }
  if (isUndecodablePath(error)) {
    return new AppError('BAD_REQUEST', 'the path is not valid percent-encoded UTF-8; encode it', {
      cause: error,
    })
  }
  return new AppError(
    'INTERNAL_ERROR',
    'something went wrong here; quote the X-Request-Id to support',
    {
      cause: error,
    },
  )
}

/** Express's router refuses a parameter it cannot decode with an error of its own that carries 400. */
function isUndecodablePath(error: unknown): boolean {
  return (
    error instanceof URIError ||
    (error instanceof Error && 'status' in error && error.status === 400)
  )
}
