import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../cli/failure.ts'
import { systemClock } from '../engine/base/clock.ts'
import type { Engine } from '../engine/index.ts'
import { type DailyHold, holdDailyJobs } from '../server/jobs/daily-hold.ts'
import { runningJobs } from '../server/jobs/daily-jobs.ts'

/** Interval at which is looked whether a server is still at its daily jobs, in ms, and the number of looks. */
const LOOK_EVERY = 250
const LOOKS = 480

/**
 * Keeps servers beside the demo from beginning their daily jobs, and waits for those that have begun. Throws Failure
 * where another command holds them, or they take more than two minutes.
 */
export async function holdForStory({ services: { database } }: Engine): Promise<DailyHold> {
  const hold = await holdDailyJobs(database)
  if (hold === undefined)
    throw new Failure(
      'another command holds the daily jobs of this workspace: wait until it has ended',
    )
  for (let looks = 0; ; looks += 1) {
    const jobs = await runningJobs(database, systemClock)
    if (jobs.length === 0) return hold
    if (looks === LOOKS) {
      await hold.release()
      throw new Failure(
        `a server is at its daily jobs (${jobs.join(', ')}); run this again when its log says that they are done`,
      )
    }
    await sleep(LOOK_EVERY)
  }
}
