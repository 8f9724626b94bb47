import { readFileSync } from 'node:fs'

/** Ticks a second in which Linux counts the time of processes. */
const TICKS = 100

/** Times as long as its budget that a statement may take on a machine that has other things to do. */
export const MOST_WALL = 4

/** CPU time of another process so far, in ms; undefined where the system does not tell. */
export function processTime(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined
  try {
    // The name of the program comes second, in brackets, and may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

/**
 * Makes what tells how much of its time a process has left, in ms: its own work counts, not what it waited for its turn
 * on the processor, but not for ever. Where the system does not tell, all time counts.
 */
export function timeLeft(pid: number | undefined, budgetMs: number): () => number {
  const began = performance.now()
  const before = processTime(pid)
  return () => {
    const elapsed = performance.now() - began
    const now = processTime(pid)
    if (before === undefined || now === undefined) return budgetMs - elapsed
    return Math.min(budgetMs - (now - before), MOST_WALL * budgetMs - elapsed)
  }
}
