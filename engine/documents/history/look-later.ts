import { workerOf } from '../../access/actor.ts'
import { newId } from '../../base/ids.ts'
import { VOUCHER_NO, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import type { SeriesValues } from '../../storage/finding/ledger-series.ts'
import { insertJob, queuedJob } from '../../storage/workspace/jobs.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Work } from '../work/work.ts'

/** Most difference rows that a posting itself waits for (contract §7.6); more are posted by a job. */
export const MOST_AT_ONCE = 1_000

/** Kind of the job that posts difference rows. */
export const LOOK_BACK = 'look-back'

/** What such a job is about: where values are to be followed from, in which ledger. */
export interface LookBackInput {
  /** DocType of the ledger. */
  readonly ledger: string
  readonly series: readonly { readonly values: SeriesValues; readonly from: string }[]
}

/** As whom it acts: the workspace itself, since the posting was allowed. */
const OF_WORKSPACE = JSON.stringify({ kind: 'system' })

/**
 * Leaves the difference rows of a posting to a job, added with it; the document that was posted shows it. Until it is done
 * what stands behind has the values it had.
 */
export async function lookLater(
  work: Work,
  { definition }: DocTypeParts,
  row: Doc,
  series: LookBackInput['series'],
  total: number,
): Promise<void> {
  const { services, actor } = work.context
  const document = services.registry.byDoctype(String(valueIn(row, VOUCHER_TYPE)))
  const input: LookBackInput = { ledger: definition.doctype, series }
  const now = services.clock.now()
  const job = queuedJob(
    {
      id: newId('job', now),
      kind: LOOK_BACK,
      owner: workerOf(actor),
      principal: OF_WORKSPACE,
      resource: document?.slug ?? '',
      record: String(valueIn(row, VOUCHER_NO)),
      input: JSON.stringify(input),
      total,
    },
    now,
  )
  await insertJob(work.tx, job)
  work.jobs.push(job.id)
}
