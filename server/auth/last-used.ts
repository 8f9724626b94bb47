import { type Clock, isoDateTime } from '../../engine/base/clock.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { type KeyRow, markUsed } from './store.ts'

/** Exactness of `last_used`, in ms: one write a minute and key. */
const EXACTNESS = 60_000

/** Keys remembered as written; more than these only cost further writes. */
const MAX_REMEMBERED = 10_000

export type NoteUse = (database: Database, key: Pick<KeyRow, 'id' | 'last_used'>) => void

/** Notes when keys were used, beside the request and never in its way; a failure goes to `onError`. */
export function lastUsedNotes(clock: Clock, onError: (error: unknown) => void): NoteUse {
  const written = new Map<string, number>()
  return (database, { id, last_used }) => {
    const now = clock.now()
    const last = written.get(id) ?? (last_used === null ? 0 : Date.parse(last_used))
    if (Math.abs(now - last) < EXACTNESS) return
    if (written.size >= MAX_REMEMBERED) written.clear()
    written.set(id, now)
    database.write((tx) => markUsed(tx, id, isoDateTime(clock))).catch(onError)
  }
}
