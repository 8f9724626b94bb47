import { setTimeout as sleep } from 'node:timers/promises'
import type { Scene } from '../scene.ts'

/** Longest time that anything may take to recover, in ms. */
const PATIENCE_MS = 120_000
const POLL_MS = 10

/** Waits until this is so; false where it never is. */
export async function until(isSo: () => boolean, patienceMs = PATIENCE_MS): Promise<boolean> {
  const end = performance.now() + patienceMs
  while (!isSo()) {
    if (performance.now() > end) return false
    await sleep(POLL_MS)
  }
  return true
}

/**
 * Waits for the next change that is answered. Returns the time since `from`, in ms; infinite where there is none within two
 * minutes.
 */
export async function nextChange({ load }: Scene, from: number): Promise<number> {
  const { acknowledged } = load.seen()
  const isAnswered = await until(() => load.seen().acknowledged > acknowledged)
  return isAnswered ? performance.now() - from : Number.POSITIVE_INFINITY
}

/** The longest of these times as a fault tells it, with a sentence where something never came back. */
export function longest(times: readonly number[]): {
  readonly recoveredMs: number | null
  readonly problems: readonly string[]
} {
  const most = Math.max(...times)
  return Number.isFinite(most)
    ? { recoveredMs: Math.round(most), problems: [] }
    : { recoveredMs: null, problems: ['no change was answered for two minutes afterwards'] }
}

/** `3 times`, `once`. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
