import type { Database } from './database.ts'

/**
 * What is read of some tables, remembered until one of them is written: `key` says all that is asked, and `read` must read these
 * tables alone. Where others may write unseen it is read each time. What is given is shared: do not change it.
 */
export type ReadMemo<Value> = (
  database: Database,
  key: string,
  read: () => Promise<Value>,
) => Promise<Value>

interface Remembered<Value> {
  readonly version: string
  readonly value: Value
}

export interface ReadMemoOptions<Value> {
  /** Values that are remembered at once; with more it begins anew. */
  readonly most: number
  /** Whether a value is worth a place; any is without it. */
  readonly isKept?: (value: Value) => boolean
}

/** Makes a memory of some tables. */
export function readMemo<Value>(
  tables: readonly string[],
  { most, isKept = () => true }: ReadMemoOptions<Value>,
): ReadMemo<Value> {
  const remembered = new Map<string, Remembered<Value>>()
  return async (database, key, read) => {
    const version = database.versionOf(tables)
    if (version === undefined) return read()
    const known = remembered.get(key)
    if (known?.version === version) return known.value
    const value = await read()
    // What was committed meanwhile is in what was read, or is not.
    if (!isKept(value) || database.versionOf(tables) !== version) return value
    if (remembered.size >= most) remembered.clear()
    remembered.set(key, { version, value })
    return value
  }
}
