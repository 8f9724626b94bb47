import { JOBS, type JobEventKind } from '../../schema/catalogue/job-events.ts'
import type { Db } from '../../storage/database/database.ts'
import type { JobRow } from '../../storage/workspace/jobs.ts'
import type { Context } from './context.ts'
import { logEvents } from './log-events.ts'

/** What an event tells of a job: all of it save what became of single records. */
type Told = Pick<
  JobRow,
  'id' | 'kind' | 'owner' | 'resource' | 'state' | 'done' | 'total' | 'failed'
>

/** Part of a job after which its progress is told. */
const TOLD_PARTS = 20

/** Whether so much of a job is through since it was told of that it is told again. */
export function isToldAgain({ done, total }: Pick<JobRow, 'done' | 'total'>, now: number): boolean {
  const part = (records: number): number => Math.floor((records * TOLD_PARTS) / (total || 1))
  return part(now) > part(done) && now < total
}

/** Writes to the event log how far a job is; the caller wakes who delivers it after the commit. */
export async function logJob(
  tx: Db,
  context: Pick<Context, 'services' | 'actor'>,
  now: string,
  kind: JobEventKind,
  { id, kind: of, owner, resource, state, done, total, failed }: Told,
): Promise<void> {
  const data = JSON.stringify({
    id,
    kind: of,
    owner,
    resource: resource === '' ? null : resource,
    state,
    done,
    total,
    failed,
  })
  await logEvents(tx, context, now, [{ resource: JOBS, kind, record_id: id, data }])
}
