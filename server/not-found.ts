import { AppError } from '../engine/base/errors.ts'
import type { Handler } from './request-state.ts'

/** The end of all routes: 404 in our shape. */
export function notFound(): Handler {
  return function notFoundStage(request) {
    const shown = request.path.length > 200 ? `${request.path.slice(0, 200)}…` : request.path
    throw new AppError(
      'NOT_FOUND',
      `there is nothing at ${request.method} ${request.baseUrl}${shown}; GET /v1/openapi.json describes all routes`,
    )
  }
}

/** Behind the routes of a path: 405 that names its methods. */
export function methodNotAllowed(allow: string): Handler {
  return (request) => {
    throw new AppError(
      'METHOD_NOT_ALLOWED',
      `expected one of ${allow} here, got ${request.method}`,
      {
        headers: { Allow: allow },
      },
    )
  }
}
