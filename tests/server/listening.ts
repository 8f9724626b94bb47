import { type ClientRequest, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'

type Json = Readonly<Record<string, unknown>>

/** Frame of a stream, as a client reads it. */
export interface Frame {
  readonly event: string
  readonly id: string | undefined
  readonly data: Json
}

/** An open stream. */
export interface Listening {
  /** The next frame; undefined once the stream is over. */
  frame(): Promise<Frame | undefined>
  /** The next frame, which is of this event. */
  next(event: string): Promise<Frame>
  /** The events of all frames, once the server has ended the stream. */
  ended(): Promise<readonly string[]>
  end(): void
}

/** Opens a stream, behind the place `from`, or by its address, and waits until it has begun. */
export function listen(
  server: Server,
  cookie: string,
  from?: string,
  path = '/v1/stream',
): Promise<Listening> {
  const { port } = server.address() as AddressInfo
  const frames: Frame[] = []
  let wake = (): void => undefined
  let isOver = false
  const headers = { cookie, ...(from === undefined ? {} : { 'last-event-id': from }) }
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = get({ port, host: '127.0.0.1', path, headers }, (response) => {
      let text = ''
      let isBegun = false
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const found = frameOf(text.slice(0, end))
          if (found) frames.push(found)
          text = text.slice(end + 2)
          if (!isBegun) resolve(listening)
          isBegun = true
        }
        wake()
      })
      response.on('close', () => {
        isOver = true
        wake()
      })
      response.on('error', () => undefined)
    })
    asked.on('error', reject)
    const changed = (): Promise<void> =>
      new Promise((done) => {
        wake = done
      })
    const listening: Listening = {
      async frame() {
        while (frames.length === 0 && !isOver) await changed()
        return frames.shift()
      },
      async next(event) {
        const frame = await listening.frame()
        assert.is(frame?.event, event)
        return frame!
      },
      async ended() {
        while (!isOver) await changed()
        return frames.map(({ event }) => event)
      },
      end: () => asked.destroy(),
    }
  })
}

function frameOf(text: string): Frame | undefined {
  const lines = new Map(
    text.split('\n').map((line): [string, string] => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    }),
  )
  const event = lines.get('event')
  return event === undefined
    ? undefined
    : { event, id: lines.get('id'), data: JSON.parse(lines.get('data')!) as Json }
}
