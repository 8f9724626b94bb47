import { readdirSync, readFileSync } from 'node:fs'

/** Length of a tick of the system's clock, in ms. */
const TICK_MS = 10

/** Processor time that all processes of a name have used, with those they have waited for, in ms; 0 where the system does not tell. */
export function processorTime(name: string): number {
  let ticks = 0
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const stat = read(`/proc/${pid}/stat`)
    if (!stat.includes(`(${name})`)) continue
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // utime, stime, cutime and cstime of proc(5).
    for (const at of [11, 12, 13, 14]) ticks += Number(fields[at])
  }
  return ticks * TICK_MS
}

/** Text of a file of the system; empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
