import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { longest, nextChange } from './recovery.ts'

const HOUR = 3_600_000
/** Leaps: what a wrong time zone, a broken clock and an empty battery do. */
const LEAPS = [
  { ms: 30 * HOUR, words: '+30 h' },
  { ms: -2 * HOUR, words: '-2 h' },
  { ms: 20 * 365 * 24 * HOUR, words: '+20 y' },
  { ms: 0, words: 'back' },
] as const
/** Time that is lived at each place, in ms. */
const STAY_MS = 1500

/** A clock that leaps, forwards and backwards. */
export const clock: Fault = {
  name: 'clock',
  what: `lets the clock of the servers leap: ${LEAPS.map(({ words }) => words).join(', ')}`,
  missing: () => undefined,
  async make(scene) {
    const recovered: number[] = []
    for (const { ms } of LEAPS) {
      for (const server of scene.servers) server.leap(ms)
      recovered.push(await nextChange(scene, performance.now()))
      await sleep(STAY_MS)
    }
    return {
      did: `the clock leapt: ${LEAPS.map(({ words }) => words).join(', ')}`,
      ...longest(recovered),
    }
  },
}
