import { createsOnlyDrafts } from '../../engine/access/can.ts'
import { AppError, isRefusal } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import { runAction } from '../../engine/documents/operations/act.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import {
  countJobParts,
  insertJobPart,
  type JobOutcome,
  readJobPart,
} from '../../engine/storage/workspace/job-rows.ts'
import { readListQuery } from '../http/list-params.ts'
import type { JobRun } from './job-run.ts'

/** What may be done with many records. */
export const BULK_DEEDS = ['update', 'submit', 'cancel', 'delete', 'action'] as const
export type BulkDeed = (typeof BULK_DEEDS)[number]

/** Operation on many records, as `svc_jobs` keeps it; the ids of records stand in the parts of the job. */
export interface BulkInput {
  readonly do: BulkDeed
  readonly data?: object
  readonly action?: string
  /** Parameters of a list, whose records are looked for when the job begins. */
  readonly filter?: readonly (readonly [name: string, value: string])[]
}

/** Most records of one job. */
export const MOST_RECORDS = 100_000

/** Ids in one part of a job. */
export const IDS_IN_PART = 500

/** Records on their way at the same time: SQLite commits them together; PostgreSQL's go one after the other. */
const AT_ONCE = { sqlite: 16, postgres: 1 }

/** Records that are through before that is said. */
const AT_LEAST = 16

/** Does one thing with many records, each in a transaction of its own. */
export async function runBulk(run: JobRun): Promise<object> {
  const { row, engine } = run
  const { database, registry } = engine.services
  const definition = registry.bySlug(row.resource)
  if (!definition) throw new AppError('NOT_FOUND', `there is no resource ${row.resource} any more`)
  const input = JSON.parse(row.input) as BulkInput
  if (input.filter && (await countJobParts(database.read, row.id)) === 0)
    await findRecords(run, definition, input.filter)
  let ids: readonly string[] = []
  let part = -1
  while (run.row.place < run.row.total) {
    const wanted = Math.floor(run.row.place / IDS_IN_PART)
    if (wanted !== part) {
      ids = JSON.parse((await readJobPart(database.read, row.id, wanted)) ?? '[]') as string[]
      part = wanted
    }
    const begin = run.row.place - part * IDS_IN_PART
    const some = ids.slice(begin, begin + AT_LEAST)
    if (some.length === 0) throw new Error(`job ${row.id} has lost what it works through`)
    await doSome(run, definition, input, some)
  }
  return {}
}

/** Writes down which records match, so that none is met twice however they change meanwhile. */
async function findRecords(
  { row, engine, context, setTotal }: JobRun,
  definition: DocTypeDefinition,
  filter: NonNullable<BulkInput['filter']>,
): Promise<void> {
  const ids: string[] = []
  let cursor: string | undefined = ''
  while (cursor !== undefined && ids.length < MOST_RECORDS) {
    const at: string = cursor
    const page = await listDocuments(context, definition, (known) => ({
      ...readListQuery(engine.services, known, [...filter, ['cursor', at], ['fields', 'id']]),
      limit: IDS_IN_PART,
      sort: 'created',
      order: 'asc',
    }))
    ids.push(...page.data.map(({ id }) => String(id)))
    cursor = page.nextCursor
  }
  await setTotal(ids.length, async (tx) => {
    for (let at = 0; at < ids.length || at === 0; at += IDS_IN_PART) {
      const some = JSON.stringify(ids.slice(at, at + IDS_IN_PART))
      await insertJobPart(tx, row.id, at / IDS_IN_PART, some)
    }
  })
}

/** Does it with the next records, whose places follow that of the run, and says what became of them. */
async function doSome(
  run: JobRun,
  definition: DocTypeDefinition,
  input: BulkInput,
  ids: readonly string[],
): Promise<void> {
  const first = run.row.place + 1
  const outcomes: JobOutcome[] = []
  const atOnce = AT_ONCE[run.engine.services.database.kind]
  const one = async (id: string, at: number): Promise<void> => {
    const place = first + at
    if (run.isDone(place)) return
    const refused = await refusalOf(run, definition, input, { id, place })
    if (refused) outcomes.push(refused)
  }
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce)
    // Also when one failed the others are ended first: nothing is in flight any more.
    const ended = await Promise.allSettled(some.map((id, next) => one(id, at + next)))
    const broken = ended.find(({ status }) => status === 'rejected')
    if (broken?.status === 'rejected') throw broken.reason
  }
  await run.through(first + ids.length - 1, ids.length, outcomes)
}

/** What becomes of a record, as undoing reads it; of actions, what those did that only create drafts is taken back. */
const OUTCOMES = {
  update: 'updated',
  submit: 'submitted',
  cancel: 'cancelled',
  delete: 'deleted',
  action: 'done',
} as const satisfies Record<BulkDeed, JobOutcome['outcome']>

/** JSON of what the change replaces: `{field: [before, after]}`, or all of a record that goes; undefined for nothing. */
async function textBefore(
  context: Context,
  definition: DocTypeDefinition,
  { do: what, data = {} }: BulkInput,
  id: string,
): Promise<string | undefined> {
  if (what !== 'update' && what !== 'delete') return undefined
  const { record } = await getDocument(context, definition, id)
  if (what === 'delete') return JSON.stringify(record)
  const changes = Object.entries(data).map(([field, after]) => [
    field,
    [record[field] ?? null, after],
  ])
  return JSON.stringify(Object.fromEntries(changes))
}

/** Does it with one record; what refused it, if something did. Throws what is neither the record's fault nor the caller's. */
async function refusalOf(
  run: JobRun,
  definition: DocTypeDefinition,
  input: BulkInput,
  { id, place }: { readonly id: string; readonly place: number },
): Promise<JobOutcome | undefined> {
  try {
    const isDrafting = input.do === 'action' && createsOnlyDrafts(definition, input.action ?? '')
    const context = isDrafting
      ? run.contextAt(place, 'drafted', draftsText)
      : run.contextAt(
          place,
          OUTCOMES[input.do],
          await textBefore(run.context, definition, input, id),
        )
    await deed(context, definition, input, id)
    return undefined
  } catch (error) {
    if (!isRefusal(error) || error.code === 'RATE_LIMITED') throw error
    return { place, outcome: 'refused', record: id, problems: problemsText(error) }
  }
}

/** A draft that an action has made. */
export interface MadeDraft {
  readonly resource: string
  readonly id: string
}

/** JSON of the drafts that the answer of an action names. */
function draftsText({ record }: DocumentResult): string {
  const { _created = [] } = record as { readonly _created?: readonly MadeDraft[] }
  return JSON.stringify(_created.map(({ resource, id }) => ({ resource, id })))
}

function deed(
  context: Context,
  definition: DocTypeDefinition,
  { do: what, data, action = '' }: BulkInput,
  id: string,
): Promise<unknown> {
  switch (what) {
    case 'update':
      return updateDocument(context, definition, id, data ?? {})
    case 'submit':
      return submitDocument(context, definition, id)
    case 'cancel':
      return cancelDocument(context, definition, id)
    case 'delete':
      return removeDocument(context, definition, id)
    case 'action':
      return runAction(context, definition, id, action, data ?? {})
  }
}

/** Problems of a refusal as `failed` of a job has them: those of its fields, else the one sentence it says. */
export function problemsText({ code, message, details }: AppError): string {
  const isOfFields = code === 'VALIDATION_ERROR' && details && details.length > 0
  const problems = isOfFields ? details : [{ field: '', message, code: 'rule' }]
  return JSON.stringify(problems.map(({ field, message, code }) => ({ field, message, code })))
}
