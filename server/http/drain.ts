import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

/** Interval at which connections without a request are closed, in ms; what was sent before has been read by then. */
const IDLE_EVERY = 50

/** Ways to stop a server. */
export interface Drain {
  /** Takes no new connection; resolves when all are closed, idle ones in a moment, busy ones after their answer, all at the timeout (ms). */
  close(timeout: number): Promise<void>
  /**
   * Lets go of a server that goes on listening with another answer; resolves when what was asked before is answered,
   * at the latest at the timeout (ms), which ends all connections.
   */
  leave(timeout: number): Promise<void>
}

/**
 * Makes a server stoppable. Every answer that has not begun by then says `Connection: close`, so that a client sends its
 * next request to somebody else instead of into a connection that is being closed, where nobody can say whether it was
 * done. Streams, which have no end of their own, end at once.
 */
export function drainable(server: Server): Drain {
  const answering = new Set<ServerResponse>()
  let isStopping = false
  let onAnswered: (() => void) | undefined

  function follow(_request: IncomingMessage, response: ServerResponse): void {
    if (isStopping) endConnection(response)
    answering.add(response)
    response.on('close', () => {
      answering.delete(response)
      if (answering.size === 0) onAnswered?.()
    })
  }

  function endAll(): void {
    isStopping = true
    for (const response of answering) {
      endConnection(response)
      if (isStream(response)) response.end()
    }
  }

  // Before the app, which may answer at once.
  server.prependListener('request', follow)

  return {
    close: (timeout) =>
      new Promise((resolve) => {
        endAll()
        const idle = setInterval(() => server.closeIdleConnections(), IDLE_EVERY)
        const force = setTimeout(() => server.closeAllConnections(), timeout)
        // That of HTTP closes idle connections first, those too whose request has arrived and is not read yet.
        NetServer.prototype.close.call(server, () => {
          clearInterval(idle)
          clearTimeout(force)
          resolve()
        })
      }),
    leave: (timeout) =>
      new Promise((resolve) => {
        server.off('request', follow)
        endAll()
        const force = setTimeout(() => server.closeAllConnections(), timeout)
        onAnswered = () => {
          clearTimeout(force)
          resolve()
        }
        if (answering.size === 0) onAnswered()
      }),
  }
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

function isStream(response: ServerResponse): boolean {
  return (
    response.headersSent && /^text\/event-stream/.test(String(response.getHeader('Content-Type')))
  )
}
