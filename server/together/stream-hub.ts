import { setImmediate as otherTurn } from 'node:timers/promises'
import { isManaged } from '../../engine/access/can.ts'
import type { Engine } from '../../engine/index.ts'
import { lastPlace } from '../../engine/storage/finding/logged-changes.ts'
import type { Identify } from '../http/request-state.ts'
import { heardBy, type Told, toldEvents } from './stream-events.ts'
import { type Audience, heartbeat, type Listener, send } from './stream-listener.ts'

/** Events of the log that are read at once. */
const PAGE = 200

/** Audiences that are told before other requests have their turn. */
const AT_ONCE = 100

/** Time between two signs of life, in ms (contract §7.4); who listens is asked again who they are then. */
const HEARTBEAT = 20_000

/** Time between two looks at the log, for what other processes write, in ms. */
const LOOK = 1_000

export interface HubOptions {
  readonly engine: Engine
  readonly identify: Identify
  readonly onError: (error: unknown) => void
}

/**
 * One reader of the event log for all streams of a process: each page is read once, and each event is shown to every
 * audience that may read it. It reads while somebody listens, when this process has committed events and once a second.
 */
export class StreamHub {
  readonly #options: HubOptions
  readonly #audiences = new Map<string, Audience>()
  /** Those who have still to hear what is behind them, and whether they have. */
  readonly #joining = new Map<Listener, 'behind' | 'there'>()
  readonly #timers: NodeJS.Timeout[] = []
  /** Place up to which everybody was told; undefined while nobody listens. */
  #at: bigint | undefined
  #isReading = false
  #isAsked = false
  #unlisten: (() => void) | undefined
  #registry: Engine['services']['registry']

  constructor(options: HubOptions) {
    this.#options = options
    this.#registry = options.engine.services.registry
  }

  /** The audience of a credential, where it listens already. */
  audience(key: string): Audience | undefined {
    return this.#audiences.get(key)
  }

  /** Streams of a person, by whichever of their keys and sessions; of a key that is nobody's, its own. */
  streamsOf(isTheirs: (audience: Audience) => boolean): number {
    const theirs = [...this.#audiences.values()].filter(isTheirs)
    return theirs.reduce((sum, { listeners }) => sum + listeners.size, 0)
  }

  /** Place in the log up to which everybody has been told; its end where nobody listens. */
  async place(): Promise<bigint> {
    return this.#at ?? this.#endOfLog()
  }

  /** Lets somebody listen from their place on, with what is behind it first. */
  join(listener: Listener): void {
    const { audience } = listener
    this.#audiences.set(audience.key, audience)
    audience.listeners.add(listener)
    if (!this.#unlisten) {
      this.#unlisten = this.#options.engine.onEvents(this.#look)
      const beat = (): void => this.#beat()
      this.#timers.push(setInterval(this.#look, LOOK), setInterval(beat, HEARTBEAT))
      for (const timer of this.#timers) timer.unref()
    }
    this.#catchUp(listener)
  }

  leave(listener: Listener): void {
    const { audience } = listener
    audience.listeners.delete(listener)
    this.#joining.delete(listener)
    if (audience.listeners.size === 0) this.#audiences.delete(audience.key)
    if (this.#audiences.size > 0) return
    this.#unlisten?.()
    this.#unlisten = undefined
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    this.#at = undefined
  }

  readonly #look = (): void => {
    this.#isAsked = true
    if (this.#isReading) return
    this.#isReading = true
    this.#turns()
      .catch(this.#options.onError)
      .finally(() => {
        this.#isReading = false
      })
  }

  async #turns(): Promise<void> {
    while (this.#isAsked && this.#audiences.size > 0) {
      this.#isAsked = false
      this.#forgetOldRights()
      this.#at ??= await this.#endOfLog()
      for (const [listener, state] of this.#joining) {
        if (state === 'behind') continue
        if (listener.place >= this.#at) this.#joining.delete(listener)
        else this.#catchUp(listener)
      }
      const page = await this.#read(this.#at)
      // Of who may do what, streams tell nothing: it makes them ask anew.
      if (
        page.some(({ definition, jobOf }) =>
          definition ? isManaged(definition) : jobOf === undefined,
        )
      )
        await this.#identifyAll()
      for (const told of page) {
        await this.#tell(told)
        this.#at = told.place
      }
      if (page.length === PAGE) this.#isAsked = true
    }
  }

  /** Other definitions make other rights. */
  #forgetOldRights(): void {
    const { registry } = this.#options.engine.services
    if (this.#registry === registry) return
    this.#registry = registry
    for (const { whole } of this.#audiences.values()) whole.clear()
  }

  #endOfLog(): Promise<bigint> {
    const { read, kind } = this.#options.engine.services.database
    return lastPlace(read, kind)
  }

  async #read(beyond: bigint): Promise<readonly Told[]> {
    const { services } = this.#options.engine
    const page = { filter: {}, order: 'asc', limit: PAGE, beyond } as const
    return toldEvents(services, await services.events.page(services.database.read, page))
  }

  /** Tells one what they missed; when they have heard it all, the next turn takes them in. */
  #catchUp(listener: Listener): void {
    this.#joining.set(listener, 'behind')
    this.#hearAll(listener)
      .then(() => {
        if (!this.#joining.has(listener)) return
        this.#joining.set(listener, 'there')
        this.#look()
      })
      .catch((error: unknown) => {
        this.#options.onError(error)
        listener.response.destroy()
      })
  }

  async #hearAll(listener: Listener): Promise<void> {
    while (isThere(listener)) {
      const page = await this.#read(listener.place)
      for (const told of page) {
        const text = await heardBy(listener.audience, told)
        if (text !== '') send(listener, text)
        listener.place = told.place
        if (listener.response.writableNeedDrain && isThere(listener)) await drained(listener)
      }
      if (page.length < PAGE) return
    }
  }

  async #tell(told: Told): Promise<void> {
    let turn = 0
    for (const audience of [...this.#audiences.values()]) {
      const text = await heardBy(audience, told)
      for (const listener of audience.listeners) {
        if (this.#joining.has(listener) || listener.place >= told.place) continue
        listener.place = told.place
        if (text !== '') send(listener, text)
      }
      turn += 1
      if (turn % AT_ONCE === 0) await otherTurn()
    }
  }

  #beat(): void {
    this.#identifyAll().catch(this.#options.onError)
    if (this.#at === undefined) return
    const text = heartbeat(this.#at)
    for (const { listeners } of this.#audiences.values())
      for (const listener of listeners) if (!this.#joining.has(listener)) send(listener, text)
  }

  /** Asks everybody again who they are, by the credential they came with; who is nobody any more is let go. */
  async #identifyAll(): Promise<void> {
    const { engine, identify } = this.#options
    for (const audience of [...this.#audiences.values()]) {
      const [listener] = audience.listeners
      if (!listener) continue
      const principal = await identify(listener.request).catch(() => undefined)
      if (principal) {
        audience.context = engine.context(principal.actor, principal.tier)
        audience.whole.clear()
      } else for (const one of audience.listeners) one.response.end()
    }
  }
}

function isThere({ response }: Listener): boolean {
  return !response.writableEnded && !response.destroyed
}

/** Waits until a listener has taken what it was sent, or is gone. */
function drained({ response }: Listener): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve)
    response.once('close', resolve)
  })
}
