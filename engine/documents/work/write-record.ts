import { knownTo } from '../../access/known-to.ts'
import { AppError, validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { publicDetails } from '../../fields/public-fields.ts'
import { uniqueViolation } from '../../storage/database/conflict.ts'
import { cloneDoc, type Doc } from '../../storage/database/document.ts'
import type { DocTypeParts } from './context.ts'
import { nameFor } from './naming.ts'
import { sealSecrets } from './secrets.ts'
import type { Change, Work } from './work.ts'

/** Writes what differs, one version later. */
export async function updateRecord(
  work: Work,
  parts: DocTypeParts,
  before: Doc,
  after: Doc,
): Promise<void> {
  const { services, actor } = work.context
  sealSecrets(services, parts, before, after)
  const isLater = before.modified > work.now
  after.modified = isLater ? before.modified : work.now
  after.modified_by = actor.name
  after.version = before.version + 1
  await guardUnique(parts, after, () => parts.store.update(work.tx, before, after))
  await services.search.update(work.tx, parts.definition, before, after)
}

/** Names and writes a new record. Throws CONFLICT when its name is taken. */
export async function insertRecord(
  work: Work,
  { parts, name, nameIsFinal }: Change,
  doc: Doc,
): Promise<void> {
  const { services } = work.context
  startRecord(work, doc)
  sealSecrets(services, parts, undefined, doc)
  doc.name = nameIsFinal
    ? (name ?? '')
    : await nameFor(work.tx, services, parts.definition, doc, name)
  await startFromRows(work, parts, doc)
  await guardUnique(parts, doc, () => parts.store.insert(work.tx, doc))
  await services.search.insert(work.tx, parts.definition, doc)
}

/**
 * Rollups over rows that are older than the record, and the formulas over those. `but` is a source whose rows
 * are still to come as deltas. Throws VALIDATION_ERROR for a formula that cannot be computed.
 */
export async function startFromRows(
  { tx, context, younger, environment }: Work,
  { definition, behaviour }: DocTypeParts,
  doc: Doc,
  but?: string,
): Promise<void> {
  const { services } = context
  const plans = services.rollups
    .olderThan(definition)
    .filter(({ source }) => source.doctype !== but)
  if (plans.length === 0) return
  for (const plan of plans) doc[plan.field.name] = await services.rollups.ofKey(tx, plan, doc.name)
  younger.set(`${definition.doctype}\0${doc.name}`, but)
  const failures = behaviour.rules.recompute(doc, cloneDoc(doc), environment)
  if (failures.length > 0)
    throw validationError(publicDetails(knownTo(context, definition), failures))
}

/** Sets the owner, the moment and the author of a new record. */
export function startRecord(work: Work, doc: Doc): void {
  const { name } = work.context.actor
  doc.owner = name
  doc.modified_by = name
  doc.created = work.now
  doc.modified = work.now
}

/** A unique index is the one judge that two writers at once cannot pass; its refusal becomes a 409. */
async function guardUnique(
  { definition, store }: DocTypeParts,
  doc: Doc,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    const violation = uniqueViolation(error)
    if (!violation || violation.table !== store.plan.table) throw error
    throw alreadyThere(definition, doc, violation.columns)
  }
}

function alreadyThere(
  { label, idField, behaviour }: DocTypeDefinition,
  doc: Doc,
  columns: readonly string[],
): AppError {
  const [field = '', ...others] = columns
  if (field === 'name')
    return conflict(`${label} ${JSON.stringify(doc.name)} already exists`, idField, 'is taken')
  const declared = behaviour.unique?.find(({ fields }) => fields.join() === columns.join())
  const sentence = `another ${label} already has this ${columns.join(' and ')}`
  const together = others.length === 0 ? '' : ` together with ${others.join(', ')}`
  return conflict(sentence, field, declared?.message ?? `must be unique${together}`)
}

function conflict(sentence: string, field: string, message: string): AppError {
  return new AppError('CONFLICT', sentence, {
    details: [{ field, message, code: 'not_unique' }],
  })
}
