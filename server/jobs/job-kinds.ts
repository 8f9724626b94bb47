import { LOOK_BACK } from '../../engine/documents/history/look-later.ts'
import { FILL } from '../../engine/storage/workspace/fill-jobs.ts'
import { runBulk } from './bulk-job.ts'
import { runExport } from './export-job.ts'
import { fillJob } from './fill-job.ts'
import { runImportJob } from './import-job.ts'
import type { JobKinds } from './job-run.ts'
import { runLookBack } from './look-back-job.ts'
import { runUndo } from './undo-job.ts'

/** The kinds of long work there are, as a server does them. */
export const JOB_KINDS: JobKinds = {
  bulk: runBulk,
  export: runExport,
  [FILL]: fillJob(),
  import: runImportJob,
  [LOOK_BACK]: runLookBack,
  undo: runUndo,
}
