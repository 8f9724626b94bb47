import { readdirSync, readFileSync } from 'node:fs'

/** Length of a tick of the system's clock, in ms. */
const TICK_MS = 10

/** Places of proc(5) behind the name. */
const [UTIME, STIME, CUTIME, CSTIME] = [11, 12, 13, 14] as const

/** Processor time that all processes of a name have used, with those they have waited for, in ms; 0 where the system does not tell. */
export function processorTime(name: string): number {
  let ticks = 0
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const stat = read(`/proc/${pid}/stat`)
    if (!stat.includes(`(${name})`)) continue
    ticks += ticksOf(stat, [UTIME, STIME, CUTIME, CSTIME])
  }
  return ticks * TICK_MS
}

/** Processor time that all threads of a process have used, in ms; 0 where the system does not tell. */
export function processorTimeOf(pid: number): number {
  return ticksOf(read(`/proc/${pid}/stat`), [UTIME, STIME]) * TICK_MS
}

function ticksOf(stat: string, places: readonly number[]): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return places.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0)
}

/** Text of a file of the system; empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
