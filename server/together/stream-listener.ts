import type { Request } from 'express'
import type { Context } from '../../engine/documents/work/context.ts'
import type { ApiResponse } from '../http/request-state.ts'

/** Bytes that may wait for a listener that reads slowly; then it is let go, and comes again where it was. */
const MOST_WAITING = 1024 * 1024

/** A person or key that listens, by however many streams: rights are asked once for all of them. */
export interface Audience {
  /** Who they are, and with what. */
  readonly key: string
  /** Login of the person; a key of the workspace is nobody's. */
  readonly login: string | undefined
  context: Context
  readonly listeners: Set<Listener>
  /** Slugs of which they read all records or none, as they were asked about; anew after a change of rights. */
  readonly whole: Map<string, boolean | undefined>
}

/** One open stream. */
export interface Listener {
  readonly audience: Audience
  readonly request: Request
  readonly response: ApiResponse
  /** Place in the event log up to which it was told. */
  place: bigint
}

/** Sends text to a listener; false where it had to be let go. */
export function send({ response }: Pick<Listener, 'response'>, text: string): boolean {
  if (response.writableEnded || response.destroyed) return false
  if (response.writableLength > MOST_WAITING) {
    response.destroy()
    return false
  }
  response.write(text)
  return true
}

/** Frame of the stream: what happened, as JSON, and the place it is resumed from. */
export function frame(event: string, data: object, place?: bigint): string {
  const id = place === undefined ? '' : `id: ${place}\n`
  return `${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Frame that says no more than that the stream is there, and where it stands. */
export function heartbeat(place: bigint): string {
  return `: here\nid: ${place}\n\n`
}
