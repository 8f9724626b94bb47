import { newestGeneration } from '../../storage/migration/generations.ts'
import { readPosition, readUnfilled } from '../../storage/migration/schema-store.ts'
import { FILL } from '../../storage/workspace/fill-jobs.ts'
import { type JobRow, jobOfKind } from '../../storage/workspace/jobs.ts'
import type { Services } from '../work/context.ts'

/** How far the filling of a workspace has come, by whichever process it is done. */
export interface FillState {
  /** Columns that wait for their values, as `table.column`. */
  readonly columns: readonly string[]
  /** What has been reached; undefined before the first page. */
  readonly at: FillPlace | undefined
  /** Reason why it does not go on just now. */
  readonly trouble: string | undefined
}

/** Place of a filling. */
interface FillPlace {
  /** Task that is under way, e.g. `formulas of Item`. */
  readonly task: string
  /** Its place among all tasks, from 1. */
  readonly number: number
  readonly tasks: number
  /** Number of the last record that is done, and of the last there was when the task began. */
  readonly record: number
  readonly records: number
}

/**
 * Looks how far the filling is; undefined where nothing waits for its values. That all have theirs since is what the open
 * workspace then goes by too.
 */
export async function lookAtFilling(services: Services): Promise<FillState | undefined> {
  const { unfilled, database, generation } = services
  if (unfilled.now.columns.size === 0) return undefined
  const { read } = database
  const waiting = await readUnfilled(read)
  if (waiting.length === 0) {
    unfilled.set([])
    return undefined
  }
  const position = await readPosition(read)
  const at = position?.generation === generation ? position : undefined
  return {
    columns: [...unfilled.now.columns],
    at: at && {
      ...{ task: at.task, number: at.number, tasks: at.tasks },
      ...{ record: at.rid, records: at.records },
    },
    trouble: troubleIn(await jobOfKind(read, FILL)),
  }
}

/** Whether the workspace was brought to newer definitions than these services work with: what waits is not theirs to fill. */
export async function isSuperseded({
  database,
  generation,
}: Pick<Services, 'database' | 'generation'>): Promise<boolean> {
  const newest = await newestGeneration(database.read, database.kind)
  return newest !== undefined && newest.number > generation
}

/** Sentence about how far it is, for people. */
export function fillSentence({ columns, at, trouble }: FillState): string {
  const [first = '', second] = columns
  const more = columns.length > 2 ? ` and ${columns.length - 2} more` : ''
  const names = `${first}${second === undefined ? '' : `, ${second}`}${more}`
  const place = at
    ? `at ${at.task}, up to record ${at.record} of ${at.records} (${at.number} of ${at.tasks})`
    : 'not begun'
  return `fields are given their values: ${names}; ${place}${trouble === undefined ? '' : `; ${trouble}`}`
}

/** Why a job does not go on; undefined for one that does. */
function troubleIn(job: JobRow | undefined): string | undefined {
  const { message } = JSON.parse(job?.result ?? '{}') as { readonly message?: string }
  if (job?.due === null) return `its job was ${job.state}; the next start goes on`
  return message === undefined ? undefined : `it is tried again: ${message}`
}
