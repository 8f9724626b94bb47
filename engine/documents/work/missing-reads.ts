/** What rules asked for and nobody has read yet. */
export interface MissingReads {
  /** How often something was asked for, in all passes. */
  asked(): number
  /** Notes what is to be read, once a key. */
  ask(key: string, read: () => Promise<void>): void
  /** Reads all of it; false when nothing was asked for. Throws Error for a chain of reads that does not end. */
  fill(): Promise<boolean>
}

/** Passes of asking and reading before a chain of reads is taken for endless. */
const MAX_PASSES = 50

export function createMissingReads(): MissingReads {
  const missing = new Map<string, () => Promise<void>>()
  let passes = 0
  let asked = 0
  return {
    asked: () => asked,
    ask(key, read) {
      asked += 1
      missing.set(key, read)
    },
    async fill() {
      if (missing.size === 0) {
        passes = 0
        return false
      }
      passes += 1
      if (passes > MAX_PASSES) throw new Error('rules go on asking for other records')
      // Locks are taken in the order of their keys everywhere, so that two transactions do not wait for each other.
      const wanted = [...missing].sort(([a], [b]) => (a < b ? -1 : 1))
      missing.clear()
      for (const [, read] of wanted) await read()
      return true
    },
  }
}
