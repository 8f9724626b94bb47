import type { ShareWork } from '../deep/work-budget.ts'
import type { Db } from './database.ts'

/** Some of a minute that several processes count together. */
export interface WindowShare {
  /** What is counted, and of whom. */
  readonly key: string
  /** Start of the minute and of the one after it, in ms since the epoch. */
  readonly start: number
  readonly next: number
  /** How much is added. */
  readonly size: number
}

/**
 * Adds to a minute that several processes count together; returns what is counted in it then. A process whose clock is
 * already in the next one is joined there; a row of any other minute starts anew, so that a clock that was wrong for a while
 * never locks anybody out.
 */
export async function addToWindow(
  tx: Db,
  { key, start, next, size }: WindowShare,
): Promise<number> {
  const { used } = await tx
    .insertInto('svc_rate_windows')
    .values({ key, window_start: start, used: size })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ eb, ref }) => ({
        used: eb
          .case()
          .when('svc_rate_windows.window_start', 'in', [start, next])
          .then(eb('svc_rate_windows.used', '+', size))
          .else(size)
          .end(),
        window_start: eb
          .case()
          .when('svc_rate_windows.window_start', '=', next)
          .then(ref('svc_rate_windows.window_start'))
          .else(ref('excluded.window_start'))
          .end(),
      })),
    )
    .returning('used')
    .executeTakeFirstOrThrow()
  return Number(used)
}

/** Length of a minute, in ms. */
const MINUTE = 60_000

/** Counts the work of persons together with the other processes of the workspace. */
export function shareWork(db: Db): ShareWork {
  return (person, start, ms) =>
    addToWindow(db, { key: `work:${person}`, start, next: start + MINUTE, size: ms })
}
