import { allDone } from '../../base/all-done.ts'

/** What rules asked for and nobody has read yet. */
export interface MissingReads {
  /** How often something was asked for, in all passes. */
  asked(): number
  /** Notes what is to be read, once a key. */
  ask(key: string, read: () => Promise<void>): void
  /** The same of what is locked. */
  askLock(key: string, lock: () => Promise<void>): void
  /** The same of a record: those of a pass with the same `kind` are read together, by the `readAll` of one of them. */
  askRecord(
    kind: string,
    key: string,
    name: string,
    readAll: (names: readonly string[]) => Promise<void>,
  ): void
  /** Reads all of it; false when nothing was asked for. Throws Error for a chain of reads that does not end. */
  fill(): Promise<boolean>
}

/** Passes of asking and reading before a chain of reads is taken for endless. */
const MAX_PASSES = 50

/** Records that are read together. */
interface RecordsAsked {
  /** Key → name. */
  readonly names: Map<string, string>
  readonly readAll: (names: readonly string[]) => Promise<void>
}

export function createMissingReads(): MissingReads {
  const missing = new Map<string, () => Promise<void>>()
  const locks = new Map<string, () => Promise<void>>()
  const records = new Map<string, RecordsAsked>()
  let passes = 0
  let asked = 0
  return {
    asked: () => asked,
    ask(key, read) {
      asked += 1
      missing.set(key, read)
    },
    askLock(key, lock) {
      asked += 1
      locks.set(key, lock)
    },
    askRecord(kind, key, name, readAll) {
      asked += 1
      const known = records.get(kind)
      if (known) known.names.set(key, name)
      else records.set(kind, { names: new Map([[key, name]]), readAll })
    },
    async fill() {
      if (missing.size === 0 && locks.size === 0 && records.size === 0) {
        passes = 0
        return false
      }
      passes += 1
      if (passes > MAX_PASSES) throw new Error('rules go on asking for other records')
      // Locks come first, so that all else is read behind them; in the order of their keys everywhere, so that two
      // transactions do not wait for each other.
      const wanted = [...locks].sort(([a], [b]) => (a < b ? -1 : 1))
      locks.clear()
      for (const [, lock] of wanted) await lock()
      const together = [...records.values()]
      records.clear()
      // None needs what another gives, so the database has them all at once.
      await allDone(together.map(({ names, readAll }) => readAll([...names.values()])))
      const others = [...missing.values()]
      missing.clear()
      await allDone(others.map((read) => read()))
      return true
    },
  }
}
