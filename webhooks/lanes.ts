import type { Claimed } from './delivery-store.ts'
import { createLaneQueue, type LaneQueue, type ReceiverLimits } from './lane-queue.ts'
import { type Lane, laneKey } from './queue-store.ts'

/** How many attempts may be under way at once. One attempt takes 10 s at most. */
export interface LaneLimits extends ReceiverLimits {
  /** To all receivers together, and to all failing ones: these never take the place of the others. */
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

/** What may be claimed now. */
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
    const made = createLaneQueue(limits)
    queues.set(key, made)
    return made
  }

  /** Idle queues hold nothing worth keeping, except that a receiver fails which is still to be sent to. */
  function forgetIdle(all: readonly Lane[]): void {
    const wanted = new Set(all.map(laneKey))
    for (const [key, { size, isFailing }] of queues)
      if (!(isFailing && wanted.has(key)) && size === 0) queues.delete(key)
  }

  return {
    roomOf(all) {
      forgetIdle(all)
      beginning = (beginning + STRIDE) % 1
      const known = [...queues.values()]
      const total = Math.max(0, limits.total * AHEAD - sizeOf(known))
      const failing = known.filter(({ isFailing }) => isFailing)
      let leftFailing = limits.totalFailing * AHEAD - sizeOf(failing)
      const lanes: (Lane & { room: number })[] = []
      for (const lane of rotated(all, Math.floor(beginning * all.length))) {
        const { isFailing, size } = queues.get(laneKey(lane)) ?? UNKNOWN
        const wanted = (isFailing ? limits.failing : limits.healthy) * AHEAD - size
        const room = Math.min(wanted, total, isFailing ? leftFailing : total)
        if (room <= 0) continue
        lanes.push({ ...lane, room })
        if (isFailing) leftFailing -= room
      }
      return { lanes, total }
    },
    add(delivery, run) {
      queueOf({ webhookId: delivery.webhook_id, manual: delivery.manual }).add(delivery, run)
    },
    clear: () => [...queues.values()].flatMap((queue) => queue.clear()),
    get underWay() {
      return [...queues.values()].reduce((sum, { underWay }) => sum + underWay, 0)
    },
    async idle() {
      await Promise.all([...queues.values()].map((queue) => queue.idle()))
    },
  }
}

/** A lane that nothing was sent in lately. */
const UNKNOWN: Pick<LaneQueue, 'isFailing' | 'size'> = { isFailing: false, size: 0 }

function sizeOf(queues: readonly Pick<LaneQueue, 'size'>[]): number {
  return queues.reduce((sum, { size }) => sum + size, 0)
}

function rotated<T>(all: readonly T[], start: number): readonly T[] {
  return [...all.slice(start), ...all.slice(0, start)]
}
