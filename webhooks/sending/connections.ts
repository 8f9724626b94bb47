import type { Dispatcher } from 'undici'
import { guardedLookup, type Resolve } from './resolve.ts'
import { type TargetPolicy, targetPort } from './target.ts'

/** Rules for connections: where they may lead and how long making one may take. */
export interface ConnectionOptions {
  readonly policy: TargetPolicy
  readonly resolve: Resolve
  /** Milliseconds a connection may take to be made, TLS included. */
  readonly timeoutMs: number
}

/** The connections of a sender. */
export interface Connections {
  /** Sends over a connection that was kept open, if there is one. */
  readonly kept: Dispatcher
  /** Sends over a connection of its own, which is closed afterwards. */
  readonly single: Dispatcher
  /** Returns the number of connections made so far. */
  opened(): number
  /** Whether the error is that the receiver closed a connection, one of the first `opened` ones, without an answer. */
  wasClosedKept(error: unknown, opened: number): boolean
  /** Ends all connections and what runs on them. */
  close(): Promise<void>
}

/** Receivers may ask that a connection is kept longer than the usual 4 s, up to this many milliseconds. */
const KEEP_ALIVE_MAX_MS = 30_000

/** Bytes of headers an answer may have. */
export const MAX_HEADER_BYTES = 16_384

/**
 * Prepares connections that only lead where the policy allows. HTTP/1.1 only: one request needs none of
 * HTTP/2, whose frames and windows a hostile receiver could play with. The library is loaded here, at the
 * first delivery and not at the start of the program.
 */
export async function openConnections(options: ConnectionOptions): Promise<Connections> {
  const { Agent, buildConnector, Pool } = await import('undici')
  let opened = 0
  const connectionOf = new WeakMap<object, number>()

  /** Numbers each connection and remembers which one an error came from. */
  function connectorFor(origin: string) {
    const connect = buildConnector({
      lookup: guardedLookup(options.policy, options.resolve, targetPort(origin)),
      timeout: options.timeoutMs,
      allowH2: false,
    })
    const numbered: typeof connect = (target, callback) => {
      connect(target, (...result) => {
        const [, socket] = result
        // After an error there is none at all, not the null of its type.
        if (socket) {
          opened += 1
          const number = opened
          socket.on('error', (error) => connectionOf.set(error, number))
        }
        callback(...result)
      })
    }
    return numbered
  }

  function agent(pipelining: 0 | 1): Dispatcher {
    return new Agent({
      factory: (origin) =>
        new Pool(origin, {
          connect: connectorFor(String(origin)),
          allowH2: false,
          pipelining,
          keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
          maxHeaderSize: MAX_HEADER_BYTES,
          // The sender has one limit over everything, which the slow cannot stretch byte by byte.
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
    })
  }

  const kept = agent(1)
  const single = agent(0)
  return {
    kept,
    single,
    opened: () => opened,
    wasClosedKept(error, before) {
      if (!(error instanceof Error) || !isClosing(error)) return false
      const number = connectionOf.get(error)
      return number !== undefined && number <= before
    },
    async close() {
      await Promise.all([kept.destroy(), single.destroy()])
    },
  }
}

/** Whether the receiver ended the connection (FIN or RST); a bad answer ends it from our side and is none. */
function isClosing(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'UND_ERR_SOCKET') return error.message === 'other side closed'
  return code === 'ECONNRESET' || code === 'EPIPE'
}
