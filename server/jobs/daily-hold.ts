import { systemClock } from '../../engine/base/clock.ts'
import { isGone, newLeaseName } from '../../engine/base/lease-name.ts'
import type { Database, Db } from '../../engine/storage/database/database.ts'
import {
  lockSetting,
  readSetting,
  removeSetting,
  writeSetting,
} from '../../engine/storage/workspace/settings.ts'

/** Setting of a workspace whose daily jobs wait for a command: JSON of a Hold. */
const KEY = 'daily-hold'

interface Hold {
  readonly by: string
  /** ms since the epoch of the machine's clock, whatever time the command plays in. */
  readonly until: number
}

/** Time after which a command that died on another machine lets go, in ms; a live one renews twice in that time. */
const LEASE = 2 * 60 * 1000

/** Daily jobs that wait. */
export interface DailyHold {
  /** Lets them run again. */
  release(): Promise<void>
}

/**
 * Keeps the daily jobs of all processes from beginning, for a command that plays days which are no news to anybody.
 * Undefined when another command holds them. It lasts as long as this process renews it, and ends at once for others of
 * this machine when it dies.
 */
export async function holdDailyJobs(database: Database): Promise<DailyHold | undefined> {
  const by = newLeaseName()
  const take = (): Promise<boolean> =>
    database.write(async (tx) => {
      await lockSetting(tx, database, KEY)
      const hold = await readHold(tx)
      if (hold !== undefined && hold.by !== by && isHolding(hold)) return false
      await writeSetting(tx, KEY, JSON.stringify({ by, until: systemClock.now() + LEASE }))
      return true
    })
  if (!(await take())) return undefined
  let renewing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    // Where the database is away the command itself fails; the lease then ends by itself.
    renewing = take().catch(() => undefined)
  }, LEASE / 3)
  timer.unref()
  return {
    async release() {
      clearInterval(timer)
      await renewing
      await database.write(async (tx) => {
        await lockSetting(tx, database, KEY)
        if ((await readHold(tx))?.by === by) await removeSetting(tx, KEY)
      })
    },
  }
}

/** Whether a command keeps daily jobs from beginning. */
export async function areJobsHeld(db: Db): Promise<boolean> {
  const hold = await readHold(db)
  return hold !== undefined && isHolding(hold)
}

/** Whether jobs are held, asked within a write before whose end no command can begin to hold them. */
export async function lockAgainstHold(tx: Db, database: Database): Promise<boolean> {
  await lockSetting(tx, database, KEY)
  return areJobsHeld(tx)
}

function isHolding({ by, until }: Hold): boolean {
  const left = until - systemClock.now()
  // A lease that ends later than any was taken for is of a clock that was ahead.
  return left > 0 && left <= LEASE && !isGone(by)
}

async function readHold(db: Db): Promise<Hold | undefined> {
  const text = await readSetting(db, KEY)
  return text ? (JSON.parse(text) as Hold) : undefined
}
