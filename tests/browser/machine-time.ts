import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the clock that Linux counts processor time by, in a second: the same on every machine it is built for. */
const TICKS = 100

/**
 * Seconds of processor time that this process and all that it has started have taken so far: the server, the browser with
 * all of its parts. It is the same on a machine that has other work too.
 */
export function machineTime(): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(name) ?? [])
  const own = new Set([process.pid])
  let found = -1
  while (found < own.size) {
    found = own.size
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid)
  }
  return all.filter(({ pid }) => own.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS
}

/** A process as it is now; undefined where it has just ended. */
function statOf(
  name: string,
): { readonly pid: number; readonly parent: number; readonly ticks: number } | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  // What a process is called stands in brackets and may have any sign in it.
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // Fields 14 to 17 of proc(5): its own time in programs and in the kernel, and that of children that ended.
  const ticks = rest.slice(9, 13).reduce((sum, part) => sum + Number(part), 0)
  return { pid: Number(name), parent: Number(parent), ticks }
}
