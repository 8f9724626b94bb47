import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { newLeaseName } from '../engine/base/lease-name.ts'
import { startTurns, type Turns } from '../engine/base/turns.ts'
import type { Engine } from '../engine/index.ts'
import type { Db } from '../engine/storage/database/database.ts'
import { type EventText, eventTextsOf, makeAttempt } from './attempt.ts'
import type { Backoff } from './backoff.ts'
import { type Claimed, releaseLeases } from './delivery-store.ts'
import { createLanes, type LaneLimits, type Lanes, type Room } from './lanes.ts'
import { leaseKeeper } from './lease-keeper.ts'
import type { Attempted } from './outcome.ts'
import { type FindOwner, textsForOwners } from './owner.ts'
import { type DeliveryQueue, deliveryQueue } from './queue-store.ts'
import { outcomeRecorder, type Recording } from './record.ts'
import { isDelivered, type Sender } from './sending/send.ts'
import { lanesOf, mayBeSent, type Subscriber, subscriberOf } from './subscriber.ts'
import { currentSubscriptions } from './version.ts'

export interface DispatcherOptions {
  readonly engine: Engine
  /** The workspace's own 32 bytes. */
  readonly secretKey: Buffer
  readonly sender: Sender
  /** Reads who a subscription belongs to. */
  readonly findOwner: FindOwner
  readonly backoff: Backoff
  readonly logger: Pick<Logger, 'warn' | 'error' | 'info'>
  readonly limits?: LaneLimits
  /** How long a claimed delivery is kept from others, in ms: longer than an attempt and its wait for a lane. */
  readonly leaseMs?: number
  /** How long an attempt may take, in ms: one that could outlast its lease is not begun. */
  readonly attemptMs?: number
  /** How often other processes' work is looked for, in ms. */
  readonly pollMs?: number
  /** How long an endpoint may fail with everything before it is disabled, in ms. */
  readonly disableAfterMs?: number
}

/** What a dispatcher has done since it began. */
export interface DispatcherStats {
  readonly delivered: number
  readonly failed: number
  readonly underWay: number
}

const LEASE = 30_000
const ATTEMPT = 10_000
const POLL = 500
/** Five days (contract §3, Webhooks), in ms. */
export const DISABLE_AFTER = 5 * 24 * 60 * 60 * 1000

/** Turns are this far apart at least, in ms: what ends in between is written together. */
const GAP = 4
/** The same while nobody has subscribed: a turn then only looks whether that is still so. */
const GAP_WITHOUT = 50

/**
 * What one turn claims and what it records at most: SQLite works on our own thread, and so does signing what
 * was claimed, so requests wait for the whole of it.
 */
const MOST_CLAIMED = 64
const MOST_RECORDED = 128

/** What one turn records: taken out of what has ended, and put back where the commit fails. */
type Batch = Pick<Recording, 'attempts' | 'untried'>

/**
 * Delivers what is due (house, One webhook delivery), from when it is made. It works in turns: one transaction
 * writes how the attempts since the last turn ended and claims what is due now, at most what each lane has room
 * for; after the commit the claimed ones are sent. A claim is a lease, so that of all processes one makes the
 * attempt, and what a dead process held is due again.
 */
export class Dispatcher {
  readonly #engine: Engine
  readonly #sender: Sender
  readonly #findOwner: FindOwner
  readonly #leaseMs: number
  readonly #attemptMs: number
  readonly #pollMs: number
  /** Under which it claims. */
  readonly #name = newLeaseName()
  readonly #queue: DeliveryQueue
  readonly #lanes: Lanes
  readonly #keepLeases: () => Promise<void>
  readonly #recordOutcomes: (tx: Db, recording: Recording) => Promise<boolean>
  readonly #readSubscribers: (db: Db) => Promise<ReadonlyMap<string, Subscriber>>
  readonly #turns: Turns
  readonly #unlisten: () => void

  #subscribers: ReadonlyMap<string, Subscriber> = new Map()
  readonly #ended: Attempted[] = []
  /** Claimed, but not tried. */
  readonly #returned: Claimed[] = []
  /** Ids of what was claimed and is not recorded yet. */
  readonly #held = new Set<string>()
  /** A commit that seemed to fail may have claimed what nobody knows of. */
  #isUnsure = false
  #isStopping = false
  /** Attempts are ended from here, whatever the receiver does. */
  #isCut = false
  #delivered = 0
  #failed = 0

  constructor(options: DispatcherOptions) {
    const { engine, secretKey, logger, disableAfterMs = DISABLE_AFTER } = options
    const { database, clock } = engine.services
    this.#engine = engine
    this.#sender = options.sender
    this.#findOwner = options.findOwner
    this.#leaseMs = options.leaseMs ?? LEASE
    this.#attemptMs = options.attemptMs ?? ATTEMPT
    this.#pollMs = options.pollMs ?? POLL
    this.#queue = deliveryQueue(database.kind)
    this.#lanes = createLanes(options.limits)
    this.#keepLeases = leaseKeeper({ database, clock, leaseMs: this.#leaseMs, logger })
    this.#recordOutcomes = outcomeRecorder({
      engine,
      queue: this.#queue,
      worker: this.#name,
      backoff: options.backoff,
      disableAfterMs,
    })
    this.#readSubscribers = currentSubscriptions(
      (rows) => new Map(rows.map((row) => [row.id, subscriberOf(row, secretKey)])),
    )
    this.#turns = startTurns({
      turn: () => this.#turn(),
      gap: () => (this.#subscribers.size === 0 ? GAP_WITHOUT : GAP),
      retryMs: this.#pollMs,
      onFailure: (err) =>
        logger.error(
          { err },
          'webhooks: what is due could not be read or written; it is tried again',
        ),
    })
    this.#unlisten = engine.onEvents(this.#turns.ask)
  }

  stats(): DispatcherStats {
    return { delivered: this.#delivered, failed: this.#failed, underWay: this.#lanes.underWay }
  }

  /** Resolves when nothing is due, under way or unrecorded. For tests. */
  async settled(): Promise<void> {
    const { database, clock } = this.#engine.services
    for (;;) {
      await this.#turns.running
      await this.#lanes.idle()
      if (this.#isQuiet()) {
        const lanes = lanesOf(await this.#readSubscribers(database.read))
        const due = await this.#queue.nextDue(database.read, { lanes, worker: this.#name })
        // A turn meanwhile may have claimed what this looked for.
        if (this.#isQuiet() && (due === undefined || due > clock.now())) return
      }
      this.#turns.ask()
      await sleep(1)
    }
  }

  /** Begins nothing more, lets attempts end for `graceMs`, gives the rest back to others. */
  async stop(graceMs = ATTEMPT): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#unlisten()
    await this.#turns.stop()
    this.#returned.push(...this.#lanes.clear())
    const grace = new AbortController()
    await Promise.race([this.#lanes.idle(), sleep(graceMs, undefined, grace)])
    grace.abort()
    this.#isCut = true
    await this.#sender.close()
    await this.#lanes.idle()
    while (this.#hasToWrite()) await this.#write({ lanes: [], total: 0 })
  }

  #isQuiet(): boolean {
    return !this.#turns.running && !this.#hasToWrite() && this.#lanes.underWay === 0
  }

  #hasToWrite(): boolean {
    return this.#ended.length > 0 || this.#returned.length > 0 || this.#isUnsure
  }

  /** Returns when to look again, in ms. */
  async #turn(): Promise<number> {
    const { database, clock } = this.#engine.services
    await this.#keepLeases()
    this.#subscribers = await this.#readSubscribers(database.read)
    const room = this.#lanes.roomOf(lanesOf(this.#subscribers))
    if (!this.#hasToWrite()) {
      const due = await this.#queue.nextDue(database.read, {
        lanes: room.lanes,
        worker: this.#name,
      })
      const wait = (due ?? Number.POSITIVE_INFINITY) - clock.now()
      if (wait > 0) return Math.min(wait, this.#pollMs)
    }
    await this.#write(room)
    return GAP
  }

  /** The one transaction of a turn; what it claimed is sent after the commit. */
  async #write(room: Room): Promise<void> {
    const { services } = this.#engine
    const batch: Batch = {
      attempts: this.#ended.splice(0, MOST_RECORDED),
      untried: this.#returned.splice(0),
    }
    const now = services.clock.now()
    try {
      const { claimed, texts, loggedEvents } = await services.database.write(async (tx) => {
        const recording = { ...batch, subscribers: this.#subscribers, now }
        const loggedEvents = await this.#recordOutcomes(tx, recording)
        if (this.#isUnsure) await releaseLeases(tx, this.#name, now, [...this.#held])
        const claimed = await this.#claim(tx, room, now)
        // What was claimed may be younger than what the turn began with: a secret that was rotated before it signs it.
        if (claimed.length > 0)
          this.#subscribers = await this.#readSubscribers(services.database.read)
        return { claimed, texts: await this.#textsOf(tx, claimed), loggedEvents }
      })
      this.#isUnsure = false
      this.#release(batch)
      for (const delivery of claimed) {
        this.#held.add(delivery.id)
        this.#lanes.add(delivery, () => this.#attempt(delivery, texts.get(delivery.id), now))
      }
      if (loggedEvents) services.eventsCommitted()
    } catch (error) {
      this.#isUnsure = true
      this.#ended.unshift(...batch.attempts)
      this.#returned.unshift(...batch.untried)
      throw error
    }
  }

  /** What is sent of each event, by its delivery. */
  async #textsOf(tx: Db, claimed: readonly Claimed[]): Promise<ReadonlyMap<string, EventText>> {
    const { services } = this.#engine
    const texts = await eventTextsOf(tx, services.events, claimed)
    return textsForOwners(tx, services, claimed, texts, this.#subscribers, this.#findOwner)
  }

  #claim(tx: Db, { lanes, total }: Room, now: number): Promise<Claimed[]> {
    return this.#queue.claim(tx, {
      lanes,
      total: Math.min(total, MOST_CLAIMED),
      now,
      leaseUntil: now + this.#leaseMs,
      worker: this.#name,
    })
  }

  /** What is recorded is held no longer. */
  #release({ attempts, untried }: Batch): void {
    for (const { delivery } of attempts) this.#held.delete(delivery.id)
    for (const { id } of untried) this.#held.delete(id)
  }

  /** Makes an attempt; its outcome is written by the next turn. Undefined when nothing was tried. */
  async #attempt(
    delivery: Claimed,
    eventText: EventText | undefined,
    claimedAt: number,
  ): Promise<boolean | undefined> {
    const { clock } = this.#engine.services
    const subscriber = this.#subscribers.get(delivery.webhook_id)
    const isLate = clock.now() > claimedAt + this.#leaseMs - this.#attemptMs
    if (this.#isStopping || isLate || !subscriber || !mayBeSent(delivery, subscriber)) {
      this.#returned.push(delivery)
      this.#turns.ask()
      return undefined
    }
    const made = await makeAttempt(delivery, eventText, subscriber, this.#sender, clock)
    const isOk = isDelivered(made.sent)
    // What was cut off because we stop was no failure of the receiver.
    if (!isOk && this.#isCut) this.#returned.push(delivery)
    else this.#count(made, isOk)
    this.#turns.ask()
    return made.isLost ? undefined : isOk
  }

  #count(made: Attempted, isOk: boolean): void {
    this.#ended.push(made)
    if (isOk) this.#delivered += 1
    else this.#failed += 1
  }
}
