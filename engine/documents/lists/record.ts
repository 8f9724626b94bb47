import type { DocTypeDefinition } from '../../definition/model/definition.ts'
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
  /** `_can`: what the caller may do with it. */
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
  if (can) record._can = await possibleWith(context, parts, doc)
  return { ...shown, record, json: JSON.stringify(record) }
}
