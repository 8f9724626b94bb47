import { LOOK_BACK } from '../../engine/documents/history/look-later.ts'
import { runBulk } from './bulk-job.ts'
import { runExport } from './export-job.ts'
import { runImportJob } from './import-job.ts'
import type { JobRun } from './job-run.ts'
import { runLookBack } from './look-back-job.ts'
import { runUndo } from './undo-job.ts'

/**
 * Works on a job to its end and tells what it came to beside the numbers of records. Throws JobEnds where it is to go no
 * further, and refusals that end it whole.
 */
type RunJob = (run: JobRun) => Promise<object>

/** The kinds of long work there are, by the word that `svc_jobs` has. */
export const JOB_KINDS: Readonly<Record<string, RunJob>> = {
  bulk: runBulk,
  export: runExport,
  import: runImportJob,
  [LOOK_BACK]: runLookBack,
  undo: runUndo,
}
