import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

/** Interval at which connections without a request are closed, in ms; what was sent before has been read by then. */
const IDLE_EVERY = 50

/**
 * Makes a server stoppable: what this returns takes no new connection and resolves when all are closed, idle
 * ones in a moment, busy ones after their answer, all at the timeout (ms). Every answer that has not begun by
 * then says `Connection: close`, so that a client sends its next request to somebody else instead of into a
 * connection that is being closed, where nobody can say whether it was done. Streams, which have no end of their own, end
 * at once.
 */
export function drainable(server: Server): (timeout: number) => Promise<void> {
  const answering = new Set<ServerResponse>()
  let isStopping = false

  // Before the app, which may answer at once.
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (isStopping) endConnection(response)
    answering.add(response)
    response.on('close', () => answering.delete(response))
  })

  return (timeout) =>
    new Promise((resolve) => {
      isStopping = true
      for (const response of answering) {
        endConnection(response)
        if (isStream(response)) response.end()
      }
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_EVERY)
      const force = setTimeout(() => server.closeAllConnections(), timeout)
      // That of HTTP closes idle connections first, those too whose request has arrived and is not read yet.
      NetServer.prototype.close.call(server, () => {
        clearInterval(idle)
        clearTimeout(force)
        resolve()
      })
    })
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

function isStream(response: ServerResponse): boolean {
  return (
    response.headersSent && /^text\/event-stream/.test(String(response.getHeader('Content-Type')))
  )
}
