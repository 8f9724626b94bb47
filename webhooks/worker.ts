import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { newLeaseName } from '../engine/base/lease-name.ts'
import { startTurns } from '../engine/base/turns.ts'
import type { Engine } from '../engine/index.ts'
import type { Db } from '../engine/storage/database/database.ts'
import { makeAttempt, type Told } from './attempt.ts'
import type { Backoff } from './backoff.ts'
import { type Claimed, releaseLeases } from './delivery-store.ts'
import { createLanes, type LaneLimits, type Room } from './lanes.ts'
import { leaseKeeper } from './lease-keeper.ts'
import type { Attempted } from './outcome.ts'
import { deliveryQueue, type Lane } from './queue-store.ts'
import { outcomeRecorder } from './record.ts'
import { isDelivered, type Sender } from './send.ts'
import { type Subscriber, subscriberOf } from './subscriber.ts'
import { currentSubscriptions } from './version.ts'

export interface WorkerOptions {
  readonly engine: Engine
  /** The workspace's own 32 bytes. */
  readonly secretKey: Buffer
  readonly sender: Sender
  readonly backoff: Backoff
  readonly logger: Pick<Logger, 'warn' | 'error' | 'info'>
  readonly limits?: LaneLimits
  /** Time a claimed delivery is kept from others, in ms: longer than an attempt and its wait for a lane. */
  readonly leaseMs?: number
  /** Longest time of an attempt, in ms: one that could outlast its lease is not begun. */
  readonly attemptMs?: number
  /** Interval at which other processes' work is looked for, in ms. */
  readonly pollMs?: number
  /** Time an endpoint may fail with everything before it is disabled, in ms. */
  readonly disableAfterMs?: number
}

/** Counts of what a worker has done since it began. */
export interface WorkerStats {
  readonly delivered: number
  readonly failed: number
  readonly underWay: number
}

export interface Worker {
  stats(): WorkerStats
  /** Resolves when nothing is due, under way or unrecorded. For tests. */
  settled(): Promise<void>
  /** Begins nothing more, lets attempts end for `graceMs`, gives the rest back to others. */
  stop(graceMs?: number): Promise<void>
}

const LEASE = 30_000
const ATTEMPT = 10_000
const POLL = 500
/** Five days (contract §3, Webhooks), in ms. */
export const DISABLE_AFTER = 5 * 24 * 60 * 60 * 1000

/** Turns are this far apart at least, in ms: what ends in between is written together. */
const GAP = 4
/** Gap while nobody has subscribed: a turn then only looks whether that is still so. */
const GAP_WITHOUT = 50

/**
 * Most that one turn claims and records: SQLite works on our own thread, and so does signing what was claimed, so
 * requests wait for the whole of it.
 */
const MOST_CLAIMED = 64
const MOST_RECORDED = 128

/**
 * Delivers what is due (house, One webhook delivery). It works in turns: one transaction writes how the
 * attempts since the last turn ended and claims what is due now, at most what each lane has room for; after
 * the commit the claimed ones are sent. A claim is a lease, so that of all processes one makes the attempt,
 * and what a dead process held is due again.
 */
export function startWorker(options: WorkerOptions): Worker {
  const {
    engine,
    secretKey,
    sender,
    logger,
    limits,
    leaseMs = LEASE,
    attemptMs = ATTEMPT,
    pollMs = POLL,
    disableAfterMs = DISABLE_AFTER,
  } = options
  const { database, clock } = engine.services
  const name = newLeaseName()
  const lanes = createLanes(limits)
  const queue = deliveryQueue(database.kind)
  const recordOutcomes = outcomeRecorder({
    services: engine.services,
    queue,
    worker: name,
    backoff: options.backoff,
    disableAfterMs,
  })
  const readSubscribers = currentSubscriptions(
    (rows) => new Map(rows.map((row) => [row.id, subscriberOf(row, secretKey)])),
  )
  let subscribers: ReadonlyMap<string, Subscriber> = new Map()
  const ended: Attempted[] = []
  const returned: Claimed[] = []
  /** Ids of what was claimed and is not recorded yet. */
  const held = new Set<string>()
  /** True after a commit that seemed to fail: it may have claimed what nobody knows of. */
  let isUnsure = false
  let delivered = 0
  let failed = 0
  let isStopping = false
  const keepLeases = leaseKeeper({ database, clock, leaseMs, logger })

  /** Returns when to look again, in ms. */
  async function turn(): Promise<number> {
    await keepLeases()
    subscribers = await readSubscribers(database.read)
    const room = lanes.roomOf(lanesOf(subscribers))
    if (!hasToWrite()) {
      const due = await queue.nextDue(database.read, { lanes: room.lanes, worker: name })
      const wait = (due ?? Number.POSITIVE_INFINITY) - clock.now()
      if (wait > 0) return Math.min(wait, pollMs)
    }
    await write(room)
    return GAP
  }

  function hasToWrite(): boolean {
    return ended.length > 0 || returned.length > 0 || isUnsure
  }

  async function write(room: Room): Promise<void> {
    const attempts = ended.splice(0, MOST_RECORDED)
    const given = returned.splice(0)
    const now = clock.now()
    try {
      const { claimed, told, loggedEvents } = await database.write(async (tx) => {
        const recording = { attempts, untried: given, subscribers, now }
        const loggedEvents = await recordOutcomes(tx, recording)
        if (isUnsure) await releaseLeases(tx, name, now, [...held])
        const total = Math.min(room.total, MOST_CLAIMED)
        const claim = { lanes: room.lanes, total, now, leaseUntil: now + leaseMs, worker: name }
        const claimed = await queue.claim(tx, claim)
        return { claimed, told: await eventsOf(tx, claimed), loggedEvents }
      })
      isUnsure = false
      for (const { id } of [...attempts.map(({ delivery }) => delivery), ...given]) held.delete(id)
      for (const delivery of claimed) {
        held.add(delivery.id)
        lanes.add(delivery, () => attempt(delivery, told.get(delivery.event_id), now))
      }
      if (loggedEvents) engine.services.eventsCommitted()
    } catch (error) {
      isUnsure = true
      ended.unshift(...attempts)
      returned.unshift(...given)
      throw error
    }
  }

  async function eventsOf(tx: Db, claimed: readonly Claimed[]): Promise<ReadonlyMap<string, Told>> {
    const ids = new Set(claimed.filter(({ data }) => data === null).map(({ event_id }) => event_id))
    const told = new Map<string, Told>()
    for (const event of await engine.services.events.find(tx, [...ids])) told.set(event.id, event)
    for (const { event_id, event, data, created } of claimed) {
      if (data === null) continue
      told.set(event_id, { resource: event.slice(0, event.indexOf('.')), at: created, data })
    }
    return told
  }

  /** Makes an attempt; its outcome is written by the next turn. Undefined when nothing was tried. */
  async function attempt(
    delivery: Claimed,
    told: Told | undefined,
    claimedAt: number,
  ): Promise<boolean | undefined> {
    const subscriber = subscribers.get(delivery.webhook_id)
    const isLate = clock.now() > claimedAt + leaseMs - attemptMs
    if (isStopping || isLate || !subscriber || !mayBeSent(delivery, subscriber)) {
      returned.push(delivery)
      turns.ask()
      return undefined
    }
    const made = await makeAttempt(delivery, told, subscriber, sender, clock)
    const isOk = isDelivered(made.sent)
    // What was cut off because we stop was no failure of the receiver.
    if (!isOk && isStopping && isCut) returned.push(delivery)
    else {
      ended.push(made)
      if (isOk) delivered += 1
      else failed += 1
    }
    turns.ask()
    return made.isLost ? undefined : isOk
  }

  let isCut = false

  async function stop(graceMs = ATTEMPT): Promise<void> {
    if (isStopping) return
    isStopping = true
    unlisten()
    await turns.stop()
    returned.push(...lanes.clear())
    const grace = new AbortController()
    await Promise.race([lanes.idle(), sleep(graceMs, undefined, grace)])
    grace.abort()
    isCut = true
    await sender.close()
    await lanes.idle()
    while (hasToWrite()) await write({ lanes: [], total: 0 })
  }

  async function settled(): Promise<void> {
    const isQuiet = (): boolean => !turns.running && !hasToWrite() && lanes.underWay === 0
    for (;;) {
      await turns.running
      await lanes.idle()
      if (isQuiet()) {
        const open = lanesOf(await readSubscribers(database.read))
        const due = await queue.nextDue(database.read, { lanes: open, worker: name })
        // A turn meanwhile may have claimed what this looked for.
        if (isQuiet() && (due === undefined || due > clock.now())) return
      }
      turns.ask()
      await sleep(1)
    }
  }

  const turns = startTurns({
    turn,
    gap: () => (subscribers.size === 0 ? GAP_WITHOUT : GAP),
    retryMs: pollMs,
    onFailure: (err) =>
      logger.error(
        { err },
        'webhooks: what is due could not be read or written; it is tried again',
      ),
  })
  const unlisten = engine.onEvents(turns.ask)

  return {
    stats: () => ({ delivered, failed, underWay: lanes.underWay }),
    settled,
    stop,
  }
}

/** Lanes of the subscribers; of one that is not active only deliveries that somebody asked for are sent. */
function lanesOf(subscribers: ReadonlyMap<string, Subscriber>): Lane[] {
  return [...subscribers.values()].flatMap(({ id, status }): Lane[] => {
    const manual: Lane = { webhookId: id, manual: 1 }
    return status === 'active' ? [manual, { webhookId: id, manual: 0 }] : [manual]
  })
}

function mayBeSent({ manual }: Claimed, { status }: Subscriber): boolean {
  return manual === 1 || status === 'active'
}
