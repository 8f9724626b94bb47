import type { Logger } from 'pino'
import { AppError } from '../../engine/base/errors.ts'
import { damageAdvice } from '../../engine/storage/database/damage.ts'
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
    logFailure(logger, response.getHeader('X-Request-Id'), error, known)
    // Half of another answer is already on its way: only a broken connection tells the client so.
    if (response.headersSent) {
      response.destroy()
      return
    }
    const { status, headers } = known
    sendAnswer(response, { status, headers, body: errorJson(known) })
  }
}

/**
 * Logs what failed here, with all that is known of it. What somebody asked for that is too large, or had to wait for too
 * long, is a line of its own kind: nothing is broken, and it may come again and again.
 */
export function logFailure(
  logger: Logger,
  requestId: unknown,
  error: unknown,
  { status, code, cause, message }: AppError,
): void {
  if (status < 500) return
  if (code === 'UNAVAILABLE' && cause === undefined) logger.warn({ request_id: requestId }, message)
  else logger.error({ request_id: requestId, err: error }, damageAdvice(error) ?? message)
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
