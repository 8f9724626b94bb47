import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { longest, nextChange, times } from './recovery.ts'

/** The database ends all connections of the copy at once, as a restart of it or a firewall does. */
export const cut: Fault = {
  name: 'cut',
  what: 'ends all connections to the database in the middle of writing',
  missing: (kind) =>
    kind === 'sqlite' ? 'SQLite has no connections that could be cut' : undefined,
  async make(scene, { dice, until: end }) {
    const recovered: number[] = []
    let ended = 0
    do {
      await sleep(dice.between(200, 1500))
      ended += (await scene.copy.scratch?.cut()) ?? 0
      recovered.push(await nextChange(scene, performance.now()))
    } while (performance.now() < end)
    return {
      did: `cut ${ended} connections, ${times(recovered.length)}`,
      ...longest(recovered),
    }
  },
}
