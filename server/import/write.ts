import { type Detail, isRefusal, validationError } from '../../engine/base/errors.ts'
import { isObject } from '../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { createTogether, updateAndSubmit } from '../../engine/documents/operations/save.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import type { Incoming } from './incoming.ts'
import { changesOf, type Existing, type UpsertKey } from './upsert.ts'

/** Outcome of a record that was written. */
export interface Written {
  readonly change: 'created' | 'updated' | 'unchanged'
  readonly isSubmitted: boolean
}

/** Way in which records are written. */
export interface Writing {
  readonly context: Context
  readonly definition: DocTypeDefinition
  readonly submit: boolean
  /** Undefined where every record is a new one. */
  readonly key: UpsertKey | undefined
  /** Writes down what was done, in the transaction of the change. */
  readonly note?: ((tx: Db, done: readonly Noted[]) => Promise<void>) | undefined
}

/** What was done with a record of a file. */
export interface Noted {
  /** Line of the file where it begins. */
  readonly line: number
  readonly change: 'created' | 'updated'
  readonly id: string
  /** Of a change: fields as they were and as they are to be. */
  readonly fields?: Readonly<Record<string, readonly [before: unknown, after: unknown]>>
}

/** Problems for which a record was refused. Throws anything else: a failure of ours or of the machine. */
export function refusalOf(error: unknown): readonly Detail[] {
  if (!isRefusal(error)) throw error
  return error.details && error.details.length > 0 && error.code === 'VALIDATION_ERROR'
    ? error.details
    : [{ field: '', message: error.message, code: 'rule' }]
}

/** Further problems of a record that is refused already: who mends it wants to know all at once. */
export function furtherProblems(
  writing: Writing,
  incoming: Incoming,
  known: readonly Detail[],
  existing: Existing | undefined,
): readonly Detail[] {
  // Of what could not be read at all nothing is missing.
  const isUnread = incoming.problems.length > 0 && Object.keys(incoming.body).length === 0
  if (isUnread || known.some(({ field }) => field === '')) return []
  const { context, definition } = writing
  const { validator } = context.services.partsOf(definition)
  try {
    if (existing)
      validator.read('update', changesOf(definition, existing.record, incoming.body) ?? {})
    else validator.read('create', newBody(writing, incoming))
    return []
  } catch (error) {
    const fields = new Set(known.map(({ field }) => field))
    return refusalOf(error).filter(({ field }) => !fields.has(field))
  }
}

/** Creates a record, or brings the one there is to it. Throws what the operations throw. */
export async function writeRecord(
  writing: Writing,
  incoming: Incoming,
  existing: readonly Existing[],
): Promise<Written> {
  const { key, definition } = writing
  if (existing.length > 1) {
    const names = existing
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', ')
    const field = key?.field?.name ?? 'name'
    const message = `${existing.length} ${definition.labelPlural} have this value (${names}); expected one`
    throw validationError([{ field, message, code: 'not_unique' }])
  }
  const [found] = existing
  if (found) return update(writing, incoming, found)
  const [created] = await createRecords(writing, [incoming])
  return created!
}

/** Creates these records in one transaction: all or none. Throws what the operation throws. */
export async function createRecords(
  writing: Writing,
  records: readonly Incoming[],
): Promise<readonly Written[]> {
  const { context, definition, submit, note } = writing
  const made = records.map((one) => ({ definition, body: newBody(writing, one), submit }))
  const noted = (results: readonly DocumentResult[]): readonly Noted[] =>
    results.map(({ id }, at) => ({ line: records[at]!.line, change: 'created', id }))
  await createTogether(context, made, note && ((tx, results) => note(tx, noted(results))))
  return records.map(() => ({ change: 'created', isSubmitted: submit }))
}

/** A new record has the name its naming gives it, and rows without names. */
function newBody({ definition, key }: Writing, { body }: Incoming): Record<string, unknown> {
  const { name, ...fields } = body
  const made: Record<string, unknown> = fields
  for (const { name: table, child } of definition.fields) {
    const rows = made[table]
    if (child && Array.isArray(rows))
      made[table] = rows.map((row) => (isObject(row) ? withoutRowId(row) : row))
  }
  const { naming } = definition
  if (name === undefined) return made
  if (naming.kind === 'prompt') return { name, ...made }
  if (!key || key.field) return made
  if (naming.kind === 'field' && (made[naming.field] ?? name) === name)
    return { ...made, [naming.field]: name }
  const message = `there is no ${definition.label} ${JSON.stringify(name)}, and a new one gets its name from the workspace; leave it empty to create one, or find records by another field with --key`
  throw validationError([{ field: 'id', message, code: 'no_such_record' }])
}

function withoutRowId({ row_id: _, ...row }: Record<string, unknown>): Record<string, unknown> {
  return row
}

async function update(
  { context: given, definition, submit, note }: Writing,
  { body, line }: Incoming,
  { name, record }: Existing,
): Promise<Written> {
  const changes = changesOf(definition, record, body)
  const submits = submit && record.docstatus !== 1
  if (!changes && !submits) return { change: 'unchanged', isSubmitted: false }
  const fields = Object.fromEntries(
    Object.entries(changes ?? {}).map(([field, after]) => [field, [record[field], after] as const]),
  )
  const noted: Noted = { line, change: 'updated', id: name, fields }
  const context: Context = note ? { ...given, beforeCommit: (tx) => note(tx, [noted]) } : given
  if (!changes) await submitDocument(context, definition, name)
  else if (submits) await updateAndSubmit(context, definition, name, changes)
  else await updateDocument(context, definition, name, changes)
  return { change: changes ? 'updated' : 'unchanged', isSubmitted: submits }
}
