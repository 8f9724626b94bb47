import type { Db } from '../../engine/storage/database/database.ts'
import { refusedOf } from '../../engine/storage/workspace/job-rows.ts'
import type { JobRow } from '../../engine/storage/workspace/jobs.ts'

/** Refused records that an answer lists; `result` counts them all. */
const MOST_LISTED = 1_000

/** A job as it is answered (contract §7.9). */
export interface ShownJob {
  readonly id: string
  readonly kind: string
  readonly state: JobRow['state']
  readonly done: number
  readonly total: number
  readonly failed: readonly FailedRecord[]
  readonly result: unknown
}

/** A record that was refused: its id, or the row of the file that it stands in, and why. */
export interface FailedRecord {
  readonly id: string | null
  readonly row?: number
  readonly problems: readonly object[]
}

/** A job with the first thousand of the records that were refused. */
export async function shownJob(db: Db, row: JobRow): Promise<ShownJob> {
  const refused = row.failed === 0 ? [] : await refusedOf(db, row.id, { limit: MOST_LISTED })
  return {
    ...briefJob(row),
    failed: refused.map(({ record, place, problems }) => ({
      id: record,
      ...(record === null ? { row: place } : {}),
      problems: JSON.parse(problems ?? '[]') as object[],
    })),
  }
}

/** A job as lists have it: without the records that were refused. */
export function briefJob({ id, kind, state, done, total, result }: JobRow): ShownJob {
  return {
    ...{ id, kind, state, done, total },
    failed: [],
    result: result === null ? null : JSON.parse(result),
  }
}
