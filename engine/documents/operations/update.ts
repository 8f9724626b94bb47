import type { Detail } from '../../base/errors.ts'
import { isRefusal, validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isRevisable } from '../../definition/model/event-kinds.ts'
import type { JudgedInput } from '../../schema/shapes/validator.ts'
import { type Doc, rowsOf } from '../../storage/database/document.ts'
import { assertDocstatus, lockForChange } from '../effects/locked.ts'
import { takeOver } from '../effects/taken-over.ts'
import { readLinked, refuseWithLinks } from '../links/linked.ts'
import { mergeInput } from '../record/record-input.ts'
import { assertMay, assertMayLeave, knownParts } from '../rights/door.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import type { Work } from '../work/work.ts'
import { runOperation } from './operation.ts'

/**
 * Changes the sent fields of a record (PATCH). Throws 401/403, 404, 412, 422 and 409 on a submitted or
 * cancelled document: it is cancelled, then amended (spec §3, contract §3).
 */
export async function updateDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  body: unknown,
): Promise<DocumentResult> {
  assertMay(context, definition, 'update')
  const parts = context.services.partsOf(definition)
  const judged = knownParts(context, parts).validator.judge('update', body)
  return runOperation(context, (work) => updateWithin(work, parts, id, judged), {
    together: `update ${definition.slug}`,
  })
}

/** Changes a draft inside a transaction. Throws 403, 404, 409, 412, 422. */
export async function updateWithin(
  work: Work,
  parts: DocTypeParts,
  id: string,
  judged: JudgedInput,
): Promise<Touched> {
  const { input, problems } = judged
  if (problems.length > 0) await refuseBody(work, parts, id, judged)
  const before = await lockForChange(work, parts, id, 'update')
  const advice = before.docstatus === 1 ? afterSubmit(parts) : 'amend it'
  assertDocstatus(parts, before, 0, 'change', advice)
  const whole = await takeOver(work, parts, input, before)
  const merged = mergeInput(parts.definition, before, whole)
  if (merged.problems.length > 0) await refuseWithLinks(work, parts, { ...merged, before })
  const { after } = merged
  const entry = await work.apply(work, { parts, before, after, kind: 'updated' })
  assertMayLeave(work.context, parts, 'update', { before, after: entry.current! })
  return entry
}

/** What can be done instead of changing a submitted document. */
function afterSubmit({ definition }: DocTypeParts): string {
  const advice = 'cancel and amend it'
  return isRevisable(definition)
    ? `update-submitted changes what still may change; else ${advice}`
    : advice
}

/** Refuses a body that could not be read, with all that is wrong with it. */
export async function refuseBody(
  work: Work,
  parts: DocTypeParts,
  id: string,
  judged: JudgedInput,
): Promise<never> {
  const further = await furtherProblems(work, parts, id, judged)
  throw validationError([...judged.problems, ...further])
}

/**
 * What is wrong with the rows and links of a body that is refused anyway. Where the record itself stands in the way
 * nothing is told of it: whoever sends a wrong body learns nothing about a record they may not read.
 */
async function furtherProblems(
  work: Work,
  parts: DocTypeParts,
  id: string,
  judged: JudgedInput,
): Promise<readonly Detail[]> {
  try {
    const before = await lockForChange(work, parts, id, 'update')
    const { after, problems } = mergeInput(parts.definition, before, judged.input)
    unsetWrong(parts.definition, after, judged.problems)
    return [...problems, ...(await readLinked(work, parts, after, { before }))]
  } catch (error) {
    if (!isRefusal(error)) throw error
    return []
  }
}

const CELL = /^(?:(\w+)\[(\d+)\]\.)?(\w+)$/

/** What could not be read is not what it was before: another DocType may have been meant for a link beside it. */
function unsetWrong({ fields }: DocTypeDefinition, after: Doc, problems: readonly Detail[]): void {
  for (const { field: path } of problems) {
    const [, table, index, name] = CELL.exec(path) ?? []
    const own =
      table === undefined ? fields : fields.find((one) => one.name === table)?.child?.fields
    const field = own?.find((one) => one.name === name && !one.child)
    const place = table === undefined ? after : rowsOf(after, table)[Number(index)]
    if (field && place) place[field.name] = null
  }
}
