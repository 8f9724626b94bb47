import type { Db } from '../../engine/storage/database/database.ts'
import { readJobPart } from '../../engine/storage/workspace/job-rows.ts'
import type { JobRow } from '../../engine/storage/workspace/jobs.ts'
import type { Mapping } from '../import/columns.ts'
import type { Format } from '../import/format.ts'
import type { Source } from '../import/source.ts'

/** What is asked for with an import. */
export interface ImportInput {
  /** Name of the file, as it was sent. */
  readonly file: string
  readonly format: Format
  readonly dry_run: boolean
  readonly submit: boolean
  readonly upsert: boolean
  /** Field that finds records; null lets the file say. */
  readonly key: string | null
  readonly mapping: Mapping
}

/** Import as `svc_jobs` keeps it; the text of its file stands in the parts of the job. */
export interface KeptImport extends ImportInput {
  /** What stands for its form and file, to tell them from others. */
  readonly content: string
}

/** What was asked for with an import. */
export function importInput({ input }: Pick<JobRow, 'input'>): KeptImport {
  return JSON.parse(input) as KeptImport
}

/** The text of the file of an import, read piece by piece: memory does not grow with it. */
export function importSource(db: Db, job: string, name: string): Source {
  let isClosed = false
  async function* text(): AsyncGenerator<string> {
    for (let part = 0; !isClosed; part += 1) {
      const piece = await readJobPart(db, job, part)
      if (piece === undefined) return
      yield piece
    }
  }
  return {
    name,
    size: undefined,
    text: text(),
    close() {
      isClosed = true
    },
  }
}
