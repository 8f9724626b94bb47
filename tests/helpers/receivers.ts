import { readFileSync } from 'node:fs'
import {
  createServer,
  type Server as HttpServer,
  type IncomingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { once } from '../../engine/base/once.ts'

/*
 * Receivers of webhooks on 127.0.0.1 with a port of their own, one function for each way to behave, good and
 * bad. All are real servers: `close()` ends them with whatever they hold.
 */

/** A request that has arrived. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Empty for a receiver that answers before it reads the body. */
  readonly body: string
}

/** A running receiver and what it has seen. */
export interface Receiver {
  /** Ends in `/hook`. */
  readonly url: string
  readonly port: number
  /** All requests so far, the first first. */
  requests(): readonly Received[]
  /** Connections that were made so far. */
  connections(): number
  /** Resolves when no connection is open any more. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Answers one request, or breaks the connection as it likes. */
export type Behaviour = (response: ServerResponse, socket: Socket, request: Received) => void

interface ReceiverOptions {
  /** Whether it speaks HTTPS, with the certificate of `receiver.pem`. */
  readonly tls?: boolean
  /** Whether it answers without waiting for the body. */
  readonly early?: boolean
}

/** Certificate for `receiver.test` and 127.0.0.1, signed by itself, with its key; made for these tests only. */
export const CERTIFICATE_FILE = new URL('receiver.pem', import.meta.url)

/** A receiver that does as it is told; the base of those below, and of those that change their behaviour. */
export function behaves(behaviour: Behaviour, options: ReceiverOptions = {}): Promise<Receiver> {
  const requests: Received[] = []
  const pem = options.tls ? readFileSync(CERTIFICATE_FILE) : undefined
  const server: HttpServer = pem ? createSecureServer({ key: pem, cert: pem }) : createServer()
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = []
    if (!options.early) {
      try {
        for await (const chunk of request) chunks.push(chunk)
      } catch {
        return // The sender is gone; that is no request.
      }
    }
    const { method = '', url: path = '', headers, socket } = request
    const received = { method, path, headers, body: Buffer.concat(chunks).toString() }
    requests.push(received)
    behaviour(response, socket, received)
  })
  return listening(server, requests, pem === undefined ? 'http' : 'https')
}

/** Answers every request with this status. */
export function answers(
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Receiver> {
  return behaves((response) => response.writeHead(status, headers).end(body))
}

/** Answers 200 and `ok`. */
export function ok(): Promise<Receiver> {
  return answers(200, 'ok')
}

/** Answers 429 with this Retry-After. */
export function tooMany(retryAfter: string): Promise<Receiver> {
  return answers(429, 'slow down', { 'retry-after': retryAfter })
}

/** Answers with a redirect to a URL that should never be called. */
export function redirectsTo(location: string, status = 302): Promise<Receiver> {
  return answers(status, 'see there', { location })
}

/** Takes the request and never answers. */
export function hangs(): Promise<Receiver> {
  return behaves(() => undefined)
}

/**
 * Is connected to, but never reads a byte; for an https:// URL the handshake hangs. As it does not see the end
 * of a connection either, it is never `idle()`.
 */
export function neverReads(): Promise<Receiver> {
  return listening(createTcpServer({ pauseOnConnect: true }), [], 'http')
}

/** Sends headers without end, one every 10 ms: no pause is long, all of it takes for ever. */
export function dripsHeaders(): Promise<Receiver> {
  return behaves((_response, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    drip(socket, () => socket.write('x: y\r\n'))
  })
}

/** Answers 200 and sends one byte of body every 10 ms, without end. */
export function dripsBody(): Promise<Receiver> {
  return behaves((response, socket) => {
    response.writeHead(200).write('drip')
    drip(socket, () => response.write('.'))
  })
}

/** Sends `103 Early Hints` for ever. */
export function keepsOnHinting(): Promise<Receiver> {
  return behaves((_response, socket) =>
    drip(socket, () => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
  )
}

/** Switches to another protocol, which nobody asked for. */
export function switchesProtocols(): Promise<Receiver> {
  return behaves((_response, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
  })
}

/** Answers 200 with a body that never ends, as fast as it is read. */
export function endlessBody(): Promise<Receiver> {
  return behaves((response) => stream(response.writeHead(200), Number.POSITIVE_INFINITY))
}

/** Answers 200 with a body of so many megabytes, which its Content-Length tells. */
export function hugeBody(megabytes = 60): Promise<Receiver> {
  const length = megabytes * CHUNKS_PER_MB * CHUNK.length
  return behaves((response) =>
    stream(response.writeHead(200, { 'content-length': length }), megabytes * CHUNKS_PER_MB),
  )
}

/** Packing it takes a quarter of a second. */
const packedBomb = once(() => gzipSync(Buffer.alloc(60 * 1024 * 1024), { level: 9 }))

/** Answers 200 with some 60 KB of gzip that are 60 MB when unpacked. */
export function gzipBomb(): Promise<Receiver> {
  const bomb = packedBomb()
  return behaves((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
}

/** Takes the request and resets the connection (RST). */
export function resets(): Promise<Receiver> {
  return behaves((_response, socket) => socket.resetAndDestroy())
}

/** Answers 200 with a Content-Length and breaks off in the middle of the body. */
export function breaksOff(): Promise<Receiver> {
  return behaves((response, socket) => {
    response.writeHead(200, { 'content-length': 100 }).write('half', () => socket.destroy())
  })
}

/** Answers what is no HTTP. */
export function invalidHttp(): Promise<Receiver> {
  return behaves((_response, socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
}

/** Answers 200 with so many kilobytes of headers. */
export function hugeHeaders(kilobytes = 1024): Promise<Receiver> {
  const line = `x: ${'y'.repeat(1019)}\r\n`
  return behaves((_response, socket) => {
    socket.end(`HTTP/1.1 200 OK\r\n${line.repeat(kilobytes)}\r\n`)
  })
}

/** Answers 413 and closes before it has read any of the body. */
export function answersEarly(): Promise<Receiver> {
  return behaves((response) => response.writeHead(413, { connection: 'close' }).end('too large'), {
    early: true,
  })
}

/**
 * Answers the first request of each connection with 200 and ends the connection (FIN, or RST) at the second, as
 * a receiver does that gives up an idle connection at the moment it is used.
 */
export function endsKeptConnections(how: 'end' | 'reset'): Promise<Receiver> {
  const used = new WeakSet<Socket>()
  return behaves((response, socket) => {
    if (!used.has(socket)) response.writeHead(200).end('ok')
    else if (how === 'end') socket.end()
    else socket.resetAndDestroy()
    used.add(socket)
  })
}

/** Answers 200 over HTTPS with a certificate nobody has signed. */
export function selfSigned(): Promise<Receiver> {
  return behaves((response) => response.writeHead(200).end('ok'), { tls: true })
}

const CHUNK = Buffer.alloc(64 * 1024, 'x')
const CHUNKS_PER_MB = 16

async function listening(
  server: Server,
  requests: readonly Received[],
  protocol: 'http' | 'https',
): Promise<Receiver> {
  const open = new Set<Socket>()
  let connections = 0
  // Every socket is seen here before TLS; what goes wrong on it is the sender's business.
  server.on('connection', (socket: Socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      if (open.size === 0) server.emit('idle')
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `${protocol}://127.0.0.1:${port}/hook`,
    port,
    requests: () => requests,
    connections: () => connections,
    async idle() {
      if (open.size > 0) await new Promise<void>((done) => server.once('idle', () => done()))
    },
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

function drip(socket: Socket, write: () => void): void {
  const timer = setInterval(write, 10)
  socket.on('close', () => clearInterval(timer))
}

/** Sends one chunk again and again, so that the receiver itself needs no memory. */
function stream(response: ServerResponse, chunks: number): void {
  function* repeated() {
    for (let sent = 0; sent < chunks; sent += 1) yield CHUNK
  }
  Readable.from(repeated(), { objectMode: false }).pipe(response)
}
