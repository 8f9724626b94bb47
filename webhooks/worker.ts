import type { Logger } from 'pino'
import type { Engine } from '../engine/index.ts'
import { makeAttempt, type Told } from './attempt.ts'
import type { Backoff } from './backoff.ts'
import {
  type Claimed,
  claimDue,
  type Lane,
  leaseHolders,
  nextDue,
  releaseLeases,
} from './delivery-store.ts'
import { createLanes, type LaneLimits, type Room } from './lanes.ts'
import { isGone, newLeaseName } from './lease-name.ts'
import type { Attempted } from './outcome.ts'
import { recordOutcomes } from './record.ts'
import type { Sender } from './send.ts'
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
  /** How long a claimed delivery is kept from others, in ms: longer than an attempt and its wait for a lane. */
  readonly leaseMs?: number
  /** How long an attempt may take, in ms: one that could outlast its lease is not begun. */
  readonly attemptMs?: number
  /** How often other processes' work is looked for, in ms. */
  readonly pollMs?: number
  /** How long an endpoint may fail with everything before it is disabled, in ms. */
  readonly disableAfterMs?: number
}

/** What a worker has done since it began. */
export interface WorkerStats {
  readonly delivered: number
  readonly failed: number
  readonly underWay: number
}

export interface Worker {
  /** Looks for due deliveries now; cheap, and as often as one likes. */
  wake(): void
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
  const readSubscribers = currentSubscriptions(
    (rows) => new Map(rows.map((row) => [row.id, subscriberOf(row, secretKey)])),
  )
  let subscribers: ReadonlyMap<string, Subscriber> = new Map()
  let ended: Attempted[] = []
  let returned: Claimed[] = []
  let delivered = 0
  let failed = 0
  let running: Promise<void> | undefined
  let lastTurn = 0
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let isStopping = false

  /** At most one turn is planned, the earliest that was asked for. */
  function plan(delay: number): void {
    const at = performance.now() + delay
    if (running || isStopping || at >= timerAt) return
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(begin, delay)
    timer.unref()
  }

  let isAsked = false
  function wake(): void {
    isAsked = true
    plan(Math.max(0, lastTurn + GAP - performance.now()))
  }

  function begin(): void {
    timerAt = Number.POSITIVE_INFINITY
    isAsked = false
    running = turn()
      .catch((err: unknown) => {
        logger.error(
          { err },
          'webhooks: what is due could not be read or written; it is tried again',
        )
        return pollMs
      })
      .then((next) => {
        running = undefined
        lastTurn = performance.now()
        plan(isAsked ? GAP : next)
      })
  }

  /** Returns when to look again, in ms. */
  async function turn(): Promise<number> {
    subscribers = await readSubscribers(database.read)
    const room = lanes.roomOf(lanesOf(subscribers))
    if (ended.length === 0 && returned.length === 0) {
      const due = await nextDue(database.read, database.kind, room.lanes)
      const wait = (due ?? Number.POSITIVE_INFINITY) - clock.now()
      if (wait > 0) return Math.min(wait, pollMs)
    }
    await write(room)
    return GAP
  }

  async function write(room: Room): Promise<void> {
    const [attempts, given] = [ended, returned]
    ended = []
    returned = []
    const now = clock.now()
    try {
      const { claimed, told, loggedEvents } = await database.write(async (tx) => {
        const loggedEvents = await recordOutcomes(tx, {
          services: engine.services,
          worker: name,
          attempts,
          untried: given,
          subscribers,
          backoff: options.backoff,
          now,
          disableAfterMs,
        })
        const claim = { ...room, now, leaseUntil: now + leaseMs, worker: name }
        const claimed = await claimDue(tx, database.kind, claim)
        return { claimed, told: await eventsOf(tx, claimed), loggedEvents }
      })
      for (const delivery of claimed)
        lanes.add(delivery, () => attempt(delivery, told.get(delivery.event_id), now))
      if (loggedEvents) engine.services.eventsCommitted()
    } catch (error) {
      ended = [...attempts, ...ended]
      returned = [...given, ...returned]
      throw error
    }
  }

  async function eventsOf(
    tx: Parameters<typeof claimDue>[0],
    claimed: readonly Claimed[],
  ): Promise<ReadonlyMap<string, Told>> {
    const ids = new Set(claimed.filter(({ data }) => data === null).map(({ event_id }) => event_id))
    const told = new Map<string, Told>()
    for (const event of await engine.services.events.find(tx, [...ids])) told.set(event.id, event)
    for (const { event_id, event, data, created } of claimed) {
      if (data === null) continue
      told.set(event_id, { resource: event.slice(0, event.indexOf('.')), at: created, data })
    }
    return told
  }

  /** Makes an attempt; its outcome is written by the next turn. */
  async function attempt(
    delivery: Claimed,
    told: Told | undefined,
    claimedAt: number,
  ): Promise<boolean> {
    const subscriber = subscribers.get(delivery.webhook_id)
    const isLate = clock.now() > claimedAt + leaseMs - attemptMs
    if (isStopping || isLate || !subscriber || !mayBeSent(delivery, subscriber)) {
      returned.push(delivery)
      wake()
      return true
    }
    const made = await makeAttempt(delivery, told, subscriber, sender, clock)
    const isOk = made.sent.error === null
    // What was cut off because we stop was no failure of the receiver.
    if (!isOk && isStopping && isCut) returned.push(delivery)
    else {
      ended.push(made)
      if (isOk) delivered += 1
      else failed += 1
    }
    wake()
    return isOk
  }

  let isCut = false

  async function stop(graceMs = ATTEMPT): Promise<void> {
    if (isStopping) return
    isStopping = true
    unlisten()
    clearTimeout(timer)
    await running
    returned.push(...lanes.clear())
    const grace = new AbortController()
    await Promise.race([lanes.idle(), wait(graceMs, grace.signal)])
    grace.abort()
    isCut = true
    await sender.close()
    await lanes.idle()
    if (ended.length > 0 || returned.length > 0) await write({ lanes: [], total: 0 })
  }

  async function settled(): Promise<void> {
    const isQuiet = (): boolean =>
      !running && ended.length === 0 && returned.length === 0 && lanes.underWay === 0
    for (;;) {
      await running
      await lanes.idle()
      if (isQuiet()) {
        const open = lanesOf(await readSubscribers(database.read))
        const due = await nextDue(database.read, database.kind, open)
        // A turn meanwhile may have claimed what this looked for.
        if (isQuiet() && (due === undefined || due > clock.now())) return
      }
      wake()
      await wait(1)
    }
  }

  const unlisten = engine.onEvents(wake)
  reclaim()

  /** What processes held that are gone need not wait for the end of their leases. */
  function reclaim(): void {
    running = (async () => {
      const holders = (await leaseHolders(database.read)).filter(isGone)
      for (const holder of holders) {
        const deliveries = await database.write((tx) => releaseLeases(tx, holder, clock.now()))
        logger.info({ holder, deliveries }, 'webhooks: took over from a process that is gone')
      }
    })()
      .catch((err: unknown) => logger.error({ err }, 'webhooks: leases could not be looked at'))
      .then(() => {
        running = undefined
        plan(0)
      })
  }

  return {
    wake,
    stats: () => ({ delivered, failed, underWay: lanes.underWay }),
    settled,
    stop,
  }
}

/** Of a subscription that is not active only what somebody asked for is sent. */
function lanesOf(subscribers: ReadonlyMap<string, Subscriber>): Lane[] {
  return [...subscribers.values()].flatMap(({ id, status }): Lane[] => {
    const manual: Lane = { webhookId: id, manual: 1 }
    return status === 'active' ? [manual, { webhookId: id, manual: 0 }] : [manual]
  })
}

function mayBeSent({ manual }: Claimed, { status }: Subscriber): boolean {
  return manual === 1 || status === 'active'
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
