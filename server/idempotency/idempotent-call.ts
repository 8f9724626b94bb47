import { randomUUID } from 'node:crypto'
import { newId } from '../../engine/base/ids.ts'
import type { DatabaseKind, Db } from '../../engine/storage/database/database.ts'
import { findStarted, insertStarted, removeStarted, takeStarted } from './idempotency-store.ts'

/** Longest time the calls of one request take, in ms; after it nobody waits for the process that began. */
const LEASE = 2 * 60 * 1000

/** Request that begins to call another service. */
export interface BeginningCall {
  readonly key: string
  readonly fingerprint: string
  /** ms */
  readonly now: number
  /** ISO; what began before is forgotten. */
  readonly notBefore: string
}

/** The key to hand on, or why the request may not go on. */
export type BegunCall = { readonly call: string } | 'running' | 'used-otherwise'

/**
 * Makes what notes, before the call of another service, that an idempotent request began (contract §3). A
 * repeat after a crash, or after a call that had no answer, gets the same key, so that the other service takes
 * both for one. A process that serves alone (SQLite) knows that no other is still at it.
 */
export function callStarter(
  kind: DatabaseKind,
): (tx: Db, beginning: BeginningCall) => Promise<BegunCall> {
  const holder = randomUUID()

  return async function begin(tx, { key, fingerprint, now, notBefore }) {
    const until = new Date(now + LEASE).toISOString()
    const created = new Date(now).toISOString()
    const row = { key, fingerprint, call: newId('call', now), holder, until, created }
    const before = await findStarted(tx, key)
    if (before && before.created <= notBefore) await removeStarted(tx, key)
    else if (before) {
      if (before.fingerprint !== fingerprint) return 'used-otherwise'
      const isAlone = kind === 'sqlite' && before.holder !== holder
      const isWaitedFor = before.holder !== null && before.until > created && !isAlone
      if (isWaitedFor || !(await takeStarted(tx, before, { holder, until }))) return 'running'
      return { call: before.call }
    }
    return (await insertStarted(tx, row)) ? { call: row.call } : 'running'
  }
}
