import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { longest, nextChange, times, until } from './recovery.ts'

/** `kill -9` of a server that has changes under way, and a new one in its place. */
export const kill: Fault = {
  name: 'kill',
  what: 'ends a server with kill -9 in the middle of writing, and starts it again',
  missing: () => undefined,
  async make(scene, { dice, until: end }) {
    const recovered: number[] = []
    do {
      await sleep(dice.between(200, 1500))
      await until(() => scene.load.underWay() > 0)
      const victim = dice.one(scene.servers)
      scene.retire(victim)
      const killed = performance.now()
      await victim.kill()
      await scene.startOne()
      recovered.push(await nextChange(scene, killed))
    } while (performance.now() < end)
    return { did: `killed ${times(recovered.length)}`, ...longest(recovered) }
  },
}
