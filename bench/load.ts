import { connect, type Socket } from 'node:net'

export interface Load {
  readonly port: number
  /** Connections that each send their next request when the answer to the last has come. */
  readonly concurrency: number
  readonly seconds: number
  /** Ends after so many requests, if that comes first. */
  readonly most?: number
  /** The next request as the bytes on the wire. */
  readonly next: () => Buffer
  readonly expectedStatus: number
}

export interface LoadResult {
  readonly requests: number
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/**
 * Drives a server for a while. It reads only what it must of an answer (status and length), so that on a
 * small machine the client takes as little of the processor as can be. Throws at the first answer of
 * another status than expected: a server that refuses is fast.
 */
export async function drive(load: Load): Promise<LoadResult> {
  const latencies: number[] = []
  const start = performance.now()
  const end = start + load.seconds * 1000
  let left = (load.most ?? Number.POSITIVE_INFINITY) - load.concurrency
  const mayGoOn = (now: number): boolean => now < end && left-- > 0
  await Promise.all(
    Array.from({ length: load.concurrency }, () => driveConnection(load, mayGoOn, latencies)),
  )
  const elapsed = (performance.now() - start) / 1000
  latencies.sort((a, b) => a - b)
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

function driveConnection(
  load: Load,
  mayGoOn: (now: number) => boolean,
  latencies: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
    const answers = answerReader(load.expectedStatus)
    let sent = 0
    const send = (): void => {
      sent = performance.now()
      socket.write(load.next())
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      try {
        if (!answers(chunk)) return
      } catch (error) {
        socket.destroy()
        reject(error)
        return
      }
      const now = performance.now()
      latencies.push(now - sent)
      if (mayGoOn(now)) send()
      else finish(socket, resolve)
    })
  })
}

function finish(socket: Socket, resolve: () => void): void {
  socket.removeAllListeners('close')
  socket.on('close', () => resolve())
  socket.end()
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')

/** Takes chunks of answers one after the other; true when one is complete. Throws at another status. */
export function answerReader(expectedStatus: number): (chunk: Buffer) => boolean {
  let waiting: Buffer | undefined
  return (chunk) => {
    const bytes = waiting ? Buffer.concat([waiting, chunk]) : chunk
    waiting = undefined
    const headEnd = bytes.indexOf(END_OF_HEAD)
    if (headEnd >= 0) {
      const head = bytes.toString('latin1', 0, headEnd)
      if (!head.startsWith(`HTTP/1.1 ${expectedStatus}`)) {
        throw new Error(`expected status ${expectedStatus}, got ${bytes.toString()}`)
      }
      if (isWhole(bytes, head, headEnd + END_OF_HEAD.length)) return true
    }
    waiting = bytes
    return false
  }
}

/** The body that begins at `from` is all there: as long as it says, or with the chunk of no bytes that is the last. */
function isWhole(bytes: Buffer, head: string, from: number): boolean {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return bytes.length >= from + Number(length)
  if (!/\r\ntransfer-encoding: chunked/i.test(head))
    throw new Error(`expected Content-Length or chunks, got ${head}`)
  const last = bytes.length - LAST_CHUNK.length
  return last >= from && bytes.indexOf(LAST_CHUNK, last) === last
}

/** Value below which this share of the sorted numbers lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(numbers: readonly number[]): number {
  return quantile(
    [...numbers].sort((a, b) => a - b),
    0.5,
  )
}
