import { SYSTEM_ACTOR } from '../../access/actor.ts'
import { newId } from '../../base/ids.ts'
import type { Db } from '../database/database.ts'
import { insertJob, jobOfKind, queuedJob, wakeJob } from './jobs.ts'

/** Kind of the job that gives columns that wait their values. */
export const FILL = 'fill'

/** As whom it acts: the workspace itself. */
const OF_WORKSPACE = JSON.stringify({ kind: 'system' })

/**
 * Adds the job that fills, where none is open: in the transaction that writes down what waits, and where it waits still when
 * a workspace is opened, since a job that was stopped holds until then. What it is to fill, and how far that is, is written
 * there, not in the job: it is before all others, and how many records there are it finds out. One that waits to be tried
 * again is due at once.
 */
export async function openFillJob(tx: Db, now: number): Promise<void> {
  const known = await jobOfKind(tx, FILL)
  if (known && known.due !== null) return wakeJob(tx, known.id)
  const wanted = {
    ...{ id: newId('job', now), kind: FILL, owner: SYSTEM_ACTOR.id, principal: OF_WORKSPACE },
    ...{ resource: '', input: '{}', total: 0 },
  }
  await insertJob(tx, { ...queuedJob(wanted, now), due: 0 })
}
