import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { longest, nextChange, times, until } from './recovery.ts'
import { noMount, onSmallDisk } from './small-disk.ts'

/** Time for which the disk stays full, in ms. */
const FULL_MS = 3000

/** A disk on which somebody else takes the last room, and gives it back. */
export const diskFull: Fault = {
  name: 'disk-full',
  what: 'fills the disk while changes are written, and makes room again',
  missing: (kind) =>
    kind === 'postgres' ? 'the disk of PostgreSQL is that of its server' : noMount(),
  make: (scene, { until: end }) =>
    onSmallDisk(scene, async ({ path }) => {
      const recovered: number[] = []
      const problems: string[] = []
      do {
        await sleep(500)
        const filler = join(path, 'filler')
        const before = scene.load.seen()
        fill(filler)
        const isRefused = await until(
          () => scene.load.seen().unavailable > before.unavailable,
          20_000,
        )
        if (!isRefused) problems.push('no change was refused while the disk was full')
        const { read } = scene.load.seen()
        await sleep(FULL_MS)
        if (isRefused && scene.load.seen().read === read)
          problems.push('nothing could be read while the disk was full')
        rmSync(filler)
        recovered.push(await nextChange(scene, performance.now()))
      } while (performance.now() < end)
      const told = longest(recovered)
      return {
        did: `filled the disk ${times(recovered.length)}`,
        recoveredMs: told.recoveredMs,
        problems: [...problems, ...told.problems],
      }
    }),
}

/** Takes all room there is. */
function fill(file: string): void {
  const handle = openSync(file, 'w')
  try {
    for (let size = 1024 * 1024; size >= 4096; size /= 4) writeAll(handle, Buffer.alloc(size))
  } finally {
    closeSync(handle)
  }
}

function writeAll(handle: number, block: Buffer): void {
  for (;;) {
    try {
      writeSync(handle, block)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}
