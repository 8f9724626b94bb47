import { AppError, isRefusal, validationError } from '../../engine/base/errors.ts'
import { isObject } from '../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { amendDocument } from '../../engine/documents/operations/amend.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { cancelAndAmend, cancelAndRemove } from '../../engine/documents/operations/cancel-and.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import { type JobOutcome, writtenBy } from '../../engine/storage/workspace/job-rows.ts'
import { type MadeDraft, problemsText } from './bulk-job.ts'
import type { JobRun } from './job-run.ts'

/** Undoing of a job, as `svc_jobs` keeps it. */
export interface UndoInput {
  /** Id of the job that is taken back. */
  readonly of: string
}

/** Records that are through before that is said. */
const AT_ONCE = 16

/**
 * Takes an import or a change of many records back, the last record first: what it made goes, what it changed is as it was,
 * what it submitted is cancelled and what it cancelled amended, each with a draft to go on with, what it deleted is there again, the
 * drafts that its action made go.
 * What somebody has changed since, or needs, stays and is told of.
 */
export async function runUndo(run: JobRun): Promise<object> {
  const { row, engine } = run
  const { database, registry } = engine.services
  const definition = registry.bySlug(row.resource)
  if (!definition) throw new AppError('NOT_FOUND', `there is no resource ${row.resource} any more`)
  const { of } = JSON.parse(row.input) as UndoInput
  for (;;) {
    const { place } = run.row
    const some = await writtenBy(database.read, of, { offset: place, limit: AT_ONCE })
    if (some.length === 0) return {}
    const outcomes: JobOutcome[] = []
    for (const [at, written] of some.entries()) {
      const own = place + at + 1
      if (run.isDone(own)) continue
      const refused = await undo(run, definition, own, written)
      if (refused) outcomes.push(refused)
    }
    await run.through(place + some.length, some.length, outcomes)
  }
}

async function undo(
  run: JobRun,
  definition: DocTypeDefinition,
  place: number,
  { outcome, record, before }: JobOutcome,
): Promise<JobOutcome | undefined> {
  const id = record!
  try {
    if (outcome === 'drafted') await takeDraftsAway(run, place, before ?? '[]')
    else if (outcome === 'created') await takeAway(run, definition, place, id)
    else if (outcome === 'submitted')
      await cancelAndAmend(run.contextAt(place, 'undone'), definition, id)
    else if (outcome === 'cancelled')
      await amendDocument(run.contextAt(place, 'undone'), definition, id)
    else if (outcome === 'deleted') await makeAnew(run, definition, place, before ?? '{}')
    else await putBack(run, definition, place, id, before ?? '{}')
    return undefined
  } catch (error) {
    if (!isRefusal(error) || error.code === 'RATE_LIMITED') throw error
    return { place, outcome: 'refused', record: id, problems: problemsText(error) }
  }
}

/** Deletes the drafts that an action has made, the last first. Throws 409 for one that was submitted or changed since. */
async function takeDraftsAway(run: JobRun, place: number, text: string): Promise<void> {
  const { context, engine } = run
  const { registry, database } = engine.services
  const made = (JSON.parse(text) as readonly MadeDraft[]).toReversed()
  const there = []
  for (const { resource, id } of made) {
    const definition = registry.bySlug(resource)
    const record = definition && (await recordOf(context, definition, id))
    if (!definition || !record) continue
    const since = record.docstatus !== 0 && definition.submittable ? 'submitted' : 'changed'
    if (since === 'submitted' || record.modified !== record.created)
      throw new AppError('CONFLICT', `${definition.label} ${id} has been ${since} since`)
    there.push({ definition, id })
  }
  for (const [at, { definition, id }] of there.entries()) {
    const isLast = at === there.length - 1
    await removeDocument(isLast ? run.contextAt(place, 'undone') : context, definition, id)
  }
  if (there.length > 0) return
  const nothingLeft = { place, outcome: 'undone', record: null } as const
  await database.write((tx) => run.note(tx, [nothingLeft]))
}

/** A record; undefined where it is gone. */
async function recordOf(context: Context, definition: DocTypeDefinition, id: string) {
  try {
    return (await getDocument(context, definition, id)).record
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** Deletes what was made; what was submitted is cancelled, and stays so where ledgers have rows of it. */
async function takeAway(
  run: JobRun,
  definition: DocTypeDefinition,
  place: number,
  id: string,
): Promise<void> {
  const { record } = await getDocument(run.context, definition, id)
  if (record.docstatus !== 1) {
    await removeDocument(run.contextAt(place, 'undone'), definition, id)
    return
  }
  const undone = run.contextAt(place, 'undone')
  try {
    await cancelAndRemove(undone, definition, id)
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'CONFLICT') throw error
    await cancelDocument(undone, definition, id)
  }
}

/** Makes a record again, under the name it had, of what may be sent of it. */
async function makeAnew(
  run: JobRun,
  definition: DocTypeDefinition,
  place: number,
  text: string,
): Promise<void> {
  const before = JSON.parse(text) as Readonly<Record<string, unknown>>
  const body = Object.fromEntries(
    definition.fields
      .filter((field) => isWritable(field, 'create') && before[field.name] != null)
      .map(({ name }) => [name, asSent(definition, name, before[name], [])]),
  )
  const context = run.contextAt(place, 'undone')
  await createDocument(context, definition, body, String(before.id))
}

type Change = readonly [before: unknown, after: unknown]

/** Sets what was changed to what it was. Throws 409 where it has been changed since. */
async function putBack(
  run: JobRun,
  definition: DocTypeDefinition,
  place: number,
  id: string,
  text: string,
): Promise<void> {
  const changes = Object.entries(JSON.parse(text) as Record<string, Change>)
  const { record } = await getDocument(run.context, definition, id)
  const changed = changes.filter(([field, [, after]]) => !isLike(record[field], after))
  if (changed.length > 0)
    throw validationError(
      changed.map(([field]) => ({
        field,
        message: 'has been changed since',
        code: 'rule',
      })),
    )
  const body = Object.fromEntries(
    changes.map(([field, [before]]) => [field, asSent(definition, field, before, record[field])]),
  )
  await updateDocument(run.contextAt(place, 'undone'), definition, id, body)
}

/** Whether a value is what was sent; of tables the number of rows, whose further values the workspace may have set. */
function isLike(now: unknown, sent: unknown): boolean {
  if (Array.isArray(now) && Array.isArray(sent)) return now.length === sent.length
  if (typeof now === 'number' && typeof sent === 'string') return now === Number(sent)
  return JSON.stringify(now ?? null) === JSON.stringify(sent ?? null)
}

/** A value as it was; of a table the rows with what may be sent of them, under the names of those that are still there. */
function asSent(
  { fields }: DocTypeDefinition,
  name: string,
  before: unknown,
  now: unknown,
): unknown {
  const child = fields.find((field) => field.name === name)?.child
  if (!child || !Array.isArray(before)) return before
  const sent = child.fields.filter((field) => isWritable(field, 'create'))
  const known = new Set(Array.isArray(now) ? now.map((row) => isObject(row) && row.row_id) : [])
  return before.map((row) => {
    if (!isObject(row)) return row
    const values = Object.fromEntries(sent.map((field) => [field.name, row[field.name] ?? null]))
    return known.has(row.row_id) ? { row_id: row.row_id, ...values } : values
  })
}
