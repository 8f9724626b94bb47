import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import { assertMay, knownParts } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  insertJobPart,
  lengthOfParts,
  readJobPart,
  removeJobParts,
} from '../../engine/storage/workspace/job-rows.ts'
import { type RecordFormat, recordFormat } from '../export/format.ts'
import { type Selection, selectionOf } from '../export/selection.ts'
import { readListQuery } from '../http/list-params.ts'
import type { Format } from '../import/format.ts'
import type { JobRun } from './job-run.ts'

/** Export as `svc_jobs` keeps it; its text stands in the parts of the job. */
export interface ExportInput {
  readonly format: Format
  /** Names of fields with commas between them; all where it is absent. */
  readonly fields?: string
  /** Parameters of a list. */
  readonly filter: readonly (readonly [name: string, value: string])[]
}

/** Records of one page, each of which is a part. */
const PAGE = 200

/** Most characters of an export. */
const MOST_TEXT = 512 * 1024 * 1024

/**
 * Writes the records of a resource as a text, page by page in the order they were made. A page is kept together with the
 * cursor behind it, in the transaction that says it is through: whoever goes on begins where it ended.
 */
export async function runExport(run: JobRun): Promise<object> {
  const { row, engine, context } = run
  const { database, registry } = engine.services
  const definition = registry.bySlug(row.resource)
  if (!definition) throw new AppError('NOT_FOUND', `there is no resource ${row.resource} any more`)
  const input = JSON.parse(row.input) as ExportInput
  const selection = exportedFields(context, definition, input)
  const form = recordFormat(input.format, selection)
  if (row.place > 0 && !(await hasHead(database.read, row.id, form)))
    await run.through(0, -row.done, [], (tx) => removeJobParts(tx, row.id))
  let length = await lengthOfParts(database.read, row.id)
  let cursor = await cursorBehind(database.read, row.id, run.row.place)
  while (cursor !== undefined) {
    const page = await pageOf(context, definition, { input, selection, cursor })
    const text = textOf(form, page, run.row.done)
    length += text.length
    if (length > MOST_TEXT)
      throw new AppError(
        'VALIDATION_ERROR',
        `the export has more than ${MOST_TEXT} characters; narrow it by filter or fields`,
      )
    cursor = page.nextCursor
    const part = run.row.place
    const content = `${cursor ?? ''}\n${text}`
    await run.through(part + 1, page.data.length, [], (tx) =>
      insertJobPart(tx, row.id, part, content),
    )
  }
  await run.setTotal(run.row.done)
  const { format } = input
  return { records: run.row.done, format, characters: length, file: `/v1/jobs/${row.id}/file` }
}

/** Whether what is written already has the columns that follow: fields and rights may be others by now, and then it begins anew. */
async function hasHead(db: Db, job: string, { head }: RecordFormat): Promise<boolean> {
  const content = (await readJobPart(db, job, 0)) ?? ''
  return content.slice(content.indexOf('\n') + 1).startsWith(head)
}

/** The fields of an export, of those that the caller knows. Throws 403, and 422 that names those that are unknown. */
export function exportedFields(
  context: Context,
  definition: DocTypeDefinition,
  { fields }: Pick<ExportInput, 'fields'>,
): Selection {
  assertMay(context, definition, 'export')
  const parts = context.services.partsOf(definition)
  return selectionOf(knownParts(context, parts).definition, fields)
}

/** The text of an export that is done, piece by piece. */
export async function* exportedText(db: Db, job: string): AsyncGenerator<string> {
  for (let part = 0; ; part += 1) {
    const content = await readJobPart(db, job, part)
    if (content === undefined) return
    yield content.slice(content.indexOf('\n') + 1)
  }
}

/** Cursor behind the parts there are: empty where there is none yet, undefined where nothing follows. */
async function cursorBehind(db: Db, job: string, parts: number): Promise<string | undefined> {
  if (parts === 0) return ''
  const content = (await readJobPart(db, job, parts - 1)) ?? '\n'
  const cursor = content.slice(0, content.indexOf('\n'))
  return cursor === '' ? undefined : cursor
}

type Page = Awaited<ReturnType<typeof listDocuments>>

function pageOf(
  context: Context,
  definition: DocTypeDefinition,
  {
    input,
    selection,
    cursor,
  }: {
    readonly input: ExportInput
    readonly selection: Selection
    readonly cursor: string
  },
): Promise<Page> {
  const names = [...selection.own, ...selection.tables.map(({ field }) => field)]
  const fields = names.map(({ name }) => name).join(',')
  return listDocuments(context, definition, (known) => ({
    ...readListQuery(context.services, known, [
      ...input.filter,
      ['fields', fields],
      ['sort', 'created'],
      ['order', 'asc'],
      ['cursor', cursor],
    ]),
    limit: PAGE,
  }))
}

function textOf(form: RecordFormat, { data, nextCursor }: Page, before: number): string {
  const head = before === 0 ? form.head : ''
  const foot = nextCursor === undefined ? form.foot : ''
  return `${head}${data.map((record, at) => form.record(record, before + at)).join('')}${foot}`
}
