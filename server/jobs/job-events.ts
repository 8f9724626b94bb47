import type { Context } from '../../engine/documents/work/context.ts'
import { logEvents } from '../../engine/documents/work/log-events.ts'
import { JOBS, type JobEventKind } from '../../engine/schema/catalogue/job-events.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import type { JobRow } from '../../engine/storage/workspace/jobs.ts'

/** What an event tells of a job: all of it save what became of single records. */
type Told = Pick<
  JobRow,
  'id' | 'kind' | 'owner' | 'resource' | 'state' | 'done' | 'total' | 'failed'
>

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
