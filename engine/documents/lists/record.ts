import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type JobRow, jobsOfRecord } from '../../storage/workspace/jobs.ts'
import { readDocument } from '../operations/get.ts'
import { possibleWith } from '../operations/possible.ts'
import { knownParts } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { type DocumentResult, presentResult, type WireRecord } from '../work/present.ts'
import { addTitles } from './titles.ts'

/** What a record is answered with beside its fields. */
export interface More {
  /** `_titles`: titles of what it links to, in its rows too. */
  readonly titles: boolean
  /** `_can`: what the caller may do with it, and `_jobs`: what goes on with it by itself, where something does. */
  readonly can: boolean
}

/** One record with its tables and more (GET /v1/{resource}/{id}). Throws 401/403, 404. */
export async function getWithMore(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  { titles, can }: More,
): Promise<DocumentResult> {
  const { doc, parts } = await readDocument(context, definition, id)
  const known = knownParts(context, parts)
  const shown = presentResult(known.presenter, doc)
  if (!titles && !can) return shown
  const record: WireRecord = { ...shown.record }
  if (titles) await addTitles(context, known.definition, [record])
  if (can) {
    record._can = await possibleWith(context, parts, doc)
    const jobs = await jobsOfRecord(context.services.database.read, definition.slug, id)
    if (jobs.length > 0) record._jobs = jobs.map(shownJob)
  }
  return { ...shown, record, json: JSON.stringify(record) }
}

function shownJob({ id, kind, state, done, total }: JobRow): WireRecord {
  return { id, kind, state, done, total }
}
