import PQueue from 'p-queue'
import type { Claimed } from './delivery-store.ts'

/** How many attempts may be under way at once to one receiver. */
export interface ReceiverLimits {
  /** That answers. */
  readonly healthy: number
  /** Whose last attempt failed: a hanging one holds no more than these. */
  readonly failing: number
}

/** What waits and what is under way in one lane. */
export interface LaneQueue {
  /** Whether the last attempt failed. */
  readonly isFailing: boolean
  /** Waiting and under way. */
  readonly size: number
  readonly underWay: number
  /** `run` never rejects and tells whether it was delivered; undefined says nothing about the receiver. */
  add(delivery: Claimed, run: () => Promise<boolean | undefined>): void
  /** Takes back what waits and has not begun. */
  clear(): readonly Claimed[]
  /** Resolves when nothing is under way and nothing waits. */
  idle(): Promise<void>
}

export function createLaneQueue({ healthy, failing }: ReceiverLimits): LaneQueue {
  const queue = new PQueue({ concurrency: healthy })
  const waiting = new Set<Claimed>()
  let isFailing = false

  return {
    get isFailing() {
      return isFailing
    },
    get size() {
      return queue.size + queue.pending
    },
    get underWay() {
      return queue.pending
    },
    add(delivery, run) {
      waiting.add(delivery)
      void queue.add(async () => {
        if (!waiting.delete(delivery)) return
        const isDelivered = await run()
        if (isDelivered === undefined) return
        isFailing = !isDelivered
        queue.concurrency = isDelivered ? healthy : failing
      })
    },
    clear() {
      queue.clear()
      const taken = [...waiting]
      waiting.clear()
      return taken
    },
    idle: () => queue.onIdle(),
  }
}
