import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux keeps these files in memory. */
const IN_MEMORY = '/dev/shm'
/** The databases of a whole run at once; a container that was given less keeps its files on disk. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * Where tests put files that nobody wants to keep: in memory where that is possible, because making the thousand
 * files of a workspace in PostgreSQL costs a disk's file system more than all else PostgreSQL does. Whoever
 * has set TMPDIR is obeyed.
 */
export function temporaryRoot(): string {
  return process.env.TMPDIR === undefined && isRoomInMemory() ? IN_MEMORY : tmpdir()
}

function isRoomInMemory(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH_BYTES && mayExecute(IN_MEMORY)
  } catch (_elsewhere) {
    // No such folder on this system, or none for us: the disk does as well, more slowly.
    return false
  }
}

/** Tests start programs of their own from there, which containers often forbid. */
function mayExecute(mountPoint: string): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  const mount = mounts.map((line) => line.split(' ')).find(([, at]) => at === mountPoint)
  return mount !== undefined && !mount[3]?.split(',').includes('noexec')
}
