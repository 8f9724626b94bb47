import { AppError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import type { JudgedInput } from '../../schema/shapes/validator.ts'
import { cloneDoc, type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import { rowsThatAreLinked } from '../../storage/finding/links.ts'
import { assertDocstatus, assertSubmittable, lockForChange } from '../effects/locked.ts'
import { takeOver } from '../effects/taken-over.ts'
import { refuseWithLinks } from '../links/linked.ts'
import { assertAllowedOnSubmit } from '../record/after-submit.ts'
import { mergeInput } from '../record/record-input.ts'
import { assertMay, assertMayLeave, knownParts } from '../rights/door.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import type { Work } from '../work/work.ts'
import { computeChange } from './change.ts'
import { runOperation } from './operation.ts'
import { refuseBody } from './update.ts'

/**
 * Changes what may still change of a submitted document (POST …/update-submitted): fields with `allow_on_submit`, and
 * rows of tables that have it. Throws 401/403, 404, 412, 422, and 409 for what may not change, for a row that others
 * name and that would go, and for what is not submitted.
 */
export async function reviseDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  body: unknown,
): Promise<DocumentResult> {
  assertMay(context, definition, 'revise')
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'revised')
  const judged = knownParts(context, parts).validator.judge('update', body)
  return runOperation(context, (work) => reviseWithin(work, parts, id, judged))
}

/** The same inside a transaction. */
export async function reviseWithin(
  work: Work,
  parts: DocTypeParts,
  id: string,
  judged: JudgedInput,
): Promise<Touched> {
  if (judged.problems.length > 0) await refuseBody(work, parts, id, judged)
  const before = await lockForChange(work, parts, id, 'revise')
  const advice = before.docstatus === 0 ? 'a draft is changed by PATCH' : 'amend it'
  assertDocstatus(parts, before, 1, 'revise', advice)
  const input = await takeOver(work, parts, judged.input, before)
  const merged = mergeInput(parts.definition, before, input)
  if (merged.problems.length > 0) await refuseWithLinks(work, parts, { ...merged, before })
  assertAllowedOnSubmit(parts, before, merged.after, input)
  await assertRowsAreFree(work, parts, before, merged.after)
  const after = await asInDraft(work, parts, before, merged.after)
  const entry = await work.apply(work, { parts, before, after, kind: 'revised' })
  assertMayLeave(work.context, parts, 'revise', { before, after: entry.current! })
  return entry
}

/** Throws 409 where a row goes that other documents name. */
async function assertRowsAreFree(
  { tx, context }: Work,
  { definition }: DocTypeParts,
  before: Doc,
  after: Doc,
): Promise<void> {
  for (const { name, child } of definition.fields) {
    if (!child) continue
    const left = new Set(rowsOf(after, name).map(({ row_id }) => row_id))
    const gone = rowsOf(before, name).flatMap(({ row_id }) => (left.has(row_id) ? [] : [row_id]))
    if (gone.length === 0) continue
    const { registry } = context.services
    const held = await rowsThatAreLinked(tx, registry, { definition, table: name, rows: gone })
    if (held.size === 0) continue
    const which = rowsOf(before, name).flatMap(({ row_id, idx }) => (held.has(row_id) ? [idx] : []))
    throw new AppError(
      'CONFLICT',
      `cannot remove row ${which.join(', ')} of ${name} from ${definition.label} ${JSON.stringify(before.name)}: other documents name it`,
      { details: [{ field: name, message: 'a row that goes is named elsewhere', code: 'linked' }] },
    )
  }
}

/**
 * The document with its new and changed rows filled as those of a draft are (prices, units, taxes), and with what hooks
 * make of all rows; everything else stays as the submit left it.
 */
async function asInDraft(work: Work, parts: DocTypeParts, before: Doc, after: Doc): Promise<Doc> {
  const { fields } = parts.definition
  const changed = new Map(fields.map((field) => [field.name, changedRows(field, before, after)]))
  if ([...changed.values()].every(({ size }) => size === 0)) return after
  const draft = (doc: Doc): Doc => cloneDoc(doc, { docstatus: 0 })
  const change = { parts, before: draft(before), after: draft(after), kind: 'updated' } as const
  const filled = await computeChange(work, change)
  const result = cloneDoc(after, ofHooks(fields, filled))
  for (const { name, child } of fields) {
    if (!child) continue
    const known = new Map(rowsOf(filled, name).map((row) => [row.row_id, row]))
    result[name] = rowsOf(after, name).map((row): Row => {
      const now = known.get(row.row_id)
      if (!now) return row
      return changed.get(name)?.has(row.row_id) ? now : { ...row, ...ofHooks(child.fields, now) }
    })
  }
  return result
}

/** Ids of the rows that are new or say something else. */
function changedRows({ name, child }: Field, before: Doc, after: Doc): ReadonlySet<string> {
  if (!child) return new Set()
  const old = new Map(rowsOf(before, name).map((row) => [row.row_id, row]))
  const isChanged = (row: Row): boolean => {
    const was = old.get(row.row_id)
    return !was || child.fields.some((column) => row[column.name] !== was[column.name])
  }
  return new Set(
    rowsOf(after, name)
      .filter(isChanged)
      .map(({ row_id }) => row_id),
  )
}

/** Values that hooks give while a document is a draft. */
function ofHooks(fields: readonly Field[], doc: Doc | Row): Record<string, Row[string]> {
  const called = fields.filter(({ call, child }) => call?.at === 'draft' && !child)
  return Object.fromEntries(called.map(({ name }) => [name, (doc as Row)[name] ?? null]))
}
