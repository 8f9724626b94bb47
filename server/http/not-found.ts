import { AppError } from '../../engine/base/errors.ts'
import { isNavigation } from './navigation.ts'
import type { Handler } from './request-state.ts'

/** The end of all routes: 404, which names the way on of who asks. */
export function notFound(): Handler {
  return function notFoundStage(request) {
    const shown = request.path.length > 200 ? `${request.path.slice(0, 200)}…` : request.path
    const message = isNavigation(request)
      ? `there is nothing at ${shown}; look whether the address is right`
      : `there is nothing at ${request.method} ${request.baseUrl}${shown}; GET /v1/openapi.json describes all routes`
    throw new AppError('NOT_FOUND', message)
  }
}

/** Behind the routes of a path: 405 that names its methods, 204 with them for OPTIONS. */
export function methodNotAllowed(allow: string): Handler {
  return (request, response) => {
    if (request.method === 'OPTIONS') {
      response.setHeader('Allow', `${allow}, OPTIONS`)
      response.statusCode = 204
      response.end()
      return
    }
    throw new AppError(
      'METHOD_NOT_ALLOWED',
      `expected one of ${allow} here, got ${request.method}`,
      {
        headers: { Allow: allow },
      },
    )
  }
}
