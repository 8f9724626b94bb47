import type { ApiResponse, Handler, LastHeaders } from '../http/request-state.ts'

/** The stage that puts on an answer what is known only when its head is written, in the order given. */
export function lastHeaders(writers: readonly LastHeaders[]): Handler {
  return function lastHeadersStage(_request, response, next) {
    const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ApiResponse
    response.writeHead = (...given: unknown[]) => {
      if (!response.headersSent) for (const write of writers) write(response)
      return writeHead(...given)
    }
    next()
  }
}
