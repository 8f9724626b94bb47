import PQueue from 'p-queue'
import type { Claimed } from './delivery-store.ts'
import { type Lane, laneKey } from './queue-store.ts'

/** Numbers of attempts that may be under way at once. One attempt takes 10 s at most. */
export interface LaneLimits {
  /** Attempts to one receiver that answers. */
  readonly healthy: number
  /** Attempts to one receiver whose last attempt failed: a hanging one holds no more than these. */
  readonly failing: number
  /** Attempts to all receivers together, and to all failing ones: these never take the place of the others. */
  readonly total: number
  readonly totalFailing: number
}

export const LANE_LIMITS: LaneLimits = { healthy: 10, failing: 2, total: 256, totalFailing: 128 }

/** Deliveries in memory for each that may be under way: that one, and one that waits for its turn. */
const AHEAD = 2

/**
 * Share of all lanes by which their order is turned each time (the golden ratio): wherever a turn stops, those
 * that follow begin at lanes that have long not been first.
 */
const STRIDE = (Math.sqrt(5) - 1) / 2

interface LaneQueue {
  readonly queue: PQueue
  readonly waiting: Set<Claimed>
  isFailing: boolean
}

/** Room for deliveries that may be claimed now. */
export interface Room {
  /** Lanes that can take something, with how much; in an order that changes, so that none comes last. */
  readonly lanes: readonly (Lane & { readonly room: number })[]
  /** Number that all of them can take together. */
  readonly total: number
}

/** Receivers apart from each other: each has its own queue, so that one that hangs holds up none but itself. */
export interface Lanes {
  roomOf(lanes: readonly Lane[]): Room
  /**
   * Runs a delivery as soon as its lane lets it. `run` never rejects and tells whether it was delivered;
   * undefined, when it was not tried, says nothing about the receiver.
   */
  add(delivery: Claimed, run: () => Promise<boolean | undefined>): void
  /** Takes back what waits and has not begun. */
  clear(): Claimed[]
  readonly underWay: number
  /** Resolves when nothing is under way and nothing waits. */
  idle(): Promise<void>
}

export function createLanes(limits: LaneLimits = LANE_LIMITS): Lanes {
  const queues = new Map<string, LaneQueue>()
  /** Beginning of the order, as a share of all lanes. */
  let beginning = 0

  function queueOf(lane: Lane): LaneQueue {
    const key = laneKey(lane)
    const known = queues.get(key)
    if (known) return known
    const made: LaneQueue = {
      queue: new PQueue({ concurrency: limits.healthy }),
      waiting: new Set(),
      isFailing: false,
    }
    queues.set(key, made)
    return made
  }

  /** Idle queues hold nothing worth keeping, except that a receiver fails which is still to be sent to. */
  function forgetIdle(all: readonly Lane[]): void {
    const wanted = new Set(all.map(laneKey))
    for (const [key, { queue, isFailing }] of queues)
      if (!(isFailing && wanted.has(key)) && queue.size === 0 && queue.pending === 0)
        queues.delete(key)
  }

  function held(onlyFailing: boolean): number {
    let sum = 0
    for (const { queue, isFailing } of queues.values())
      if (isFailing || !onlyFailing) sum += queue.size + queue.pending
    return sum
  }

  return {
    roomOf(all) {
      forgetIdle(all)
      beginning = (beginning + STRIDE) % 1
      const total = Math.max(0, limits.total * AHEAD - held(false))
      let leftFailing = limits.totalFailing * AHEAD - held(true)
      const lanes: (Lane & { room: number })[] = []
      for (const lane of rotated(all, Math.floor(beginning * all.length))) {
        const known = queues.get(laneKey(lane))
        const isFailing = known?.isFailing ?? false
        const most = (isFailing ? limits.failing : limits.healthy) * AHEAD
        const wanted = most - (known ? known.queue.size + known.queue.pending : 0)
        const room = Math.min(wanted, total, isFailing ? leftFailing : total)
        if (room <= 0) continue
        lanes.push({ ...lane, room })
        if (isFailing) leftFailing -= room
      }
      return { lanes, total }
    },
    add(delivery, run) {
      const lane = queueOf({ webhookId: delivery.webhook_id, manual: delivery.manual })
      lane.waiting.add(delivery)
      void lane.queue.add(async () => {
        if (!lane.waiting.delete(delivery)) return
        const isDelivered = await run()
        if (isDelivered === undefined) return
        lane.isFailing = !isDelivered
        lane.queue.concurrency = isDelivered ? limits.healthy : limits.failing
      })
    },
    clear() {
      const taken: Claimed[] = []
      for (const { queue, waiting } of queues.values()) {
        queue.clear()
        taken.push(...waiting)
        waiting.clear()
      }
      return taken
    },
    get underWay() {
      let sum = 0
      for (const { queue } of queues.values()) sum += queue.pending
      return sum
    },
    async idle() {
      await Promise.all([...queues.values()].map(({ queue }) => queue.onIdle()))
    },
  }
}

function rotated<T>(all: readonly T[], start: number): readonly T[] {
  return [...all.slice(start), ...all.slice(0, start)]
}
