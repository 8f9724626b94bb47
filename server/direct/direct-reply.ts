import type { ServerResponse } from 'node:http'
import { GUEST_ACTOR } from '../../engine/access/actor.ts'
import type { LastHeaders, Reply, RequestState } from '../http/request-state.ts'

/** Sends a body compressed, where the client asks for it. */
export type Compress = (response: ServerResponse) => void

export interface ReplyOptions {
  readonly last: readonly LastHeaders[]
  /** Undefined for a client that takes what is sent as it is. */
  readonly compress: Compress | undefined
  /** Least size of a body that is compressed, in bytes. */
  readonly threshold: number
}

const EMPTY: RequestState = {
  requestId: '',
  startedAt: 0,
  actor: GUEST_ACTOR,
  tier: '',
  session: undefined,
  body: undefined,
  resource: undefined,
  idempotency: undefined,
}

/**
 * Answer of the direct way: it collects headers in their order, and writes them in one block with the body. What Express would
 * do in between (`Vary`, the last headers, compression) happens at the end, in the same order.
 */
export class DirectReply implements Reply {
  locals: RequestState = EMPTY
  /** Names and values in turn. */
  readonly #head: string[] = []
  readonly #response: ServerResponse
  readonly #options: ReplyOptions

  constructor(response: ServerResponse, options: ReplyOptions) {
    this.#response = response
    this.#options = options
  }

  get statusCode(): number {
    return this.#response.statusCode
  }

  set statusCode(status: number) {
    this.#response.statusCode = status
  }

  get destroyed(): boolean {
    return this.#response.destroyed
  }

  get headersSent(): boolean {
    return this.#response.headersSent
  }

  get writableFinished(): boolean {
    return this.#response.writableFinished
  }

  on(event: 'close', listener: () => void): this {
    this.#response.on(event, listener)
    return this
  }

  once(event: 'close', listener: () => void): this {
    this.#response.once(event, listener)
    return this
  }

  setHeader(name: string, value: string | number): this {
    const at = this.#find(name)
    if (at < 0) this.#head.push(name, String(value))
    else this.#head[at + 1] = String(value)
    return this
  }

  getHeader(name: string): string | undefined {
    const at = this.#find(name)
    return at < 0 ? undefined : this.#head[at + 1]
  }

  hasHeader(name: string): boolean {
    return this.#find(name) >= 0
  }

  vary(name: string): this {
    const known = this.getHeader('Vary')
    const names = known?.toLowerCase().split(/\s*,\s*/) ?? []
    if (names.includes(name.toLowerCase()) || names.includes('*')) return this
    return this.setHeader('Vary', known === undefined ? name : `${known}, ${name}`)
  }

  end(body?: string): this {
    const { last, compress, threshold } = this.#options
    const response = this.#response
    // As the stage of compression says it of all that it could compress.
    if (body !== undefined) this.vary('Accept-Encoding')
    for (const write of last) write(this)
    const size = body === undefined ? 0 : Number(this.getHeader('Content-Length'))
    if (compress && size >= threshold) {
      this.handOver()
      compress(response)
      response.end(body)
    } else {
      response.writeHead(this.statusCode, this.#head)
      // What is all ASCII is the same in both encodings, and written faster in this one.
      response.end(body, size === body?.length ? 'latin1' : 'utf8')
    }
    return this
  }

  /** Gives the headers to Node's own answer, for others to go on with it. */
  handOver(): void {
    for (let at = 0; at < this.#head.length; at += 2)
      this.#response.setHeader(this.#head[at] as string, this.#head[at + 1] as string)
  }

  #find(name: string): number {
    const head = this.#head
    for (let at = 0; at < head.length; at += 2) {
      const known = head[at] as string
      if (known === name) return at
      if (known.length === name.length && known.toLowerCase() === name.toLowerCase()) return at
    }
    return -1
  }
}
