import type { Actor } from '../../engine/access/actor.ts'
import { AppError } from '../../engine/base/errors.ts'
import { newId } from '../../engine/base/ids.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  countJobs,
  insertJob,
  type JobRow,
  queuedJob,
} from '../../engine/storage/workspace/jobs.ts'
import { ownerOf, principalText } from './job-principal.ts'

/** Jobs of one person that wait or are worked on, at most. */
const MOST_OPEN = 10

/** What is asked for. */
export interface WantedJob {
  /** Its id, where parts of it are kept under one already. */
  readonly id?: string
  readonly kind: string
  /** Slug of the resource that it is about. */
  readonly resource: string
  readonly input: object
  readonly total: number
}

/**
 * Adds a job of an actor, in the transaction of what asks for it; wake the worker after its commit. Throws RATE_LIMITED where
 * the person has too many that have not ended.
 */
export async function addJob(
  tx: Db,
  { clock }: Pick<Services, 'clock'>,
  actor: Actor,
  { id, kind, resource, input, total }: WantedJob,
): Promise<JobRow> {
  const owner = ownerOf(actor)
  if ((await countJobs(tx, { owner, open: true })) >= MOST_OPEN)
    throw new AppError(
      'RATE_LIMITED',
      `expected at most ${MOST_OPEN} jobs of a person at the same time; wait for one to end, or stop one`,
      { headers: { 'Retry-After': '5' } },
    )
  const now = clock.now()
  const principal = principalText(actor)
  const wanted = { id: id ?? newId('job', now), kind, owner, principal, resource, total }
  const row = queuedJob({ ...wanted, input: JSON.stringify(input) }, now)
  await insertJob(tx, row)
  return row
}
