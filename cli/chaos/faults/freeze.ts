import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { longest, nextChange, times } from './recovery.ts'

/** Longest freeze in ms: the database gives up on who stands still after 15 s. */
const LONG_MS = 20_000
const SHORT_MS = [1500, 4000] as const

/** A server that stands still: a paused machine, a process that waits for its disk. */
export const freeze: Fault = {
  name: 'freeze',
  what: 'lets a server stand still for seconds (SIGSTOP), and go on',
  missing: () => (process.platform === 'win32' ? 'Windows cannot stop a process' : undefined),
  async make(scene, { dice, until: end }) {
    const recovered: number[] = []
    const others = scene.servers.length > 1
    let stood = 0
    do {
      await sleep(dice.between(200, 1000))
      // Others are held up by what it has locked, until the database ends its transaction.
      const isLong = others && recovered.length === 1
      const ms = isLong ? LONG_MS : dice.between(...SHORT_MS)
      const victim = dice.one(scene.servers)
      victim.freeze()
      await sleep(ms)
      victim.thaw()
      stood = Math.max(stood, ms)
      recovered.push(await nextChange(scene, performance.now()))
    } while (performance.now() < end)
    const seconds = (stood / 1000).toFixed(0)
    return {
      did: `stood still ${times(recovered.length)}, for ${seconds} s at most`,
      ...longest(recovered),
    }
  },
}
