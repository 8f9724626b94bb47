import type { Actor } from '../../engine/access/actor.ts'
import { isManager } from '../../engine/access/actor.ts'
import { STRANGER_ROLE } from '../../engine/access/roles.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { EventSink } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { reserveIn } from './rate-store.ts'

const DAY = 24 * 60 * 60 * 1000

/** Bytes of records that a person without a role may write a day (UTC): a hundred of the longest notes. */
export const MOST_WRITTEN = 10_000_000

/** Counter of what somebody has written on the day of this moment (ms). */
export function writtenOn(login: string, now: number) {
  const start = now - (now % DAY)
  return { key: `written:${login}`, start, next: start + DAY, limit: MOST_WRITTEN } as const
}

/**
 * Sink of events that counts what people without a role write, in the transaction of the write: they may keep notes and
 * to-dos, and nobody has said that they may fill the disk (safety D23). What they delete is not counted. Throws
 * FORBIDDEN beyond `MOST_WRITTEN`.
 */
export function writtenBytes(): EventSink {
  return async (tx, events, { actor }) => {
    const written = events.filter(({ kind }) => kind !== 'deleted')
    const size = written.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0)
    if (size > 0) await countWritten(tx, actor, size, Date.parse(written[0]!.at))
  }
}

/** Counts bytes that somebody writes at a moment (ms), records or files; of who has a role it is not asked. Throws FORBIDDEN. */
export async function countWritten(tx: Db, actor: Actor, size: number, at: number): Promise<void> {
  const login = actor.user?.login
  const hasRole = isManager(actor) || actor.roles.some((role) => role !== STRANGER_ROLE)
  if (login === undefined || hasRole || size === 0) return
  const { granted } = await reserveIn(tx, { ...writtenOn(login, at), size })
  if (granted === size) return
  throw new AppError(
    'FORBIDDEN',
    `without a role you may write ${MOST_WRITTEN / 1_000_000} MB of records a day: ask a System Manager for a role, or go on tomorrow`,
  )
}
