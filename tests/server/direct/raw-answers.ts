import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A request as its bytes: first line and headers as they are sent. */
export interface RawRequest {
  /** What it is about; also its name in a record of answers. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body?: string | Buffer | undefined
  /** Version on the first line; 1.1 by itself. */
  readonly version?: string
  /** Bytes before it on the same connection, its first line in them. */
  readonly before?: string
  /** Whether it comes in the same minute as the one before. */
  readonly isOfBurst?: boolean
}

/** A server that answers raw requests, as `svc serve` sets it up. */
export interface RawServer {
  /** All bytes of the answer, read until the server closes the connection, with what differs from run to run masked. */
  answer(request: RawRequest): Promise<string>
  close(): Promise<void>
}

/** Listens on a free port of this machine. */
export async function rawServer(app: RequestListener): Promise<RawServer> {
  const server: Server = createServer({ requireHostHeader: false }, app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    answer: async (request) => masked(await bytesOf(port, request)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function bytesOf(port: number, request: RawRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => {
      socket.destroy()
      resolve(readable(Buffer.concat(chunks)))
    })
    socket.on('error', reject)
    const { method, path, headers, body, before = '', version = '1.1' } = request
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const isFramed = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
    const length = bytes && !isFramed ? [`Content-Length: ${bytes.length}`] : []
    const first = before === '' ? `${method} ${path}` : before
    const head = [`${first} HTTP/${version}`, ...headers, ...length, 'Connection: close']
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes ?? Buffer.of()]))
  })
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
}

/** The bytes as text; of a compressed body, which differs with each random id in it, what it holds. */
function readable(answer: Buffer): string {
  const end = answer.indexOf('\r\n\r\n') + 4
  const head = answer.toString('latin1', 0, end)
  const [, encoding] = /^content-encoding: (.*)$/im.exec(head.replaceAll('\r', '')) ?? []
  const decode = encoding === undefined ? undefined : DECODERS[encoding]
  if (!decode) return answer.toString('latin1')
  const isChunked = /^transfer-encoding: chunked/im.test(head)
  const body = isChunked ? unchunked(answer.subarray(end)) : answer.subarray(end)
  return `${head}${isChunked ? '(in chunks) ' : ''}${decode(body).toString('latin1')}`
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
  return Buffer.concat(parts)
}

/** Parts of an answer that no two runs have alike. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/^X-Request-Id: req_[0-9a-f]{32}/gim, 'X-Request-Id: req_#'],
  [/^Date: .*/gim, 'Date: #'],
  [/"row_id":"[0-9a-f]{20}"/g, '"row_id":"#"'],
  [/\b(key|row|evt|job|pub|usr|sess|whk)_[0-9a-z]{20,}/g, '$1_#'],
]

function masked(answer: string): string {
  return MASKS.reduce((text, [pattern, mask]) => text.replaceAll(pattern, mask), answer)
}
