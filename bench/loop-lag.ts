/** Delays of the event loop while it was watched, in ms: for as long nobody else was answered. */
export interface LoopLag {
  readonly p99: number
  readonly longest: number
}

/** Time between two looks, in ms. */
const EVERY = 1

/** Looks at the event loop each millisecond until `end()`. */
export function watchLoop(): { end(): LoopLag } {
  const delays: number[] = []
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    delays.push(Math.max(0, now - last - EVERY))
    last = now
  }, EVERY)
  return {
    end() {
      clearInterval(timer)
      delays.push(Math.max(0, performance.now() - last - EVERY))
      delays.sort((a, b) => a - b)
      return { p99: delays[Math.floor(delays.length * 0.99)] ?? 0, longest: delays.at(-1) ?? 0 }
    },
  }
}
