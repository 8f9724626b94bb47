/** What the event loop did while it was watched, in ms. */
export interface LoopLag {
  /** Delays: for as long nobody else was answered. On a busy machine other programs' work is in them. */
  readonly p99: number
  readonly longest: number
  /** Longest time of this thread's own work between two looks, by its CPU clock, which other programs do not move. */
  readonly busiest: number
}

/** Time between two looks. */
const EVERY = 1

/** Looks at the event loop each millisecond until `end()`. */
export function watchLoop(): { end(): LoopLag } {
  const delays: number[] = []
  let busiest = 0
  let last = performance.now()
  let used = process.threadCpuUsage()
  const look = (): void => {
    const now = performance.now()
    delays.push(Math.max(0, now - last - EVERY))
    last = now
    const { user, system } = process.threadCpuUsage(used)
    busiest = Math.max(busiest, (user + system) / 1000)
    used = process.threadCpuUsage()
  }
  const timer = setInterval(look, EVERY)
  return {
    end() {
      clearInterval(timer)
      look()
      delays.sort((a, b) => a - b)
      const p99 = delays[Math.floor(delays.length * 0.99)] ?? 0
      return { p99, longest: delays.at(-1) ?? 0, busiest }
    },
  }
}
