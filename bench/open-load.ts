import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { answerReader } from './load.ts'

/** Requests of one kind that come at their own rate, whether those before were answered or not. */
export interface Stream {
  readonly name: string
  /** A second, on average. */
  readonly rate: number
  readonly next: () => Buffer
  readonly expectedStatus: number
}

/** Moments at which the requests of a stream come, in ms from the start. */
export type Arrivals = readonly { readonly stream: number; readonly at: number }[]

/** Arrivals as they come by chance (Poisson), in their order; the same ones can be sent to several servers. */
export function arrivalsOf(rates: readonly number[], seconds: number): Arrivals {
  const all = rates.flatMap((rate, stream) => {
    const own: { stream: number; at: number }[] = []
    for (let at = gap(rate); at < seconds * 1000; at += gap(rate)) own.push({ stream, at })
    return own
  })
  return all.sort((a, b) => a.at - b.at)
}

function gap(rate: number): number {
  return (-Math.log(1 - Math.random()) / rate) * 1000
}

/**
 * Sends each request at its time, over a connection that is free or a new one. Returns each stream's latencies
 * in ms, from the moment a request was written. Throws at an answer of another status than expected.
 */
export async function driveOpen(
  port: number,
  streams: readonly Stream[],
  arrivals: Arrivals,
): Promise<number[][]> {
  const latencies: number[][] = streams.map(() => [])
  const free: Connection[] = []
  const all: Connection[] = []
  const answered: Promise<void>[] = []
  const start = performance.now()
  for (const { stream, at } of arrivals) {
    const early = start + at - performance.now()
    if (early > 0) await wait(early)
    const { next, expectedStatus } = streams[stream]!
    const connection = free.pop() ?? open(port, all)
    const send = async (): Promise<void> => {
      latencies[stream]!.push(await connection.ask(next(), expectedStatus))
      free.push(connection)
    }
    answered.push(send())
  }
  await Promise.all(answered)
  for (const { socket } of all) socket.destroy()
  return latencies
}

interface Connection {
  readonly socket: Socket
  /** One request at a time; resolves with its latency in ms. */
  ask(request: Buffer, expectedStatus: number): Promise<number>
}

function open(port: number, all: Connection[]): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const connection: Connection = {
    socket,
    ask: (request, expectedStatus) =>
      new Promise((resolve, reject) => {
        const isAnswer = answerReader(expectedStatus)
        const sent = performance.now()
        const onData = (chunk: Buffer): void => {
          try {
            if (!isAnswer(chunk)) return
          } catch (error) {
            reject(error)
          }
          socket.off('data', onData)
          resolve(performance.now() - sent)
        }
        socket.on('data', onData)
        socket.once('error', reject)
        socket.write(request, () => socket.off('error', reject))
      }),
  }
  all.push(connection)
  return connection
}
