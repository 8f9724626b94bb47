import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'

/** Place in which process numbers mean something: the machine, and the container on it. */
function placeOf(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // No Linux, so no containers.
    return hostname()
  }
}

/**
 * A name under which a dispatcher holds leases. It says which process that is (its place, number and start), so
 * that others of the same place can tell when it has died.
 */
export function newLeaseName(): string {
  return JSON.stringify([placeOf(), process.pid, performance.timeOrigin, randomUUID()])
}

/**
 * Whether the holder of a lease is known to be gone: a process of this very place that runs no more, or that had our
 * number before us. Of other places nothing is known; their leases end by themselves.
 */
export function isGone(holder: string): boolean {
  const [place, pid, startedAt] = JSON.parse(holder) as [string, number, number, string]
  if (place !== placeOf()) return false
  if (pid === process.pid) return startedAt !== performance.timeOrigin
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
